-- name: note_new_figures
-- Insert what new orders add to the figures.
INSERT INTO new_figures (account_id, change_id, sums)
SELECT account_id, change_id, sums
FROM @rows(:notes; account_id text, change_id text, sums text)

-- name: account_with_new_figures
-- Return an account whose new orders are not added to its figures yet, if there is any.
SELECT account_id FROM new_figures ORDER BY account_id, change_id LIMIT 1

-- name: oldest_uncounted_note
-- Return the oldest note of orders that the figures do not contain yet, of one account or of all of a mode.
SELECT MIN(n.change_id) AS change_id
FROM (SELECT (SELECT MIN(f.change_id) FROM new_figures AS f WHERE f.account_id = a.account_id) AS change_id
      FROM accounts AS a
      WHERE a.mode = :mode AND (CAST(:account_id AS TEXT) IS NULL OR a.account_id = CAST(:account_id AS TEXT))
      UNION ALL
      SELECT (SELECT MIN(o.change_id) FROM changed_orders AS o WHERE o.account_id = a.account_id)
      FROM accounts AS a
      WHERE a.mode = :mode AND (CAST(:account_id AS TEXT) IS NULL OR a.account_id = CAST(:account_id AS TEXT))) AS n

-- name: new_figures_of
-- Return the oldest notes of what an account's new orders add.
SELECT change_id, sums FROM new_figures WHERE account_id = :account_id ORDER BY change_id LIMIT :limit

-- name: forget_new_figures
-- Delete notes of what an account's new orders add, up to one of them.
DELETE FROM new_figures WHERE account_id = :account_id AND change_id <= :last

-- name: drop_new_figures
-- Delete the notes of what an account's new orders add.
DELETE FROM new_figures WHERE account_id = :account_id

-- name: note_changed_orders
-- Insert notes that orders changed, so that their figures are counted anew.
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, change_id, conversion_id
FROM @rows(:changes; account_id text, change_id text, conversion_id text)

-- name: next_changed_orders
-- Return the oldest notes of changed orders, one account's together.
SELECT account_id, change_id, conversion_id
FROM changed_orders
ORDER BY account_id, change_id
LIMIT :limit

-- name: forget_changed_orders
-- Delete notes of changed orders.
DELETE FROM changed_orders
WHERE (account_id, change_id) IN (
    SELECT account_id, change_id FROM @rows(:changes; account_id text, change_id text)
)

-- name: oldest_uncounted
-- Return the oldest note of an account that its figures lack, if there is any.
SELECT MIN(change_id) AS change_id
FROM (SELECT MIN(change_id) AS change_id FROM changed_orders WHERE account_id = :account_id
      UNION ALL
      SELECT MIN(change_id) AS change_id FROM new_figures WHERE account_id = :account_id) AS notes

-- name: orders_to_count
-- Return these conversions with their commissions and clicks, as far as figures need them, and what was counted of them.
SELECT c.account_id, c.conversion_id, c.external_order_id, c.ordered_at, c.campaign_id, c.affiliate_id, c.currency,
       c.confidence, c.order_minor, c.lines AS lines_json, m.state, m.amount_minor, m.base_minor, o.counted,
       k.code, k.subs, c.stands_at, c.refund_set
FROM @rows(:conversions; account_id text, conversion_id text) AS r
CROSS JOIN conversions AS c
LEFT JOIN clicks AS k ON k.account_id = c.account_id AND k.click_id = c.click_id
LEFT JOIN commissions AS m ON m.account_id = c.account_id AND m.conversion_id = c.conversion_id
LEFT JOIN counted_orders AS o ON o.account_id = c.account_id AND o.conversion_id = c.conversion_id
WHERE c.account_id = r.account_id AND c.conversion_id = r.conversion_id

-- name: refunds_to_count
-- Return the refunds of these orders.
SELECT f.account_id, f.external_order_id, f.fact_key, f.event_id, f.status, f.happened_at, f.received_at, f.refund,
       f.late
