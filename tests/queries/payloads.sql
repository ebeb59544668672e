-- name: payloads_of_events
-- What was kept of these events: the raw text, and what their headers said.
SELECT p.event_id, p.body, p.headers
FROM @rows(:events; account_id text, event_id text) AS k
CROSS JOIN payloads AS p
WHERE p.account_id = k.account_id AND p.event_id = k.event_id
