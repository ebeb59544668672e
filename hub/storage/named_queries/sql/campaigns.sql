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

-- name: campaigns_listed
-- Return campaigns of all accounts, newest first; only those of one merchant if an id is given.
SELECT c.*, a.merchant_id, a.mode, s.name AS merchant_name
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN campaigns AS c
WHERE c.account_id = a.account_id
  AND (CAST(:merchant_id AS TEXT) IS NULL OR a.merchant_id = CAST(:merchant_id AS TEXT))
ORDER BY c.campaign_id DESC

-- name: campaigns_named
-- Return the campaigns with this id or code, in whichever account they are.
SELECT c.*, a.merchant_id, a.mode, s.name AS merchant_name, s.currency
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN campaigns AS c
WHERE c.account_id = a.account_id AND (c.campaign_id = :reference OR c.campaign_code = :reference)

-- name: set_campaign_hold
-- Set the hold of a campaign; null is the merchant's, else the hub's.
UPDATE campaigns SET hold_ms = CAST(:hold_ms AS BIGINT), updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: set_campaign_approval
-- Set the approval of a campaign and the status that follows from it.
UPDATE campaigns SET approval_status = :approval_status, status = :status, updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: note_campaign_change
-- Insert a status into a campaign's history.
INSERT INTO campaign_changes (account_id, campaign_id, changed_at, change_id, status)
VALUES (:account_id, :campaign_id, :now, :change_id, :status)
