-- name: conversions
-- Return orders with what they earn.
-- list: by conversion_id text; indexed (account_id), (account_id, updated_since), (account_id, review) in conversions_in_review, (account_id, coupon) in conversions_by_coupon, (account_id, astray) in conversions_astray, (review) across accounts in conversions_in_review, (merchant_id, review) across accounts in conversions_in_review, (mode, review) across accounts in conversions_in_review, () across accounts, (merchant_id) across accounts, (mode) across accounts; from since until before
-- list: by external_order_id text; indexed (account_id); from number_from until number_until
-- list: by ordered_at bigint, conversion_id text; sorted of conversion_id
-- list: by order_minor bigint, conversion_id text; sorted of conversion_id
-- list: by amount_minor bigint, conversion_id text; sorted of conversion_id
-- list: by state text, conversion_id text; sorted of conversion_id
-- filter account_id text: c.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter review text: c.review = :review AND c.review = 'OPEN'
-- filter since text: c.conversion_id >= :since
-- filter before text: c.conversion_id < :before
-- filter astray text: ((c.created_at > c.ordered_at + 604800000) OR (c.created_at < c.ordered_at - 86400000)) AND :astray = 'yes'
-- filter updated_since bigint: c.conversion_id IN (SELECT record_id FROM changes WHERE account_id = :account_id AND number >= :updated_since AND record_type || '' = 'conversion')
-- filter status text: COALESCE(m.state, CASE c.review WHEN 'OPEN' THEN 'IN_REVIEW' ELSE c.review END) = :status
-- filter state text: COALESCE(m.state, 'NONE') = :state
-- filter confidence text: c.confidence = :confidence
-- filter affiliate_id text: c.affiliate_id = :affiliate_id
-- filter campaign_id text: c.campaign_id = :campaign_id
-- filter reason text: c.reason = :reason
-- filter candidate text: COALESCE(c.candidate_id, '-') = :candidate
-- filter product text: c.lines LIKE :product ESCAPE '!'
-- filter coupon text: c.coupon_code IS NOT NULL AND upper(c.coupon_code) = :coupon || ''
-- filter number_from text: c.external_order_id >= :number_from
-- filter number_until text: c.external_order_id < :number_until
-- filter number text: substr(c.external_order_id, 1, length(:number)) = :number
-- filter text text: lower(c.external_order_id) LIKE :text ESCAPE '!' OR lower(c.coupon_code) LIKE :text ESCAPE '!'
-- filter created_from bigint: c.received_at >= :created_from
-- filter created_to bigint: c.received_at < :created_to
-- filter placed_from bigint: c.ordered_at >= :placed_from
-- filter placed_to bigint: c.ordered_at < :placed_to
SELECT c.*, c.lines AS lines_json, a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name,
       p.title AS campaign_title, g.name AS candidate_name, m.commission_id, m.state, m.amount_minor, m.hold_until,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = c.account_id AND h.record_type = 'conversion' AND h.record_id = c.conversion_id)
       AS change_number
FROM @listed(conversions AS c)
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = c.affiliate_id
LEFT JOIN affiliates AS g ON g.affiliate_id = c.candidate_id
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id

-- name: commissions
-- Return commissions with their orders, and the clicks that led to them.
-- list: by commission_id text; indexed (affiliate_id) in commissions_by_affiliate, (account_id), (account_id, updated_since), () across accounts, (merchant_id) across accounts, (mode) across accounts; from since
-- filter account_id text: m.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter affiliate_id text: m.affiliate_id = :affiliate_id
-- filter since text: m.commission_id >= :since
-- filter updated_since bigint: m.commission_id IN (SELECT n.commission_id FROM changes AS h JOIN commissions AS n ON n.account_id = h.account_id AND n.conversion_id = h.record_id WHERE h.account_id = :account_id AND h.number >= :updated_since AND h.record_type || '' = 'conversion')
-- filter state text: m.state = :state
-- filter campaign_id text: c.campaign_id = :campaign_id
-- filter code text: k.code = :code
-- filter confidence text: c.confidence = :confidence
-- filter product text: c.lines LIKE :product ESCAPE '!'
-- filter coupon text: upper(c.coupon_code) = :coupon
-- filter number text: substr(c.external_order_id, 1, length(:number)) = :number
-- filter text text: lower(c.external_order_id) LIKE :text ESCAPE '!' OR lower(c.coupon_code) LIKE :text ESCAPE '!'
-- filter created_from bigint: m.created_at >= :created_from
-- filter created_to bigint: m.created_at < :created_to
SELECT m.account_id, m.commission_id, m.conversion_id, m.affiliate_id, m.state, m.amount_minor, m.base_minor,
       m.currency, m.source, m.hold_until, m.paid_at, m.payout_reference, m.created_at, m.updated_at,
       a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name, c.external_order_id, c.ordered_at,
       c.click_id, c.campaign_id, c.order_minor, c.confidence, c.reason, c.review, c.candidate_id, c.coupon_code,
       c.received_at, p.title AS campaign_title, NULL AS candidate_name, k.code, k.subs,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = m.account_id AND h.record_type = 'conversion' AND h.record_id = m.conversion_id)
       AS change_number
