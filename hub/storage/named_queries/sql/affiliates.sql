-- name: affiliates
-- Return affiliates, without the test partners of merchants; a search is a pattern of their names and e-mail addresses.
-- list: by affiliate_id text; indexed ()
-- filter status text: f.status = :status
-- filter search text: lower(f.name) LIKE :search ESCAPE '!' OR lower(f.email) LIKE :search ESCAPE '!'
SELECT f.affiliate_id, f.name, f.email, f.status, f.created_at, f.channels
FROM @listed(affiliates AS f)
WHERE COALESCE(f.test_of, '') = '' AND @filters
ORDER BY @order
LIMIT :limit

-- name: earning_affiliates
-- Return the affiliates that have a link or an approved membership in an account.
-- list: by affiliate_id text; indexed (account_id)
-- filter account_id text: f.affiliate_id IN (SELECT affiliate_id FROM links WHERE account_id = :account_id UNION SELECT affiliate_id FROM memberships WHERE account_id = :account_id AND status = 'APPROVED')
SELECT f.affiliate_id, f.name, f.status, f.channels
FROM @listed(affiliates AS f)

-- name: affiliate
-- Return one affiliate.
SELECT * FROM affiliates WHERE affiliate_id = :affiliate_id

-- name: coupons_of
-- Return the coupons of these affiliates.
SELECT coupon_code, affiliate_id FROM affiliate_coupons WHERE affiliate_id IN @list(:affiliates text) ORDER BY coupon_code

-- name: affiliates_with_email
-- Return the affiliates with an e-mail address, in any case.
SELECT affiliate_id, name FROM affiliates WHERE lower(email) = :email ORDER BY affiliate_id

-- name: insert_affiliate
-- Insert an affiliate.
INSERT INTO affiliates (affiliate_id, name, email, status, created_at, channels)
VALUES (:affiliate_id, :name, :email, 'ACTIVE', :now, CAST(:channels AS TEXT))

-- name: update_affiliate
-- Replace the name, the e-mail address and the texts of an affiliate.
UPDATE affiliates SET name = :name, email = :email, channels = :channels WHERE affiliate_id = :affiliate_id

-- name: set_affiliate_status
-- Set the status of an affiliate.
UPDATE affiliates SET status = :status WHERE affiliate_id = :affiliate_id

-- name: claim_coupons
-- Give coupons to an affiliate; return the codes that were free.
INSERT INTO affiliate_coupons (coupon_code, affiliate_id)
SELECT coupon_code, affiliate_id
FROM @rows(:coupons; coupon_code text, affiliate_id text)
WHERE true
ON CONFLICT (coupon_code) DO NOTHING
RETURNING coupon_code

-- name: release_coupons
-- Take coupons away from an affiliate.
DELETE FROM affiliate_coupons WHERE affiliate_id = :affiliate_id AND coupon_code IN @list(:coupons text)

-- name: figures_of_affiliate
-- Return what an affiliate ever earned, by mode and currency.
SELECT a.mode, g.currency, SUM(g.pending) AS pending, SUM(g.pending_minor) AS pending_minor, SUM(g.hold) AS hold,
       SUM(g.hold_minor) AS hold_minor, SUM(g.approved) AS approved, SUM(g.approved_minor) AS approved_minor,
       SUM(g.payable) AS payable, SUM(g.payable_minor) AS payable_minor, SUM(g.paid) AS paid,
       SUM(g.paid_minor) AS paid_minor, SUM(g.rejected) AS rejected, SUM(g.rejected_minor) AS rejected_minor
FROM daily_figures AS g
JOIN accounts AS a ON a.account_id = g.account_id
WHERE g.affiliate_id = :affiliate_id
GROUP BY a.mode, g.currency
ORDER BY a.mode, g.currency

-- name: figures_of_affiliate_by_day
-- Return the sums of an affiliate's days in a period and mode, by currency ('' for clicks).
SELECT CAST(g.day AS TEXT) AS id, CAST(g.day AS TEXT) AS name, g.currency, CAST(SUM(g.clicks) AS BIGINT) AS clicks,
       CAST(SUM(g.orders) AS BIGINT) AS orders, CAST(SUM(g.high) AS BIGINT) AS high,
       CAST(SUM(g.rejected) AS BIGINT) AS rejections, CAST(SUM(g.revenue_minor) AS BIGINT) AS revenue_minor,
       CAST(SUM(g.refunds_minor) AS BIGINT) AS refunds_minor, CAST(SUM(g.pending_minor) AS BIGINT) AS pending_minor,
       CAST(SUM(g.hold_minor) AS BIGINT) AS hold_minor, CAST(SUM(g.approved_minor) AS BIGINT) AS approved_minor,
       CAST(SUM(g.payable_minor) AS BIGINT) AS payable_minor, CAST(SUM(g.paid_minor) AS BIGINT) AS paid_minor,
       CAST(SUM(g.rejected_minor) AS BIGINT) AS rejected_minor
