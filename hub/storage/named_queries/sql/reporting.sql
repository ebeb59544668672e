-- name: parties_named
-- Return the merchants, or the affiliates, with this id, name or e-mail address.
SELECT merchant_id AS id, name, email
FROM merchants
WHERE CAST(:noun AS TEXT) = 'merchant'
  AND (merchant_id = :reference OR name = :reference OR lower(email) = lower(:reference))
UNION ALL
SELECT affiliate_id AS id, name, email
FROM affiliates
WHERE CAST(:noun AS TEXT) = 'affiliate'
  AND (affiliate_id = :reference OR name = :reference OR lower(email) = lower(:reference))
ORDER BY id

-- name: parties_like
-- Return merchants, or affiliates, whose name or e-mail address contains a text in any case, up to a limit.
SELECT id, name, email
FROM (SELECT 'merchant' AS noun, merchant_id AS id, name, email FROM merchants
      UNION ALL SELECT 'affiliate' AS noun, affiliate_id AS id, name, email FROM affiliates) AS parties
WHERE noun = :noun AND (lower(name) LIKE :pattern ESCAPE '!' OR lower(email) LIKE :pattern ESCAPE '!')
ORDER BY id
LIMIT :limit

-- name: parties_to_choose
-- Return merchants, at most so many, and affiliates, at most so many, in the order of their ids.
SELECT noun, name, email
FROM (SELECT 'merchant' AS noun, name, email FROM merchants ORDER BY merchant_id LIMIT :merchants) AS some_merchants
UNION ALL
SELECT noun, name, email
FROM (SELECT 'affiliate' AS noun, name, email FROM affiliates ORDER BY affiliate_id LIMIT :affiliates) AS some_affiliates

-- name: stored_delivery
-- Return the body of a platform's delivery, in whichever account it is, with its connection's connector.
SELECT e.topic, c.connector, c.options, p.body, p.headers
FROM accounts AS a
CROSS JOIN events AS e
JOIN connections AS c ON c.account_id = e.account_id AND c.connection_id = e.connection_id
JOIN payloads AS p ON p.account_id = e.account_id AND p.event_id = e.event_id
WHERE e.account_id = a.account_id AND e.event_id = :event_id

-- name: conversions_of_order
-- Return the conversions of an order id that match each filter given, newest first.
SELECT c.*
FROM listed_conversions AS c
WHERE c.external_order_id = :external_order_id
  AND (CAST(:account_id AS TEXT) IS NULL OR c.account_id = CAST(:account_id AS TEXT))
  AND (CAST(:merchant_id AS TEXT) IS NULL OR c.merchant_id = CAST(:merchant_id AS TEXT))
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR c.affiliate_id = CAST(:affiliate_id AS TEXT))
  AND (CAST(:mode AS TEXT) IS NULL OR c.mode = CAST(:mode AS TEXT))
ORDER BY c.conversion_id DESC

-- name: conversion_anywhere
-- Return one conversion by its id, in whichever account it is.
SELECT c.*
FROM listed_conversions AS c
WHERE c.conversion_id = :conversion_id

-- name: conversions_after
-- Return the conversions of all accounts after a key, in the order of their keys.
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json,
       c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence, c.reason, c.affiliate_id,
       c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version, c.stands_at, c.born,
       c.namesakes, c.refund_set,
       a.merchant_id, a.mode, s.name AS merchant_name,
       f.name AS affiliate_name
FROM conversions AS c
JOIN accounts AS a ON a.account_id = c.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN affiliates AS f ON f.affiliate_id = c.affiliate_id
WHERE (c.account_id, c.conversion_id) > (:account_id, :conversion_id)
ORDER BY c.account_id, c.conversion_id
LIMIT :limit

-- name: commission_anywhere
-- Return one commission by its id, in whichever account it is, with its order, mode and merchant.
SELECT m.account_id, m.commission_id, m.conversion_id, m.affiliate_id, m.state, m.amount_minor, m.base_minor,
       m.currency, m.source, m.hold_until, m.paid_at, m.payout_reference, c.external_order_id, a.mode, a.merchant_id,
       s.name AS merchant_name, s.status AS merchant_status
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.account_id = a.account_id AND m.commission_id = :commission_id