FROM @listed(commissions AS m)
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN affiliates AS f ON f.affiliate_id = m.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
LEFT JOIN clicks AS k ON k.account_id = c.account_id AND k.click_id = c.click_id

-- name: orders_named
-- Return the ids of an account's orders that have exactly this number, id, click or commission.
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND external_order_id = :name
UNION
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND conversion_id = :name
UNION
SELECT conversion_id FROM conversions
WHERE substr(click_id, 5, 10) = substr(CAST(:name AS TEXT), 5, 10) AND account_id || '' = :account_id AND click_id = :name
UNION
SELECT conversion_id FROM commissions WHERE account_id = :account_id AND commission_id = :name
UNION
SELECT conversion_id FROM events WHERE account_id = :account_id AND event_id = :name AND conversion_id IS NOT NULL
LIMIT 2

-- name: status_events_of_order
-- Return the events that claimed a status of an order, by the beginning of their claims.
SELECT event_id FROM claims
WHERE account_id = :account_id AND scope = 'status' AND claim_key >= :first AND claim_key < :last

-- name: messages_of_order
-- Return events of an account with their bodies, as far as these are still kept.
SELECT e.event_id, e.type, e.kind, e.status, e.external_event_id, e.external_order_id, e.conversion_id, e.received_at,
       e.processed_at, e.attempts, e.explanation, e.connection_id, e.topic, p.body
FROM @rows(:events; account_id text, event_id text) AS k
CROSS JOIN events AS e
LEFT JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = k.account_id AND e.event_id = k.event_id
ORDER BY e.event_id DESC

-- name: click_shown_to_merchant
-- Return a click of an account with its link and campaign.
SELECT c.click_id, c.code, c.affiliate_id, c.campaign_id, c.clicked_at, a.name AS affiliate_name,
       p.title AS campaign_title, p.cookie_duration_days
FROM clicks AS c
LEFT JOIN affiliates AS a ON a.affiliate_id = c.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
WHERE c.account_id = :account_id AND c.click_id = :click_id

-- name: title_of_campaign
-- Return the title of a campaign.
SELECT title FROM campaigns WHERE account_id = :account_id AND campaign_id = :campaign_id

-- name: name_of_affiliate
-- Return the name of an affiliate.
SELECT name FROM affiliates WHERE affiliate_id = :affiliate_id

-- name: commission_to_decide
-- Return the commission of a conversion with its order's number and the mode of the account.
SELECT m.commission_id, m.state, m.affiliate_id, c.external_order_id, a.mode
FROM conversions AS c
JOIN accounts AS a ON a.account_id = c.account_id
JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
WHERE c.account_id = :account_id AND c.conversion_id = :conversion_id

-- name: reopen_review
-- Set the review of a conversion that was decided by hand back to open.
UPDATE conversions SET review = 'OPEN', affiliate_id = NULL, campaign_id = NULL, reviewed_at = NULL
WHERE account_id = :account_id AND conversion_id = :conversion_id AND review IN ('ATTRIBUTED', 'DISMISSED')

-- name: withdraw_commission
-- Delete a commission that was not paid.
DELETE FROM commissions
WHERE account_id = :account_id AND commission_id = :commission_id AND paid_at IS NULL

-- name: affiliates_with_links
-- Return the active affiliates of an account's newest links, up to a limit, in the order of their names.
SELECT affiliate_id, name FROM affiliates
WHERE status = 'ACTIVE' AND affiliate_id IN (
    SELECT affiliate_id FROM (SELECT affiliate_id FROM links WHERE account_id = :account_id
                              ORDER BY created_at DESC, code DESC LIMIT :newest) AS linked
)
ORDER BY name, affiliate_id
LIMIT :limit
