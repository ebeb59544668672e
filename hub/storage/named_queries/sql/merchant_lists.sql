-- name: products_below
-- Return an account's products below a number that match, newest first, up to a limit.
SELECT *
FROM products
WHERE account_id = :account_id AND number < :before
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY number DESC
LIMIT :limit

-- name: links_below
-- Return an account's links that are older than a link, newest first, up to a limit.
SELECT l.code, l.affiliate_id, l.campaign_id, l.destination, l.created_at, l.disabled_at, l.disabled_by,
       f.name AS affiliate_name, c.title AS campaign_title
FROM links AS l
JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
LEFT JOIN campaigns AS c ON c.account_id = l.account_id AND c.campaign_id = l.campaign_id
WHERE l.account_id = :account_id
  AND (l.created_at < :created_before OR (l.created_at = :created_before AND l.code > :after_code))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR l.affiliate_id = CAST(:affiliate_id AS TEXT))
ORDER BY l.created_at DESC, l.code
LIMIT :limit

-- name: affiliates_of_account
-- Return the affiliates that are members of an account's campaigns or have links of it, up to a limit.
SELECT f.affiliate_id, f.name
FROM affiliates AS f
WHERE f.status = 'ACTIVE' AND f.affiliate_id IN (
    SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED'
    UNION SELECT affiliate_id FROM links WHERE account_id = :account_id
)
ORDER BY f.name, f.affiliate_id
LIMIT :limit
