-- name: products_below
-- Return an account's products below a number that match, newest first, up to a limit.
SELECT *
FROM products
WHERE account_id = :account_id AND number < :before
  AND (CAST(:status AS TEXT) IS NULL OR status = CAST(:status AS TEXT))
  AND (CAST(:pattern AS TEXT) IS NULL OR search_text LIKE CAST(:pattern AS TEXT) ESCAPE '!')
ORDER BY number DESC
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
