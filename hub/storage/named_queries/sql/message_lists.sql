-- name: messages_below
-- Return an account's messages below an id that match each filter given, newest first, of the `depth` next ones.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM (SELECT * FROM events WHERE account_id = :account_id AND event_id < :cursor ORDER BY event_id DESC LIMIT :depth) AS e
WHERE (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:text AS TEXT) IS NULL OR lower(e.external_order_id) LIKE CAST(:text AS TEXT) ESCAPE '!'
       OR lower(e.external_event_id) LIKE CAST(:text AS TEXT) ESCAPE '!')
ORDER BY e.event_id DESC
LIMIT :limit

-- name: failed_messages_below
-- Return an account's failed messages below an id, newest first.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM events AS e
WHERE e.account_id = :account_id AND e.status = 'FAILED' AND e.event_id < :cursor
ORDER BY e.event_id DESC
LIMIT :limit

-- name: parked_messages_below
-- Return an account's parked messages below an id, newest first.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM parked_news AS p
JOIN events AS e ON e.account_id = p.account_id AND e.event_id = p.event_id
WHERE p.account_id = :account_id AND p.event_id < :cursor
ORDER BY e.event_id DESC
LIMIT :limit

-- name: message_at_depth_below
-- Return the id of the message that many rows below an id, if there are so many.
SELECT event_id AS id FROM events WHERE account_id = :account_id AND event_id < :cursor
ORDER BY event_id DESC
LIMIT 1 OFFSET :offset

-- name: messages_above
-- Return an account's messages above an id that match each filter given, oldest first, of the `depth` next ones.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM (SELECT * FROM events WHERE account_id = :account_id AND event_id > :cursor ORDER BY event_id LIMIT :depth) AS e
WHERE (CAST(:status AS TEXT) IS NULL OR e.status = CAST(:status AS TEXT))
  AND (CAST(:type AS TEXT) IS NULL OR e.type = CAST(:type AS TEXT))
  AND (CAST(:text AS TEXT) IS NULL OR lower(e.external_order_id) LIKE CAST(:text AS TEXT) ESCAPE '!'
       OR lower(e.external_event_id) LIKE CAST(:text AS TEXT) ESCAPE '!')
ORDER BY e.event_id
LIMIT :limit

-- name: failed_messages_above
-- Return an account's failed messages above an id, oldest first.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM events AS e
WHERE e.account_id = :account_id AND e.status = 'FAILED' AND e.event_id > :cursor
ORDER BY e.event_id
LIMIT :limit

-- name: parked_messages_above
-- Return an account's parked messages above an id, oldest first.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.due_at, e.attempts, e.explanation, e.connection_id, e.topic
FROM parked_news AS p
JOIN events AS e ON e.account_id = p.account_id AND e.event_id = p.event_id
WHERE p.account_id = :account_id AND p.event_id > :cursor
ORDER BY e.event_id
LIMIT :limit

-- name: message_at_depth_above
-- Return the id of the message that many rows above an id, if there are so many.
SELECT event_id AS id FROM events WHERE account_id = :account_id AND event_id > :cursor
ORDER BY event_id
LIMIT 1 OFFSET :offset

-- name: message_headers
-- Return the headers that a platform's delivery came with.
SELECT headers FROM payloads WHERE account_id = :account_id AND event_id = :event_id

-- name: requests_before
-- Return an account's requests that are older than one, newest first.
SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
FROM request_log
WHERE account_id = :account_id AND (logged_at, log_id) < (:before_at, :before_id)
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit

-- name: refused_requests_before
-- Return an account's refused requests that are older than one, newest first.
SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
FROM request_log
WHERE account_id = :account_id AND error_code IS NOT NULL AND (logged_at, log_id) < (:before_at, :before_id)
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit

-- name: requests_matching
-- Return those of an account's requests older than one that match each filter given, newest first, of the `depth` newest.
SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
FROM (SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
      FROM request_log
      WHERE account_id = :account_id AND (logged_at, log_id) < (:before_at, :before_id)
      ORDER BY logged_at DESC, log_id DESC
      LIMIT :depth) AS newest
WHERE (CAST(:code AS TEXT) IS NULL OR error_code = CAST(:code AS TEXT))
  AND (CAST(:key_id AS TEXT) IS NULL OR key_id = CAST(:key_id AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR request_id = CAST(:text AS TEXT)
       OR lower(path) LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit

-- name: refused_requests_matching
-- Return those of an account's refused requests older than one that match each filter given, newest first, of the `depth` newest.
SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
FROM (SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us, detail
      FROM request_log
      WHERE account_id = :account_id AND error_code IS NOT NULL AND (logged_at, log_id) < (:before_at, :before_id)
      ORDER BY logged_at DESC, log_id DESC
      LIMIT :depth) AS newest
WHERE (CAST(:code AS TEXT) IS NULL OR error_code = CAST(:code AS TEXT))
  AND (CAST(:key_id AS TEXT) IS NULL OR key_id = CAST(:key_id AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR request_id = CAST(:text AS TEXT)
       OR lower(path) LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit

-- name: request_at_depth
-- Return the place of that one of an account's requests that many rows before a place, if there are so many.
SELECT logged_at, log_id FROM request_log
WHERE account_id = :account_id AND (logged_at, log_id) < (:before_at, :before_id)
ORDER BY logged_at DESC, log_id DESC
LIMIT 1 OFFSET :offset

-- name: refused_request_at_depth
-- Return the place of that one of an account's refused requests that many rows before a place, if there are so many.
SELECT logged_at, log_id FROM request_log
WHERE account_id = :account_id AND error_code IS NOT NULL AND (logged_at, log_id) < (:before_at, :before_id)
ORDER BY logged_at DESC, log_id DESC
LIMIT 1 OFFSET :offset

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
