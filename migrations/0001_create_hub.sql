-- The hub's schema. One file serves both databases; 0001_create_hub.postgresql.sql adds two functions there.
-- hub/storage/migrations/files.py says how SQLite reads it: {clustered} becomes WITHOUT ROWID, for example.
--
-- Times are milliseconds UTC, amounts are minor units of the currency beside them, JSON is text, a flag is 0 or 1.
--
-- A table is shared, or its rows belong to accounts. The shared ones are small and route a key, a code or a coupon to its
-- owner. In every other table the primary, unique and foreign keys begin with account_id, so that the rows of an account
-- can be kept together on one machine; tests/storage/test_schema.py checks that.


-- Accounts and keys --------------------------------------------------------------------------------------------------

CREATE TABLE merchants (
    merchant_id      TEXT   NOT NULL PRIMARY KEY,
    name             TEXT   NOT NULL,
    email            TEXT   NOT NULL,
    domains          TEXT   NOT NULL,             -- JSON array of approved domains in ASCII form
    currency         TEXT   NOT NULL,
    commission_type  TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),
    commission_value TEXT,
    hold_ms          BIGINT,                      -- null: the hub's own hold time
    status           TEXT   NOT NULL CHECK (status IN ('PENDING', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'SUSPENDED')),
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    CHECK ((commission_type IS NULL) = (commission_value IS NULL))
);

-- A merchant has a test and a live account, which share nothing else.
CREATE TABLE accounts (
    account_id  TEXT NOT NULL PRIMARY KEY,
    merchant_id TEXT NOT NULL REFERENCES merchants (merchant_id),
    mode        TEXT NOT NULL CHECK (mode IN ('test', 'live')),
    UNIQUE (merchant_id, mode)
);

CREATE TABLE api_keys (
    key_id        TEXT   NOT NULL PRIMARY KEY,
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    sealed_secret TEXT   NOT NULL CHECK (length(sealed_secret) > 0),  -- AES-256-GCM, see hub/sealing.py
    allowed_cidrs TEXT   NOT NULL,                                    -- JSON array; empty: any address
    expires_at    BIGINT,
    revoked_at    BIGINT,
    created_at    BIGINT NOT NULL
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);


-- Affiliates ---------------------------------------------------------------------------------------------------------

CREATE TABLE affiliates (
    affiliate_id TEXT   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    email        TEXT   NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
    created_at   BIGINT NOT NULL
);

-- Coupons that name their affiliate, with any merchant.
CREATE TABLE affiliate_coupons (
    coupon_code  TEXT NOT NULL PRIMARY KEY,       -- in upper case: buyers type coupons in any case
    affiliate_id TEXT NOT NULL REFERENCES affiliates (affiliate_id)
);
CREATE INDEX affiliate_coupons_by_affiliate ON affiliate_coupons (affiliate_id);


-- Campaigns ----------------------------------------------------------------------------------------------------------

CREATE TABLE campaigns (
    account_id               TEXT   NOT NULL REFERENCES accounts (account_id),
    campaign_id              TEXT   NOT NULL,
    campaign_code            TEXT   NOT NULL,
    title                    TEXT   NOT NULL,
    description              TEXT,
    start_at                 BIGINT,
    end_at                   BIGINT,
    default_commission_type  TEXT   CHECK (default_commission_type IN ('PERCENTAGE', 'FIXED')),
    default_commission_value TEXT,
    cookie_duration_days     BIGINT,
    allowed_traffic_sources  TEXT,                -- JSON array or null
    terms_and_conditions     TEXT,
    approval_required        BIGINT NOT NULL,     -- flag
    approval_status          TEXT   NOT NULL
                             CHECK (approval_status IN ('NOT_REQUIRED', 'PENDING', 'APPROVED', 'REJECTED')),
    hold_ms                  BIGINT,              -- null: the merchant's hold time, else the hub's
    status                   TEXT   NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'ARCHIVED')),
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL,
    PRIMARY KEY (account_id, campaign_id),
    UNIQUE (account_id, campaign_code)
);

-- Every status that a campaign has had, and since when.
CREATE TABLE campaign_changes (
    account_id  TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    changed_at  BIGINT NOT NULL,
    change_id   TEXT   NOT NULL,                  -- uuid7: orders the changes of one millisecond
    status      TEXT   NOT NULL,
    PRIMARY KEY (account_id, campaign_id, changed_at, change_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id)
) {clustered};


-- The catalogue ------------------------------------------------------------------------------------------------------

