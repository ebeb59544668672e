-- name: show_secret
-- Insert until when a session may look at a secret.
INSERT INTO shown_secrets (session_id, subject_id, ends_at) VALUES (:session_id, :subject_id, :ends_at)
ON CONFLICT (session_id, subject_id) DO UPDATE SET ends_at = excluded.ends_at

-- name: forget_shown_secrets
-- Delete what no session may look at any more.
DELETE FROM shown_secrets WHERE ends_at <= :now

-- name: shown_secret
-- Return until when a session may look at a secret, if it may.
SELECT ends_at FROM shown_secrets
WHERE session_id = :session_id AND subject_id = :subject_id AND ends_at > :now

-- name: hide_secret
-- Delete that a session may look at a secret.
DELETE FROM shown_secrets WHERE session_id = :session_id AND subject_id = :subject_id

-- name: sealed_key
-- Return the sealed secret of a key of an account.
SELECT sealed_secret FROM api_keys WHERE account_id = :account_id AND key_id = :key_id

-- name: keep_shown
-- Insert what a session may look at, sealed, and until when.
INSERT INTO shown_secrets (session_id, subject_id, ends_at, sealed)
VALUES (:session_id, :subject_id, :ends_at, :sealed)

-- name: kept_shown
-- Return the sealed content that a session may still look at.
SELECT sealed FROM shown_secrets
WHERE session_id = :session_id AND subject_id = :subject_id AND ends_at > :now AND sealed IS NOT NULL
