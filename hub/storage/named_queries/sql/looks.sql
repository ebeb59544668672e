-- name: looks_to_plan
-- Return commissions whose hold ends until a moment and whose orders have to be seen before, the earliest first.
SELECT m.account_id, m.conversion_id, e.connection_id, c.external_order_id
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
JOIN events AS e ON e.account_id = c.account_id AND e.event_id = c.event_id
JOIN connections AS n ON n.account_id = e.account_id AND n.connection_id = e.connection_id AND n.status = 'ACTIVE'
JOIN platform_access AS p
  ON p.account_id = n.account_id AND p.connection_id = n.connection_id AND p.last_look = 'ask'
LEFT JOIN order_looks AS l ON l.account_id = m.account_id AND l.conversion_id = m.conversion_id
WHERE m.state IN ('HOLD', 'APPROVED') AND m.awaits_deposit IS NULL AND m.awaits_platform IS NULL
  AND m.hold_until > :now AND m.hold_until <= :until
  AND (l.conversion_id IS NULL OR (l.due_at IS NULL AND l.asked_at < m.hold_until - :fresh))
ORDER BY m.hold_until
LIMIT :limit

-- name: open_orders_unseen
-- Return the open orders of a connection that were not looked for since a moment, those first that nobody saw longest.
SELECT m.account_id, e.connection_id, m.conversion_id
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
JOIN events AS e ON e.account_id = c.account_id AND e.event_id = c.event_id
JOIN platform_access AS p
  ON p.account_id = e.account_id AND p.connection_id = e.connection_id AND p.last_look = 'ask'
LEFT JOIN order_looks AS l ON l.account_id = m.account_id AND l.conversion_id = m.conversion_id
WHERE m.account_id = :account_id AND m.state IN ('PENDING', 'HOLD', 'APPROVED') AND e.connection_id = :connection_id
  AND (l.conversion_id IS NULL OR (l.due_at IS NULL AND l.asked_at < :before))
  AND NOT EXISTS (SELECT 1 FROM events AS r
                  WHERE r.account_id = e.account_id AND r.connection_id = e.connection_id
                    AND r.event_id >= :read_event AND r.external_event_id = :read_id
                    AND r.external_order_id = c.external_order_id)
ORDER BY COALESCE(l.asked_at, 0), m.commission_id
LIMIT :limit

-- name: waiting_for_platform
-- Return commissions that wait until their orders are seen; `asks` is null once they were, or need not be any more.
SELECT m.account_id, m.commission_id, m.conversion_id, c.external_order_id, e.connection_id, l.due_at,
       COALESCE(l.asked_at, 0) AS asked_at,
       CASE WHEN p.connection_id IS NOT NULL
             AND COALESCE(CASE WHEN l.event_id IS NULL THEN l.asked_at
                               WHEN s.status IN ('PROCESSED', 'SKIPPED') AND s.conversion_id = m.conversion_id
                                   THEN l.asked_at END, 0) <= :fresh
            THEN p.connection_id END AS asks,
       CASE WHEN m.state IN ('HOLD', 'APPROVED') AND s.external_order_id <> c.external_order_id THEN 1 ELSE 0 END
           AS is_another
FROM order_looks AS l
JOIN commissions AS m ON m.account_id = l.account_id AND m.conversion_id = l.conversion_id
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN events AS e ON e.account_id = c.account_id AND e.event_id = c.event_id
LEFT JOIN connections AS n
  ON n.account_id = e.account_id AND n.connection_id = e.connection_id AND n.status = 'ACTIVE'
LEFT JOIN platform_access AS p
  ON p.account_id = n.account_id AND p.connection_id = n.connection_id AND p.last_look = 'ask'
LEFT JOIN events AS s ON s.account_id = l.account_id AND s.event_id = l.event_id
WHERE l.holds_back IS NOT NULL
ORDER BY l.asked_at, m.account_id, m.commission_id
LIMIT :limit

-- name: await_platform
-- Mark commissions that wait until their orders are seen.
UPDATE commissions SET awaits_platform = 1
FROM @rows(:commissions; account_id text, commission_id text) AS k
WHERE commissions.account_id = k.account_id AND commissions.commission_id = k.commission_id
  AND commissions.state IN ('HOLD', 'APPROVED')

