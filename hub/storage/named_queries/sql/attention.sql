-- name: matters_of_account
-- Return what needs a merchant's attention: how much of each matter, up to a limit, and what changes with it.
-- A failed message that was set aside counts again once it was tried again.
SELECT 'messages-failed' AS matter, COUNT(*) AS number, MAX(x.mark) AS mark
FROM (SELECT e.event_id AS mark FROM events AS e
      WHERE e.account_id = :account_id AND e.status = 'FAILED'
        AND NOT EXISTS (SELECT 1 FROM set_asides AS s
                        WHERE s.account_id = e.account_id AND s.matter = 'messages-failed'
                          AND s.subject_id = e.event_id AND s.mark = CAST(e.processed_at AS TEXT))
      ORDER BY e.event_id DESC LIMIT :limit) AS x
UNION ALL
SELECT 'messages-parked', COUNT(*), MAX(x.mark)
FROM (SELECT p.event_id AS mark FROM parked_news AS p WHERE p.account_id = :account_id LIMIT :limit) AS x
UNION ALL
SELECT 'reviews', COUNT(*), MAX(x.mark)
FROM (SELECT c.conversion_id AS mark FROM conversions AS c
      WHERE c.account_id = :account_id AND c.review = 'OPEN' ORDER BY c.conversion_id DESC LIMIT :limit) AS x
UNION ALL
SELECT 'requests-refused', COUNT(*), MAX(x.mark)
FROM (SELECT CAST(r.logged_at AS TEXT) AS mark FROM request_log AS r
      WHERE r.account_id = :account_id AND r.error_code IS NOT NULL AND r.logged_at >= :since
      ORDER BY r.logged_at DESC LIMIT :limit) AS x
UNION ALL
SELECT 'questions', COUNT(*), MAX(x.mark)
FROM (SELECT q.message_id AS mark
      FROM (SELECT o.conversion_id, o.message_id, o.author FROM order_messages AS o
            WHERE o.account_id = :account_id ORDER BY o.message_id DESC LIMIT :limit) AS q
      WHERE q.author = 'affiliate'
        AND NOT EXISTS (SELECT 1 FROM order_messages AS n
                        WHERE n.account_id = :account_id AND n.conversion_id = q.conversion_id
                          AND n.message_id > q.message_id)) AS x
UNION ALL
SELECT 'applications', COUNT(*), MAX(x.mark)
FROM (SELECT CAST(m.applied_at AS TEXT) AS mark FROM memberships AS m
      WHERE m.account_id = :account_id AND m.status = 'APPLIED' LIMIT :limit) AS x
UNION ALL
SELECT 'store-refuses', COUNT(*), MAX(CAST(p.fault_at AS TEXT))
FROM platform_access AS p
JOIN connections AS c ON c.account_id = p.account_id AND c.connection_id = p.connection_id
WHERE p.account_id = :account_id AND p.fault_at IS NOT NULL AND c.status = 'ACTIVE'
UNION ALL
SELECT 'store-silent', COUNT(*), MAX(CAST(k.last_at AS TEXT))
FROM (SELECT (SELECT e.received_at FROM events AS e
              WHERE e.account_id = c.account_id AND e.connection_id = c.connection_id
              ORDER BY e.event_id DESC LIMIT 1) AS last_at
      FROM connections AS c WHERE c.account_id = :account_id AND c.status = 'ACTIVE') AS k
WHERE k.last_at < :silent
UNION ALL
SELECT 'webhooks-failing', COUNT(*), MAX(CAST(s.failing_since AS TEXT))
FROM subscriptions AS s
WHERE s.account_id = :account_id AND s.failing_since IS NOT NULL AND s.status <> 'DELETED' AND s.failures >= :failures
UNION ALL
SELECT 'deposit-short', COUNT(*), MAX(CAST(d.shortage_at AS TEXT))
FROM deposits AS d WHERE d.account_id = :account_id AND d.shortage_at IS NOT NULL

-- name: set_asides_of
-- Return what an account's people set aside of matters as a whole.
SELECT matter, mark, reason, aside_by, aside_at FROM set_asides WHERE account_id = :account_id AND subject_id = ''

-- name: messages_aside
-- Return which of some failed messages are set aside: as they were when it was said.
SELECT e.event_id, s.reason, s.aside_by, s.aside_at
FROM @rows(:keys; account_id text, event_id text) AS k
JOIN events AS e ON e.account_id = k.account_id AND e.event_id = k.event_id
JOIN set_asides AS s ON s.account_id = e.account_id AND s.matter = 'messages-failed' AND s.subject_id = e.event_id
                    AND s.mark = CAST(e.processed_at AS TEXT)
WHERE e.status = 'FAILED'

-- name: put_aside
-- Insert that a matter is set aside as it is now, or say it anew.
INSERT INTO set_asides (account_id, matter, subject_id, mark, reason, aside_by, aside_at)
VALUES (:account_id, :matter, :subject_id, :mark, :reason, :aside_by, CAST(:now AS BIGINT))
ON CONFLICT (account_id, matter, subject_id)
DO UPDATE SET mark = excluded.mark, reason = excluded.reason, aside_by = excluded.aside_by, aside_at = excluded.aside_at

-- name: take_up
-- Delete that a matter is set aside.
DELETE FROM set_asides WHERE account_id = :account_id AND matter = :matter AND subject_id = :subject_id

-- name: write_bulk_steps
-- Insert what became of some things of an act on many, or say it anew.
INSERT INTO bulk_steps (account_id, bulk_id, subject_id, act, refusal, at)
SELECT account_id, bulk_id, subject_id, act, refusal, at
FROM @rows(:steps; account_id text, bulk_id text, subject_id text, act text, refusal text, at bigint)
WHERE true
ON CONFLICT (account_id, bulk_id, subject_id) DO UPDATE SET act = excluded.act, refusal = excluded.refusal, at = excluded.at

-- name: bulk_sums
-- Count what was done and what was not of an act on many, with when it was done last.
SELECT act, COUNT(*) AS steps, COUNT(refusal) AS refused, MAX(at) AS last_at
FROM bulk_steps
WHERE account_id = :account_id AND bulk_id = :bulk_id
GROUP BY act
ORDER BY act

-- name: bulk_refusals
-- Return what was not done of an act on many, and why, with the number of its order.
SELECT b.subject_id, b.refusal, COALESCE(c.external_order_id, e.external_order_id) AS external_order_id
FROM bulk_steps AS b
LEFT JOIN conversions AS c ON c.account_id = b.account_id AND c.conversion_id = b.subject_id
LEFT JOIN events AS e ON e.account_id = b.account_id AND e.event_id = b.subject_id
WHERE b.account_id = :account_id AND b.bulk_id = :bulk_id AND b.refusal IS NOT NULL
ORDER BY b.subject_id
LIMIT :limit

-- name: bulk_done
-- Return what was done of an act on many, after a subject.
SELECT subject_id FROM bulk_steps
WHERE account_id = :account_id AND bulk_id = :bulk_id AND refusal IS NULL AND subject_id > :after
ORDER BY subject_id
LIMIT :limit

-- name: forget_bulk_steps
-- Delete what an undo has taken back.
DELETE FROM bulk_steps
WHERE (account_id, bulk_id, subject_id) IN (
    SELECT account_id, bulk_id, subject_id FROM @rows(:steps; account_id text, bulk_id text, subject_id text))

-- name: sweep_bulk_steps
-- Delete what became of acts on many before a moment.
DELETE FROM bulk_steps WHERE account_id = :account_id AND at < :cutoff
