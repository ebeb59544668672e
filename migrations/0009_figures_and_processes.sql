-- Figures that are kept instead of summed, and the hub's own processes.

-- Figures ------------------------------------------------------------------------------------------------------------

-- The figures of a day (UTC), of everything whose order or click happened in it: of all, of each campaign and of each
-- affiliate. hub/processing/figures.py keeps them.
CREATE TABLE daily_figures (
    account_id     TEXT   NOT NULL,
    day            BIGINT NOT NULL,               -- days since 1970
    campaign_id    TEXT   NOT NULL,               -- '' for none, '*' for all
    affiliate_id   TEXT   NOT NULL,               -- '' for none, '*' for all
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
-- The days of all, and of the campaigns, among those of many affiliates.
CREATE INDEX daily_figures_of_campaigns ON daily_figures (account_id, day, campaign_id) WHERE affiliate_id = '*';

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

-- What an affiliate's campaigns, links and sub-ids bring, by day too, so that its reports read no single click.
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

-- What the figures contain of each order, so that a change adds the difference.
CREATE TABLE counted_orders (
    account_id    TEXT NOT NULL,
    conversion_id TEXT NOT NULL,
    counted       TEXT NOT NULL,                  -- JSON, see hub/domain/orders/figures.py
    PRIMARY KEY (account_id, conversion_id)
) {clustered};

-- Up to which click the figures contain all.
CREATE TABLE counted_clicks (
    account_id TEXT NOT NULL PRIMARY KEY,
    click_id   TEXT NOT NULL
) {clustered};

-- What new orders add to the figures, one row for those of a transaction: JSON, see hub/domain/orders/figures.py. What was counted
-- of them is in `counted_orders` already, so that a change of one adds the difference, whichever of both is added first.
CREATE TABLE new_figures (
    account_id TEXT NOT NULL,
    change_id  TEXT NOT NULL,
    sums       TEXT NOT NULL,
    PRIMARY KEY (account_id, change_id)
) {clustered};

-- Orders that changed since they were counted. Written with the change and only ever added, so that no writer waits for
-- another; a change that commits late is counted late, and never lost.
CREATE TABLE changed_orders (
    account_id    TEXT NOT NULL,
    change_id     TEXT NOT NULL,
    conversion_id TEXT NOT NULL,
    PRIMARY KEY (account_id, change_id)
) {clustered};


-- The hub's own processes --------------------------------------------------------------------------------------------

-- The processes that serve this database. Each writes its row every second, which proves that it can write.
CREATE TABLE nodes (
    node_id         TEXT   NOT NULL PRIMARY KEY,
    started_at      BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,              -- the newest one is compared with the clock when a process starts
    master_keys     TEXT   NOT NULL,              -- JSON array of the ids of the master keys that it can open with
    clock_jump_ms   BIGINT NOT NULL,              -- by how much its clock jumped and is not trusted yet; 0: trusted
    clock_confirmed BIGINT NOT NULL,              -- 1: an operator says that its clock is right
    plugins         TEXT,                         -- JSON of what it has loaded of the plugins; null: nothing yet
    reload_asked_at BIGINT NOT NULL DEFAULT 0,    -- when an operator last ran `hub plugin reload`; 0: never
    exhausted_at    BIGINT NOT NULL DEFAULT 0     -- when it last had no connection to the database to give; 0: never
);

-- Jobs that one process at a time may run.
CREATE TABLE leases (
    name       TEXT   NOT NULL PRIMARY KEY,
    owner      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Where a server was last reached from outside; the commands print it in links.
CREATE TABLE addresses (
    name    TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL
);

-- What needs an operator now. Written by the process that watches, and read by whatever tells of it: pages, probes,
-- metrics, mails and webhooks. `mailed` and `posted` say how far mails and webhooks are: 0 nothing, 1 that it began,
-- 2 that it is over. A trouble that is over stays until both have told it.
CREATE TABLE troubles (
    kind     TEXT   NOT NULL,                     -- a word of TroubleKind (hub/domain/words.py), which only the hub writes
    object   TEXT   NOT NULL,                     -- what it is about; '' for the hub as a whole
    sentence TEXT   NOT NULL,
    since    BIGINT NOT NULL,
    mailed   BIGINT NOT NULL,
    posted   BIGINT NOT NULL,
    over_at  BIGINT,                              -- null: it lasts
    PRIMARY KEY (kind, object)
) {clustered};

-- When operators were last sent a mail about troubles, so that several come in one: a single row.
CREATE TABLE trouble_mails (
    name    TEXT   NOT NULL PRIMARY KEY,
    sent_at BIGINT NOT NULL
);

-- The newest backup that `hub backup` made and verified, by which an old one is noticed: a single row.
CREATE TABLE backup_runs (
    name        TEXT   NOT NULL PRIMARY KEY,
    finished_at BIGINT NOT NULL,
    bytes       BIGINT NOT NULL
);

-- The runs of the audit, so that a page can say when the last one was and what it found.
CREATE TABLE audit_runs (
    run_id      TEXT   NOT NULL PRIMARY KEY,      -- uuid7: sorts by time
    started_at  BIGINT NOT NULL,
    finished_at BIGINT NOT NULL,
    accepted    BIGINT NOT NULL,                  -- submissions
    conversions BIGINT NOT NULL,                  -- compared with their facts
    violations  BIGINT NOT NULL,
    since       BIGINT                            -- only what changed since this moment was looked at; null: everything
);