FROM @rows(:orders; account_id text, external_order_id text) AS k
CROSS JOIN order_facts AS f
WHERE f.account_id = k.account_id AND f.external_order_id = k.external_order_id AND f.status = 'refunded'

-- name: store_counted_orders
-- Store what the figures contain of orders.
INSERT INTO counted_orders (account_id, conversion_id, counted)
SELECT account_id, conversion_id, counted
FROM @rows(:orders; account_id text, conversion_id text, counted text)
WHERE true
ON CONFLICT (account_id, conversion_id) DO UPDATE SET counted = excluded.counted

-- name: add_daily_figures
-- Insert figures of days, or add them to what is there.
INSERT INTO daily_figures (account_id, day, campaign_id, affiliate_id, currency, clicks, orders, high, revenue_minor,
                           refunds_minor, pending, pending_minor, hold, hold_minor, approved, approved_minor, payable,
                           payable_minor, paid, paid_minor, rejected, rejected_minor)
SELECT account_id, day, campaign_id, affiliate_id, currency, clicks, orders, high, revenue_minor, refunds_minor,
       pending, pending_minor, hold, hold_minor, approved, approved_minor, payable, payable_minor, paid, paid_minor,
       rejected, rejected_minor
FROM @rows(:figures; account_id text, day bigint, campaign_id text, affiliate_id text, currency text, clicks bigint,
           orders bigint, high bigint, revenue_minor bigint, refunds_minor bigint, pending bigint,
           pending_minor bigint, hold bigint, hold_minor bigint, approved bigint, approved_minor bigint,
           payable bigint, payable_minor bigint, paid bigint, paid_minor bigint, rejected bigint,
           rejected_minor bigint)
WHERE true
ON CONFLICT (account_id, day, campaign_id, affiliate_id, currency) DO UPDATE
SET clicks = daily_figures.clicks + excluded.clicks,
    orders = daily_figures.orders + excluded.orders,
    high = daily_figures.high + excluded.high,
    revenue_minor = daily_figures.revenue_minor + excluded.revenue_minor,
    refunds_minor = daily_figures.refunds_minor + excluded.refunds_minor,
    pending = daily_figures.pending + excluded.pending,
    pending_minor = daily_figures.pending_minor + excluded.pending_minor,
    hold = daily_figures.hold + excluded.hold,
    hold_minor = daily_figures.hold_minor + excluded.hold_minor,
    approved = daily_figures.approved + excluded.approved,
    approved_minor = daily_figures.approved_minor + excluded.approved_minor,
    payable = daily_figures.payable + excluded.payable,
    payable_minor = daily_figures.payable_minor + excluded.payable_minor,
    paid = daily_figures.paid + excluded.paid,
    paid_minor = daily_figures.paid_minor + excluded.paid_minor,
    rejected = daily_figures.rejected + excluded.rejected,
    rejected_minor = daily_figures.rejected_minor + excluded.rejected_minor

-- name: add_product_figures
-- Insert figures of products, or add them to what is there.
INSERT INTO product_figures (account_id, day, external_product_id, currency, orders, units, revenue_minor)
SELECT account_id, day, external_product_id, currency, orders, units, revenue_minor
FROM @rows(:figures; account_id text, day bigint, external_product_id text, currency text, orders bigint, units bigint,
           revenue_minor bigint)
WHERE true
ON CONFLICT (account_id, day, external_product_id, currency) DO UPDATE
SET orders = product_figures.orders + excluded.orders,
    units = product_figures.units + excluded.units,
    revenue_minor = product_figures.revenue_minor + excluded.revenue_minor

-- name: add_affiliate_figures
-- Insert figures of the campaigns, links and sub-ids of affiliates, or add them to what is there.
INSERT INTO affiliate_figures (account_id, affiliate_id, place, day, name, currency, clicks, orders, rejected,
                               earned_minor)