-- name: stop_awaiting_platform
-- Mark commissions that wait no longer until their orders are seen.
UPDATE commissions SET awaits_platform = NULL
FROM @rows(:commissions; account_id text, commission_id text) AS k
WHERE commissions.account_id = k.account_id AND commissions.commission_id = k.commission_id

-- name: free_looks
-- Mark looks for which no commission waits any longer.
UPDATE order_looks SET holds_back = NULL
FROM @rows(:looks; account_id text, conversion_id text) AS k
WHERE order_looks.account_id = k.account_id AND order_looks.conversion_id = k.conversion_id

-- name: want_looks
-- Insert orders that are to be looked for, or make them due.
INSERT INTO order_looks (account_id, connection_id, conversion_id, due_at, holds_back, attempts, lease_until)
SELECT account_id, connection_id, conversion_id, due_at, holds_back, 0, 0
FROM @rows(:looks; account_id text, connection_id text, conversion_id text, due_at bigint, holds_back bigint)
WHERE true
ON CONFLICT (account_id, conversion_id) DO UPDATE
SET due_at = excluded.due_at, attempts = 0, holds_back = COALESCE(excluded.holds_back, order_looks.holds_back)

-- name: due_looks
-- Return the orders that are to be looked for and no process has, of connections that have not had too many in a day.
SELECT f.account_id, f.connection_id, f.conversion_id, f.attempts, f.failing_since, v.external_order_id,
       v.event_id AS first_event_id
FROM (SELECT w.account_id, w.connection_id, w.conversion_id, w.attempts, w.failing_since, w.due_at,
             ROW_NUMBER() OVER (PARTITION BY w.account_id, w.connection_id ORDER BY w.due_at, w.conversion_id) AS place
      FROM order_looks AS w
      WHERE w.due_at <= :now AND w.lease_until <= :now) AS f
JOIN connections AS c ON c.account_id = f.account_id AND c.connection_id = f.connection_id
JOIN conversions AS v ON v.account_id = f.account_id AND v.conversion_id = f.conversion_id
WHERE f.place <= :each AND c.status = 'ACTIVE'
  AND (SELECT COUNT(*) FROM order_looks AS d
       WHERE d.account_id = f.account_id AND d.connection_id = f.connection_id AND d.asked_at > :since) < :most
ORDER BY f.place, f.due_at
LIMIT :limit

-- name: claim_look
-- Take a look for this process until a moment, unless another has it.
UPDATE order_looks SET lease_until = :until
WHERE account_id = :account_id AND conversion_id = :conversion_id AND due_at IS NOT NULL AND lease_until <= :now

-- name: answer_look
-- Store what a look brought; no event if the platform cannot be asked for one order.
UPDATE order_looks
SET due_at = NULL, lease_until = 0, asked_at = :now, event_id = :event_id, attempts = 0, fault = NULL,
    failing_since = NULL
WHERE account_id = :account_id AND conversion_id = :conversion_id

-- name: postpone_look
-- Store why an order could not be looked for, since when, and when it is tried again.
UPDATE order_looks
SET attempts = :attempts, fault = :fault, failing_since = :failing_since, lease_until = 0, due_at = :due_at
WHERE account_id = :account_id AND conversion_id = :conversion_id

-- name: clear_look_leases
-- Give back every look that a process that ended had.
UPDATE order_looks SET lease_until = 0 WHERE lease_until > 0

-- name: age_order_looks
-- Set the times of the looks for an account's orders back.
UPDATE order_looks
SET due_at = due_at - :by, asked_at = asked_at - :by, failing_since = failing_since - :by
WHERE account_id = :account_id

-- name: empty_order_looks
-- Delete some looks for orders of an account that came before an id.
DELETE FROM order_looks
WHERE account_id = :account_id AND conversion_id IN (
    SELECT conversion_id FROM order_looks
    WHERE account_id = :account_id AND conversion_id < :conversion_before LIMIT :limit
)