-- name: audited_events
-- Return events of all accounts after a key, and whether one is a processed order without a conversion.
SELECT e.account_id, e.event_id, e.status,
       CASE WHEN e.type = 'conversion' AND e.status = 'PROCESSED'
                 AND NOT EXISTS (SELECT 1 FROM conversions AS c
                                 WHERE c.account_id = e.account_id AND c.external_order_id = e.external_order_id)
            THEN 1 ELSE 0 END AS unrecorded
FROM events AS e
WHERE (e.account_id, e.event_id) > (:account_id, :event_id)
ORDER BY e.account_id, e.event_id
LIMIT :limit

-- name: audited_events_of
-- Return the same of these events.
SELECT e.account_id, e.event_id, e.status,
       CASE WHEN e.type = 'conversion' AND e.status = 'PROCESSED'
                 AND NOT EXISTS (SELECT 1 FROM conversions AS c
                                 WHERE c.account_id = e.account_id AND c.external_order_id = e.external_order_id)
            THEN 1 ELSE 0 END AS unrecorded
FROM @rows(:events; account_id text, event_id text) AS k
CROSS JOIN events AS e
WHERE e.account_id = k.account_id AND e.event_id = k.event_id

-- name: audited_claims
-- Return claims of all accounts after a key, and whether the event is missing that one belongs to.
SELECT k.account_id, k.scope, k.claim_key, k.event_id,
       CASE WHEN EXISTS (SELECT 1 FROM events AS e WHERE e.account_id = k.account_id AND e.event_id = k.event_id)
            THEN 0 ELSE 1 END AS lost
FROM claims AS k
WHERE (k.account_id, k.scope, k.claim_key) > (:account_id, :scope, :claim_key)
ORDER BY k.account_id, k.scope, k.claim_key
LIMIT :limit

-- name: audited_commissions
-- Return commissions of all accounts after a key, and whether one is the second of its conversion, or is not earned.
-- It is not if the conversion is attributed to somebody else, its review is open or dismissed, or there is none.
SELECT m.account_id, m.commission_id, m.conversion_id,
       CASE WHEN EXISTS (SELECT 1 FROM commissions AS o
                         WHERE o.account_id = m.account_id AND o.conversion_id = m.conversion_id
                           AND o.commission_id < m.commission_id)
            THEN 1 ELSE 0 END AS doubled,
       CASE WHEN c.conversion_id IS NULL OR c.review IN ('OPEN', 'DISMISSED') OR c.affiliate_id IS NULL
                 OR c.affiliate_id <> m.affiliate_id
            THEN 1 ELSE 0 END AS unearned
FROM commissions AS m
LEFT JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE (m.account_id, m.commission_id) > (:account_id, :commission_id)
ORDER BY m.account_id, m.commission_id
LIMIT :limit

-- name: orders_between
-- Return an account's orders of a span of time after a conversion's id.
SELECT conversion_id, external_order_id, order_minor, currency
FROM conversions
WHERE account_id = :account_id AND conversion_id > :after AND ordered_at >= :since AND ordered_at <= :until
ORDER BY conversion_id
LIMIT :limit

-- name: orders_priced_since
-- Return an account's orders since a moment after a conversion's id, those that were attributed.
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at,
       c.snapshot_version, c.stands_at, c.born, c.namesakes, c.refund_set
FROM conversions AS c
WHERE c.account_id = :account_id AND c.conversion_id > :after AND c.ordered_at >= :since
  AND c.affiliate_id IS NOT NULL
ORDER BY c.conversion_id
LIMIT :limit

-- name: products_anywhere
-- Return the products with this id of the hub's, or of a merchant's in one account if it is given.
SELECT account_id, product_id, external_product_id
FROM products
WHERE (product_id = :reference OR external_product_id = :reference)
  AND (CAST(:account_id AS TEXT) IS NULL OR account_id = CAST(:account_id AS TEXT))
LIMIT 2
