-- name: write_invitation
-- Insert an invitation of a partner; one that was sent before and not accepted is replaced.
INSERT INTO partner_invitations (account_id, email_key, email, campaign_id, invited_by, invited_at)
VALUES (:account_id, :email_key, :email, CAST(:campaign_id AS TEXT), :invited_by, :now)
ON CONFLICT (account_id, email_key) DO UPDATE
SET campaign_id = excluded.campaign_id, invited_by = excluded.invited_by, invited_at = excluded.invited_at
WHERE partner_invitations.accepted_at IS NULL

-- name: invitations_since
-- Count the invitations that an account sent since a moment.
SELECT COUNT(*) AS sent FROM partner_invitations WHERE account_id = :account_id AND invited_at >= :since

-- name: invitation_of
-- Return the invitation of a partner by its address.
SELECT campaign_id, accepted_at FROM partner_invitations WHERE account_id = :account_id AND email_key = :email_key

-- name: accept_invitation
-- Mark the invitation of a partner as accepted.
UPDATE partner_invitations SET affiliate_id = :affiliate_id, accepted_at = :now
WHERE account_id = :account_id AND email_key = :email_key AND accepted_at IS NULL

-- name: delete_invitation
-- Delete an invitation that was not accepted.
DELETE FROM partner_invitations WHERE account_id = :account_id AND email_key = :email_key AND accepted_at IS NULL

-- name: void_registrations_of
-- Delete the open links by which an address would become the partner of an account.
DELETE FROM registrations WHERE account_id = :account_id AND lower(email) = :email_key AND used_at IS NULL

-- name: active_campaigns_of
-- Return the active campaigns of an account, newest first.
SELECT campaign_id FROM campaigns
WHERE account_id = :account_id AND status = 'ACTIVE'
ORDER BY created_at DESC, campaign_id DESC
LIMIT :limit

-- name: merchant_of_account
-- Return whose account this is, and where its links may lead.
SELECT m.merchant_id, m.name, m.domains, a.mode
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.account_id = :account_id

-- name: affiliate_of_person
-- Return the affiliate that the person with an address belongs to.
SELECT r.subject_id AS affiliate_id, u.user_id
FROM users AS u
JOIN user_roles AS r ON r.user_id = u.user_id AND r.role = 'affiliate'
WHERE u.email_key = :email_key AND u.status = 'ACTIVE'
ORDER BY r.created_at
LIMIT 1

-- name: people_of_merchant
-- Return the people of a merchant, oldest first, with when each last signed in.
SELECT u.user_id, u.email, u.name, u.status, r.level, r.created_at,
       (SELECT MAX(s.seen_at) FROM sessions AS s WHERE s.user_id = u.user_id) AS seen_at
FROM user_roles AS r
JOIN users AS u ON u.user_id = r.user_id
WHERE r.role = 'merchant' AND r.subject_id = :merchant_id
ORDER BY r.created_at, u.user_id


-- name: partner_note
-- Return what an account notes of an affiliate.
SELECT note FROM partner_notes WHERE account_id = :account_id AND affiliate_id = :affiliate_id

-- name: write_partner_note
-- Insert what an account notes of an affiliate, or write it anew.
INSERT INTO partner_notes (account_id, affiliate_id, note, noted_by, noted_at)
VALUES (:account_id, :affiliate_id, :note, :by, :now)
ON CONFLICT (account_id, affiliate_id) DO UPDATE
SET note = excluded.note, noted_by = excluded.noted_by, noted_at = excluded.noted_at

-- name: delete_partner_note
-- Delete what an account notes of an affiliate.
DELETE FROM partner_notes WHERE account_id = :account_id AND affiliate_id = :affiliate_id

