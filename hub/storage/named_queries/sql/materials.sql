-- name: materials
-- Return an account's materials, newest first; only those for a campaign, or for all, if one is given.
SELECT m.*, c.title AS campaign_title, p.width, p.height
FROM materials AS m
LEFT JOIN campaigns AS c ON c.account_id = m.account_id AND c.campaign_id = m.campaign_id
LEFT JOIN pictures AS p ON p.account_id = m.account_id AND p.picture_id = m.picture_id
WHERE m.account_id = :account_id
  AND (CAST(:campaign_id AS TEXT) IS NULL OR m.campaign_id IS NULL OR m.campaign_id = CAST(:campaign_id AS TEXT))
ORDER BY m.material_id DESC
LIMIT :limit

-- name: material
-- Return a material of an account.
SELECT m.*, c.title AS campaign_title, p.width, p.height
FROM materials AS m
LEFT JOIN campaigns AS c ON c.account_id = m.account_id AND c.campaign_id = m.campaign_id
LEFT JOIN pictures AS p ON p.account_id = m.account_id AND p.picture_id = m.picture_id
WHERE m.account_id = :account_id AND m.material_id = :material_id

-- name: insert_material
-- Insert a material.
INSERT INTO materials (account_id, material_id, kind, title, body, destination, campaign_id, picture_id, created_at)
VALUES (:account_id, :material_id, :kind, :title, CAST(:body AS TEXT), CAST(:destination AS TEXT),
        CAST(:campaign_id AS TEXT), CAST(:picture_id AS TEXT), :now)

-- name: delete_material
-- Delete a material of an account.
DELETE FROM materials WHERE account_id = :account_id AND material_id = :material_id
