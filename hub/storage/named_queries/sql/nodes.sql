-- name: write_heartbeat
-- Store that a process serves now; returns whether an operator has confirmed its clock, and when a reload was asked for.
INSERT INTO nodes (node_id, started_at, seen_at, master_keys, clock_jump_ms, clock_confirmed, plugins, exhausted_at)
VALUES (:node_id, :started_at, :now, :master_keys, :clock_jump_ms, 0, :plugins, :exhausted_at)
ON CONFLICT (node_id) DO UPDATE SET
    seen_at = excluded.seen_at,
    master_keys = excluded.master_keys,
    clock_jump_ms = excluded.clock_jump_ms,
    plugins = excluded.plugins,
    exhausted_at = excluded.exhausted_at,
    clock_confirmed = CASE WHEN excluded.clock_jump_ms = 0 THEN 0 ELSE nodes.clock_confirmed END
RETURNING clock_confirmed, reload_asked_at

-- name: newest_heartbeat
-- Return the newest moment at which a process served this database.
SELECT max(seen_at) AS seen_at FROM nodes

-- name: nodes_listed
-- Return the processes that served lately, the newest first.
SELECT node_id, started_at, seen_at, master_keys, clock_jump_ms, clock_confirmed, plugins, exhausted_at
FROM nodes
ORDER BY seen_at DESC, node_id

-- name: confirm_clocks
-- Mark the clocks that jumped as confirmed by an operator.
UPDATE nodes SET clock_confirmed = 1 WHERE clock_jump_ms <> 0

-- name: ask_for_reload
-- Set when the processes that were seen since a moment were asked to load their plugins anew.
UPDATE nodes SET reload_asked_at = :now WHERE seen_at >= :since

-- name: sweep_nodes
-- Delete the processes that have not served since a moment.
DELETE FROM nodes
WHERE seen_at < :cutoff
