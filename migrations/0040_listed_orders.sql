-- What lists and pages show of an order and of a commission: the row, its account's mode and merchant, and the names.
-- SQLite takes the tables of a CROSS JOIN in the order in which they are written: without it, it would look for one
-- id through the orders of every account.

CREATE VIEW listed_conversions AS
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version,
       c.stands_at, a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN conversions AS c
LEFT JOIN affiliates AS f ON f.affiliate_id = c.affiliate_id
WHERE c.account_id = a.account_id;

CREATE VIEW listed_commissions AS
SELECT m.account_id, m.commission_id, m.conversion_id, m.affiliate_id, m.state, m.amount_minor, m.base_minor,
       m.currency, m.source, m.hold_until, m.paid_at, m.payout_reference, m.created_at, m.updated_at,
       a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN commissions AS m
LEFT JOIN affiliates AS f ON f.affiliate_id = m.affiliate_id
WHERE m.account_id = a.account_id;
