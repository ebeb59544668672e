-- Exports as CSV: pages of one account in the order of the primary key, each after the last row of the page before.

-- name: export_conversions
-- Return conversions of an account after an id, oldest first, with the status in which the order came.
SELECT c.*,
       (SELECT f.status FROM order_facts AS f
        WHERE f.account_id = c.account_id AND f.external_order_id = c.external_order_id
          AND f.fact_key = 'order:' || f.status
        LIMIT 1) AS order_status
FROM conversions AS c
WHERE c.account_id = :account_id AND c.conversion_id > :after
ORDER BY c.conversion_id
LIMIT :limit

-- name: export_commissions
-- Return commissions of an account after an id, oldest first, each with its order and affiliate.
SELECT m.*, c.external_order_id, c.ordered_at, c.campaign_id, a.name AS affiliate_name, a.email AS affiliate_email
FROM commissions AS m
LEFT JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN affiliates AS a ON a.affiliate_id = m.affiliate_id
WHERE m.account_id = :account_id AND m.commission_id > :after
ORDER BY m.commission_id
LIMIT :limit

-- name: export_products
-- Return products of an account after an id, oldest first.
SELECT * FROM products
WHERE account_id = :account_id AND product_id > :after
ORDER BY product_id
LIMIT :limit

-- name: export_requests
-- Return the request log of an account after an entry, oldest first.
SELECT logged_at, log_id, request_id, method, path, status, error_code, key_id, client, duration_us
FROM request_log
WHERE account_id = :account_id AND (logged_at, log_id) > (:after_at, :after_id)
ORDER BY logged_at, log_id
LIMIT :limit
