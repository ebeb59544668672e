-- name: orders_below
-- Return an account's orders below an id that match each filter given, newest first, of the `depth` next ones.
SELECT c.conversion_id, c.external_order_id, c.order_minor, c.currency, c.confidence, c.reason, c.review, c.affiliate_id,
       c.candidate_id, c.campaign_id, c.coupon_code, c.click_id, c.ordered_at, c.received_at, a.name AS affiliate_name,
       p.title AS campaign_title, m.commission_id, m.state, m.amount_minor, m.hold_until
FROM (SELECT * FROM conversions
      WHERE account_id = :account_id AND conversion_id < :cursor
      ORDER BY conversion_id DESC
      LIMIT :depth) AS c
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
LEFT JOIN affiliates AS a ON a.affiliate_id = c.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
WHERE c.ordered_at >= :since AND c.ordered_at < :until
  AND (CAST(:state AS TEXT) IS NULL OR COALESCE(m.state, 'NONE') = CAST(:state AS TEXT))
  AND (CAST(:confidence AS TEXT) IS NULL OR c.confidence = CAST(:confidence AS TEXT))
  AND (CAST(:affiliate AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate AS TEXT))
  AND (CAST(:campaign AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign AS TEXT))
  AND (CAST(:coupon AS TEXT) IS NULL OR upper(c.coupon_code) = CAST(:coupon AS TEXT))
  AND (CAST(:product AS TEXT) IS NULL OR c.lines LIKE CAST(:product AS TEXT) ESCAPE '!')
  AND (CAST(:text AS TEXT) IS NULL OR lower(c.external_order_id) LIKE CAST(:text AS TEXT) ESCAPE '!'
       OR lower(c.coupon_code) LIKE CAST(:text AS TEXT) ESCAPE '!')
ORDER BY c.conversion_id DESC
LIMIT :limit

-- name: orders_above
-- Return an account's orders above an id that match each filter given, oldest first, of the `depth` next ones.
SELECT c.conversion_id, c.external_order_id, c.order_minor, c.currency, c.confidence, c.reason, c.review, c.affiliate_id,
       c.candidate_id, c.campaign_id, c.coupon_code, c.click_id, c.ordered_at, c.received_at, a.name AS affiliate_name,
       p.title AS campaign_title, m.commission_id, m.state, m.amount_minor, m.hold_until
FROM (SELECT * FROM conversions
      WHERE account_id = :account_id AND conversion_id > :cursor
      ORDER BY conversion_id
      LIMIT :depth) AS c
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
LEFT JOIN affiliates AS a ON a.affiliate_id = c.affiliate_id
LEFT JOIN campaigns AS p ON p.account_id = c.account_id AND p.campaign_id = c.campaign_id
WHERE c.ordered_at >= :since AND c.ordered_at < :until
  AND (CAST(:state AS TEXT) IS NULL OR COALESCE(m.state, 'NONE') = CAST(:state AS TEXT))
  AND (CAST(:confidence AS TEXT) IS NULL OR c.confidence = CAST(:confidence AS TEXT))
  AND (CAST(:affiliate AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate AS TEXT))
  AND (CAST(:campaign AS TEXT) IS NULL OR c.campaign_id = CAST(:campaign AS TEXT))
  AND (CAST(:coupon AS TEXT) IS NULL OR upper(c.coupon_code) = CAST(:coupon AS TEXT))
  AND (CAST(:product AS TEXT) IS NULL OR c.lines LIKE CAST(:product AS TEXT) ESCAPE '!')
  AND (CAST(:text AS TEXT) IS NULL OR lower(c.external_order_id) LIKE CAST(:text AS TEXT) ESCAPE '!'
       OR lower(c.coupon_code) LIKE CAST(:text AS TEXT) ESCAPE '!')
ORDER BY c.conversion_id
LIMIT :limit

-- name: order_at_depth_below
-- Return the id of the `depth`-th order below an id, if there are so many.
SELECT conversion_id AS id FROM conversions
WHERE account_id = :account_id AND conversion_id < :cursor
ORDER BY conversion_id DESC
LIMIT 1 OFFSET :offset

-- name: order_at_depth_above
-- Return the id of the `depth`-th order above an id, if there are so many.
SELECT conversion_id AS id FROM conversions
WHERE account_id = :account_id AND conversion_id > :cursor
ORDER BY conversion_id
LIMIT 1 OFFSET :offset

-- name: orders_named
-- Return the ids of an account's orders that have exactly this number, id, click or commission.
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND external_order_id = :name
UNION
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND conversion_id = :name
UNION
SELECT conversion_id FROM conversions WHERE account_id = :account_id AND click_id = :name
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
-- Return the commission of a conversion with its order's number.
SELECT m.commission_id, m.state, c.external_order_id
FROM conversions AS c
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

-- name: reviews_below
-- Return an account's orders under review below an id, newest first, with the affiliate that a weaker signal names.
SELECT c.conversion_id, c.external_order_id, c.order_minor, c.currency, c.reason, c.coupon_code, c.candidate_id,
       a.name AS candidate_name, c.ordered_at
FROM conversions AS c
LEFT JOIN affiliates AS a ON a.affiliate_id = c.candidate_id
WHERE c.account_id = :account_id AND c.review = 'OPEN' AND c.conversion_id < :cursor
ORDER BY c.conversion_id DESC
LIMIT :limit

-- name: reviews_above
-- Return an account's orders under review above an id, oldest first, with the affiliate that a weaker signal names.
SELECT c.conversion_id, c.external_order_id, c.order_minor, c.currency, c.reason, c.coupon_code, c.candidate_id,
       a.name AS candidate_name, c.ordered_at
FROM conversions AS c
LEFT JOIN affiliates AS a ON a.affiliate_id = c.candidate_id
WHERE c.account_id = :account_id AND c.review = 'OPEN' AND c.conversion_id > :cursor
ORDER BY c.conversion_id
LIMIT :limit

-- name: affiliates_with_links
-- Return the active affiliates that have a link of an account.
SELECT affiliate_id, name FROM affiliates
WHERE status = 'ACTIVE' AND affiliate_id IN (SELECT affiliate_id FROM links WHERE account_id = :account_id)
ORDER BY name, affiliate_id
LIMIT :limit
