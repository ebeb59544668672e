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
