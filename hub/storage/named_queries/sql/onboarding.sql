-- name: onboarding_of_account
-- Return which steps of the integration really happened in an account, each 1 or 0.
-- Its first orders, up to a limit, and the figures of all of them show it.
SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = :account_id) AS has_key,
       EXISTS (SELECT 1 FROM events WHERE account_id = :account_id) AS has_event,
       EXISTS (SELECT 1 FROM products WHERE account_id = :account_id) AS has_product,
       EXISTS (SELECT 1 FROM campaigns WHERE account_id = :account_id) AS has_campaign,
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