FROM daily_figures AS g
JOIN accounts AS a ON a.account_id = g.account_id
WHERE g.affiliate_id = :affiliate_id AND g.day BETWEEN :first AND :last AND a.mode = :mode
GROUP BY g.day, g.currency
ORDER BY g.day, g.currency

-- name: figures_of_places
-- Return the sums of an affiliate's campaigns, links or sub-ids in a period and mode, by currency ('' for clicks).
SELECT f.name, f.currency, COUNT(*) AS figures, SUM(f.clicks) AS clicks, SUM(f.orders) AS orders,
       SUM(f.rejected) AS rejected, SUM(f.earned_minor) AS earned_minor
FROM (SELECT g.name, g.currency, g.clicks, g.orders, g.rejected, g.earned_minor
      FROM accounts AS a
      CROSS JOIN affiliate_figures AS g
      WHERE a.mode = :mode AND g.account_id = a.account_id AND g.affiliate_id = :affiliate_id AND g.place = :place
        AND g.day BETWEEN :first AND :last
      LIMIT :limit) AS f
GROUP BY f.name, f.currency

-- name: next_hold_of_affiliate
-- Return the commission of an affiliate whose hold ends first: by the index of what is held, in the order of its ends.
SELECT a.mode, m.currency, m.hold_until
FROM commissions AS m
JOIN accounts AS a ON a.account_id = m.account_id
WHERE m.state IN ('HOLD', 'APPROVED') AND m.awaits_deposit IS NULL AND m.awaits_platform IS NULL
  AND m.hold_until IS NOT NULL
  AND m.affiliate_id || '' = :affiliate_id
ORDER BY m.hold_until
LIMIT 1

-- name: commissions_of_affiliates_order
-- Return an affiliate's commissions of an order number in a mode, newest first.
SELECT m.account_id, m.commission_id, m.conversion_id, m.state, m.amount_minor, m.base_minor, m.currency, m.hold_until,
       m.paid_at, m.created_at, m.updated_at, c.external_order_id, c.ordered_at, c.click_id, c.campaign_id, p.title AS campaign_title,
       a.merchant_id, s.name AS merchant_name, k.code, k.subs
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN conversions AS c
CROSS JOIN commissions AS m
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
LEFT JOIN clicks AS k ON k.account_id = c.account_id AND k.click_id = c.click_id
WHERE c.account_id = a.account_id AND m.account_id = c.account_id AND m.conversion_id = c.conversion_id
  AND a.mode = :mode AND c.external_order_id = :external_order_id
  AND m.affiliate_id = :affiliate_id
ORDER BY m.commission_id DESC

-- name: commission_of_affiliate
-- Return the conversion of one of an affiliate's commissions.
SELECT m.account_id, m.conversion_id
FROM accounts AS a
CROSS JOIN commissions AS m
WHERE m.account_id = a.account_id AND m.commission_id = :commission_id AND m.affiliate_id = :affiliate_id

-- name: campaigns_by_id
-- Return the titles of campaigns that an affiliate has links to.
SELECT DISTINCT p.campaign_id, p.title
FROM links AS l
JOIN campaigns AS p ON p.account_id = l.account_id AND p.campaign_id = l.campaign_id
WHERE l.affiliate_id = :affiliate_id

-- name: insert_order_message
-- Insert a message about an order.
INSERT INTO order_messages (account_id, conversion_id, message_id, affiliate_id, author, text, written_at)
VALUES (:account_id, :conversion_id, :message_id, :affiliate_id, :author, :text, :now)

-- name: order_messages_of
-- Return the messages about an order, oldest first.
SELECT message_id, affiliate_id, author, text, written_at, read_at
FROM order_messages
WHERE account_id = :account_id AND conversion_id = :conversion_id
ORDER BY message_id

-- name: read_order_messages
-- Set when the messages about an order were first seen: those of the affiliate, or those to it.
UPDATE order_messages SET read_at = :now
WHERE account_id = :account_id AND conversion_id = :conversion_id AND read_at IS NULL
  AND ((author = 'affiliate') = (:reader <> 'affiliate'))

