-- name: take_lease
-- Takes or renews a lease; no row comes back while another owner holds it.
INSERT INTO leases (name, owner, expires_at)
VALUES (:name, :owner, :expires_at)
ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
WHERE leases.owner = excluded.owner OR leases.expires_at <= :now
RETURNING owner

-- name: sweep_signatures
-- Forgets the signatures of one account whose time window has passed.
DELETE FROM signatures
WHERE account_id = :account_id AND signed_at < :cutoff

-- name: sweep_idempotency_keys
-- Forgets answers that are older than they are kept for.
DELETE FROM idempotency_keys
WHERE completed_at <= :cutoff

-- name: sweep_payloads
-- Drops the raw text of one account's settled events that have been kept long enough.
DELETE FROM payloads
WHERE account_id = :account_id AND event_id < :before
  AND NOT EXISTS (
    SELECT 1 FROM events
    WHERE events.account_id = payloads.account_id AND events.event_id = payloads.event_id
      AND (events.due_at IS NOT NULL OR events.status IN ('PARKED', 'FAILED'))
  )

-- name: sweep_request_log
-- Drops one account's log lines that have been kept long enough.
DELETE FROM request_log
WHERE account_id = :account_id AND logged_at <= :cutoff

-- name: sweep_limit_counts
-- Forgets the windows of rate limits that have closed.
DELETE FROM limit_counts
WHERE hour_ends_at <= :cutoff

-- name: all_accounts
-- Every account.
SELECT account_id FROM accounts ORDER BY account_id