SELECT account_id, affiliate_id, place, day, name, currency, clicks, orders, rejected, earned_minor
FROM @rows(:figures; account_id text, affiliate_id text, place text, day bigint, name text, currency text,
           clicks bigint, orders bigint, rejected bigint, earned_minor bigint)
WHERE true
ON CONFLICT (account_id, affiliate_id, place, day, name, currency) DO UPDATE
SET clicks = affiliate_figures.clicks + excluded.clicks,
    orders = affiliate_figures.orders + excluded.orders,
    rejected = affiliate_figures.rejected + excluded.rejected,
    earned_minor = affiliate_figures.earned_minor + excluded.earned_minor

-- name: accounts_with_new_clicks
-- Return the accounts that have clicks before an id which are not counted yet, with the last click that is.
SELECT a.account_id, COALESCE(o.click_id, '') AS counted_to
FROM accounts AS a
LEFT JOIN counted_clicks AS o ON o.account_id = a.account_id
WHERE EXISTS (SELECT 1 FROM clicks AS c
              WHERE c.account_id = a.account_id AND c.click_id > COALESCE(o.click_id, '') AND c.click_id < :before)

-- name: clicks_to_count
-- Return how many clicks between two ids belong to each day, link and choice of sub-ids.
SELECT clicked_at / 86400000 AS day, COALESCE(campaign_id, '') AS campaign_id, affiliate_id, code,
       COALESCE(subs, '') AS subs, COUNT(*) AS clicks
FROM clicks
WHERE account_id = :account_id AND click_id > :after AND click_id <= :last
GROUP BY clicked_at / 86400000, COALESCE(campaign_id, ''), affiliate_id, code, COALESCE(subs, '')

-- name: store_counted_clicks
-- Store up to which click the figures of an account contain all.
INSERT INTO counted_clicks (account_id, click_id) VALUES (:account_id, :last)
ON CONFLICT (account_id) DO UPDATE SET click_id = excluded.click_id

-- name: drop_daily_figures
-- Delete the figures of an account's days.
DELETE FROM daily_figures WHERE account_id = :account_id

-- name: drop_product_figures
-- Delete the figures of an account's products.
DELETE FROM product_figures WHERE account_id = :account_id

-- name: drop_affiliate_figures
-- Delete the figures of campaigns, links and sub-ids in an account.
DELETE FROM affiliate_figures WHERE account_id = :account_id

-- name: drop_counted_orders
-- Delete what was counted of an account's orders.
DELETE FROM counted_orders WHERE account_id = :account_id

-- name: drop_counted_clicks
-- Delete up to which click an account's figures are counted.
DELETE FROM counted_clicks WHERE account_id = :account_id

-- name: drop_changed_orders
-- Delete the notes of an account's changed orders.
DELETE FROM changed_orders WHERE account_id = :account_id

-- name: note_all_orders
-- Mark all orders of an account as changed.
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, conversion_id, conversion_id FROM conversions WHERE account_id = :account_id

-- name: counted_clicks_of
-- Return up to which click an account's figures contain all.
SELECT click_id FROM counted_clicks WHERE account_id = :account_id

-- name: conversion_ids_after
-- Return the ids of an account's conversions after one, in their order.
SELECT conversion_id FROM conversions
WHERE account_id = :account_id AND conversion_id > :after
ORDER BY conversion_id
LIMIT :limit

-- name: all_daily_figures
-- Return every figure of an account's days.
SELECT account_id, day, campaign_id, affiliate_id, currency, clicks, orders, high, revenue_minor, refunds_minor,
       pending, pending_minor, hold, hold_minor, approved, approved_minor, payable, payable_minor, paid, paid_minor, rejected,
       rejected_minor
FROM daily_figures WHERE account_id = :account_id

-- name: all_product_figures
-- Return every figure of an account's products.
SELECT account_id, day, external_product_id, currency, orders, units, revenue_minor
FROM product_figures WHERE account_id = :account_id