-- name: thread_of_order
-- Return what affiliates wrote about an order of an account.
SELECT q.account_id, q.conversion_id, MAX(q.message_id) AS last_id, MAX(q.written_at) AS last_at, COUNT(*) AS messages,
       SUM(CASE WHEN q.read_at IS NULL AND q.author <> 'affiliate' THEN 1 ELSE 0 END) AS unread,
       SUM(CASE WHEN q.read_at IS NULL AND q.author = 'affiliate' THEN 1 ELSE 0 END) AS unread_by_merchant,
       c.external_order_id, s.merchant_id, s.name AS merchant_name, f.affiliate_id, f.name AS affiliate_name, a.mode,
       m.commission_id
FROM order_messages AS q
JOIN conversions AS c ON c.account_id = q.account_id AND c.conversion_id = q.conversion_id
JOIN commissions AS m ON m.account_id = q.account_id AND m.conversion_id = q.conversion_id
JOIN accounts AS a ON a.account_id = q.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
JOIN affiliates AS f ON f.affiliate_id = q.affiliate_id
WHERE q.account_id = :account_id
  AND q.conversion_id = :conversion_id
GROUP BY q.account_id, q.conversion_id, c.external_order_id, s.merchant_id, s.name, f.affiliate_id, f.name, a.mode,
         m.commission_id
ORDER BY last_id DESC
LIMIT 1

-- name: modes_of_affiliate
-- Return the modes in which an affiliate has links.
SELECT DISTINCT a.mode
FROM links AS l
JOIN accounts AS a ON a.account_id = l.account_id
WHERE l.affiliate_id = :affiliate_id

-- name: public_offers
-- Return live campaigns that stand in the public listing at a time.
-- list: by campaign_id text; small
-- filter now bigint: c.end_at IS NULL OR c.end_at > :now
-- filter campaign_id text: c.campaign_id = :campaign_id
SELECT c.*, a.mode, s.merchant_id, s.name AS merchant_name, s.domains, s.currency, s.commission_type, s.commission_value,
       s.hold_ms AS merchant_hold_ms
FROM @listed(campaigns AS c)
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE a.mode = 'live' AND s.status = 'APPROVED' AND c.listed = 1 AND c.status = 'ACTIVE'
  AND c.approval_status IN ('NOT_REQUIRED', 'APPROVED') AND @filters
ORDER BY @order
LIMIT :limit

-- name: own_offers
-- Return the campaigns that an affiliate has a membership in or links to, with what it is there.
-- list: by campaign_id text; small
-- filter affiliate_id text: (c.account_id, c.campaign_id) IN (SELECT account_id, campaign_id FROM memberships WHERE affiliate_id = :affiliate_id UNION SELECT account_id, campaign_id FROM links WHERE affiliate_id = :affiliate_id AND campaign_id IS NOT NULL)
-- filter campaign_id text: c.campaign_id = :campaign_id
SELECT c.*, a.mode, s.merchant_id, s.name AS merchant_name, s.domains, s.currency, s.commission_type, s.commission_value,
       s.hold_ms AS merchant_hold_ms, m.status AS membership, m.reason, m.commission_type AS own_type,
       m.commission_value AS own_value
FROM @listed(campaigns AS c)
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN memberships AS m
  ON m.account_id = c.account_id AND m.campaign_id = c.campaign_id AND m.affiliate_id = :affiliate_id

-- name: keep_former_address
-- Store an address that an affiliate or a person has no longer, and when they left it.
INSERT INTO former_addresses (subject_id, email, left_at) VALUES (:subject_id, :email, :now)
ON CONFLICT (subject_id, email) DO UPDATE SET left_at = excluded.left_at

-- name: recipients_of_affiliate
-- Return the addresses of an affiliate and of its people, with those that they have left since a moment.
SELECT email FROM affiliates WHERE affiliate_id = :affiliate_id
UNION
SELECT u.email FROM user_roles AS r JOIN users AS u ON u.user_id = r.user_id
WHERE r.role = 'affiliate' AND r.subject_id = :affiliate_id AND u.status = 'ACTIVE'
UNION
SELECT email FROM former_addresses WHERE subject_id = :affiliate_id AND left_at > :since
UNION
SELECT f.email FROM user_roles AS r JOIN former_addresses AS f ON f.subject_id = r.user_id
WHERE r.role = 'affiliate' AND r.subject_id = :affiliate_id AND f.left_at > :since
ORDER BY email

-- name: sweep_former_addresses
-- Delete the addresses that were left before a moment.
DELETE FROM former_addresses WHERE left_at < :cutoff
