-- name: onboarding_of_account
-- Return which steps of the integration really happened in an account, each 1 or 0.
SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = :account_id) AS has_key,
       EXISTS (SELECT 1 FROM events WHERE account_id = :account_id) AS has_event,
       EXISTS (SELECT 1 FROM products WHERE account_id = :account_id) AS has_product,
       EXISTS (SELECT 1 FROM campaigns WHERE account_id = :account_id) AS has_campaign,
       EXISTS (SELECT 1 FROM campaign_changes WHERE account_id = :account_id AND status = 'ACTIVE') AS was_active,
       EXISTS (SELECT 1 FROM links WHERE account_id = :account_id) AS has_link,
       EXISTS (SELECT 1 FROM clicks WHERE account_id = :account_id) AS has_click,
       EXISTS (SELECT 1 FROM conversions WHERE account_id = :account_id) AS has_conversion,
       EXISTS (SELECT 1 FROM conversions WHERE account_id = :account_id AND confidence = 'HIGH') AS has_match,
       EXISTS (SELECT 1 FROM order_facts WHERE account_id = :account_id AND fact_key NOT LIKE 'order:%') AS has_status,
       EXISTS (SELECT 1 FROM order_facts WHERE account_id = :account_id
                 AND (refund IS NOT NULL OR status IN ('cancelled', 'returned', 'refunded'))) AS has_refund

-- name: last_requests_of_account
-- Return how the last requests of an account ended, newest first, up to a limit.
SELECT logged_at, key_id, status, error_code, method, path, request_id, detail
FROM request_log
WHERE account_id = :account_id
ORDER BY logged_at DESC, log_id DESC
LIMIT :limit
