-- name: connections
-- Return connections with their merchants.
-- list: by connection_id text; small
-- filter merchant_id text: a.merchant_id = :merchant_id
SELECT c.account_id, c.connection_id, c.connector, c.title, c.secrets, c.options, c.status, c.created_at, c.closed_at,
       c.source, a.merchant_id, a.mode, s.name AS merchant_name
FROM @listed(connections AS c)
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id

-- name: connection_at_door
-- Return a connection by its id, with its account and the secrets that verify its deliveries.
SELECT c.account_id, c.connection_id, c.connector, c.secrets, c.status, c.source, a.mode, m.merchant_id, m.currency, m.domains
FROM connection_routes AS r
JOIN connections AS c ON c.account_id = r.account_id AND c.connection_id = r.connection_id
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE r.connection_id = :connection_id

-- name: any_connection
-- Return a row if there is a connection at all.
SELECT 1 AS found FROM connections LIMIT 1

-- name: load_connections
-- Return the connector, options and mode of these connections.
SELECT c.account_id, c.connection_id, c.connector, c.options, a.mode
FROM @rows(:connections; account_id text, connection_id text) AS k
CROSS JOIN connections AS c
JOIN accounts AS a ON a.account_id = c.account_id
WHERE c.account_id = k.account_id AND c.connection_id = k.connection_id

-- name: insert_connection_route
-- Insert the account of a connection.
INSERT INTO connection_routes (connection_id, account_id) VALUES (:connection_id, :account_id)

-- name: insert_connection
-- Insert a connection with its sealed secrets.
INSERT INTO connections (account_id, connection_id, connector, title, secrets, options, link_parameters, status,
                         created_at)
VALUES (:account_id, :connection_id, :connector, :title, :secrets, :options, :link_parameters, 'ACTIVE', :now)

-- name: hold_connection
-- Lock a connection until the transaction ends, with an update that changes nothing.
UPDATE connections SET status = status WHERE account_id = :account_id AND connection_id = :connection_id

-- name: write_connection_secrets
-- Replace the sealed secrets of a connection.
UPDATE connections SET secrets = :secrets WHERE account_id = :account_id AND connection_id = :connection_id

-- name: close_connection
-- Close a connection; a second time keeps the time of the first.
UPDATE connections SET status = 'CLOSED', closed_at = :now
WHERE account_id = :account_id AND connection_id = :connection_id AND status = 'ACTIVE'

-- name: connection_anywhere
-- Return one connection by its id, in whichever account it is.
SELECT c.account_id, c.connection_id, c.connector, c.title, c.secrets, c.options, c.status, c.created_at, c.closed_at,
       c.source, c.consent_fault, c.consent_fault_at,
       a.merchant_id, a.mode, s.name AS merchant_name
FROM connection_routes AS r
JOIN connections AS c ON c.account_id = r.account_id AND c.connection_id = r.connection_id
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE r.connection_id = :connection_id

-- name: connections_of_account
-- Return the connections of an account with their secrets, newest first.
SELECT connection_id, connector, title, secrets, status
FROM connections
WHERE account_id = :account_id
ORDER BY connection_id DESC

-- name: keep_connection_source
-- Store the site that a connection's deliveries come from, unless one is kept.
UPDATE connections SET source = :source
WHERE account_id = :account_id AND connection_id = :connection_id AND source IS NULL

-- name: change_connection_source
-- Replace the site that a connection's deliveries come from; null: the next one that is named.
UPDATE connections SET source = :source WHERE account_id = :account_id AND connection_id = :connection_id

-- name: connection_failures
-- Return the newest deliveries of a connection since an event that could not be read.
SELECT e.event_id, e.external_order_id, e.explanation
FROM events AS u
CROSS JOIN events AS e
WHERE u.account_id = :account_id AND u.status = 'FAILED' AND u.event_id >= :since AND e.account_id = u.account_id
  AND e.event_id = u.event_id AND e.connection_id = :connection_id
ORDER BY e.event_id DESC
LIMIT :limit

-- name: connection_arrivals
-- Count the newest deliveries of a connection, up to a limit, by topic and status, and find the last one of an order.
SELECT topic, status, COUNT(*) AS deliveries, MIN(received_at) AS first_at, MAX(received_at) AS last_at,
       MAX(CASE WHEN e.external_order_id IS NOT NULL THEN received_at END) AS last_order_at
FROM (SELECT account_id, event_id FROM events
      WHERE account_id = :account_id AND connection_id = :connection_id
      ORDER BY event_id DESC
      LIMIT :limit) AS u
CROSS JOIN events AS e
WHERE e.account_id = u.account_id AND e.event_id = u.event_id
GROUP BY topic, status
ORDER BY topic, status

-- name: connection_order_news
-- Count the order statuses that the newest deliveries of a connection, up to a limit, have reported.
SELECT f.status, COUNT(*) AS facts
FROM (SELECT account_id, event_id FROM events
      WHERE account_id = :account_id AND connection_id = :connection_id
      ORDER BY event_id DESC
      LIMIT :limit) AS u