-- name: all_affiliate_figures
-- Return every figure of the campaigns, links and sub-ids in an account.
SELECT account_id, affiliate_id, place, day, name, currency, clicks, orders, rejected, earned_minor
FROM affiliate_figures WHERE account_id = :account_id

-- fragment: sums_of_days
-- Clicks, orders and amounts of several days (`g`).
CAST(SUM(g.clicks) AS BIGINT) AS clicks,
CAST(SUM(g.orders) AS BIGINT) AS orders,
CAST(SUM(g.high) AS BIGINT) AS high,
CAST(SUM(g.rejected) AS BIGINT) AS rejections,
CAST(SUM(g.revenue_minor) AS BIGINT) AS revenue_minor,
CAST(SUM(g.refunds_minor) AS BIGINT) AS refunds_minor,
CAST(SUM(g.pending_minor) AS BIGINT) AS pending_minor,
CAST(SUM(g.hold_minor) AS BIGINT) AS hold_minor,
CAST(SUM(g.approved_minor) AS BIGINT) AS approved_minor,
CAST(SUM(g.payable_minor) AS BIGINT) AS payable_minor,
CAST(SUM(g.paid_minor) AS BIGINT) AS paid_minor,
CAST(SUM(g.rejected_minor) AS BIGINT) AS rejected_minor

-- fragment: sums
-- The same of what was summed up (`f`), behind its currency.
f.currency, f.clicks, f.orders, f.high, f.rejections, f.revenue_minor, f.refunds_minor, f.pending_minor, f.hold_minor,
f.approved_minor, f.payable_minor, f.paid_minor, f.rejected_minor

-- fragment: days_of_network
-- The days (`g`) of a period in all accounts of a mode.
accounts AS a
CROSS JOIN daily_figures AS g
WHERE a.mode = :mode AND g.account_id = a.account_id AND g.day BETWEEN :first AND :last

-- name: figures_by_day
-- Return the sums of each day of a period and currency ('' for clicks).
SELECT CAST(day AS TEXT) AS id, CAST(day AS TEXT) AS name, currency, @fragment(sums_of_days)
FROM daily_figures AS g
WHERE account_id = :account_id AND day BETWEEN :first AND :last AND campaign_id = '*' AND affiliate_id = '*'
GROUP BY day, currency
ORDER BY day, currency

-- name: partner_figures_by_day
-- Return the sums of each day of a period and currency ('' for clicks) that an affiliate brought an account.
SELECT CAST(g.day AS TEXT) AS id, CAST(g.day AS TEXT) AS name, g.currency, @fragment(sums_of_days)
FROM daily_figures AS g @by(daily_figures_by_affiliate)
WHERE g.affiliate_id = :affiliate_id AND g.day BETWEEN :first AND :last AND g.account_id = :account_id
GROUP BY g.day, g.currency
ORDER BY g.day, g.currency

-- name: figures_by_campaign
-- Return the sums of each campaign in a period and currency, with its title.
SELECT f.campaign_id AS id, COALESCE(c.title, '') AS name, @fragment(sums)
FROM (SELECT campaign_id, currency, @fragment(sums_of_days)
      FROM daily_figures AS g
      WHERE account_id = :account_id AND day BETWEEN :first AND :last AND campaign_id <> '*'
      GROUP BY campaign_id, currency) AS f
LEFT JOIN campaigns AS c ON c.account_id = :account_id AND c.campaign_id = f.campaign_id
ORDER BY f.revenue_minor DESC, f.clicks DESC, f.campaign_id, f.currency
LIMIT :limit

-- name: figures_by_affiliate
-- Return the sums of each affiliate in a period and currency, with its name.
SELECT f.affiliate_id AS id, COALESCE(a.name, '') AS name, @fragment(sums)
FROM (SELECT affiliate_id, currency, @fragment(sums_of_days)
      FROM daily_figures AS g
      WHERE account_id = :account_id AND day BETWEEN :first AND :last AND affiliate_id <> '*'
      GROUP BY affiliate_id, currency) AS f
