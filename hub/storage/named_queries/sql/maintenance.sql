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
-- Delete one account's request log after its retention time.
DELETE FROM request_log
WHERE account_id = :account_id AND logged_at <= :cutoff

-- name: sweep_limit_counts
-- Delete the rate limit windows that have ended.
DELETE FROM limit_counts
WHERE hour_ends_at <= :cutoff

-- name: all_accounts
-- Return every account.
SELECT account_id FROM accounts ORDER BY account_id
