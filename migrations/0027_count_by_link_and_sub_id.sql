-- What an affiliate's campaigns, links and sub-ids bring is summed by day too, so that its reports read no single click.
CREATE TABLE affiliate_figures (
    account_id   TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    place        TEXT   NOT NULL,                 -- 'campaign', 'link' or 'sub1' to 'sub5'
    day          BIGINT NOT NULL,                 -- days since 1970
    name         TEXT   NOT NULL,                 -- the campaign's id, the link's code or the value of the sub-id
    currency     TEXT   NOT NULL,                 -- '' for clicks, which have none
    clicks       BIGINT NOT NULL,
    orders       BIGINT NOT NULL,
    rejected     BIGINT NOT NULL,                 -- how many of the orders
    earned_minor BIGINT NOT NULL,                 -- of those that were not rejected
    PRIMARY KEY (account_id, affiliate_id, place, day, name, currency)
) {clustered};

-- Only reports read an affiliate's clicks by their time.
DROP INDEX clicks_by_affiliate;

-- The days of all, and of the campaigns, among those of many affiliates.
CREATE INDEX daily_figures_of_campaigns ON daily_figures (account_id, day, campaign_id) WHERE affiliate_id = '*';

-- Links newest first: those of an account, and those of an affiliate.
CREATE INDEX links_by_account ON links (account_id, created_at, code);
DROP INDEX links_by_affiliate;
CREATE INDEX links_by_affiliate ON links (affiliate_id, created_at, code);

-- All figures are counted anew, by whichever server starts first: what was counted of an order now has its link.
DELETE FROM daily_figures;
DELETE FROM product_figures;
DELETE FROM counted_orders;
DELETE FROM counted_clicks;
DELETE FROM changed_orders;
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, conversion_id, conversion_id FROM conversions;
