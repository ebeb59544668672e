-- name: events
-- Return what was submitted, with what came of it; one status of `unused` is that of what the hub could not use.
-- list: by event_id text; indexed (account_id), (account_id, order_id), (account_id, updated_since), (account_id, order_id, updated_since), (account_id, unused) in events_unused, (unused) across accounts in events_unused, (merchant_id, unused) across accounts in events_unused, (mode, unused) across accounts in events_unused, () across accounts, (merchant_id) across accounts, (mode) across accounts; from since
-- filter account_id text: e.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter unused text: e.status = :unused AND ((e.status = 'FAILED') OR (e.status = 'UNMATCHED') OR (e.status = 'PARKED'))
-- filter since text: e.event_id >= :since
-- filter status text: e.status = :status
-- filter type text: e.type = :type
-- filter kind text: e.kind = :kind
-- filter created_from bigint: e.received_at >= :created_from
-- filter created_to bigint: e.received_at < :created_to
-- filter reason text: lower(e.explanation) LIKE :reason ESCAPE '!'
-- filter text text: lower(e.external_order_id) LIKE :text ESCAPE '!' OR lower(e.external_event_id) LIKE :text ESCAPE '!'
-- filter updated_since bigint: e.event_id IN (SELECT h.record_id FROM changes AS h WHERE h.account_id = :account_id AND h.number >= :updated_since AND h.record_type || '' = 'event' UNION ALL SELECT v.event_id FROM changes AS h JOIN conversions AS v ON v.account_id = h.account_id AND v.conversion_id = h.record_id WHERE h.account_id = :account_id AND h.number >= :updated_since AND h.record_type || '' = 'conversion')
-- filter order_id text: e.event_id IN (SELECT event_id FROM claims WHERE account_id = :account_id AND scope = 'order' AND claim_key = :order_id UNION SELECT event_id FROM claims WHERE account_id = :account_id AND scope = 'status' AND claim_key >= CAST(length(:order_id) AS TEXT) || ':' || :order_id || ':' AND claim_key < CAST(length(:order_id) AS TEXT) || ':' || :order_id || ';' UNION SELECT event_id FROM order_facts WHERE account_id = :account_id AND external_order_id = :order_id UNION SELECT event_id FROM parked_news WHERE account_id = :account_id AND external_order_id = :order_id)
SELECT e.account_id, e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id,
       e.received_at, e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic,
       a.merchant_id, a.mode, s.name AS merchant_name,
       EXISTS (SELECT 1 FROM payloads AS p WHERE p.account_id = e.account_id AND p.event_id = e.event_id) AS has_payload
FROM @listed(events AS e)
JOIN accounts AS a ON a.account_id = e.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id

-- name: requests
-- Return requests as the log has them.
-- list: by logged_at bigint, log_id text; indexed (account_id), (account_id, refused) in request_log_errors; from created_from until created_to
-- filter account_id text: r.account_id = :account_id
-- filter refused bigint: r.error_code IS NOT NULL AND :refused = 1
-- filter created_from bigint: r.logged_at >= :created_from
-- filter created_to bigint: r.logged_at < :created_to
-- filter code text: r.error_code = :code
-- filter status bigint: r.status = :status
-- filter key_id text: r.key_id = :key_id
-- filter text text: lower(r.request_id) LIKE :text ESCAPE '!' OR lower(r.path) LIKE :text ESCAPE '!'
SELECT r.logged_at, r.log_id, r.request_id, r.method, r.path, r.status, r.error_code, r.key_id, r.client, r.duration_us,
       r.detail, (SELECT a.mode FROM accounts AS a WHERE a.account_id = r.account_id) AS mode
FROM @listed(request_log AS r)

-- name: message_headers
-- Return the headers that a platform's delivery came with.
SELECT headers FROM payloads WHERE account_id = :account_id AND event_id = :event_id

-- name: first_uses
-- Return the request of a key that was logged closest to a moment, of those with this method and path that were signed.
SELECT logged_at, request_id, method, path, status
FROM (SELECT logged_at, request_id, method, path, status, key_id, error_code FROM request_log
      WHERE account_id = :account_id AND logged_at >= :since AND logged_at < :before
      ORDER BY logged_at DESC LIMIT 10000) AS l
WHERE key_id = :key_id AND method = :method
  AND (CAST(:path AS TEXT) IS NULL OR path = CAST(:path AS TEXT))
  AND (error_code IS NULL OR error_code NOT IN ('bad_signature', 'signature_replayed', 'timestamp_out_of_range'))
ORDER BY ABS(logged_at - :signed_at), logged_at
LIMIT 1

-- name: spent_signature
-- Return whether a signature was used.
SELECT signed_at FROM signatures WHERE account_id = :account_id AND signed_at = :signed_at AND signature = :signature

-- name: errors_of_account
-- Count an account's refused requests since a moment by their error, of the newest ones.
SELECT error_code, COUNT(*) AS requests
FROM (SELECT error_code FROM request_log
      WHERE account_id = :account_id AND error_code IS NOT NULL AND logged_at >= :since
      ORDER BY logged_at DESC LIMIT :limit) AS newest
GROUP BY error_code
ORDER BY COUNT(*) DESC, error_code
