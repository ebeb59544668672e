-- The whole first schema. One file serves both databases: the runner reads BIGINT as INTEGER and adds STRICT on SQLite,
-- and {clustered} becomes WITHOUT ROWID there (rows live in their primary key, one tree instead of two).
--
-- Times are integer milliseconds UTC, money is integer minor units beside a currency, JSON is text.
-- Shared tables come first: they route a key, a code or a coupon to its owner. Every other table is a tenant's:
-- its primary key, unique keys and foreign keys begin with account_id, so that it can be distributed by it.

CREATE TABLE merchants (
    merchant_id      TEXT   NOT NULL PRIMARY KEY,
    name             TEXT   NOT NULL,
    email            TEXT   NOT NULL,
    domains          TEXT   NOT NULL,             -- JSON array of approved domains in ASCII form
    currency         TEXT   NOT NULL,
    commission_type  TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),
    commission_value TEXT,
    hold_ms          BIGINT,                      -- null: the hub's own hold
    status           TEXT   NOT NULL CHECK (status IN ('PENDING', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'SUSPENDED')),
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    CHECK ((commission_type IS NULL) = (commission_value IS NULL))
);

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
    allowed_cidrs TEXT   NOT NULL,                                    -- JSON array, empty: any address
    expires_at    BIGINT,
    revoked_at    BIGINT,
    created_at    BIGINT NOT NULL
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE affiliates (
    affiliate_id TEXT   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    email        TEXT   NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
    created_at   BIGINT NOT NULL
);

CREATE TABLE affiliate_coupons (
    coupon_code  TEXT NOT NULL PRIMARY KEY,       -- folded to upper case: buyers type coupons as they like
    affiliate_id TEXT NOT NULL REFERENCES affiliates (affiliate_id)
);
CREATE INDEX affiliate_coupons_by_affiliate ON affiliate_coupons (affiliate_id);

CREATE TABLE tracking_codes (
    code       TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (account_id)
);

CREATE TABLE addresses (                          -- where a server last said that it is reached
    name    TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL
);

CREATE TABLE leases (
    name       TEXT   NOT NULL PRIMARY KEY,
    owner      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Tenant tables ------------------------------------------------------------------------------------------------

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
    approval_required        BIGINT NOT NULL,     -- 0 or 1
    approval_status          TEXT   NOT NULL CHECK (approval_status IN ('NOT_REQUIRED', 'PENDING', 'APPROVED', 'REJECTED')),
    hold_ms                  BIGINT,              -- null: the merchant's, then the hub's
    status                   TEXT   NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'ARCHIVED')),
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL,
    PRIMARY KEY (account_id, campaign_id),
    UNIQUE (account_id, campaign_code)
);

CREATE TABLE campaign_changes (                   -- every status a campaign ever had, and since when
    account_id  TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    changed_at  BIGINT NOT NULL,
    change_id   TEXT   NOT NULL,                  -- uuid7: orders changes of one millisecond
    status      TEXT   NOT NULL,
    PRIMARY KEY (account_id, campaign_id, changed_at, change_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id)
) {clustered};

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
    status              TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE', 'OUT_OF_STOCK', 'ARCHIVED')),
    search_text         TEXT   NOT NULL,          -- name, external id and brand, case folded, for `search`
    news_at             BIGINT,                   -- updated_at of the last product-updated webhook applied
    stock_at            BIGINT,                   -- updated_at of the last stock webhook applied
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    PRIMARY KEY (account_id, product_id),
    UNIQUE (account_id, external_product_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id)
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

