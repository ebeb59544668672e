-- name: join_page_by_name
-- Return the page for partners that a name leads to, with its merchant.
SELECT p.*, m.merchant_id, m.name AS merchant_name, m.status AS merchant_status
FROM join_names AS n
JOIN join_pages AS p ON p.account_id = n.account_id
JOIN accounts AS a ON a.account_id = n.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE n.name = :name

-- name: keep_join_name
-- Insert the name of an account's page unless somebody has it.
INSERT INTO join_names (name, account_id) VALUES (:name, :account_id) ON CONFLICT (name) DO NOTHING

-- name: join_names_of
-- Return the names that lead to an account's page.
SELECT name FROM join_names WHERE account_id = :account_id ORDER BY name

-- name: join_page_of_account
-- Return an account's page for partners.
SELECT * FROM join_pages WHERE account_id = :account_id

-- name: write_join_page
-- Insert an account's page for partners, or write it anew.
INSERT INTO join_pages (account_id, name, title, body, campaign_id, acceptance, is_on, logo, updated_at)
VALUES (:account_id, :name, :title, :body, CAST(:campaign_id AS TEXT), :acceptance, :is_on, CAST(:logo AS TEXT), :now)
ON CONFLICT (account_id) DO UPDATE
SET name = excluded.name, title = excluded.title, body = excluded.body, campaign_id = excluded.campaign_id,
    acceptance = excluded.acceptance, is_on = excluded.is_on, logo = excluded.logo, updated_at = excluded.updated_at

-- name: account_offers
-- Return the active campaigns of an account that may be joined at a time, as affiliates see them, newest first.
SELECT c.*, a.mode, s.merchant_id, s.name AS merchant_name, s.domains, s.currency, s.commission_type, s.commission_value,
       s.hold_ms AS merchant_hold_ms
FROM campaigns AS c
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE c.account_id = :account_id AND c.status = 'ACTIVE' AND c.approval_status IN ('NOT_REQUIRED', 'APPROVED')
  AND (c.end_at IS NULL OR c.end_at > :now)
ORDER BY c.created_at DESC, c.campaign_id DESC
LIMIT :limit

-- name: pictures_kept
-- Count the pictures of an account and their bytes.
SELECT COUNT(*) AS pictures, COALESCE(SUM(bytes), 0) AS bytes FROM pictures WHERE account_id = :account_id

-- name: insert_picture
-- Insert a picture.
INSERT INTO pictures (account_id, picture_id, media_type, width, height, bytes, content, created_at)
VALUES (:account_id, :picture_id, :media_type, :width, :height, :bytes, :content, :now)

-- name: delete_picture
-- Delete a picture of an account.
DELETE FROM pictures WHERE account_id = :account_id AND picture_id = :picture_id

-- name: picture
-- Return a picture by its id.
SELECT media_type, width, height, content FROM pictures WHERE picture_id = :picture_id
