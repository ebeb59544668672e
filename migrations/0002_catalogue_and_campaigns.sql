-- Campaigns and who may promote them, the catalogue of products, and the rates of both with their history.

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
    -- What it pays for orders of which the shop says that the buyer is new; null: as for all.
    new_customer_commission_type  TEXT CHECK (new_customer_commission_type IN ('PERCENTAGE', 'FIXED')),
    new_customer_commission_value TEXT,
    volume_rates             TEXT,                -- JSON, see hub/domain/orders/volume_rates.py; null: its rate does not rise
    cookie_duration_days     BIGINT,
    attribution              TEXT,                -- JSON, see hub/domain/orders/attribution_policy.py; null: the click decides
    allowed_traffic_sources  TEXT,                -- JSON array or null
    terms_and_conditions     TEXT,
    approval_required        BIGINT NOT NULL,     -- flag
    approval_status          TEXT   NOT NULL
                             CHECK (approval_status IN ('NOT_REQUIRED', 'PENDING', 'APPROVED', 'REJECTED')),
    hold_ms                  BIGINT,              -- null: the merchant's hold time, else the hub's
    status                   TEXT   NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE', 'PAUSED', 'ARCHIVED')),
    -- Whether it may stand in the public listing.
    listed                   BIGINT NOT NULL DEFAULT 0 CHECK (listed IN (0, 1)),
    -- Whether any affiliate may promote it, or only those that its merchant approved.
    joining                  TEXT   NOT NULL DEFAULT 'OPEN' CHECK (joining IN ('OPEN', 'BY_APPROVAL')),
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL,
    PRIMARY KEY (account_id, campaign_id),
    UNIQUE (account_id, campaign_code)
);
CREATE INDEX campaigns_by_end ON campaigns (end_at) WHERE end_at IS NOT NULL;

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

-- The affiliates of a campaign. One without a row may promote a campaign whose joining is OPEN.
CREATE TABLE memberships (
    account_id       TEXT   NOT NULL,
    campaign_id      TEXT   NOT NULL,
    affiliate_id     TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    status           TEXT   NOT NULL CHECK (status IN ('APPLIED', 'APPROVED', 'REJECTED', 'REMOVED')),
    commission_type  TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),  -- its own rate; null: the campaign's
    commission_value TEXT,
    message          TEXT,                        -- what the affiliate wrote with the application
    reason           TEXT,                        -- what the merchant gave for the status
    applied_at       BIGINT NOT NULL,
    decided_at       BIGINT,
    PRIMARY KEY (account_id, campaign_id, affiliate_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    CHECK ((commission_type IS NULL) = (commission_value IS NULL))
) {clustered};
-- Memberships newest first: all, an account's, those in a status, a campaign's, and an affiliate's.
CREATE INDEX memberships_by_age ON memberships (applied_at, campaign_id, affiliate_id);
CREATE INDEX memberships_by_account ON memberships (account_id, applied_at, campaign_id, affiliate_id);
CREATE INDEX memberships_by_status ON memberships (account_id, status, applied_at, campaign_id, affiliate_id);
CREATE INDEX memberships_by_campaign ON memberships (account_id, campaign_id, applied_at, affiliate_id);
CREATE INDEX memberships_by_affiliate ON memberships (affiliate_id, applied_at, campaign_id);

-- Partners whom a merchant invited by mail, to its live account alone. What the mail's link registers becomes a member.
CREATE TABLE partner_invitations (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    email_key    TEXT   NOT NULL,                 -- the address in one case
    email        TEXT   NOT NULL,
    campaign_id  TEXT,                            -- null: every active campaign
    invited_by   TEXT   NOT NULL,                 -- the user
    invited_at   BIGINT NOT NULL,
    affiliate_id TEXT,                            -- who accepted
    accepted_at  BIGINT,
    PRIMARY KEY (account_id, email_key),
    CHECK ((affiliate_id IS NULL) = (accepted_at IS NULL))
) {clustered};

-- What a merchant notes of a partner, for its own people alone.
CREATE TABLE partner_notes (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    affiliate_id TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    note         TEXT   NOT NULL,
    noted_by     TEXT   NOT NULL,                 -- the user
    noted_at     BIGINT NOT NULL,
    PRIMARY KEY (account_id, affiliate_id)
) {clustered};