-- name: partners
-- Return whoever sells, has sold, applied or was invited in an account, with the figures of a period.
-- list: by by_sales bigint, partner text; small
-- list: by by_earned bigint, partner text; small
-- list: by by_orders bigint, partner text; small
-- list: by by_clicks bigint, partner text; small
-- list: by by_since bigint, partner text; small
-- list: by by_name text, partner text; small
-- filter account_id text: :account_id IS NOT NULL
-- filter first bigint: :first IS NOT NULL
-- filter last bigint: :last IS NOT NULL
-- filter currency text: :currency IS NOT NULL
-- filter state text: p.state = :state
-- filter search text: lower(p.name) LIKE :search ESCAPE '!' OR lower(p.email) LIKE :search ESCAPE '!'
WITH sellers AS (
    SELECT k.affiliate_id, MIN(k.since) AS since, MAX(k.standing) AS standing, MAX(k.own_rate) AS own_rate,
           CAST(SUM(k.clicks) AS BIGINT) AS clicks, CAST(SUM(k.orders) AS BIGINT) AS orders,
           CAST(SUM(k.sales) AS BIGINT) AS sales, CAST(SUM(k.earned) AS BIGINT) AS earned
    FROM (SELECT m.affiliate_id, m.applied_at AS since,
                 CASE m.status WHEN 'APPLIED' THEN 4 WHEN 'APPROVED' THEN 3 WHEN 'REJECTED' THEN 2 ELSE 1 END AS standing,
                 m.commission_type || ':' || m.commission_value AS own_rate, 0 AS clicks, 0 AS orders, 0 AS sales,
                 0 AS earned
          FROM memberships AS m
          WHERE m.account_id = CAST(:account_id AS TEXT)
          UNION ALL
          SELECT l.affiliate_id, l.created_at, 0, NULL, 0, 0, 0, 0
          FROM links AS l
          WHERE l.account_id = CAST(:account_id AS TEXT)
          UNION ALL
          SELECT f.affiliate_id, NULL, 0, NULL, f.clicks, f.orders,
                 CASE WHEN f.currency = CAST(:currency AS TEXT) THEN f.revenue_minor ELSE 0 END,
                 CASE WHEN f.currency = CAST(:currency AS TEXT)
                      THEN f.pending_minor + f.hold_minor + f.approved_minor + f.payable_minor + f.paid_minor
                      ELSE 0 END
          FROM daily_figures AS f
          WHERE f.account_id = CAST(:account_id AS TEXT)
            AND f.day BETWEEN CAST(:first AS BIGINT) AND CAST(:last AS BIGINT)
            AND f.affiliate_id <> '*' AND f.affiliate_id <> '') AS k
    GROUP BY k.affiliate_id
), everybody AS (
    SELECT s.affiliate_id, s.affiliate_id AS partner, a.name, a.email, a.test_of, s.own_rate,
           CASE s.standing WHEN 4 THEN 'APPLIED' WHEN 3 THEN 'MEMBER' WHEN 2 THEN 'REJECTED' WHEN 1 THEN 'REMOVED'
                           ELSE 'ACTIVE' END AS state,
           COALESCE(s.since, 0) AS since, s.clicks, s.orders, s.sales, s.earned
    FROM sellers AS s
    JOIN affiliates AS a ON a.affiliate_id = s.affiliate_id
    UNION ALL
    SELECT '' AS affiliate_id, i.email_key AS partner, i.email AS name, i.email, NULL AS test_of, NULL AS own_rate,
           'INVITED' AS state, i.invited_at AS since, 0 AS clicks, 0 AS orders, 0 AS sales, 0 AS earned
    FROM partner_invitations AS i
    WHERE i.account_id = CAST(:account_id AS TEXT) AND i.accepted_at IS NULL
), waiting AS (
    SELECT e.*, CASE e.state WHEN 'APPLIED' THEN 2305843009213693952 ELSE 0 END AS ahead FROM everybody AS e
), partners AS (
    SELECT w.*, w.ahead + w.sales AS by_sales, w.ahead + w.earned AS by_earned, w.ahead + w.orders AS by_orders,
           w.ahead + w.clicks AS by_clicks, w.ahead + w.since AS by_since, lower(w.name) AS by_name
    FROM waiting AS w
)
SELECT p.*
FROM @listed(partners AS p)

