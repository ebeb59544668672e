-- name: open_limit_counts
-- Return the units taken of each window, and lock them for this transaction; an ended window begins anew.
INSERT INTO limit_counts (account_id, limit_group, minute_ends_at, minute_used, hour_ends_at, hour_used)
SELECT account_id, limit_group, minute_ends_at, 0, hour_ends_at, 0
FROM @rows(:groups; account_id text, limit_group text, minute_ends_at bigint, hour_ends_at bigint)
WHERE true
ORDER BY account_id, limit_group
ON CONFLICT (account_id, limit_group) DO UPDATE
SET minute_used = CASE WHEN limit_counts.minute_ends_at < excluded.minute_ends_at THEN 0
                       ELSE limit_counts.minute_used END,
    minute_ends_at = CASE WHEN limit_counts.minute_ends_at < excluded.minute_ends_at THEN excluded.minute_ends_at
                          ELSE limit_counts.minute_ends_at END,
    hour_used = CASE WHEN limit_counts.hour_ends_at < excluded.hour_ends_at THEN 0 ELSE limit_counts.hour_used END,
    hour_ends_at = CASE WHEN limit_counts.hour_ends_at < excluded.hour_ends_at THEN excluded.hour_ends_at
                        ELSE limit_counts.hour_ends_at END
RETURNING account_id, limit_group, minute_used, hour_used

-- name: write_limit_counts
-- Store the units taken of windows that this transaction has locked.
UPDATE limit_counts
SET minute_used = counts.minute_used, hour_used = counts.hour_used
FROM @rows(:counts; account_id text, limit_group text, minute_used bigint, hour_used bigint) AS counts
WHERE limit_counts.account_id = counts.account_id AND limit_counts.limit_group = counts.limit_group