CROSS JOIN events AS e
CROSS JOIN order_facts AS f
WHERE e.account_id = u.account_id AND e.event_id = u.event_id AND f.account_id = e.account_id AND f.external_order_id = e.external_order_id
  AND f.event_id = e.event_id
GROUP BY f.status

-- name: connection_orders
-- Return the newest orders of a connection, with the click that they name.
SELECT c.external_order_id, c.click_id, c.received_at
FROM events AS u
CROSS JOIN events AS e
CROSS JOIN conversions AS c
WHERE u.account_id = :account_id AND u.connection_id = :connection_id AND e.account_id = u.account_id
  AND e.event_id = u.event_id AND c.account_id = e.account_id AND c.external_order_id = e.external_order_id
  AND c.event_id = e.event_id
ORDER BY u.event_id DESC
LIMIT :limit

-- name: newest_order_body
-- Return the newest body about an order among the newest deliveries of a connection, with its receipt.
SELECT e.received_at, p.body
FROM (SELECT account_id, event_id FROM events
      WHERE account_id = :account_id AND connection_id = :connection_id
      ORDER BY event_id DESC
      LIMIT :limit) AS u
CROSS JOIN events AS e
JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = u.account_id AND e.event_id = u.event_id AND e.external_order_id IS NOT NULL
ORDER BY e.event_id DESC
LIMIT 1

-- name: connection_refusals
-- Count the refused deliveries of a connection since a moment, by reason, and say when the last one was taken.
SELECT error_code, COUNT(*) AS refusals, MAX(logged_at) AS last_at,
       COALESCE((SELECT MAX(t.logged_at) FROM request_log AS t
                 WHERE t.account_id = :account_id AND t.logged_at >= :since AND t.path = :path AND t.method = 'POST'
                   AND t.status = 200), 0) AS taken_at
FROM request_log
WHERE account_id = :account_id AND logged_at >= :since AND error_code IS NOT NULL AND path = :path
GROUP BY error_code
ORDER BY error_code

-- name: connection_greetings
-- Return when a connection last answered pings (POST) and proofs of the secret (GET), which no event is kept of.
SELECT method, MAX(logged_at) AS last_at
FROM request_log
WHERE account_id = :account_id AND logged_at >= :since AND path = :path AND status = 200
GROUP BY method

-- name: connections_in_test
-- Return the open test connections of a merchant to a connector, each with the time of its last delivery.
SELECT c.connection_id,
       (SELECT e.received_at FROM events AS e
        WHERE e.account_id = c.account_id AND e.connection_id = c.connection_id
        ORDER BY e.event_id DESC LIMIT 1) AS last_at
FROM accounts AS a
CROSS JOIN connections AS c
WHERE a.merchant_id = :merchant_id AND a.mode = 'test' AND c.account_id = a.account_id
  AND c.connector = :connector AND c.status = 'ACTIVE'
ORDER BY c.connection_id

-- name: connection_questions
-- Count the open questions about orders that were asked by deliveries of a connection.
SELECT COUNT(*) AS questions
FROM order_reviews AS r
CROSS JOIN events AS e
WHERE r.account_id = :account_id AND r.closed_at IS NULL
  AND e.account_id = r.account_id AND e.event_id = r.event_id AND e.connection_id = :connection_id

-- name: connection_namesakes
-- Count the orders that came over a connection under known numbers since a moment and that nobody has answered about.
SELECT COUNT(*) AS orders, MIN(asked_at) AS first_at
FROM order_namesakes
WHERE account_id = :account_id AND connection_id = :connection_id AND asked_at >= :since AND confirmed_at IS NULL

-- name: learn_items
-- Store which products inventory items belong to.
INSERT INTO connection_items (account_id, connection_id, item_id, external_product_id)
SELECT account_id, connection_id, item_id, external_product_id
FROM @rows(:items; account_id text, connection_id text, item_id text, external_product_id text)
WHERE true
ON CONFLICT (account_id, connection_id, item_id) DO UPDATE SET external_product_id = excluded.external_product_id

-- name: owners_of_items
-- Return the products that these inventory items belong to.
SELECT i.account_id, i.connection_id, i.item_id, i.external_product_id
FROM @rows(:items; account_id text, connection_id text, item_id text) AS k
CROSS JOIN connection_items AS i
WHERE i.account_id = k.account_id AND i.connection_id = k.connection_id AND i.item_id = k.item_id

-- name: write_levels
-- Store the quantity of items at locations, unless a newer one is stored.
INSERT INTO connection_stock (account_id, connection_id, item_id, location_id, quantity, updated_at)
SELECT account_id, connection_id, item_id, location_id, quantity, updated_at
FROM @rows(:levels; account_id text, connection_id text, item_id text, location_id text, quantity bigint,
           updated_at bigint)
WHERE true
ON CONFLICT (account_id, connection_id, item_id, location_id) DO UPDATE
SET quantity = excluded.quantity, updated_at = excluded.updated_at
WHERE connection_stock.updated_at <= excluded.updated_at

