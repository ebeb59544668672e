-- name: memberships
-- Return memberships with their campaigns and affiliates.
-- list: by applied_at bigint, campaign_id text, affiliate_id text; indexed (), (account_id), (affiliate_id), (account_id, affiliate_id), (account_id, status), (account_id, campaign_id), (account_id, campaign_id, status)
-- list: by affiliate_id text; indexed (account_id, campaign_id, affiliate_id), (account_id, campaign_id)
-- filter account_id text: m.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter campaign_id text: m.campaign_id = :campaign_id
-- filter affiliate_id text: m.affiliate_id = :affiliate_id
-- filter status text: m.status = :status
SELECT m.account_id, m.campaign_id, m.affiliate_id, m.status, m.commission_type, m.commission_value, m.message,
       m.reason, m.applied_at, m.decided_at, c.campaign_code, c.title, f.name AS affiliate_name,
       f.email AS affiliate_email, f.status AS affiliate_status, f.channels, a.merchant_id, a.mode, s.name AS merchant_name
FROM @listed(memberships AS m)
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
JOIN campaigns AS c ON c.account_id = m.account_id AND c.campaign_id = m.campaign_id
JOIN affiliates AS f ON f.affiliate_id = m.affiliate_id

-- name: waiting_by_campaign
-- Return how many affiliates wait for a decision at each campaign of an account that has any.
SELECT campaign_id, COUNT(*) AS number
FROM memberships
WHERE account_id = :account_id AND status = 'APPLIED'
GROUP BY campaign_id

-- name: membership_of
-- Return whether an affiliate may promote a campaign: how one joins it, and the affiliate's membership, if any.
SELECT c.joining, c.campaign_code, c.title, m.status, m.applied_at
FROM campaigns AS c
LEFT JOIN memberships AS m
  ON m.account_id = c.account_id AND m.campaign_id = c.campaign_id AND m.affiliate_id = :affiliate_id
WHERE c.account_id = :account_id AND c.campaign_id = :campaign_id

-- name: insert_membership
-- Insert the membership of an affiliate in a campaign.
INSERT INTO memberships (account_id, campaign_id, affiliate_id, status, message, reason, applied_at, decided_at)
VALUES (:account_id, :campaign_id, :affiliate_id, :status, :message, :reason, :now, CAST(:decided_at AS BIGINT))

-- name: set_membership_status
-- Set the status of a membership, and why.
UPDATE memberships SET status = :status, reason = CAST(:reason AS TEXT), decided_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id

-- name: set_membership_rate
-- Set the rate of a membership; null is the campaign's.
UPDATE memberships
SET commission_type = CAST(:commission_type AS TEXT), commission_value = CAST(:commission_value AS TEXT)
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id

-- name: disable_links_of_member
-- Set since when the links of an affiliate to a campaign are disabled; keep the time of those that are already.
UPDATE links SET disabled_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id AND disabled_at IS NULL

-- name: set_campaign_listing
-- Set whether a campaign may stand in the public listing, and how affiliates join it.
UPDATE campaigns SET listed = :listed, joining = :joining, updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: set_attribution_policy
-- Set a campaign's attribution policy; null is the default.
UPDATE campaigns SET attribution = CAST(:attribution AS TEXT), updated_at = :now
WHERE account_id = :account_id AND campaign_id = :campaign_id
