-- name: take_lease
-- Take or renew a lease; returns no row while another owner has it.
INSERT INTO leases (name, owner, expires_at)
VALUES (:name, :owner, :expires_at)
ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
WHERE leases.owner = excluded.owner OR leases.expires_at <= :now
RETURNING owner

-- name: sweep_signatures
-- Delete the signatures of one account whose time window has passed.
DELETE FROM signatures
WHERE account_id = :account_id AND signed_at < :cutoff

-- name: sweep_idempotency_keys
-- Delete stored answers after their retention time.
DELETE FROM idempotency_keys
WHERE completed_at <= :cutoff

-- name: sweep_payloads
-- Delete the bodies of one account's settled events after their retention time.
DELETE FROM payloads
WHERE account_id = :account_id AND event_id < :before
  AND NOT EXISTS (
    SELECT 1 FROM events
    WHERE events.account_id = payloads.account_id AND events.event_id = payloads.event_id
      AND (events.due_at IS NOT NULL OR events.status IN ('PARKED', 'FAILED'))
  )

-- name: sweep_request_log
-- Delete the oldest rows of one account's request log after its retention time: `limit`, and those of the same moment.
DELETE FROM request_log
WHERE account_id = :account_id AND logged_at <= (
    SELECT MAX(logged_at) FROM (
      SELECT logged_at FROM request_log
      WHERE account_id = :account_id AND logged_at <= :cutoff
      ORDER BY logged_at
      LIMIT :limit
    ) AS oldest
  )

-- name: row_of_strangers_log
-- Return when the row at a place of the log of unknown accounts was written, counted from the newest.
SELECT logged_at FROM request_log
WHERE account_id = ''
ORDER BY logged_at DESC
LIMIT 1 OFFSET :place

-- name: sweep_limit_counts
-- Delete the rate limit windows that have ended.
DELETE FROM limit_counts
WHERE hour_ends_at <= :cutoff

-- name: all_accounts
-- Return every account.
SELECT account_id FROM accounts ORDER BY account_id