LEFT JOIN affiliates AS a ON a.affiliate_id = f.affiliate_id
ORDER BY f.revenue_minor DESC, f.clicks DESC, f.affiliate_id, f.currency
LIMIT :limit

-- name: figures_by_product
-- Return the sums of each product in a period and currency, with its name.
SELECT f.external_product_id AS id, COALESCE(p.name, '') AS name, f.currency, f.orders, f.units, f.revenue_minor
FROM (SELECT external_product_id, currency, CAST(SUM(orders) AS BIGINT) AS orders, CAST(SUM(units) AS BIGINT) AS units,
             CAST(SUM(revenue_minor) AS BIGINT) AS revenue_minor
      FROM product_figures
      WHERE account_id = :account_id AND day BETWEEN :first AND :last
      GROUP BY external_product_id, currency) AS f
LEFT JOIN products AS p ON p.account_id = :account_id AND p.external_product_id = f.external_product_id
ORDER BY f.revenue_minor DESC, f.external_product_id, f.currency
LIMIT :limit

-- name: figures_by_link
-- Return the sums of each link of an account in a period and currency ('' for clicks), the most clicks first.
SELECT f.code, l.affiliate_id, l.campaign_id, l.destination, f.currency, f.clicks, f.orders, f.rejections,
       f.commission_minor
FROM (SELECT g.name AS code, g.currency, CAST(SUM(g.clicks) AS BIGINT) AS clicks,
             CAST(SUM(g.orders) AS BIGINT) AS orders, CAST(SUM(g.rejected) AS BIGINT) AS rejections,
             CAST(SUM(g.earned_minor) AS BIGINT) AS commission_minor
      FROM (SELECT DISTINCT affiliate_id FROM links WHERE account_id = :account_id) AS k
      CROSS JOIN affiliate_figures AS g
      WHERE g.account_id = :account_id AND g.affiliate_id = k.affiliate_id AND g.place = 'link'
        AND g.day BETWEEN :first AND :last
      GROUP BY g.name, g.currency) AS f
JOIN links AS l ON l.account_id = :account_id AND l.code = f.code
ORDER BY f.clicks DESC, f.orders DESC, f.code, f.currency
LIMIT :limit

-- name: network_figures_by_day
-- Return the sums of each day of a period in a mode and currency ('' for clicks), over all accounts.
SELECT CAST(g.day AS TEXT) AS id, CAST(g.day AS TEXT) AS name, g.currency, @fragment(sums_of_days)
FROM @fragment(days_of_network) AND g.campaign_id = '*'
  AND g.affiliate_id = '*'
GROUP BY g.day, g.currency
ORDER BY g.day, g.currency

-- name: network_figures_by_merchant
-- Return the sums of each merchant in a period and mode, over all accounts.
SELECT f.id, COALESCE(m.name, '') AS name, @fragment(sums)
FROM (SELECT a.merchant_id AS id, g.currency, @fragment(sums_of_days)
      FROM @fragment(days_of_network) AND g.campaign_id = '*'
        AND g.affiliate_id = '*'
      GROUP BY a.merchant_id, g.currency) AS f
LEFT JOIN merchants AS m ON m.merchant_id = f.id
ORDER BY f.revenue_minor DESC, f.clicks DESC, f.id, f.currency
LIMIT :limit

-- name: network_figures_by_campaign
-- Return the sums of each campaign in a period and mode, over all accounts.
SELECT f.id, COALESCE((SELECT c.title FROM campaigns AS c JOIN accounts AS b ON b.account_id = c.account_id
                        WHERE c.campaign_id = f.id AND b.mode = :mode), '') AS name, @fragment(sums)
FROM (SELECT g.campaign_id AS id, g.currency, @fragment(sums_of_days)
      FROM @fragment(days_of_network) AND g.campaign_id <> '*'
        AND g.affiliate_id = '*'
      GROUP BY g.campaign_id, g.currency) AS f