-- name: partner
-- Return one affiliate as the list `partners` has it, read by its own rows; nothing if it is no partner of the account.
SELECT a.affiliate_id, a.name, a.email, a.test_of, MAX(k.own_rate) AS own_rate,
       CASE MAX(k.standing) WHEN 4 THEN 'APPLIED' WHEN 3 THEN 'MEMBER' WHEN 2 THEN 'REJECTED' WHEN 1 THEN 'REMOVED'
                            ELSE 'ACTIVE' END AS state,
       COALESCE(MIN(k.since), 0) AS since, CAST(SUM(k.clicks) AS BIGINT) AS clicks,
       CAST(SUM(k.orders) AS BIGINT) AS orders
FROM (SELECT m.affiliate_id, m.applied_at AS since,
             CASE m.status WHEN 'APPLIED' THEN 4 WHEN 'APPROVED' THEN 3 WHEN 'REJECTED' THEN 2 ELSE 1 END AS standing,
             m.commission_type || ':' || m.commission_value AS own_rate, 0 AS clicks, 0 AS orders
      FROM memberships AS m @by(memberships_by_affiliate)
      WHERE m.affiliate_id = :affiliate_id AND m.account_id = :account_id
      UNION ALL
      SELECT l.affiliate_id, l.created_at, 0, NULL, 0, 0
      FROM links AS l @by(links_by_affiliate)
      WHERE l.affiliate_id = :affiliate_id AND l.account_id = :account_id
      UNION ALL
      SELECT f.affiliate_id, NULL, 0, NULL, f.clicks, f.orders
      FROM daily_figures AS f @by(daily_figures_by_affiliate)
      WHERE f.affiliate_id = :affiliate_id AND f.account_id = :account_id AND f.day BETWEEN :first AND :last) AS k
JOIN affiliates AS a ON a.affiliate_id = k.affiliate_id
GROUP BY a.affiliate_id, a.name, a.email, a.test_of

-- name: partner_states
-- Return how many partners of an account are in each state; those that a period's figures alone name are ACTIVE.
WITH members AS (
    SELECT m.affiliate_id, MAX(CASE m.status WHEN 'APPLIED' THEN 1 ELSE 0 END) AS applied,
           MAX(CASE m.status WHEN 'APPROVED' THEN 1 ELSE 0 END) AS approved,
           MAX(CASE m.status WHEN 'REJECTED' THEN 1 ELSE 0 END) AS rejected
    FROM memberships AS m
    WHERE m.account_id = :account_id
    GROUP BY m.affiliate_id
)
SELECT CASE WHEN applied = 1 THEN 'APPLIED' WHEN approved = 1 THEN 'MEMBER' WHEN rejected = 1 THEN 'REJECTED'
            ELSE 'REMOVED' END AS state, COUNT(*) AS number
FROM members
GROUP BY 1
UNION ALL
SELECT 'INVITED' AS state, COUNT(*) AS number
FROM partner_invitations
WHERE account_id = :account_id AND accepted_at IS NULL
UNION ALL
SELECT 'ACTIVE' AS state, COUNT(*) AS number
FROM (SELECT l.affiliate_id FROM links AS l WHERE l.account_id = :account_id
      UNION
      SELECT f.affiliate_id FROM daily_figures AS f
      WHERE f.account_id = :account_id AND f.day BETWEEN :first AND :last AND f.affiliate_id NOT IN ('*', '')
      EXCEPT
      SELECT m.affiliate_id FROM members AS m) AS sellers

-- name: sums_of_partners
-- Return what affiliates sold and earned of an account in a period, by currency.
SELECT f.affiliate_id, f.currency, CAST(SUM(f.revenue_minor) AS BIGINT) AS sales_minor,
       CAST(SUM(f.pending_minor + f.hold_minor + f.approved_minor + f.payable_minor + f.paid_minor) AS BIGINT) AS earned_minor
FROM @rows(:affiliates; affiliate_id text) AS k
CROSS JOIN daily_figures AS f @by(daily_figures_by_affiliate)
WHERE f.affiliate_id = k.affiliate_id AND f.day BETWEEN :first AND :last AND f.account_id = :account_id
  AND f.currency <> ''
GROUP BY f.affiliate_id, f.currency
ORDER BY f.affiliate_id, f.currency
