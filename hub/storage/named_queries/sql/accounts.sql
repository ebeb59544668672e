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
                         duration_us, detail)
SELECT account_id, logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
FROM @rows(:rows; account_id text, logged_at bigint, log_id text, request_id text, method text, path text,
           status bigint, error_code text, key_id text, client text, duration_us bigint, detail text)

-- name: event_record
-- Return one event of an account as the API shows it; its columns are read in this order.
SELECT type, kind, status, received_at, processed_at, attempts, conversion_id, explanation
FROM events
WHERE account_id = :account_id AND event_id = :event_id

-- name: events_backlog
-- Count the events that wait to be processed, up to a limit.
SELECT COUNT(*) AS waiting
FROM (SELECT 1 AS one FROM events WHERE due_at IS NOT NULL LIMIT :limit) AS due

-- name: oldest_due_event
-- Return since when the oldest due event has been due.
SELECT due_at FROM events WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1