ORDER BY f.revenue_minor DESC, f.clicks DESC, f.id, f.currency
LIMIT :limit

-- name: network_figures_by_affiliate
-- Return the sums of each affiliate in a period and mode, over all accounts.
SELECT f.id, COALESCE(m.name, '') AS name, @fragment(sums)
FROM (SELECT g.affiliate_id AS id, g.currency, @fragment(sums_of_days)
      FROM @fragment(days_of_network) AND g.campaign_id = '*'
        AND g.affiliate_id <> '*'
      GROUP BY g.affiliate_id, g.currency) AS f
LEFT JOIN affiliates AS m ON m.affiliate_id = f.id
ORDER BY f.revenue_minor DESC, f.clicks DESC, f.id, f.currency
LIMIT :limit

-- name: network_figures_by_product
-- Return the sums of each product of each merchant in a period and mode, with its name and the merchant's.
SELECT f.external_product_id AS id,
       CASE WHEN f.external_product_id = '' THEN m.name ELSE COALESCE(p.name, f.external_product_id) || ', ' || m.name END
       AS name, f.currency, f.orders, f.units, f.revenue_minor
FROM (SELECT g.account_id, a.merchant_id, g.external_product_id, g.currency, CAST(SUM(g.orders) AS BIGINT) AS orders,
             CAST(SUM(g.units) AS BIGINT) AS units, CAST(SUM(g.revenue_minor) AS BIGINT) AS revenue_minor
      FROM accounts AS a
      CROSS JOIN product_figures AS g
      WHERE a.mode = :mode AND g.account_id = a.account_id AND g.day BETWEEN :first AND :last
      GROUP BY g.account_id, a.merchant_id, g.external_product_id, g.currency) AS f
JOIN merchants AS m ON m.merchant_id = f.merchant_id
LEFT JOIN products AS p ON p.account_id = f.account_id AND p.external_product_id = f.external_product_id
ORDER BY f.revenue_minor DESC, f.account_id, f.external_product_id, f.currency
LIMIT :limit

-- name: uncounted_orders
-- Return how the ids begin of orders that changed since an account's figures counted them: six digits, with the notes.
SELECT substr(n.conversion_id, 1, 10) AS beginning, COUNT(*) AS notes
FROM (SELECT conversion_id FROM changed_orders
      WHERE account_id = :account_id
      ORDER BY change_id
      LIMIT :limit) AS n
GROUP BY substr(n.conversion_id, 1, 10)
ORDER BY beginning

-- name: oldest_new_figures
-- Return the oldest note of what an account's new orders add.
SELECT MIN(change_id) AS change_id FROM new_figures WHERE account_id = :account_id

-- name: days_of_orders
-- Return the days on which an account's figures count orders in a state, of a confidence, a campaign and a product.
SELECT DISTINCT d.day
FROM daily_figures AS d
WHERE d.account_id = :account_id AND d.day BETWEEN :first AND :last AND d.affiliate_id = '*'
  AND d.campaign_id = :campaign_id
  AND CASE CAST(:state AS TEXT)
      WHEN 'PENDING' THEN d.pending WHEN 'HOLD' THEN d.hold WHEN 'APPROVED' THEN d.approved
      WHEN 'PAYABLE' THEN d.payable WHEN 'PAID' THEN d.paid WHEN 'REJECTED' THEN d.rejected
      WHEN 'NONE' THEN d.orders - d.pending - d.hold - d.approved - d.payable - d.paid - d.rejected
      ELSE d.orders END > 0
  AND CASE CAST(:confidence AS TEXT) WHEN 'HIGH' THEN d.high WHEN 'LOW' THEN d.orders - d.high ELSE d.orders END > 0
  AND (CAST(:product AS TEXT) IS NULL OR EXISTS (
      SELECT 1 FROM product_figures AS p
      WHERE p.account_id = d.account_id AND p.day = d.day AND p.external_product_id = CAST(:product AS TEXT)
        AND p.orders > 0))
ORDER BY d.day
