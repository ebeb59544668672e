-- name: note_volume_rates
-- Insert the tiers that a campaign has from a moment on.
INSERT INTO volume_rates (account_id, campaign_id, since, change_id, rates, changed_by)
VALUES (:account_id, :campaign_id, :since, :change_id, :rates, :changed_by)

-- name: begin_volume_reading
-- Insert that an account's orders are read for rates by volume, or let them be read from the beginning again.
INSERT INTO volume_readings (account_id, number, record_id) VALUES (:account_id, 0, '')
ON CONFLICT (account_id) DO UPDATE SET number = 0, record_id = ''

-- name: volume_versions
-- Return the tiers that a campaign has had, the oldest first.
SELECT since, rates FROM volume_rates
WHERE account_id = :account_id AND campaign_id = :campaign_id
ORDER BY since, change_id

-- name: volume_readings
-- Return the accounts whose orders are read for rates by volume, and how far.
SELECT account_id, number, record_id FROM volume_readings ORDER BY account_id

-- name: move_volume_reading
-- Store how far an account's changes were read; 0 rows: they are read from the beginning again.
UPDATE volume_readings SET number = :number, record_id = :record_id
WHERE account_id = :account_id AND number = :from_number AND record_id = :from_record_id

-- name: volume_conversions
-- Return those of these orders whose campaigns have, or had, rates by volume.
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version, c.stands_at,
       c.born, c.namesakes, c.refund_set
FROM @rows(:conversions; account_id text, conversion_id text) AS k
CROSS JOIN conversions AS c
WHERE c.account_id = k.account_id AND c.conversion_id = k.conversion_id
  AND EXISTS (SELECT 1 FROM volume_rates AS v WHERE v.account_id = c.account_id AND v.campaign_id = c.campaign_id)

-- name: volume_orders
-- Return these orders as they count for rates by volume.
SELECT o.account_id, o.conversion_id, o.campaign_id, o.affiliate_id, o.external_order_id, o.placed_at, o.standing,
       o.currency, o.base_minor, o.left_over
FROM @rows(:conversions; account_id text, conversion_id text) AS k
CROSS JOIN volume_orders AS o
WHERE o.account_id = k.account_id AND o.conversion_id = k.conversion_id

-- name: put_volume_orders
-- Insert orders as they count for rates by volume, or replace what they count; what they reached is reckoned again.
INSERT INTO volume_orders (account_id, conversion_id, campaign_id, affiliate_id, external_order_id, placed_at, standing,
                           currency, base_minor, left_over)
SELECT account_id, conversion_id, campaign_id, affiliate_id, external_order_id, placed_at, standing, currency,
       base_minor, left_over
FROM @rows(:orders; account_id text, conversion_id text, campaign_id text, affiliate_id text, external_order_id text,
           placed_at bigint, standing text, currency text, base_minor bigint, left_over bigint) AS k
WHERE true
ON CONFLICT (account_id, conversion_id) DO UPDATE
SET campaign_id = excluded.campaign_id, affiliate_id = excluded.affiliate_id, placed_at = excluded.placed_at,
    external_order_id = excluded.external_order_id, standing = excluded.standing, currency = excluded.currency,
    base_minor = excluded.base_minor, left_over = excluded.left_over

-- name: want_volume_months
-- Insert months that are to be reckoned, those that are there already stay.
INSERT INTO volume_due (account_id, campaign_id, affiliate_id, month)
SELECT account_id, campaign_id, affiliate_id, month
FROM @rows(:months; account_id text, campaign_id text, affiliate_id text, month text) AS k
WHERE true
ON CONFLICT DO NOTHING

-- name: volume_months_due
-- Return months before this one that are to be reckoned, the oldest first.
SELECT account_id, campaign_id, affiliate_id, month FROM volume_due
WHERE month < :current
ORDER BY month, account_id, campaign_id, affiliate_id
LIMIT :limit

-- name: end_volume_month
-- Delete a month from those that are to be reckoned.
DELETE FROM volume_due
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id AND month = :month

-- name: volume_orders_between
-- Return an affiliate's orders by a campaign that were placed between two moments and count for rates by volume.
SELECT conversion_id, external_order_id, placed_at, standing, currency, base_minor, place, tier_from, type, value,
       added_minor
FROM volume_orders
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id
  AND placed_at >= :since AND placed_at < :until
ORDER BY placed_at, external_order_id

-- name: volume_before
-- Count an affiliate's orders by a campaign before a moment: those on hold, those that count, and their amounts.
SELECT COALESCE(SUM(CASE WHEN standing = 'OPEN' THEN 1 ELSE 0 END), 0) AS open,
       COALESCE(SUM(CASE WHEN standing = 'COUNTED' THEN 1 ELSE 0 END), 0) AS orders,
       CAST(COALESCE(SUM(CASE WHEN standing = 'COUNTED' AND currency = :currency THEN base_minor ELSE 0 END), 0)
            AS BIGINT) AS minor
FROM volume_orders
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id
  AND placed_at < :before

-- name: next_volume_order
-- Return the first order of an affiliate by a campaign that was placed at a moment or later.
SELECT placed_at FROM volume_orders
WHERE account_id = :account_id AND campaign_id = :campaign_id AND affiliate_id = :affiliate_id AND placed_at >= :since
ORDER BY placed_at
LIMIT 1

-- name: store_volumes_reached
-- Store what orders reached.
UPDATE volume_orders
SET place = k.place, tier_from = k.tier_from, type = k.type, value = k.value, added_minor = k.added_minor
FROM @rows(:reached; account_id text, conversion_id text, place bigint, tier_from text, type text, value text,
           added_minor bigint) AS k
WHERE volume_orders.account_id = k.account_id AND volume_orders.conversion_id = k.conversion_id

-- name: volume_booked
-- Return what corrections have booked for an affiliate under a key of rates by volume, by currency.
SELECT currency, CAST(SUM(amount_minor) AS BIGINT) AS minor
FROM adjustments
WHERE account_id = :account_id AND affiliate_id = :affiliate_id AND fact_key = :fact_key AND kind = 'volume'
GROUP BY currency

-- name: volumes_of_orders
-- Return what these orders count for rates by volume, and what they reached.
SELECT o.conversion_id, o.placed_at, o.standing, o.currency, o.place, o.tier_from, o.type, o.value, o.added_minor
FROM @rows(:conversions; account_id text, conversion_id text) AS k
CROSS JOIN volume_orders AS o
WHERE o.account_id = k.account_id AND o.conversion_id = k.conversion_id

-- name: age_volume_rates
-- Set the times back from which an account's campaigns had their tiers.
UPDATE volume_rates SET since = since - :by WHERE account_id = :account_id

-- name: empty_volume_rates
-- Delete the tiers that an account's campaigns had.
DELETE FROM volume_rates WHERE account_id = :account_id
