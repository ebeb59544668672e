-- The figures of days are summed for all, by campaign and by affiliate ('*' for all), and no longer for each pair of them:
-- all of them are counted anew, by whichever server starts first.
DELETE FROM daily_figures;
DELETE FROM product_figures;
DELETE FROM counted_orders;
DELETE FROM counted_clicks;
DELETE FROM changed_orders;
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, conversion_id, conversion_id FROM conversions;
