-- name: spent_signatures
-- Which of these signatures were used before: as good as always none.
SELECT s.account_id, s.signed_at, s.signature
FROM @rows(:uses; account_id text, signed_at bigint, signature text) AS k
CROSS JOIN signatures AS s
WHERE s.account_id = k.account_id AND s.signed_at = k.signed_at AND s.signature = k.signature

-- name: spend_signatures
-- Spends signatures; fewer than given means that another process spent some meanwhile.
INSERT INTO signatures (account_id, signed_at, signature)
SELECT account_id, signed_at, signature
FROM @rows(:uses; account_id text, signed_at bigint, signature text)
WHERE true
ON CONFLICT (account_id, signed_at, signature) DO NOTHING

-- name: stored_answers
-- The answers kept for idempotency keys that are still remembered.
SELECT i.account_id, i.route, i.idempotency_key, i.fingerprint, i.status, i.body
FROM @rows(:keys; account_id text, route text, idempotency_key text) AS k
CROSS JOIN idempotency_keys AS i
WHERE i.account_id = k.account_id AND i.route = k.route AND i.idempotency_key = k.idempotency_key
  AND i.completed_at > :cutoff

-- name: store_answers
-- Keeps answers; fewer than given means that another process claimed some of their keys meanwhile.
INSERT INTO idempotency_keys (account_id, route, idempotency_key, fingerprint, status, body, completed_at)
SELECT account_id, route, idempotency_key, fingerprint, status, body, completed_at
FROM @rows(:answers; account_id text, route text, idempotency_key text, fingerprint text, status bigint, body text,
           completed_at bigint)
WHERE true
ON CONFLICT (account_id, route, idempotency_key) DO UPDATE
SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
    completed_at = excluded.completed_at
WHERE idempotency_keys.completed_at <= :cutoff

-- name: claim_keys
-- Claims what may happen once; fewer than given means that some were claimed before.
INSERT INTO claims (account_id, scope, claim_key, event_id, conversion_id)
SELECT account_id, scope, claim_key, event_id, conversion_id
FROM @rows(:claims; account_id text, scope text, claim_key text, event_id text, conversion_id text)
WHERE true
ON CONFLICT (account_id, scope, claim_key) DO NOTHING

-- name: claim_owners
-- Who holds these claims.
SELECT c.account_id, c.scope, c.claim_key, c.event_id, c.conversion_id
FROM @rows(:keys; account_id text, scope text, claim_key text) AS k
CROSS JOIN claims AS c
WHERE c.account_id = k.account_id AND c.scope = k.scope AND c.claim_key = k.claim_key

-- name: insert_events
-- Files accepted submissions for the worker.
INSERT INTO events (account_id, event_id, type, kind, status, external_event_id, external_order_id, conversion_id,
                    received_at, due_at, attempts, connection_id, topic)
SELECT account_id, event_id, type, kind, status, external_event_id, external_order_id, conversion_id,
       received_at, received_at, 0, connection_id, topic
FROM @rows(:events; account_id text, event_id text, type text, kind text, status text, external_event_id text,
           external_order_id text, conversion_id text, received_at bigint, connection_id text, topic text)

-- name: insert_payloads
-- Keeps the raw text of submissions.
INSERT INTO payloads (account_id, event_id, body, received_at, headers)
SELECT account_id, event_id, body, received_at, headers
FROM @rows(:payloads; account_id text, event_id text, body text, received_at bigint, headers text)
