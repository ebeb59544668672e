-- name: spent_signatures
-- Return those of these signatures that were used before: almost always none.
SELECT s.account_id, s.signed_at, s.signature
FROM @rows(:uses; account_id text, signed_at bigint, signature text) AS k
CROSS JOIN signatures AS s
WHERE s.account_id = k.account_id AND s.signed_at = k.signed_at AND s.signature = k.signature

-- name: spend_signatures
-- Insert used signatures; touches fewer rows than given if another process has inserted some meanwhile.
INSERT INTO signatures (account_id, signed_at, signature)
SELECT account_id, signed_at, signature
FROM @rows(:uses; account_id text, signed_at bigint, signature text)
WHERE true
ON CONFLICT (account_id, signed_at, signature) DO NOTHING

-- name: stored_answers
-- Return the answers stored for these idempotency keys.
SELECT i.account_id, i.route, i.idempotency_key, i.fingerprint, i.status, i.body
FROM @rows(:keys; account_id text, route text, idempotency_key text) AS k
CROSS JOIN idempotency_keys AS i
WHERE i.account_id = k.account_id AND i.route = k.route AND i.idempotency_key = k.idempotency_key
  AND i.completed_at > :cutoff

-- name: store_answers
-- Store answers; touches fewer rows than given if another process has stored some of the keys meanwhile.
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
-- Insert claims; touches fewer rows than given if some existed before.
INSERT INTO claims (account_id, scope, claim_key, event_id, conversion_id)
SELECT account_id, scope, claim_key, event_id, conversion_id
FROM @rows(:claims; account_id text, scope text, claim_key text, event_id text, conversion_id text)
WHERE true
ON CONFLICT (account_id, scope, claim_key) DO NOTHING

-- name: claim_owners
-- Return the events that own these claims.
SELECT c.account_id, c.scope, c.claim_key, c.event_id, c.conversion_id
FROM @rows(:keys; account_id text, scope text, claim_key text) AS k
CROSS JOIN claims AS c
WHERE c.account_id = k.account_id AND c.scope = k.scope AND c.claim_key = k.claim_key

-- name: insert_events
-- Insert accepted submissions, due for the worker.
INSERT INTO events (account_id, event_id, type, kind, status, external_event_id, external_order_id, conversion_id,
                    received_at, due_at, attempts, connection_id, topic)
SELECT account_id, event_id, type, kind, status, external_event_id, external_order_id, conversion_id,
       received_at, received_at, 0, connection_id, topic
FROM @rows(:events; account_id text, event_id text, type text, kind text, status text, external_event_id text,
           external_order_id text, conversion_id text, received_at bigint, connection_id text, topic text)

-- name: insert_payloads
-- Insert the raw bodies of submissions.
INSERT INTO payloads (account_id, event_id, body, received_at, headers)
SELECT account_id, event_id, body, received_at, headers
FROM @rows(:payloads; account_id text, event_id text, body text, received_at bigint, headers text)

-- name: reported_order
-- Return the amount of an order that was reported, null until it is decided, and the body of its first report.
SELECT c.order_minor, c.currency, p.body
FROM claims AS k
LEFT JOIN conversions AS c ON c.account_id = k.account_id AND c.external_order_id = k.claim_key
LEFT JOIN events AS e ON e.account_id = k.account_id AND e.event_id = k.event_id AND e.type = 'conversion'
LEFT JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE k.account_id = :account_id AND k.scope = 'order' AND k.claim_key = :external_order_id

-- name: note_repeated_reports
-- Insert reports of orders that were reported before.
INSERT INTO repeated_reports (account_id, repeat_id, external_order_id, amount, currency, received_at, click_id,
                              ordered_at, report)
SELECT account_id, repeat_id, external_order_id, amount, currency, received_at, click_id, ordered_at, report
FROM @rows(:reports; account_id text, repeat_id text, external_order_id text, amount text, currency text,
           received_at bigint, click_id text, ordered_at bigint, report text)
