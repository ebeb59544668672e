-- name: branding
-- Return how the network presents itself, as JSON; no row before it was set.
SELECT content FROM branding WHERE id = 1

-- name: set_branding
-- Set how the network presents itself.
INSERT INTO branding (id, content, changed_at) VALUES (1, :content, :now)
ON CONFLICT (id) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at
