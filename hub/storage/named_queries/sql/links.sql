-- name: links
-- Return links with their merchants, affiliates and campaigns.
-- list: by created_at bigint, code text; indexed (), (account_id), (affiliate_id)
-- list: by code text; indexed (account_id), (account_id, updated_since)
-- filter account_id text: l.account_id = :account_id
-- filter affiliate_id text: l.affiliate_id = :affiliate_id
-- filter campaign_id text: l.campaign_id = :campaign_id
-- filter updated_since bigint: l.code IN (SELECT record_id FROM changes WHERE account_id = :account_id AND number >= :updated_since AND record_type || '' = 'link')
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
SELECT l.account_id, l.code, l.affiliate_id, l.campaign_id, l.destination, l.name, l.subs, l.created_at, l.disabled_at,
       l.disabled_by, a.merchant_id, a.mode, s.name AS merchant_name, s.status AS merchant_status, f.name AS affiliate_name,
       p.title AS campaign_title, p.status AS campaign_status, p.start_at, p.end_at
FROM @listed(links AS l)
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = l.account_id AND p.campaign_id = l.campaign_id
WHERE @filters
ORDER BY @order
LIMIT :limit

-- name: link_by_code
-- Return the link with a code, with its merchant and its affiliate.
SELECT l.account_id, l.code, l.affiliate_id, l.campaign_id, l.destination, l.name, l.subs, l.created_at, l.disabled_at,
       l.disabled_by, a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name
FROM tracking_codes AS t
JOIN links AS l ON l.account_id = t.account_id AND l.code = t.code
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
WHERE t.code = :code
