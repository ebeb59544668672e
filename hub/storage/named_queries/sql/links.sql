-- fragment: link_with_names
-- What is shown of a link, with the names of whose it is and the number of its latest change.
l.account_id, l.code, l.affiliate_id, l.campaign_id, l.destination, l.name, l.subs, l.created_at, l.disabled_at,
       l.disabled_by, a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = l.account_id AND h.record_type = 'link' AND h.record_id = l.code) AS change_number

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
SELECT @fragment(link_with_names),
       s.status AS merchant_status, p.title AS campaign_title, p.status AS campaign_status, p.start_at, p.end_at
FROM @listed(links AS l)
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = l.account_id AND p.campaign_id = l.campaign_id

-- name: link_by_code
-- Return the link with a code, with its merchant and its affiliate.
SELECT @fragment(link_with_names)
FROM tracking_codes AS t
JOIN links AS l ON l.account_id = t.account_id AND l.code = t.code
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
WHERE t.code = :code

-- name: links_told
-- Return these links of an account.
SELECT @fragment(link_with_names)
FROM links AS l
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = l.affiliate_id
WHERE l.account_id = :account_id AND l.code IN @list(:ids text)

-- name: insert_tracking_code
-- Insert a tracking code and its account.
INSERT INTO tracking_codes (code, account_id) VALUES (:code, :account_id)

-- name: insert_link
-- Insert a link.
INSERT INTO links (account_id, code, affiliate_id, campaign_id, product_id, destination, name, subs, created_at)
VALUES (:account_id, :code, :affiliate_id, :campaign_id, :product_id, :destination, :name, :subs, :now)

-- name: set_link_name
-- Set what its affiliate calls a link; null is nothing.
UPDATE links SET name = CAST(:name AS TEXT) WHERE account_id = :account_id AND code = :code

-- name: set_link_disabled
-- Store since when a link is disabled, and the affiliate if it did that itself; null enables it.
UPDATE links SET disabled_at = CAST(:disabled_at AS BIGINT), disabled_by = CAST(:disabled_by AS TEXT)
WHERE account_id = :account_id AND code = :code

-- name: link_of_product
-- Return an affiliate's newest link to a product in a campaign that is enabled and has no sub-ids.
SELECT code FROM links
WHERE affiliate_id = :affiliate_id AND account_id = :account_id AND campaign_id = :campaign_id
  AND product_id = :product_id AND disabled_at IS NULL AND subs IS NULL
ORDER BY created_at DESC, code DESC
LIMIT 1
