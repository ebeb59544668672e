-- name: merchants
-- Return merchants; a search is a pattern of their names, e-mail addresses and domains.
-- list: by merchant_id text; small
-- filter status text: CASE WHEN m.closed_at IS NULL THEN m.status ELSE 'CLOSED' END = :status
-- filter search text: lower(m.name) LIKE :search ESCAPE '!' OR lower(m.email) LIKE :search ESCAPE '!' OR lower(m.domains) LIKE :search ESCAPE '!'
SELECT m.merchant_id, m.name, m.email, m.domains, m.created_at, m.live_access,
       CASE WHEN m.closed_at IS NULL THEN m.status ELSE 'CLOSED' END AS status
FROM @listed(merchants AS m)
WHERE @filters
ORDER BY @order
LIMIT :limit

-- name: affiliates
-- Return affiliates, without the test partners of merchants; a search is a pattern of their names and e-mail addresses.
-- list: by affiliate_id text; indexed ()
-- filter status text: f.status = :status
-- filter search text: lower(f.name) LIKE :search ESCAPE '!' OR lower(f.email) LIKE :search ESCAPE '!'
SELECT f.affiliate_id, f.name, f.email, f.status, f.created_at
FROM @listed(affiliates AS f)
WHERE COALESCE(f.test_of, '') = '' AND @filters
ORDER BY @order
LIMIT :limit

-- name: campaigns
-- Return campaigns with their merchants; a search is a pattern of their titles and codes.
-- list: by campaign_id text; small
-- filter account_id text: c.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter approval text: c.approval_status = :approval
-- filter search text: lower(c.title) LIKE :search ESCAPE '!' OR lower(c.campaign_code) LIKE :search ESCAPE '!'
SELECT c.*, a.merchant_id, a.mode, s.name AS merchant_name
FROM @listed(campaigns AS c)
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE @filters
ORDER BY @order
LIMIT :limit

-- name: earning_affiliates
-- Return the affiliates that have a link or an approved membership in an account.
-- list: by affiliate_id text; indexed (account_id)
-- filter account_id text: f.affiliate_id IN (SELECT affiliate_id FROM links WHERE account_id = :account_id UNION SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED')
SELECT f.affiliate_id, f.name, f.status
FROM @listed(affiliates AS f)
WHERE @filters
ORDER BY @order
LIMIT :limit
