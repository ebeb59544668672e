-- The figures of a day (UTC), of everything whose order or click happened in it. hub/processing/figures.py keeps them.

CREATE TABLE daily_figures (
    account_id     TEXT   NOT NULL,
    day            BIGINT NOT NULL,               -- days since 1970
    campaign_id    TEXT   NOT NULL,               -- '' for none
    affiliate_id   TEXT   NOT NULL,               -- '' for none
    currency       TEXT   NOT NULL,               -- '' for clicks, which have none
    clicks         BIGINT NOT NULL,
    orders         BIGINT NOT NULL,
    high           BIGINT NOT NULL,               -- how many of the orders are of HIGH confidence
    revenue_minor  BIGINT NOT NULL,
    refunds_minor  BIGINT NOT NULL,
    pending        BIGINT NOT NULL,               -- how many commissions are in each state, and their amounts
    pending_minor  BIGINT NOT NULL,
    hold           BIGINT NOT NULL,
    hold_minor     BIGINT NOT NULL,
    approved       BIGINT NOT NULL,
    approved_minor BIGINT NOT NULL,
    payable        BIGINT NOT NULL,
    payable_minor  BIGINT NOT NULL,
    paid           BIGINT NOT NULL,
    paid_minor     BIGINT NOT NULL,
    rejected       BIGINT NOT NULL,
    rejected_minor BIGINT NOT NULL,
    PRIMARY KEY (account_id, day, campaign_id, affiliate_id, currency)
) {clustered};
CREATE INDEX daily_figures_by_affiliate ON daily_figures (affiliate_id, day);

CREATE TABLE product_figures (
    account_id          TEXT   NOT NULL,
    day                 BIGINT NOT NULL,
    external_product_id TEXT   NOT NULL,          -- '' for what is not a product of the catalogue
    currency            TEXT   NOT NULL,
    orders              BIGINT NOT NULL,
    units               BIGINT NOT NULL,
    revenue_minor       BIGINT NOT NULL,
    PRIMARY KEY (account_id, day, external_product_id, currency)
) {clustered};

-- What the figures contain of each order, so that a change adds the difference.
CREATE TABLE counted_orders (
    account_id    TEXT NOT NULL,
    conversion_id TEXT NOT NULL,
    counted       TEXT NOT NULL,                  -- JSON, see hub/domain/figures.py
    PRIMARY KEY (account_id, conversion_id)
) {clustered};

-- Up to which click the figures contain all.
CREATE TABLE counted_clicks (
    account_id TEXT NOT NULL PRIMARY KEY,
    click_id   TEXT NOT NULL
) {clustered};

-- Orders that changed since they were counted. Written with the change and only ever added, so that no writer waits for
-- another; a change that commits late is counted late, and never lost.
CREATE TABLE changed_orders (
    account_id    TEXT NOT NULL,
    change_id     TEXT NOT NULL,
    conversion_id TEXT NOT NULL,
    PRIMARY KEY (account_id, change_id)
) {clustered};
INSERT INTO changed_orders (account_id, change_id, conversion_id)
SELECT account_id, conversion_id, conversion_id FROM conversions;