-- A product keeps the JSON that the API returns of it, and its number in the account's catalogue. Products are never
-- deleted, so the highest number is how many there are, and a page of the catalogue is a range of numbers.
CREATE TABLE products (
    account_id          TEXT   NOT NULL REFERENCES accounts (account_id),
    product_id          TEXT   NOT NULL,
    external_product_id TEXT   NOT NULL,
    name                TEXT   NOT NULL,
    description         TEXT,
    product_url         TEXT   NOT NULL,
    image_url           TEXT,
    category            TEXT,
    brand               TEXT,
    price_minor         BIGINT NOT NULL,
    discount_minor      BIGINT,
    currency            TEXT   NOT NULL,
    stock_status        TEXT,
    commission_type     TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),
    commission_value    TEXT,
    campaign_id         TEXT,
    status              TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'OUT_OF_STOCK', 'INACTIVE', 'ARCHIVED')),
    search_text         TEXT   NOT NULL,          -- name, external id and brand, case folded, for `search`
    news_at             BIGINT,                   -- updated_at of the last product-updated webhook applied
    stock_at            BIGINT,                   -- updated_at of the last stock webhook applied
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    number              BIGINT NOT NULL,          -- from 1, in the order of creation
    record              TEXT,                     -- null: the JSON has to be made from the other columns
    PRIMARY KEY (account_id, product_id),
    UNIQUE (account_id, external_product_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id)
);
CREATE UNIQUE INDEX products_by_number ON products (account_id, number);


-- Tracking links and clicks ------------------------------------------------------------------------------------------

-- A click names only its code.
CREATE TABLE tracking_codes (
    code       TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (account_id)
);

CREATE TABLE links (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    code         TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    campaign_id  TEXT,
    product_id   TEXT,
    destination  TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, code),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    FOREIGN KEY (account_id, product_id) REFERENCES products (account_id, product_id)
);

CREATE TABLE clicks (
    account_id   TEXT   NOT NULL,
    click_id     TEXT   NOT NULL,
    code         TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    campaign_id  TEXT,
    clicked_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, click_id)
) {clustered};


-- Intake -------------------------------------------------------------------------------------------------------------

-- Deduplication: one row for each thing that may happen once, kept forever.
CREATE TABLE claims (
    account_id    TEXT NOT NULL,
    scope         TEXT NOT NULL CHECK (scope IN ('order', 'status', 'webhook')),
    claim_key     TEXT NOT NULL,
    event_id      TEXT NOT NULL,                  -- the event that claimed it
    conversion_id TEXT,
    PRIMARY KEY (account_id, scope, claim_key)
) {clustered};

-- One row for each accepted submission. The frequent types and statuses come first: SQLite compares one by one.
CREATE TABLE events (
    account_id        TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    type              TEXT   NOT NULL CHECK (type IN ('conversion', 'order_status', 'webhook')),
    kind              TEXT,                       -- the kind of a webhook, else null
    status            TEXT   NOT NULL
                      CHECK (status IN ('PROCESSED', 'RECEIVED', 'QUEUED', 'SKIPPED', 'PARKED', 'UNMATCHED', 'FAILED')),
    external_event_id TEXT,
    external_order_id TEXT,                       -- known at once from the API, after translation from a platform
    conversion_id     TEXT,
    received_at       BIGINT NOT NULL,
    processed_at      BIGINT,
    due_at            BIGINT,                     -- when the worker takes it up; null: nothing is left to do
    attempts          BIGINT NOT NULL,
    explanation       TEXT,                       -- JSON, written when the event is processed
    connection_id     TEXT,                       -- null: came through the API
    topic             TEXT,                       -- as the platform named it, unsigned
    PRIMARY KEY (account_id, event_id)
) {clustered};
CREATE INDEX events_due ON events (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX events_failed ON events (account_id, event_id) WHERE status = 'FAILED';
CREATE INDEX events_of_connections ON events (account_id, connection_id, event_id) WHERE connection_id IS NOT NULL;

-- The raw body of each submission, deleted after the retention time.
CREATE TABLE payloads (
    account_id  TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    received_at BIGINT NOT NULL,
    headers     TEXT,                             -- JSON object: a platform's headers other than its signature
    PRIMARY KEY (account_id, event_id)
) {clustered};

-- Events that wait for the conversion of their order.
CREATE TABLE parked_news (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    received_at       BIGINT NOT NULL,
    PRIMARY KEY (account_id, external_order_id, event_id)
) {clustered};
CREATE INDEX parked_news_by_age ON parked_news (received_at);

-- Replay protection: every signature that was used, for as long as it would be accepted.
CREATE TABLE signatures (
    account_id TEXT   NOT NULL,
    signed_at  BIGINT NOT NULL,                   -- the X-Timestamp in seconds: keeps inserts and sweeps local
    signature  TEXT   NOT NULL,
    PRIMARY KEY (account_id, signed_at, signature)
) {clustered};

-- The responses that repeated requests get again.
CREATE TABLE idempotency_keys (
    account_id      TEXT   NOT NULL,
    route           TEXT   NOT NULL,              -- such as 'POST /v1/conversions'
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,              -- SHA-256 of query and body
    status          BIGINT NOT NULL,
    body            TEXT   NOT NULL,
    completed_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, route, idempotency_key)
) {clustered};
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (completed_at);