-- Pictures that merchants sent, written anew by the hub. An id cannot be guessed, and is the picture's address.
CREATE TABLE pictures (
    account_id TEXT   NOT NULL REFERENCES accounts (account_id),
    picture_id TEXT   NOT NULL,
    media_type TEXT   NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    content    TEXT   NOT NULL,                   -- base64
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, picture_id)
);
CREATE INDEX pictures_by_id ON pictures (picture_id);

-- What a merchant gives its partners to publish.
CREATE TABLE materials (
    account_id  TEXT   NOT NULL REFERENCES accounts (account_id),
    material_id TEXT   NOT NULL,
    kind        TEXT   NOT NULL CHECK (kind IN ('TEXT', 'PICTURE', 'PAGE')),
    title       TEXT   NOT NULL,
    body        TEXT,                             -- of a text
    destination TEXT,                             -- a page of the shop; null: where the affiliate's link leads
    campaign_id TEXT,                             -- null: for all campaigns
    picture_id  TEXT,                             -- of a picture
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, material_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    FOREIGN KEY (account_id, picture_id) REFERENCES pictures (account_id, picture_id)
);

-- The addresses of merchants' pages for partners; a former one still leads to its merchant's page.
CREATE TABLE join_names (
    name       TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (account_id)
);
CREATE INDEX join_names_by_account ON join_names (account_id);

-- The page by which strangers become partners of a live account, which has one.
CREATE TABLE join_pages (
    account_id  TEXT   NOT NULL PRIMARY KEY REFERENCES accounts (account_id),
    name        TEXT   NOT NULL,                  -- its present address, of join_names
    title       TEXT   NOT NULL,
    body        TEXT   NOT NULL,                  -- what the merchant writes on it
    campaign_id TEXT,                             -- what people join; null: every active campaign
    acceptance  TEXT   NOT NULL CHECK (acceptance IN ('AT_ONCE', 'AFTER_REVIEW')),
    is_on       BIGINT NOT NULL CHECK (is_on IN (0, 1)),
    logo        TEXT,                             -- a picture of the account; null: none
    updated_at  BIGINT NOT NULL,
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    FOREIGN KEY (account_id, logo) REFERENCES pictures (account_id, picture_id)
);

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

-- Every change of a rate, so that an order takes the rate in force at its time.
CREATE TABLE rate_changes (
    account_id   TEXT   NOT NULL,
    level        TEXT   NOT NULL CHECK (level IN ('MERCHANT', 'CAMPAIGN', 'NEW_CUSTOMER', 'MEMBER', 'PRODUCT')),
    subject      TEXT   NOT NULL,                 -- '', a campaign, campaign/affiliate, or an external product id
    changed_at   BIGINT NOT NULL,
    change_id    TEXT   NOT NULL,                 -- uuid7: orders the changes of one millisecond
    before_type  TEXT,                            -- null: there was no rate
    before_value TEXT,
    after_type   TEXT,
    after_value  TEXT,
    changed_by   TEXT   NOT NULL,                 -- a user, an API key, an event, or what else made the change
    PRIMARY KEY (account_id, level, subject, changed_at, change_id)
) {clustered};
CREATE INDEX rate_changes_by_time ON rate_changes (account_id, changed_at);

-- The tiers that a campaign has had, and since when: an order takes those in force at its time.
CREATE TABLE volume_rates (
    account_id  TEXT   NOT NULL,
    campaign_id TEXT   NOT NULL,
    since       BIGINT NOT NULL,
    change_id   TEXT   NOT NULL,                  -- uuid7: orders the changes of one millisecond
    rates       TEXT,                             -- JSON, see hub/domain/orders/volume_rates.py; null: none from then on
    changed_by  TEXT   NOT NULL,
    PRIMARY KEY (account_id, campaign_id, since, change_id)
) {clustered};

-- Rates that are tried before they count.
CREATE TABLE rate_drafts (
    account_id TEXT   NOT NULL REFERENCES accounts (account_id),
    draft_id   TEXT   NOT NULL,
    level      TEXT   NOT NULL CHECK (level IN ('MERCHANT', 'CAMPAIGN', 'NEW_CUSTOMER', 'PRODUCT')),
    subject    TEXT   NOT NULL,                   -- as in rate_changes
    type       TEXT   NOT NULL CHECK (type IN ('PERCENTAGE', 'FIXED')),
    value      TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'DROPPED')),
    created_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    decided_by TEXT,
    decided_at BIGINT,
    PRIMARY KEY (account_id, draft_id)
);