-- name: levels_of_products
-- Return the quantities of these products' items at each location.
SELECT i.account_id, i.connection_id, i.external_product_id, s.item_id, s.location_id, s.quantity, s.updated_at
FROM @rows(:products; account_id text, connection_id text, external_product_id text) AS k
CROSS JOIN connection_items AS i
JOIN connection_stock AS s ON s.account_id = i.account_id AND s.connection_id = i.connection_id
  AND s.item_id = i.item_id
WHERE i.account_id = k.account_id AND i.connection_id = k.connection_id
  AND i.external_product_id = k.external_product_id

-- name: events_of_orders
-- Return events of these orders: all from this connection, and from elsewhere those that counted or are parked.
SELECT e.event_id
FROM events AS e
WHERE e.account_id = :account_id AND e.connection_id = :connection_id AND e.external_order_id IN @list(:orders text)
UNION
SELECT f.event_id FROM order_facts AS f
WHERE f.account_id = :account_id AND f.external_order_id IN @list(:orders text)
UNION
SELECT c.event_id FROM conversions AS c
WHERE c.account_id = :account_id AND c.external_order_id IN @list(:orders text)
UNION
SELECT p.event_id FROM parked_news AS p
WHERE p.account_id = :account_id AND p.external_order_id IN @list(:orders text)

-- name: kept_bodies_without_order
-- Return a page of a connection's stored bodies for which no order is known.
SELECT e.event_id, p.body
FROM events AS e
JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = :account_id AND e.connection_id = :connection_id AND e.event_id > :after
  AND e.external_order_id IS NULL
ORDER BY e.event_id
LIMIT :limit

-- name: events_of_connection
-- Return every event of a connection.
SELECT event_id FROM events WHERE account_id = :account_id AND connection_id = :connection_id

-- name: metadata_of_orders
-- Return the conversions of these orders with their buyers' metadata.
SELECT conversion_id, external_order_id, event_id, metadata
FROM conversions
WHERE account_id = :account_id AND external_order_id IN @list(:orders text)
ORDER BY conversion_id

-- name: orders_of_connection
-- Return the orders that came over a connection.
SELECT c.external_order_id
FROM events AS e
JOIN conversions AS c ON c.account_id = e.account_id AND c.external_order_id = e.external_order_id
  AND c.event_id = e.event_id
WHERE e.account_id = :account_id AND e.connection_id = :connection_id

-- name: kept_payloads
-- Return those of these events whose body is still stored.
SELECT p.event_id
FROM @rows(:events; account_id text, event_id text) AS k
CROSS JOIN payloads AS p
WHERE p.account_id = k.account_id AND p.event_id = k.event_id

-- name: delay_erasure
-- Make a privacy request due at a later time, with what it waits for.
UPDATE events SET due_at = :due_at, explanation = :explanation
WHERE account_id = :account_id AND event_id = :event_id

-- name: delayed_erasures
-- Return the privacy requests that wait, of every connection or of one.
SELECT e.connection_id, e.event_id, e.received_at, e.due_at, e.explanation
FROM accounts AS a
CROSS JOIN events AS u
CROSS JOIN events AS e
WHERE CASE u.type WHEN 'webhook' THEN 1 ELSE 0 END = 1 AND u.account_id = a.account_id AND u.due_at IS NOT NULL
  AND e.account_id = u.account_id AND e.event_id = u.event_id
  AND e.status = 'QUEUED' AND e.explanation IS NOT NULL AND e.connection_id IS NOT NULL
  AND (CAST(:connection_id AS TEXT) IS NULL OR e.connection_id = CAST(:connection_id AS TEXT))
ORDER BY e.due_at

-- name: revoke_erasures
-- Close the privacy requests of a connection that wait, without erasing anything.
UPDATE events SET status = 'SKIPPED', due_at = NULL, processed_at = :now, explanation = :explanation
WHERE account_id = :account_id AND connection_id = :connection_id AND due_at IS NOT NULL AND status = 'QUEUED'
  AND explanation IS NOT NULL

-- name: erase_payloads
-- Delete the bodies of these events.
DELETE FROM payloads WHERE account_id = :account_id AND event_id IN @list(:events text)

-- name: erase_metadata
-- Delete the buyers' metadata of these orders; amounts stay.
UPDATE conversions SET metadata = NULL
WHERE account_id = :account_id AND external_order_id IN @list(:orders text) AND metadata IS NOT NULL

-- name: deliveries_of_connection
-- Return the newest deliveries of a connection with their bodies and what became of them, up to a limit.
SELECT e.event_id, e.topic, e.status, e.received_at, e.attempts, e.explanation, e.external_order_id,
       p.body, p.headers
FROM (SELECT account_id, event_id FROM events
      WHERE account_id = :account_id AND connection_id = :connection_id
      ORDER BY event_id DESC
      LIMIT :limit) AS u
CROSS JOIN events AS e
LEFT JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = u.account_id AND e.event_id = u.event_id
ORDER BY e.event_id DESC