CREATE TABLE events (                             -- one row for each accepted submission
    account_id        TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    type              TEXT   NOT NULL CHECK (type IN ('conversion', 'order_status', 'webhook')),
    kind              TEXT,                       -- the webhook kind, else null
    status            TEXT   NOT NULL CHECK (status IN ('RECEIVED', 'QUEUED', 'PROCESSED', 'SKIPPED', 'PARKED', 'UNMATCHED', 'FAILED')),
    external_event_id TEXT,
    external_order_id TEXT,                       -- known at once for REST, once translated for webhooks
    conversion_id     TEXT,
    received_at       BIGINT NOT NULL,
    processed_at      BIGINT,
    due_at            BIGINT,                     -- when the worker takes it up; null: nothing to do
    attempts          BIGINT NOT NULL,
    explanation       TEXT,                       -- JSON, written when processed
    PRIMARY KEY (account_id, event_id)
) {clustered};
CREATE INDEX events_due ON events (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX events_failed ON events (account_id, event_id) WHERE status = 'FAILED';

CREATE TABLE parked_news (                        -- events that wait for the conversion of their order
    account_id        TEXT   NOT NULL,
    external_order_id TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    received_at       BIGINT NOT NULL,
    PRIMARY KEY (account_id, external_order_id, event_id)
) {clustered};
CREATE INDEX parked_news_by_age ON parked_news (received_at);

CREATE TABLE payloads (                           -- the raw bytes of each submission; expire after the retention time
    account_id  TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, event_id)
) {clustered};

CREATE TABLE claims (                             -- permanent deduplication: who was first
    account_id    TEXT NOT NULL,
    scope         TEXT NOT NULL CHECK (scope IN ('order', 'status', 'webhook')),
    claim_key     TEXT NOT NULL,
    event_id      TEXT NOT NULL,
    conversion_id TEXT,
    PRIMARY KEY (account_id, scope, claim_key)
) {clustered};

CREATE TABLE signatures (                         -- replay memory: every signature used in its time window
    account_id TEXT   NOT NULL,
    signed_at  BIGINT NOT NULL,                   -- the X-Timestamp, seconds: keeps inserts and sweeps local
    signature  TEXT   NOT NULL,
    PRIMARY KEY (account_id, signed_at, signature)
) {clustered};

CREATE TABLE idempotency_keys (
    account_id      TEXT   NOT NULL,
    route           TEXT   NOT NULL,              -- 'POST /v1/conversions'
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,              -- SHA-256 of query and body
    status          BIGINT NOT NULL,
    body            TEXT   NOT NULL,
    completed_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, route, idempotency_key)
) {clustered};
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (completed_at);

CREATE TABLE conversions (
    account_id            TEXT   NOT NULL,
    conversion_id         TEXT   NOT NULL,
    event_id              TEXT   NOT NULL,
    external_order_id     TEXT   NOT NULL,
    order_minor           BIGINT NOT NULL,        -- the amount that commission is taken from
    paid_minor            BIGINT NOT NULL,        -- what the buyer paid in all: amount-only refunds are measured against it
    currency              TEXT   NOT NULL,
    lines                 TEXT   NOT NULL,        -- JSON [[externalProductId or null, quantity, minor], ...]
    click_id              TEXT,
    coupon_code           TEXT,
    metadata              TEXT,                   -- JSON as sent
    ordered_at            BIGINT NOT NULL,
    received_at           BIGINT NOT NULL,
    confidence            TEXT   NOT NULL CHECK (confidence IN ('HIGH', 'LOW')),
    reason                TEXT   NOT NULL,
    affiliate_id          TEXT,                   -- who it is attributed to; null while it is not
    campaign_id           TEXT,
    candidate_id          TEXT,                   -- the affiliate that a weaker signal names
    review                TEXT   CHECK (review IN ('OPEN', 'ATTRIBUTED', 'DISMISSED')),
    created_at            BIGINT NOT NULL,
    PRIMARY KEY (account_id, conversion_id),
    UNIQUE (account_id, external_order_id)
);
CREATE INDEX conversions_in_review ON conversions (account_id, conversion_id) WHERE review = 'OPEN';

CREATE TABLE order_facts (                        -- what a shop said of an order; append-only, the state is a fold over it
    account_id        TEXT   NOT NULL,
    external_order_id TEXT   NOT NULL,
    fact_key          TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    status            TEXT   NOT NULL,
    happened_at       BIGINT NOT NULL,
    received_at       BIGINT NOT NULL,
    refund            TEXT,                       -- JSON of the refunded money, null: not a partial refund
    late              BIGINT NOT NULL,            -- 1: came after the payout, takes no part in the fold
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
    terms            TEXT   NOT NULL,             -- JSON: the frozen rule, its lines and the levels tried
    hold_ms          BIGINT NOT NULL,             -- frozen when the commission is created
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

CREATE TABLE request_log (
    account_id    TEXT   NOT NULL,                -- '' where no account could be told
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
