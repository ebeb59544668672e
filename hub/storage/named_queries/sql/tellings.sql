-- name: reviews_to_tell
-- Return the live accounts with orders to review that are newer than what was told, with how many, up to a limit.
SELECT x.account_id, x.merchant_id, x.newest,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM conversions AS c
                              WHERE c.account_id = x.account_id AND c.review = 'OPEN' AND c.conversion_id > x.told
                              LIMIT :limit) AS new) AS orders
FROM (SELECT a.account_id, a.merchant_id, COALESCE(t.mark, '') AS told,
             (SELECT c.conversion_id FROM conversions AS c
              WHERE c.account_id = a.account_id AND c.review = 'OPEN'
              ORDER BY c.conversion_id DESC LIMIT 1) AS newest
      FROM accounts AS a
      LEFT JOIN told_marks AS t ON t.account_id = a.account_id AND t.kind = 'orders-to-review' AND t.subject_id = ''
      WHERE a.mode = 'live') AS x
WHERE x.newest > x.told
ORDER BY x.account_id

-- name: silences_to_tell
-- Return active connections of live accounts whose last delivery came before a moment and was not told of.
SELECT k.account_id, k.merchant_id, k.connection_id, k.connector, k.title, k.last_at
FROM (SELECT c.account_id, a.merchant_id, c.connection_id, c.connector, c.title,
             (SELECT e.received_at FROM events AS e
              WHERE e.account_id = c.account_id AND e.connection_id = c.connection_id
              ORDER BY e.event_id DESC LIMIT 1) AS last_at
      FROM connections AS c
      JOIN accounts AS a ON a.account_id = c.account_id
      WHERE c.status = 'ACTIVE' AND a.mode = 'live') AS k
LEFT JOIN told_marks AS t ON t.account_id = k.account_id AND t.kind = 'store-silent' AND t.subject_id = k.connection_id
WHERE k.last_at < :before AND (t.mark IS NULL OR t.mark <> CAST(k.last_at AS TEXT))
ORDER BY k.account_id, k.connection_id
LIMIT :limit

-- name: accounts_without_statement
-- Return the live accounts that were not told of a month's statement.
SELECT a.account_id, a.merchant_id
FROM accounts AS a
LEFT JOIN told_marks AS t ON t.account_id = a.account_id AND t.kind = 'statement-ready' AND t.subject_id = ''
WHERE a.mode = 'live' AND (t.mark IS NULL OR t.mark < :month)
ORDER BY a.account_id
LIMIT :limit

-- name: write_told_mark
-- Insert up to where an account's people were told, or move it on.
INSERT INTO told_marks (account_id, kind, subject_id, mark) VALUES (:account_id, :kind, :subject_id, :mark)
ON CONFLICT (account_id, kind, subject_id) DO UPDATE SET mark = excluded.mark

-- name: ended_by_news
-- Return the commissions of these orders of live accounts that no person rejected, with their shops.
SELECT c.affiliate_id, c.external_order_id, m.commission_id, s.name AS merchant_name
FROM @rows(:conversions; account_id text, conversion_id text) AS k
JOIN conversions AS c ON c.account_id = k.account_id AND c.conversion_id = k.conversion_id
JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE a.mode = 'live' AND c.affiliate_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM order_facts AS f
                  WHERE f.account_id = c.account_id AND f.external_order_id = c.external_order_id
                    AND f.status = 'commission_rejected')
ORDER BY c.affiliate_id, c.external_order_id
