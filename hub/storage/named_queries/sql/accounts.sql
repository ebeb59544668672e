-- name: key_with_merchant
-- Return an API key with its account, its mode, and the merchant's status, currency and domains.
SELECT k.key_id, k.account_id, k.sealed_secret, k.allowed_cidrs, k.expires_at, k.revoked_at, k.signature_version, a.mode,
       m.merchant_id, m.status AS merchant_status, m.currency, m.domains
FROM api_keys AS k
JOIN accounts AS a ON a.account_id = k.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE k.key_id = :key_id

-- name: insert_request_log
-- Append to the request log.
INSERT INTO request_log (account_id, logged_at, log_id, request_id, method, path, status, error_code, key_id, client,
                         duration_us, detail, kept)
SELECT account_id, logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail,
       kept
FROM @rows(:rows; account_id text, logged_at bigint, log_id text, request_id text, method text, path text,
           status bigint, error_code text, key_id text, client text, duration_us bigint, detail text,
           kept text)

-- name: forget_kept_requests
-- Delete what is kept of an account's refused requests, whose bodies may name any buyer; their rows stay.
UPDATE request_log SET kept = NULL
WHERE account_id = :account_id AND error_code IS NOT NULL AND kept IS NOT NULL

-- name: request_in_log
-- Return one request of an account as the log has it, with what was kept of it.
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail, r.kept, (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM request_log AS r
WHERE r.account_id = :account_id AND r.logged_at = :logged_at AND r.log_id = :log_id

-- name: events_received_at
-- Return events that an account sent at a moment, two at most; `first` and `after` bound their ids.
SELECT event_id FROM events
WHERE account_id = :account_id AND event_id >= :first AND event_id < :after AND received_at = :received_at
      AND connection_id IS NULL
ORDER BY event_id
LIMIT 2

-- name: event_record
-- Return one event of an account as the API shows it; its columns are read in this order.
SELECT e.type, e.kind, e.status, e.received_at, e.processed_at, e.attempts, e.conversion_id, e.explanation,
       CASE WHEN e.type = 'order_status'
            THEN (SELECT p.body FROM payloads AS p WHERE p.account_id = e.account_id AND p.event_id = e.event_id) END
       AS submitted
FROM events AS e
WHERE e.account_id = :account_id AND e.event_id = :event_id

-- name: events_backlog
-- Count the events that wait to be processed, up to a limit.
SELECT COUNT(*) AS waiting
FROM (SELECT 1 AS one FROM events WHERE due_at IS NOT NULL LIMIT :limit) AS due

-- name: oldest_due_event
-- Return since when the oldest due event has been due.
SELECT due_at FROM events WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1