-- Conversions and commissions ----------------------------------------------------------------------------------------

CREATE TABLE conversions (
    account_id            TEXT   NOT NULL,
    conversion_id         TEXT   NOT NULL,
    event_id              TEXT   NOT NULL,
    external_order_id     TEXT   NOT NULL,
    order_minor           BIGINT NOT NULL,        -- the amount that the commission is taken from
    paid_minor            BIGINT NOT NULL,        -- the buyer's whole payment; a refund without lines is a share of it
    currency              TEXT   NOT NULL,
    lines                 TEXT   NOT NULL,        -- JSON [[externalProductId or null, quantity, minor], ...]
    click_id              TEXT,
    coupon_code           TEXT,
    metadata              TEXT,                   -- JSON as sent
    ordered_at            BIGINT NOT NULL,
    received_at           BIGINT NOT NULL,
    confidence            TEXT   NOT NULL CHECK (confidence IN ('HIGH', 'LOW')),
    reason                TEXT   NOT NULL,
    affiliate_id          TEXT,                   -- null: not attributed to anyone yet
    campaign_id           TEXT,
    candidate_id          TEXT,                   -- the affiliate that a weaker signal names
    review                TEXT   CHECK (review IN ('OPEN', 'ATTRIBUTED', 'DISMISSED')),
    created_at            BIGINT NOT NULL,
    PRIMARY KEY (account_id, conversion_id),
    UNIQUE (account_id, external_order_id)
);
CREATE INDEX conversions_in_review ON conversions (account_id, conversion_id) WHERE review = 'OPEN';

-- What a shop reported of an order. Rows are only added; the state of an order is a fold over them.
CREATE TABLE order_facts (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT   NOT NULL,
    fact_key          TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    status            TEXT   NOT NULL,
    happened_at       BIGINT NOT NULL,
    received_at       BIGINT NOT NULL,
    refund            TEXT,                       -- JSON of the refunded money; null: not a partial refund
    late              BIGINT NOT NULL,            -- flag: came after the payout and takes no part in the fold
    PRIMARY KEY (account_id, external_order_id, fact_key)
) {clustered};

CREATE TABLE commissions (
    account_id       TEXT   NOT NULL,
    commission_id    TEXT   NOT NULL,
    conversion_id    TEXT   NOT NULL,
    affiliate_id     TEXT   NOT NULL,
    state            TEXT   NOT NULL CHECK (state IN ('PENDING', 'HOLD', 'APPROVED', 'PAYABLE', 'PAID', 'REJECTED')),
    amount_minor     BIGINT NOT NULL CHECK (amount_minor >= 0),
    base_minor       BIGINT NOT NULL CHECK (base_minor >= 0),
    currency         TEXT   NOT NULL,
    source           TEXT   NOT NULL CHECK (source IN ('PRODUCT', 'CAMPAIGN', 'MERCHANT', 'PLATFORM', 'MIXED')),
    terms            TEXT   NOT NULL,             -- JSON: the rule as it was then, its lines and the levels tried
    hold_ms          BIGINT NOT NULL,             -- fixed when the commission is created
    hold_until       BIGINT,
    paid_at          BIGINT,
    payout_reference TEXT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    PRIMARY KEY (account_id, commission_id),
    UNIQUE (account_id, conversion_id),
    CHECK ((state = 'PAID') = (paid_at IS NOT NULL))
);
CREATE INDEX commissions_held ON commissions (hold_until) WHERE state IN ('HOLD', 'APPROVED');


-- Connections: a platform's own deliveries to POST /connect/{connectionId} -------------------------------------------

-- A delivery names only its connection.
CREATE TABLE connection_routes (
    connection_id TEXT NOT NULL PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (account_id)
);

