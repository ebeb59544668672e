-- name: tamper_day
-- Change what the orders of a day add up to.
UPDATE daily_figures SET orders = orders + 1
WHERE account_id = :account_id AND currency <> '' AND campaign_id = '*' AND affiliate_id = '*'

-- name: tamper_product
-- Change how many of a product were sold.
UPDATE product_figures SET units = units + 1 WHERE account_id = :account_id

-- name: tamper_place
-- Change what an affiliate's link earned.
UPDATE affiliate_figures SET earned_minor = earned_minor + 1
WHERE account_id = :account_id AND currency <> '' AND place = 'link'

-- name: tamper_clicks_of_day
-- Take away clicks of a day.
UPDATE daily_figures SET clicks = clicks - 1
WHERE account_id = :account_id AND currency = '' AND campaign_id = '*' AND affiliate_id = '*'

-- name: tamper_clicks_of_place
-- Take away the clicks of an affiliate's link.
DELETE FROM affiliate_figures WHERE account_id = :account_id AND currency = '' AND place = 'link'
