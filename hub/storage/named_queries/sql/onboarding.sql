-- name: onboarding_of_account
-- Return which steps of the integration really happened in an account, each 1 or 0.
-- Its first orders, up to a limit, and the figures of all of them show it.
SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = :account_id) AS has_key,
       EXISTS (SELECT 1 FROM events WHERE account_id = :account_id) AS has_event,
       EXISTS (SELECT 1 FROM products WHERE account_id = :account_id) AS has_product,
       EXISTS (SELECT 1 FROM campaigns WHERE account_id = :account_id) AS has_campaign,
       EXISTS (SELECT 1 FROM campaigns WHERE account_id = :account_id AND status = 'ACTIVE') AS has_active,
       EXISTS (SELECT 1 FROM connections WHERE account_id = :account_id AND status = 'ACTIVE') AS has_connection,
       EXISTS (SELECT 1 FROM connections AS c
               WHERE c.account_id = :account_id AND c.status = 'ACTIVE'
                 AND (c.secrets <> '[]'
                      OR EXISTS (SELECT 1 FROM platform_access AS p
                                 WHERE p.account_id = :account_id AND p.connection_id = c.connection_id))) AS has_store,
       EXISTS (SELECT 1 FROM memberships WHERE account_id = :account_id AND status = 'APPROVED') AS has_partner,
       EXISTS (SELECT 1 FROM commissions WHERE account_id = :account_id) AS has_commission,
       EXISTS (SELECT 1 FROM campaign_changes WHERE account_id = :account_id AND status = 'ACTIVE') AS was_active,
       EXISTS (SELECT 1 FROM links WHERE account_id = :account_id) AS has_link,
       EXISTS (SELECT 1 FROM clicks WHERE account_id = :account_id) AS has_click,
       EXISTS (SELECT 1 FROM conversions WHERE account_id = :account_id) AS has_conversion,
       (EXISTS (SELECT 1 FROM (SELECT confidence FROM conversions WHERE account_id = :account_id LIMIT :limit) AS c
                WHERE c.confidence = 'HIGH')
        OR EXISTS (SELECT 1 FROM daily_figures
                   WHERE account_id = :account_id AND affiliate_id = '*' AND high > 0)) AS has_match,
       (EXISTS (SELECT 1 FROM (SELECT fact_key FROM order_facts WHERE account_id = :account_id LIMIT :limit) AS f
                WHERE f.fact_key NOT LIKE 'order:%')
        OR EXISTS (SELECT 1 FROM daily_figures WHERE account_id = :account_id AND affiliate_id = '*'
                     AND hold + approved + payable + paid + rejected > 0)) AS has_status,
       (EXISTS (SELECT 1 FROM (SELECT refund, status FROM order_facts WHERE account_id = :account_id LIMIT :limit) AS f
                WHERE f.refund IS NOT NULL OR f.status IN ('cancelled', 'returned', 'refunded'))
        OR EXISTS (SELECT 1 FROM daily_figures WHERE account_id = :account_id AND affiliate_id = '*'
                     AND (refunds_minor > 0 OR rejected > 0))) AS has_refund

-- name: last_requests_of_account
-- Return how the last requests of an account ended, newest first, up to a limit.
SELECT logged_at, key_id, status, error_code, method, path, request_id, detail
FROM request_log
WHERE account_id = :account_id
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit

-- name: campaigns_of_account
-- Return the campaigns of an account, oldest first.
SELECT * FROM campaigns WHERE account_id = :account_id ORDER BY created_at, campaign_id

-- name: products_to_take
-- Return the products of an account behind a number, and whether another account has one of the same merchant's id.
SELECT p.*,
       EXISTS (SELECT 1 FROM products AS o
               WHERE o.account_id = :to_account AND o.external_product_id = p.external_product_id) AS is_there
FROM products AS p
WHERE p.account_id = :account_id AND p.number > :after
ORDER BY p.number
LIMIT :limit

-- name: undecided_of_connection
-- Return a row if one of the newest deliveries of a connection is still to be decided.
SELECT 1 AS found
FROM (SELECT e.status FROM events AS u
      CROSS JOIN events AS e
      WHERE u.account_id = :account_id AND u.connection_id = :connection_id AND e.account_id = u.account_id
        AND e.event_id = u.event_id
      ORDER BY u.event_id DESC
      LIMIT 1000) AS d
WHERE d.status IN ('RECEIVED', 'QUEUED')
LIMIT 1

-- name: move_connection_route
-- Give the deliveries of a connection to another account.
UPDATE connection_routes SET account_id = :account_id WHERE connection_id = :connection_id

-- name: move_connection
-- Give a connection to another account of its merchant.
UPDATE connections SET account_id = :to_account WHERE account_id = :account_id AND connection_id = :connection_id

-- name: move_platform_access
-- Give what a connection's platform is asked with to another account; what was modified before is not read into it.
UPDATE platform_access SET account_id = :to_account, certain_at = :now, next_at = :now
WHERE account_id = :account_id AND connection_id = :connection_id

-- name: move_connection_items
-- Give what is known of a connection's inventory items to another account.
UPDATE connection_items SET account_id = :to_account WHERE account_id = :account_id AND connection_id = :connection_id

-- name: move_connection_stock
-- Give what is known of a connection's stock to another account.
UPDATE connection_stock SET account_id = :to_account WHERE account_id = :account_id AND connection_id = :connection_id