CREATE TABLE connections (
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    connection_id TEXT   NOT NULL,
    connector     TEXT   NOT NULL,                -- the name of an installed connector
    title         TEXT,
    secrets       TEXT   NOT NULL,                -- JSON [{id, sealed, createdAt, expiresAt}], see hub/sealing.py
    options       TEXT   NOT NULL,                -- JSON object of texts, as the operator typed them
    status        TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'CLOSED')),
    created_at    BIGINT NOT NULL,
    closed_at     BIGINT,
    PRIMARY KEY (account_id, connection_id),
    CHECK ((status = 'CLOSED') = (closed_at IS NOT NULL))
);

-- Which product a platform's inventory item belongs to, learned from product webhooks.
CREATE TABLE connection_items (
    account_id          TEXT NOT NULL,
    connection_id       TEXT NOT NULL,            -- '' for what came through the v1 webhooks
    item_id             TEXT NOT NULL,
    external_product_id TEXT NOT NULL,
    PRIMARY KEY (account_id, connection_id, item_id)
) {clustered};
CREATE INDEX connection_items_by_product ON connection_items (account_id, connection_id, external_product_id);

-- The quantity of an item at each location; a product's stock is the sum.
CREATE TABLE connection_stock (
    account_id    TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    item_id       TEXT   NOT NULL,
    location_id   TEXT   NOT NULL,                -- '' if the platform names no location
    quantity      BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, connection_id, item_id, location_id)
) {clustered};


-- Uploads: CSV files and how far each has been processed -------------------------------------------------------------

CREATE TABLE uploads (
    account_id      TEXT   NOT NULL REFERENCES accounts (account_id),
    upload_id       TEXT   NOT NULL,
    kind            TEXT   NOT NULL CHECK (kind IN ('products', 'orders', 'statuses')),
    dry_run         BIGINT NOT NULL,              -- flag: rows are checked, nothing is applied
    source          TEXT   NOT NULL CHECK (source IN ('spool', 'command')),  -- who applies it: a server or `hub csv`
    status          TEXT   NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'REFUSED')),
    sha256          TEXT   NOT NULL,
    file_bytes      BIGINT NOT NULL,
    read_bytes      BIGINT NOT NULL,              -- every row before this byte is decided; 0: not begun
    read_lines      BIGINT NOT NULL,
    row_count       BIGINT NOT NULL,
    created         BIGINT NOT NULL,
    updated         BIGINT NOT NULL,
    duplicate       BIGINT NOT NULL,
    failed          BIGINT NOT NULL,
    verdict_bytes   BIGINT NOT NULL,              -- the verdict file is complete up to this byte
    ignored_columns TEXT   NOT NULL,              -- JSON array
    faults          TEXT   NOT NULL,              -- JSON array: why the whole file was refused
    owner           TEXT   NOT NULL,              -- the process that works on it, '' for none
    lease_until     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    started_at      BIGINT,
    finished_at     BIGINT,
    PRIMARY KEY (account_id, upload_id)
) {clustered};
CREATE INDEX uploads_open ON uploads (lease_until) WHERE status IN ('QUEUED', 'RUNNING');
CREATE INDEX uploads_by_file ON uploads (account_id, sha256);


-- Rate limits, counted over all processes ----------------------------------------------------------------------------

-- Soft state, so PostgreSQL keeps it unlogged: taking a unit waits for no disk. After a crash the windows start afresh.
CREATE {unlogged} TABLE limit_counts (
    account_id     TEXT   NOT NULL,
    limit_group    TEXT   NOT NULL,
    minute_ends_at BIGINT NOT NULL,               -- the end of the open window
    minute_used    BIGINT NOT NULL,               -- what all processes took of it
    hour_ends_at   BIGINT NOT NULL,
    hour_used      BIGINT NOT NULL,
    PRIMARY KEY (account_id, limit_group)
) {clustered};


-- The request log ----------------------------------------------------------------------------------------------------

CREATE TABLE request_log (
    account_id    TEXT   NOT NULL,                -- '' if the account is unknown
    logged_at     BIGINT NOT NULL,
    log_id        TEXT   NOT NULL,
    request_id    TEXT   NOT NULL,
    method        TEXT   NOT NULL,
    path          TEXT   NOT NULL,
    status        BIGINT NOT NULL,
    error_code    TEXT,
    key_id        TEXT,
    client        TEXT,
    duration_us   BIGINT NOT NULL,
    detail        TEXT,                           -- JSON: signed string, clock skew, unknown fields
    PRIMARY KEY (account_id, logged_at, log_id)
) {clustered};
CREATE INDEX request_log_errors ON request_log (account_id, logged_at) WHERE error_code IS NOT NULL;


-- The hub's own processes --------------------------------------------------------------------------------------------

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
