-- name: affiliates_of_account
-- Return the affiliates of an account's newest memberships and links, up to a limit, in the order of their names.
SELECT f.affiliate_id, f.name
FROM affiliates AS f
WHERE f.status = 'ACTIVE' AND f.affiliate_id IN (
    SELECT affiliate_id FROM (SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED'
                              ORDER BY applied_at DESC LIMIT :newest) AS members
    UNION
    SELECT affiliate_id FROM (SELECT affiliate_id FROM links WHERE account_id = :account_id
                              ORDER BY created_at DESC, code DESC LIMIT :newest) AS linked
)
ORDER BY f.name, f.affiliate_id
LIMIT :limit
