-- Every table of today with its indexes, for readers; `make generate` writes this file from the migrations beside it.
-- It is no migration and is never run: change those. The functions that PostgreSQL has beside are in *.postgresql.sql,
-- and the triggers of either, by which changes are noted, in 0009_*.sqlite.sql and 0009_*.postgresql.sql.

-- A closed merchant is stored as SUSPENDED with the time of its closing, so that every reader of the status takes it
-- for one that may do nothing.
CREATE TABLE merchants (
    merchant_id      TEXT   NOT NULL PRIMARY KEY,
    name             TEXT   NOT NULL,
    email            TEXT   NOT NULL,
    profile          TEXT,                        -- JSON object of texts; null: nothing was filled in yet
    domains          TEXT   NOT NULL,             -- JSON array of approved domains in ASCII form
    currency         TEXT   NOT NULL,
    commission_type  TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),
    commission_value TEXT,
    hold_ms          BIGINT,                      -- null: the hub's own hold time
    status           TEXT   NOT NULL CHECK (status IN ('PENDING', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'SUSPENDED')),
    status_reason    TEXT,
    live_access      TEXT   CHECK (live_access IN ('ASKED', 'GRANTED', 'REFUSED')),
    live_asked_at    BIGINT,
    live_note        TEXT,                        -- what the merchant wrote with its wish; null: every step was done
    live_reason      TEXT,                        -- why live access was refused
    -- What the shop runs on, which its way through the pages depends on; null: nobody has said it yet.
    platform         TEXT   CHECK (platform IN ('shopify', 'woocommerce', 'bigcommerce', 'prestashop', 'shopware',
                                                'stripe', 'squarespace', 'wix', 'magento', 'code')),
    deposit_required BIGINT,                      -- flag; null: never had a deposit
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    closed_at        BIGINT,
    CHECK ((commission_type IS NULL) = (commission_value IS NULL))
);
CREATE INDEX merchants_by_name ON merchants (name);
CREATE INDEX merchants_by_email ON merchants (lower(email));

-- A merchant has a test and a live account, which share nothing else.
CREATE TABLE accounts (
    account_id  TEXT   NOT NULL PRIMARY KEY,
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    mode        TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    -- By how much the clock of a test account was moved forward, in all. Nothing is computed from it: docs/people.md.
    advanced_ms BIGINT NOT NULL DEFAULT 0,
    signed_only BIGINT NOT NULL DEFAULT 0,        -- flag: bearer tokens do not count here, only signatures
    UNIQUE (merchant_id, mode)
);

-- Domains that a merchant added itself. One that is proved is in merchants.domains, too.
CREATE TABLE merchant_domains (
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    domain      TEXT   NOT NULL,                  -- in ASCII form
    token       TEXT   NOT NULL,                  -- what the domain has to show
    added_at    BIGINT NOT NULL,
    checked_at  BIGINT,                           -- the last attempt to prove it
    fault       TEXT,                             -- why that attempt failed
    proved_at   BIGINT,
    method      TEXT   CHECK (method IN ('file', 'meta', 'dns')),
    PRIMARY KEY (merchant_id, domain),
    CHECK ((proved_at IS NULL) = (method IS NULL))
) {clustered};

CREATE TABLE api_keys (
    key_id            TEXT   NOT NULL PRIMARY KEY,
    account_id        TEXT   NOT NULL REFERENCES accounts (account_id),
    sealed_secret     TEXT   NOT NULL CHECK (length(sealed_secret) > 0),  -- AES-256-GCM, see hub/sealing.py
    allowed_cidrs     TEXT   NOT NULL,            -- JSON array; empty: any address
    expires_at        BIGINT,
    revoked_at        BIGINT,
    created_at        BIGINT NOT NULL,
    -- The lowest version of the request signature that the key takes: 2 covers the method and the target, too.
    signature_version BIGINT NOT NULL DEFAULT 1 CHECK (signature_version BETWEEN 1 AND 2),
    name              TEXT                        -- what its merchant calls it; null: nothing
);
CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE affiliates (
    affiliate_id TEXT   NOT NULL PRIMARY KEY,
    name         TEXT   NOT NULL,
    email        TEXT   NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE')),
    test_of      TEXT   UNIQUE REFERENCES merchants (merchant_id),  -- the merchant whose test partner it is; null: real
    created_at   BIGINT NOT NULL,
    channels     TEXT                             -- where it promotes, in its own words; null: it did not say
);
CREATE INDEX affiliates_by_name ON affiliates (name);
CREATE INDEX affiliates_by_email ON affiliates (lower(email));

-- Coupons that name their affiliate, with any merchant.
CREATE TABLE affiliate_coupons (
    coupon_code  TEXT NOT NULL PRIMARY KEY,       -- in upper case: buyers type coupons in any case
    affiliate_id TEXT NOT NULL REFERENCES affiliates (affiliate_id)
);
CREATE INDEX affiliate_coupons_by_affiliate ON affiliate_coupons (affiliate_id);

CREATE TABLE users (
    user_id       TEXT   NOT NULL PRIMARY KEY,
    email         TEXT   NOT NULL,                -- as it was typed
    email_key     TEXT   NOT NULL UNIQUE,         -- the same in one case, by which it is found
    name          TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
    password_hash TEXT,                           -- argon2id; null: signs in by links only
    -- From when the proof is by which the password was set, as in sessions.proof_since; of the app likewise.
    password_since BIGINT,
    totp_proof_since BIGINT,
    totp_secret   TEXT,                           -- of the authenticator app, sealed under the master key; null: none
    totp_counter  BIGINT,                         -- the last step that was used: no code works twice
    totp_since    BIGINT,
    link_asked_at BIGINT,                         -- when the person last asked for a sign-in link
    time_zone     TEXT,                           -- as in the IANA database; null: not known, so UTC
    zone_guessed  BIGINT NOT NULL DEFAULT 0 CHECK (zone_guessed IN (0, 1)),
    theme         TEXT   CHECK (theme IN ('light', 'dark')),  -- null: as the device says
    dense         BIGINT NOT NULL DEFAULT 0 CHECK (dense IN (0, 1)),
    slash_finds   BIGINT NOT NULL DEFAULT 1 CHECK (slash_finds IN (0, 1)),  -- whether the key / leads to the search
    created_at    BIGINT NOT NULL
);

CREATE TABLE user_roles (
    user_id    TEXT   NOT NULL REFERENCES users (user_id),
    role       TEXT   NOT NULL CHECK (role IN ('operator', 'operator-admin', 'merchant', 'affiliate')),
    subject_id TEXT   NOT NULL,                   -- the merchant's or affiliate's id; empty for operators
    level      TEXT   CHECK (level IN ('owner', 'viewer')),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, role, subject_id),
    CHECK ((role = 'merchant') = (level IS NOT NULL)),
    CHECK ((role = 'merchant' OR role = 'affiliate') = (subject_id <> ''))
) {clustered};
CREATE INDEX user_roles_by_subject ON user_roles (subject_id, role);

-- Who let a person in, and when they last did: made the account or the link that was used, gave a role of operators,
-- took second factors away, changed the address, or let a disabled person in again. The terminal is not among them.
CREATE TABLE introductions (
    user_id       TEXT   NOT NULL REFERENCES users (user_id),
    introduced_by TEXT   NOT NULL,                -- a user's id, or that of a token that belongs to nobody
    means         TEXT   NOT NULL CHECK (means IN ('account', 'link', 'role', 'factors', 'address')),
    token_id      TEXT,                           -- the token by which it was done
    introduced_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, introduced_by, means)
) {clustered};
CREATE INDEX introductions_by_time ON introductions (introduced_at);

-- Addresses that an affiliate or a person had, so that they hear for a while of what a thief changes.
CREATE TABLE former_addresses (
    subject_id TEXT   NOT NULL,                   -- the affiliate's id, or the user's
    email      TEXT   NOT NULL,
    left_at    BIGINT NOT NULL,
    PRIMARY KEY (subject_id, email)
) {clustered};
CREATE INDEX former_addresses_by_time ON former_addresses (left_at);

-- Merchants and affiliates who register: by an invitation, or themselves, before they have proved their address.
CREATE TABLE registrations (
    token_hash TEXT   NOT NULL PRIMARY KEY,       -- SHA-256 of the link's token
    email      TEXT   NOT NULL,
    kind       TEXT   NOT NULL CHECK (kind IN ('merchant', 'affiliate')),
    name       TEXT,                              -- null: an invitation, whose guest is still to say it
    currency   TEXT,
    platform   TEXT   CHECK (platform IN ('shopify', 'woocommerce', 'bigcommerce', 'prestashop', 'shopware',
                                          'stripe', 'squarespace', 'wix', 'magento', 'code')),
    invited_by TEXT,                              -- who invites, in words
    issued_by  TEXT,                              -- as in login_links
    token_id   TEXT,
    account_id TEXT,                              -- whose partner it becomes; null: nobody's yet
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
) {clustered};
CREATE INDEX registrations_by_end ON registrations (expires_at);

-- The filters of lists that a person keeps under a name.
CREATE TABLE saved_views (
    user_id    TEXT   NOT NULL REFERENCES users (user_id),
    view_id    TEXT   NOT NULL,
    list       TEXT   NOT NULL,                   -- the address of the list, such as /merchant/orders
    name       TEXT   NOT NULL,
    filters    TEXT   NOT NULL,                   -- as in the query of its address
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, view_id),
    UNIQUE (user_id, list, name)
) {clustered};

-- How the network presents itself: one row, JSON {name, accent, imprint, terms, logo: {type, width, height, content}}.
CREATE TABLE branding (
    id         BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    content    TEXT   NOT NULL,
    changed_at BIGINT NOT NULL
) {clustered};

-- Up to where an account's people were told by the clock, so that each thing is told once.
CREATE TABLE told_marks (
    account_id TEXT NOT NULL REFERENCES accounts (account_id),
    kind       TEXT NOT NULL,                     -- of notice, see hub/domain/messages/notices.py
    subject_id TEXT NOT NULL,                     -- the connection; '' for the account as a whole
    mark       TEXT NOT NULL,                     -- the newest order, the last delivery or the month that was told of
    PRIMARY KEY (account_id, kind, subject_id)
) {clustered};

-- What people should know, each a row for each person: written in the transaction of the act that it tells of.
CREATE TABLE notices (
    notice_id   TEXT   NOT NULL PRIMARY KEY,      -- in the order in which they were written
    user_id     TEXT   NOT NULL REFERENCES users (user_id),
    kind        TEXT   NOT NULL,                  -- of hub/domain/messages/notices.py
    sentence    TEXT   NOT NULL,
    address     TEXT   NOT NULL,                  -- of the page of what it is about
    created_at  BIGINT NOT NULL,
    read_at     BIGINT,
    mail_due_at BIGINT                            -- null: mailed, or not to be mailed
) {clustered};
CREATE INDEX notices_by_user ON notices (user_id, notice_id);
CREATE INDEX notices_unread ON notices (user_id, notice_id) WHERE read_at IS NULL;
CREATE INDEX notices_due ON notices (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX notices_by_age ON notices (created_at);

-- How somebody wants a kind of notices mailed; without a row as the kind usually is.
CREATE TABLE notice_choices (
    user_id TEXT NOT NULL REFERENCES users (user_id),
    kind    TEXT NOT NULL,
    mail    TEXT NOT NULL CHECK (mail IN ('AT_ONCE', 'DAILY', 'OFF')),
    PRIMARY KEY (user_id, kind)
) {clustered};

CREATE TABLE sessions (
    token_hash   TEXT   NOT NULL PRIMARY KEY,     -- SHA-256 of the cookie, which is stored nowhere
    session_id   TEXT   NOT NULL UNIQUE,
    user_id      TEXT   NOT NULL REFERENCES users (user_id),
    created_at   BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,                 -- when its person last proved who they are; 0: by another's link alone
    -- From when that proof is: a password, app or passkey is as old as the proof by which it was set up, a link as its
    -- use; 0: from the terminal.
    proof_since  BIGINT NOT NULL,
    let_in_by    TEXT,                            -- who made the link that the session began with; null: nobody else
    -- Whether it began with, or has proved since, more than a password or a link.
    strong       BIGINT NOT NULL DEFAULT 0 CHECK (strong IN (0, 1)),
    expires_at   BIGINT NOT NULL,
    user_agent   TEXT   NOT NULL,
    address      TEXT   NOT NULL,
    visitor      TEXT                             -- the keyed hash that the clicks of the same person have
) {clustered};
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
-- Whether an affiliate signed in as the visitor of a click is asked for each batch of orders.
CREATE INDEX sessions_by_visitor ON sessions (visitor) WHERE visitor IS NOT NULL;

CREATE TABLE login_links (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (user_id),
    -- Where the link leads: a sign-in, a new password, or the first sign-in of somebody who was invited.
    purpose    TEXT   NOT NULL DEFAULT 'sign-in' CHECK (purpose IN ('sign-in', 'recovery', 'invitation')),
    -- Who made it: a user or a token of nobody; empty: the terminal; null: the person asked for it by mail.
    issued_by  TEXT,
    token_id   TEXT,                              -- the token by which it was made
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
) {clustered};
CREATE INDEX login_links_by_user ON login_links (user_id);
CREATE INDEX login_links_by_end ON login_links (expires_at);

CREATE TABLE recovery_codes (
    user_id   TEXT   NOT NULL REFERENCES users (user_id),
    code_hash TEXT   NOT NULL,                    -- SHA-256 of a random code
    used_at   BIGINT,
    PRIMARY KEY (user_id, code_hash)
) {clustered};

CREATE TABLE passkeys (
    credential_id TEXT   NOT NULL PRIMARY KEY,    -- base64url, as browsers name it
    user_id       TEXT   NOT NULL REFERENCES users (user_id),
    public_key    TEXT   NOT NULL,                -- COSE, base64url
    proof_since   BIGINT NOT NULL,                -- as in sessions: from when the proof is by which it was made
    sign_count    BIGINT NOT NULL,
    name          TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT
) {clustered};
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- What a browser has begun: a sign-in that waits for its second factor, or a challenge that a passkey has to answer.
CREATE TABLE sign_in_steps (
    token_hash TEXT   NOT NULL,                   -- SHA-256 of the browser's cookie
    kind       TEXT   NOT NULL CHECK (kind IN ('second-factor', 'passkey', 'new-passkey', 'new-app')),
    user_id    TEXT   REFERENCES users (user_id), -- null: a passkey will say who it is
    value      TEXT   NOT NULL,                   -- the challenge, the sealed secret, or how the sign-in began
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (token_hash, kind)
) {clustered};
CREATE INDEX sign_in_steps_by_end ON sign_in_steps (expires_at);

-- What failed to sign in: an address, or the digest of an e-mail address, known or not.
CREATE TABLE sign_in_failures (
    origin    TEXT   NOT NULL PRIMARY KEY,
    failures  BIGINT NOT NULL,
    failed_at BIGINT NOT NULL
) {clustered};
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (failed_at);

-- Which session may look at a secret that it just made, and until when: a reload shows the same one again.
CREATE TABLE shown_secrets (
    session_id  TEXT   NOT NULL,
    subject_id  TEXT   NOT NULL,                  -- the id of a key, of a connection's secret, or its own
    ends_at     BIGINT NOT NULL,
    -- What is kept nowhere else (a token, recovery codes, a link to pass on), sealed under the session's own cookie,
    -- which is stored nowhere.
    sealed      TEXT,
    PRIMARY KEY (session_id, subject_id)
) {clustered};
CREATE INDEX shown_secrets_by_end ON shown_secrets (ends_at);

-- Of a token itself only a digest is kept.
CREATE TABLE api_tokens (
    token_id      TEXT   NOT NULL PRIMARY KEY,
    name          TEXT   NOT NULL,
    scopes        TEXT   NOT NULL,                -- JSON array: ["admin:read"]
    account_id    TEXT   REFERENCES accounts (account_id),  -- of the merchants' scopes
    affiliate_id  TEXT   REFERENCES affiliates (affiliate_id),  -- of the affiliates' scopes
    user_id       TEXT   REFERENCES users (user_id),            -- null: made at the terminal
    secret_hash   TEXT   NOT NULL,                -- SHA-256 of the secret part, in hex
    allowed_cidrs TEXT   NOT NULL,                -- JSON array; empty: any address
    expires_at    BIGINT,
    revoked_at    BIGINT,
    last_used_at  BIGINT,
    last_address  TEXT,
    created_at    BIGINT NOT NULL
) {clustered};
CREATE INDEX api_tokens_by_user ON api_tokens (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX api_tokens_by_account ON api_tokens (account_id) WHERE account_id IS NOT NULL;

-- What a token was answered, by its idempotency keys: a row without an answer says that the act was done.
CREATE TABLE token_answers (
    token_id        TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,
    status          BIGINT,
    sealed_answer   TEXT,                         -- it may hold a secret that is shown once
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (token_id, idempotency_key)
) {clustered};
CREATE INDEX token_answers_by_age ON token_answers (created_at);

-- Who did what: written in the transaction of the act, and never changed.
CREATE TABLE trail (
    trail_id     TEXT   NOT NULL PRIMARY KEY,
    acted_at     BIGINT NOT NULL,
    actor_kind   TEXT   NOT NULL CHECK (actor_kind IN ('user', 'system')),
    actor_id     TEXT   NOT NULL,                 -- the user's id, or the name of the machine's own user
    act          TEXT   NOT NULL,
    subject_kind TEXT   NOT NULL,
    subject_id   TEXT   NOT NULL,
    before_json  TEXT,
    after_json   TEXT,
    source       TEXT   NOT NULL CHECK (source IN ('cli', 'page', 'api')),
    address      TEXT
) {clustered};
CREATE INDEX trail_by_subject ON trail (subject_id, trail_id);
CREATE INDEX trail_by_actor ON trail (actor_id, trail_id);
CREATE INDEX trail_by_act ON trail (act, trail_id);

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
    name         TEXT,                            -- what its affiliate calls it; null: nothing
    -- What an affiliate notes on a link to tell its places apart: a JSON object of sub1 to sub5, null without any. A
    -- click keeps those that it came with; an order has them through its click.
    subs         TEXT,
    created_at   BIGINT NOT NULL,
    disabled_at  BIGINT,                          -- since when its clicks earn nothing; null: it is enabled
    disabled_by  TEXT,                            -- the affiliate, if it did that itself; null: somebody else
    PRIMARY KEY (account_id, code),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    FOREIGN KEY (account_id, product_id) REFERENCES products (account_id, product_id)
);
-- Links newest first: those of an account, those of an affiliate over all accounts, and all.
CREATE INDEX links_by_account ON links (account_id, created_at, code);
CREATE INDEX links_by_affiliate ON links (affiliate_id, created_at, code);
CREATE INDEX links_by_age ON links (created_at, code);

-- Short addresses that affiliates gave their links. One stays its link's for good: it is printed, and may be no other's.
CREATE TABLE short_links (
    short      TEXT   NOT NULL PRIMARY KEY,
    account_id TEXT   NOT NULL,
    code       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX short_links_of_link ON short_links (account_id, code, created_at);

-- Clicks that no conversion names are forgotten after a time, see hub/processing/click_retention.py.
CREATE TABLE clicks (
    account_id   TEXT   NOT NULL,
    click_id     TEXT   NOT NULL,
    code         TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    campaign_id  TEXT,
    clicked_at   BIGINT NOT NULL,
    subs         TEXT,                            -- as in links
    visitor      TEXT,                            -- keyed hash of address and agent, if the campaign's policy asks for
                                                  -- it; null once the click does not count
    PRIMARY KEY (account_id, click_id)
) {clustered};
-- How many orders a visitor's clicks on an affiliate's links brought: the index alone answers which clicks.
CREATE INDEX clicks_by_visitor ON clicks (visitor, affiliate_id) WHERE visitor IS NOT NULL;
CREATE INDEX clicks_with_visitor ON clicks (account_id, clicked_at) WHERE visitor IS NOT NULL;

-- Deduplication: one row for each thing that may happen once, kept forever.
CREATE TABLE claims (
    account_id    TEXT NOT NULL,
    scope         TEXT NOT NULL CHECK (scope IN ('order', 'status', 'webhook')),
    claim_key     TEXT NOT NULL,
    event_id      TEXT NOT NULL,                  -- the event that claimed it
    conversion_id TEXT,
    PRIMARY KEY (account_id, scope, claim_key)
) {clustered};

-- One row for each accepted submission.
-- Not clustered, for the explanation makes rows long: SQLite would keep what exceeds a quarter of a page on pages of its
-- own, and have inner pages of four rows, so that a million events would lie nine pages deep.
CREATE TABLE events (
    account_id        TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    type              TEXT   NOT NULL CHECK (type IN ('conversion', 'order_status', 'webhook')),
    kind              TEXT,                       -- the kind of a webhook, else null
    status            TEXT   NOT NULL
                      CHECK (status IN ('PROCESSED', 'RECEIVED', 'QUEUED', 'SKIPPED', 'PARKED', 'UNMATCHED', 'FAILED')),
    external_event_id TEXT,
    external_order_id TEXT COLLATE "C",           -- known at once from the API, after translation from a platform
    conversion_id     TEXT,
    received_at       BIGINT NOT NULL,
    processed_at      BIGINT,
    due_at            BIGINT,                     -- when the worker takes it up; null: nothing is left to do
    attempts          BIGINT NOT NULL,
    explanation       TEXT,                       -- JSON, written when the event is processed
    connection_id     TEXT,                       -- null: came through the API
    topic             TEXT,                       -- as the platform named it, unsigned
    PRIMARY KEY (account_id, event_id)
);
CREATE INDEX events_due ON events (due_at) WHERE due_at IS NOT NULL;
-- Lets accounts take turns: the due events of each, webhooks apart, see hub/processing/due_events.py.
CREATE INDEX events_due_by_account ON events ((CASE type WHEN 'webhook' THEN 1 ELSE 0 END), account_id, due_at)
    WHERE due_at IS NOT NULL;
-- What a store sent and the hub could not use, over all accounts. Beside a primary key that begins alike, SQLite takes
-- an index only if more of its columns are given, so that none of these begins with the account. For each event that it
-- writes, SQLite would build the list of an IN with three words; equalities cost nothing.
CREATE INDEX events_unused ON events (status, account_id, event_id)
    WHERE ((status = 'FAILED') OR (status = 'UNMATCHED') OR (status = 'PARKED'));
CREATE INDEX events_of_connections ON events (connection_id, account_id, event_id) WHERE connection_id IS NOT NULL;

-- The raw body of each submission, deleted after the retention time. It is not clustered: in the tree of a key SQLite keeps
-- at most 489 bytes of a row, and gives the rest of a longer one a page of its own.
CREATE TABLE payloads (
    account_id  TEXT   NOT NULL,
    event_id    TEXT   NOT NULL,
    body        TEXT   NOT NULL,
    received_at BIGINT NOT NULL,
    headers     TEXT,                             -- JSON object: a platform's headers other than its signature
    PRIMARY KEY (account_id, event_id)
);

-- What became of each thing that was chosen for an act on many at once: shown after it, and what an undo goes by. Kept for
-- a day.
CREATE TABLE bulk_steps (
    account_id TEXT   NOT NULL,
    bulk_id    TEXT   NOT NULL,                   -- one act on many, in however many portions
    subject_id TEXT   NOT NULL,                   -- the order's or the message's id
    act        TEXT   NOT NULL CHECK (act IN ('attributed', 'dismissed', 'approved', 'rejected', 'replayed', 'set-aside')),
    refusal    TEXT,                              -- why it was not done; null: it was
    at         BIGINT NOT NULL,
    PRIMARY KEY (account_id, bulk_id, subject_id)
) {clustered};

-- What a merchant's people set aside of its open matters, with the reason. It stands for as long as the mark is the same:
-- what changed since is a matter again. The subject is '' for a matter as a whole, else the failed message.
CREATE TABLE set_asides (
    account_id TEXT   NOT NULL REFERENCES accounts (account_id),
    matter     TEXT   NOT NULL CHECK (matter IN ('messages-failed', 'messages-parked', 'reviews', 'requests-refused',
                                                 'questions', 'applications', 'store-refuses', 'store-silent',
                                                 'webhooks-failing', 'deposit-short')),
    subject_id TEXT   NOT NULL,
    mark       TEXT   NOT NULL,                   -- what changes with the matter: the newest of it, or when it failed
    reason     TEXT   NOT NULL,
    aside_by   TEXT   NOT NULL,
    aside_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, matter, subject_id)
) {clustered};

-- Events that wait for the conversion of their order.
CREATE TABLE parked_news (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    event_id          TEXT   NOT NULL,
    received_at       BIGINT NOT NULL,
    PRIMARY KEY (account_id, external_order_id, event_id)
) {clustered};
CREATE INDEX parked_news_by_age ON parked_news (received_at);

-- Reports of orders that were reported before: the worker compares them with the order once it is decided.
CREATE TABLE repeated_reports (
    account_id        TEXT   NOT NULL,
    repeat_id         TEXT   NOT NULL,            -- uuid7: sorts by time
    external_order_id TEXT COLLATE "C" NOT NULL,
    amount            TEXT   NOT NULL,            -- in major units, as reported
    currency          TEXT,                       -- null: the merchant's
    received_at       BIGINT NOT NULL,
    click_id          TEXT,
    ordered_at        BIGINT,                     -- as reported; null: not stated
    report            TEXT   NOT NULL,            -- JSON of what was reported, without its metadata
    PRIMARY KEY (account_id, repeat_id)
) {clustered};

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

-- CSV files and how far each has been processed.
CREATE TABLE uploads (
    account_id      TEXT   NOT NULL REFERENCES accounts (account_id),
    upload_id       TEXT   NOT NULL,
    kind            TEXT   NOT NULL CHECK (kind IN ('products', 'orders', 'statuses')),
    dry_run         BIGINT NOT NULL,              -- flag: rows are checked, nothing is applied
    source          TEXT   NOT NULL CHECK (source IN ('spool', 'command')),  -- who applies it: a server or `hub csv`
    status          TEXT   NOT NULL CHECK (status IN ('QUEUED', 'RUNNING', 'DONE', 'REFUSED')),
    file_name       TEXT   NOT NULL,              -- as whoever sent it calls it, '' if that is not known
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

-- Rate limits, counted over all processes. Soft state, so PostgreSQL keeps it unlogged: taking a unit waits for no
-- disk. After a crash the windows start afresh.
CREATE {unlogged} TABLE limit_counts (
    account_id     TEXT   NOT NULL,
    limit_group    TEXT   NOT NULL,
    minute_ends_at BIGINT NOT NULL,               -- the end of the open window
    minute_used    BIGINT NOT NULL,               -- what all processes took of it
    hour_ends_at   BIGINT NOT NULL,
    hour_used      BIGINT NOT NULL,
    PRIMARY KEY (account_id, limit_group)
) {clustered};

CREATE TABLE request_log (
    account_id  TEXT   NOT NULL,                  -- '' if the account is unknown
    logged_at   BIGINT NOT NULL,
    log_id      TEXT   NOT NULL,
    request_id  TEXT   NOT NULL,
    method      TEXT   NOT NULL,
    path        TEXT   NOT NULL,
    status      BIGINT NOT NULL,
    error_code  TEXT,
    key_id      TEXT,
    client      TEXT,
    duration_us BIGINT NOT NULL,
    detail      TEXT,                             -- JSON: signed string, clock skew, unknown fields
    kept        TEXT,                             -- JSON: headers, body and answer of a refused request; null: of others
    PRIMARY KEY (account_id, logged_at, log_id)
) {clustered};
CREATE INDEX request_log_errors ON request_log (account_id, logged_at, log_id) WHERE error_code IS NOT NULL;

CREATE TABLE conversions (
    account_id        TEXT   NOT NULL,
    conversion_id     TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    order_minor       BIGINT NOT NULL,            -- the amount that the commission is taken from
    paid_minor        BIGINT NOT NULL,            -- the buyer's whole payment; a refund without lines is a share of it
    currency          TEXT   NOT NULL,
    lines             TEXT   NOT NULL,            -- JSON [[externalProductId or null, quantity, minor], ...]
    click_id          TEXT,
    coupon_code       TEXT,
    metadata          TEXT,                       -- JSON as sent
    ordered_at        BIGINT NOT NULL,
    received_at       BIGINT NOT NULL,
    confidence        TEXT   NOT NULL CHECK (confidence IN ('HIGH', 'LOW')),
    reason            TEXT   NOT NULL,
    affiliate_id      TEXT,                       -- null: not attributed to anyone yet
    campaign_id       TEXT,
    candidate_id      TEXT,                       -- the affiliate that a weaker signal names
    review            TEXT   CHECK (review IN ('OPEN', 'ATTRIBUTED', 'DISMISSED')),
    created_at        BIGINT NOT NULL,
    reviewed_at       BIGINT,                     -- when its review was closed; null: never
    snapshot_version  BIGINT,                     -- the platform's snapshot that the amounts are from
    stands_at         BIGINT,                     -- the last moment at which a snapshot said that they stand; null: the
                                                  -- order was reported without a snapshot
    born              TEXT,                       -- what makes it this order and no other, as the platform says
    namesakes         BIGINT,                     -- how many other orders came under its number; null: none
    refund_set        TEXT,                       -- JSON [version, [refund ids]] of the newest snapshot that says which
                                                  -- refunds there are in all; null: none did
    PRIMARY KEY (account_id, conversion_id),
    UNIQUE (account_id, external_order_id)
);
CREATE INDEX conversions_by_coupon ON conversions (account_id, upper(coupon_code), conversion_id)
    WHERE coupon_code IS NOT NULL;
-- Orders that came more than a week after they were placed, as a history that is imported, or a day before it: all others
-- are found by the span of time that their ids have, see hub/operations/orders/placed_orders.py.
CREATE INDEX conversions_astray ON conversions (account_id, conversion_id)
    WHERE ((created_at > (ordered_at + 604800000)) OR (created_at < (ordered_at - 86400000)));
CREATE INDEX conversions_in_review ON conversions (account_id, conversion_id) WHERE review = 'OPEN';
-- Which clicks have to be kept, by the quarter of a second (256 ms) in which they were made, which is what an id begins
-- with: whoever looks for a click compares the few orders of that moment. Orders name clicks in no order, and an entry
-- that is short and has its like is a third of the pages that a batch of orders changes.
CREATE INDEX conversions_by_click ON conversions (substr(click_id, 5, 10)) WHERE click_id IS NOT NULL;

-- What a shop reported of an order. Rows are only added; the state of an order is a fold over them.
CREATE TABLE order_facts (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
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
    source           TEXT   NOT NULL CHECK (source IN ('PRODUCT', 'NEW_CUSTOMER', 'CAMPAIGN', 'MERCHANT', 'PLATFORM',
                                                       'MIXED')),
    terms            TEXT   NOT NULL,             -- JSON: the rule as it was then, its lines and the levels tried
    hold_ms          BIGINT NOT NULL,             -- fixed when the commission is created
    hold_until       BIGINT,
    paid_at          BIGINT,
    payout_reference TEXT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    payable_at       BIGINT,                      -- since when it is PAYABLE; null: since it was created, or it is not
    awaits_deposit   BIGINT,                      -- 1: its hold is over, and the deposit did not cover it
    awaits_platform  BIGINT,                      -- 1: its hold is over, and its order was not seen in the shop since
    PRIMARY KEY (account_id, commission_id),
    UNIQUE (account_id, conversion_id),
    CHECK ((state = 'PAID') = (paid_at IS NOT NULL))
);
CREATE INDEX commissions_held ON commissions (hold_until)
    WHERE ((state IN ('HOLD', 'APPROVED')) AND (awaits_deposit IS NULL) AND (awaits_platform IS NULL));
CREATE INDEX commissions_awaiting_deposit ON commissions (account_id, currency, hold_until, commission_id)
    WHERE awaits_deposit IS NOT NULL;
-- What a run gathers, and what an affiliate may still be paid.
CREATE INDEX commissions_payable ON commissions (affiliate_id, currency, account_id, commission_id)
    WHERE state = 'PAYABLE';
-- What an affiliate sees of its own, over all accounts, newest first.
CREATE INDEX commissions_by_affiliate ON commissions (affiliate_id, commission_id);

-- Which orders began a subscription and which renew it, of those that say so.
CREATE TABLE subscription_orders (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    subscription  TEXT   NOT NULL,                -- the shop's id of it, or the click of renewals that name none
    renews        BIGINT NOT NULL CHECK (renews IN (0, 1)),
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX subscription_orders_by_subscription ON subscription_orders (account_id, subscription, renews);

-- By which orders customers are known again, of campaigns that ask for it.
CREATE TABLE customer_orders (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    customer      TEXT   NOT NULL,                -- a keyed hash
    ordered_at    BIGINT NOT NULL,
    kept_until    BIGINT NOT NULL,
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX customer_orders_by_customer ON customer_orders (account_id, customer, ordered_at);
CREATE INDEX customer_orders_by_end ON customer_orders (account_id, kept_until);

-- What of an order a person must look at, because the hub may not decide it.
CREATE TABLE order_reviews (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    review_key    TEXT   NOT NULL,                -- tells one question about the order from another
    event_id      TEXT   NOT NULL,                -- what raised it first
    reason        TEXT   NOT NULL,                -- a code, or a sentence of the connector
    details       TEXT   NOT NULL,                -- JSON: what was stated
    opened_at     BIGINT NOT NULL,
    closed_at     BIGINT,
    note          TEXT,                           -- what the person did
    PRIMARY KEY (account_id, conversion_id, review_key)
) {clustered};
CREATE INDEX order_reviews_open ON order_reviews (account_id, opened_at) WHERE closed_at IS NULL;

-- Other orders that came under a known number, such as after a shop was restored from a backup. Until a person has
-- answered, their news wait.
CREATE TABLE order_namesakes (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,  -- the number that they share with an order that was known before
    born              TEXT   NOT NULL,            -- what makes it this order and no other
    place             BIGINT NOT NULL,            -- 2 for the first one
    own_number        TEXT   NOT NULL,            -- the number under which it is kept, such as 576~2
    connection_id     TEXT,                       -- null: it came by the API or a file
    report            TEXT,                       -- JSON of what a report said of it; null: it waits as an event
    asked_at          BIGINT NOT NULL,
    confirmed_at      BIGINT,                     -- when a person said that it is an order of its own; null: not yet
    PRIMARY KEY (account_id, external_order_id, born)
) {clustered};
CREATE INDEX order_namesakes_by_connection ON order_namesakes (account_id, connection_id, asked_at)
    WHERE confirmed_at IS NULL;

-- What an affiliate and a merchant write to each other about one order. The operator may answer for the merchant.
CREATE TABLE order_messages (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    message_id    TEXT   NOT NULL,                -- uuid7: sorts by time
    affiliate_id  TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    author        TEXT   NOT NULL CHECK (author IN ('affiliate', 'merchant', 'operator')),
    text          TEXT   NOT NULL,
    written_at    BIGINT NOT NULL,
    read_at       BIGINT,                         -- when the other side first saw it
    PRIMARY KEY (account_id, conversion_id, message_id)
) {clustered};
CREATE INDEX order_messages_by_affiliate ON order_messages (affiliate_id, message_id);
CREATE INDEX order_messages_by_account ON order_messages (account_id, message_id);

-- The change feed (docs/architecture.md, "Changes have numbers"). Whatever writes a record that the API prints notes it
-- here, by a trigger (0009_*.sqlite.sql and .postgresql.sql), in its own transaction; the notes of what has committed are
-- numbered afterwards and deleted.
CREATE TABLE new_changes (
    account_id  TEXT   NOT NULL,
    record_type TEXT   NOT NULL,
    record_id   TEXT   NOT NULL,
    noted_by    BIGINT NOT NULL,                  -- PostgreSQL: the transaction; SQLite, which has one writer: 0
    PRIMARY KEY (account_id, record_type, record_id, noted_by)
) {clustered};

-- Names that changed, of an affiliate or ('') of the merchant: every record of the account that shows one is told.
CREATE TABLE new_names (
    account_id   TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    noted_by     BIGINT NOT NULL,                 -- PostgreSQL: the transaction; SQLite: a number by chance
    PRIMARY KEY (account_id, affiliate_id, noted_by)
) {clustered};

-- The latest change of every record that ever was; of one that is gone it stays, so that its end is told. A conversion
-- stands for its commission and for the event that made it as well.
CREATE TABLE changes (
    account_id   TEXT   NOT NULL,
    number       BIGINT NOT NULL,                 -- follows the order of commits, over all accounts; see change_heads
    record_type  TEXT   NOT NULL,
    record_id    TEXT   NOT NULL,
    affiliate_id TEXT,                            -- whose feed tells it as well; null: no affiliate's
    PRIMARY KEY (account_id, record_type, record_id)
) {clustered};
CREATE INDEX changes_by_number ON changes (account_id, number, record_type, record_id);
CREATE INDEX changes_of_affiliates ON changes (affiliate_id, number, record_type, record_id)
    WHERE affiliate_id IS NOT NULL;

-- The one row that whoever numbers changes holds. A number is 1,024 times a moment (ms UTC), or one more than the last
-- where the clock has not gone on since; what is numbered in one transaction has the same.
CREATE TABLE change_heads (
    name       TEXT   NOT NULL PRIMARY KEY,
    number     BIGINT NOT NULL,                   -- the last that was given
    expired_to BIGINT NOT NULL                    -- campaigns that ended by this moment are noted
);

-- What lists and pages show of an order and of a commission: the row, its account's mode and merchant, and the names.
-- SQLite takes the tables of a CROSS JOIN in the order in which they are written: without it, it would look for one
-- id through the orders of every account.
CREATE VIEW listed_conversions AS
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version,
       c.stands_at, c.born, c.namesakes, c.refund_set, a.merchant_id, a.mode, s.name AS merchant_name,
       f.name AS affiliate_name,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = c.account_id AND h.record_type = 'conversion' AND h.record_id = c.conversion_id)
       AS change_number
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN conversions AS c
LEFT JOIN affiliates AS f ON f.affiliate_id = c.affiliate_id
WHERE c.account_id = a.account_id;

CREATE VIEW listed_commissions AS
SELECT m.account_id, m.commission_id, m.conversion_id, m.affiliate_id, m.state, m.amount_minor, m.base_minor,
       m.currency, m.source, m.hold_until, m.paid_at, m.payout_reference, m.created_at, m.updated_at,
       a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = m.account_id AND h.record_type = 'conversion' AND h.record_id = m.conversion_id)
       AS change_number
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN commissions AS m
LEFT JOIN affiliates AS f ON f.affiliate_id = m.affiliate_id
WHERE m.account_id = a.account_id;

-- Every movement of money as one balanced entry, chained by hashes per account, only ever added to.
CREATE TABLE ledger_entries (
    account_id        TEXT   NOT NULL,
    entry_no          BIGINT NOT NULL,            -- counts the account's entries from 1, without a gap
    posted_at         BIGINT NOT NULL,
    kind              TEXT   NOT NULL,
    debit             TEXT   NOT NULL,            -- the place that the money leaves
    credit            TEXT   NOT NULL,            -- the place that it goes to
    amount_minor      BIGINT NOT NULL CHECK (amount_minor > 0),
    currency          TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    commission_id     TEXT,
    adjustment_id     TEXT,
    external_order_id TEXT COLLATE "C",
    cause             TEXT   NOT NULL,            -- the id of the event, the act or the payout behind it
    hash              TEXT   NOT NULL,            -- SHA-256 over the hash of the entry before and all of the above
    PRIMARY KEY (account_id, entry_no)
) {clustered};
-- What merchants owe of a month, among all entries of an account; only payouts, corrections and fees write it. The kinds
-- are compared one by one: SQLite would build a list of them as a tree for every entry that is written.
CREATE INDEX ledger_entries_owed ON ledger_entries (account_id, posted_at)
    WHERE ((kind = 'paid') OR (kind = 'adjusted') OR (kind = 'fee') OR (kind = 'covered') OR (kind = 'uncovered')
           OR (debit = 'payable') OR (credit = 'payable'));
CREATE INDEX ledger_entries_fees ON ledger_entries (account_id, commission_id) WHERE kind = 'fee';
-- What changes the balance that an affiliate is paid, in the order of time. Decided orders (earned, held) are not in
-- it, so that only the ends of holds, payouts and corrections write it.
CREATE INDEX ledger_entries_of_balances ON ledger_entries (affiliate_id, posted_at, account_id, entry_no)
    WHERE debit IN ('payable', 'adjustments') OR credit IN ('payable', 'adjustments');
-- What a run pays, by its entries: a bank's file and the proof compare payments with it.
CREATE INDEX ledger_entries_of_runs ON ledger_entries (cause, affiliate_id, currency) WHERE kind = 'paid';

-- What the ledger lacked when somebody proposed to adopt it, and who adopted it: two people.
CREATE TABLE ledger_mends (
    mend_id     TEXT   NOT NULL PRIMARY KEY,
    commissions TEXT   NOT NULL,                  -- JSON array of ids
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    adopted_by  TEXT,
    adopted_at  BIGINT
) {clustered};

-- The end of each account's chain. A transaction that adds entries locks this row first.
CREATE TABLE ledger_heads (
    account_id   TEXT   NOT NULL PRIMARY KEY,
    entries      BIGINT NOT NULL,
    hash         TEXT   NOT NULL,
    closed_until BIGINT NOT NULL DEFAULT 0        -- no entry is posted before this moment: the months before are closed
) {clustered};

-- The months of the books that are closed, or proposed to be: one person proposes, another one closes.
CREATE TABLE closed_months (
    month       TEXT   NOT NULL PRIMARY KEY,      -- of the books, like 2026-11
    ends_at     BIGINT NOT NULL,                  -- the first moment after it
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    closed_by   TEXT,
    closed_at   BIGINT,
    entries     BIGINT,                           -- of all accounts, when it was closed
    head        TEXT                              -- SHA-256 over the heads of all accounts, when it was closed
) {clustered};

-- How far each account's chain was when a month was closed: behind it nothing is of that month.
CREATE TABLE closed_ends (
    month      TEXT   NOT NULL REFERENCES closed_months (month),
    account_id TEXT   NOT NULL,
    entries    BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    PRIMARY KEY (month, account_id)
) {clustered};
CREATE INDEX closed_ends_by_account ON closed_ends (account_id, month);

-- Digests of rows of money that are no entries (runs, payments, approvals, fees, invoices, files), chained per account
-- like the ledger, and only ever added to: what a row says is what was noted of it last.
CREATE TABLE money_notes (
    account_id TEXT   NOT NULL,                   -- empty: what belongs to no account
    note_no    BIGINT NOT NULL,                   -- counts the account's notes from 1, without a gap
    noted_at   BIGINT NOT NULL,
    table_name TEXT   NOT NULL,
    row_key    TEXT   NOT NULL,
    digest     TEXT   NOT NULL,                   -- SHA-256 over the row; empty: it was taken out
    hash       TEXT   NOT NULL,                   -- SHA-256 over the hash of the note before and all of the above
    PRIMARY KEY (account_id, note_no)
) {clustered};
CREATE INDEX money_notes_by_row ON money_notes (account_id, table_name, row_key, note_no);

CREATE TABLE money_note_heads (
    account_id TEXT   NOT NULL PRIMARY KEY,
    notes      BIGINT NOT NULL,
    hash       TEXT   NOT NULL
) {clustered};

-- Corrections of what was paid; negative amounts take money back. A fact of an order makes at most one.
CREATE TABLE adjustments (
    account_id        TEXT   NOT NULL,
    adjustment_id     TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    kind              TEXT   NOT NULL CHECK (kind IN ('refund', 'manual', 'returned', 'carried', 'written_off',
                                                             'volume')),
    amount_minor      BIGINT NOT NULL CHECK (amount_minor <> 0),
    currency          TEXT   NOT NULL,
    reason            TEXT   NOT NULL,
    commission_id     TEXT,
    external_order_id TEXT COLLATE "C",
    fact_key          TEXT,                       -- the refund or the cancel behind it
    paid_reference    TEXT,                       -- the payment or the run that paid the commission
    status            TEXT   NOT NULL CHECK (status IN ('PROPOSED', 'APPROVED', 'PAID', 'REJECTED')),
    created_by        TEXT   NOT NULL,
    created_at        BIGINT NOT NULL,
    decided_by        TEXT,
    decided_at        BIGINT,
    payout_id         TEXT,                       -- the run that took it along
    PRIMARY KEY (account_id, adjustment_id),
    UNIQUE (account_id, external_order_id, fact_key)
);
CREATE INDEX adjustments_approved ON adjustments (affiliate_id, currency, account_id, adjustment_id)
    WHERE status = 'APPROVED';
CREATE INDEX adjustments_open ON adjustments (affiliate_id, currency) WHERE status IN ('PROPOSED', 'APPROVED');
CREATE INDEX adjustments_of_volume ON adjustments (account_id, affiliate_id, fact_key) WHERE kind = 'volume';

-- The orders of campaigns whose rate rises by volume, as they count for it, and what they reached when their month was
-- last reckoned. They are read behind the change feed: the way of an order does not know of them.
CREATE TABLE volume_orders (
    account_id        TEXT   NOT NULL,
    conversion_id     TEXT   NOT NULL,
    campaign_id       TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    placed_at         BIGINT NOT NULL,
    standing          TEXT   NOT NULL CHECK (standing IN ('OPEN', 'COUNTED', 'LEFT_OUT')),
    currency          TEXT   NOT NULL,
    base_minor        BIGINT NOT NULL,            -- what is left of it after refunds, early or late
    left_over         BIGINT NOT NULL,            -- what is left of the commission, so that a change of it is seen
    place             BIGINT,                     -- among the affiliate's orders of the period; null: not reckoned
    tier_from         TEXT,                       -- null: below the first tier, or not reckoned
    type              TEXT   CHECK (type IN ('PERCENTAGE', 'FIXED')),
    value             TEXT,
    added_minor       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX volume_orders_by_time ON volume_orders (account_id, campaign_id, affiliate_id, placed_at);

-- How far the change feed of an account was read for its rates by volume; an account without any has no row.
CREATE TABLE volume_readings (
    account_id TEXT   NOT NULL PRIMARY KEY,
    number     BIGINT NOT NULL,
    record_id  TEXT   NOT NULL
) {clustered};

-- The months of which something changed since they were last reckoned.
CREATE TABLE volume_due (
    account_id   TEXT   NOT NULL,
    campaign_id  TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    month        TEXT   NOT NULL,                 -- of the books, like 2026-11
    PRIMARY KEY (account_id, campaign_id, affiliate_id, month)
) {clustered};
CREATE INDEX volume_due_by_month ON volume_due (month);

-- Who is paid for an affiliate, and where to: sealed (hub/sealing.py), but for how, the time and the two flags.
CREATE TABLE payees (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    sealed       TEXT   NOT NULL CHECK (length(sealed) > 0),
    method       TEXT   NOT NULL CHECK (method IN ('iban', 'ach', 'bacs', 'paypal', 'wise', 'stripe')),
    self_billed  BIGINT NOT NULL DEFAULT 0,       -- flag: a business that agreed to self-billing
    changed_at   BIGINT NOT NULL,
    waits        BIGINT NOT NULL                  -- flag: it replaced another payee, so runs wait for a time
) {clustered};

-- What affiliates say of themselves for tax reports, where the operator asks for it.
CREATE TABLE tax_details (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    sealed       TEXT   NOT NULL CHECK (length(sealed) > 0),
    changed_at   BIGINT NOT NULL
) {clustered};

-- What VIES said of VAT numbers, each time that it was asked. Nothing is ever changed.
CREATE TABLE vat_checks (
    check_id     TEXT   NOT NULL PRIMARY KEY,
    party_id     TEXT   NOT NULL,                 -- a merchant, or an affiliate
    subject      TEXT   NOT NULL,                 -- a merchant's number; of a payee, which is sealed, since when it is so
    outcome      TEXT   NOT NULL CHECK (outcome IN ('valid', 'invalid', 'unreached')),
    consultation TEXT   NOT NULL,                 -- the number by which VIES knows of the question; empty: it gave none
    fault        TEXT   NOT NULL,                 -- why there is no answer, or that of an error; empty: none
    asked_by     TEXT   NOT NULL,
    asked_at     BIGINT NOT NULL
) {clustered};
CREATE INDEX vat_checks_of ON vat_checks (party_id, subject, check_id);

-- What affiliates chose of how they are paid, beside their payee.
CREATE TABLE payout_terms (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    minimum      TEXT   NOT NULL,                 -- like 25 or EUR:25,JPY:3000; empty: the network's alone
    currencies   TEXT   NOT NULL,                 -- JSON array of the only ones that are paid; empty: all
    waits        BIGINT NOT NULL,                 -- flag: runs carry its balances on until it says otherwise
    paid_in      TEXT   NOT NULL DEFAULT '',      -- the currency that all is exchanged into; empty: what was earned
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL
) {clustered};

-- Affiliates that are not paid for the time being: their balances are carried on, and no file has them.
CREATE TABLE payment_holds (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    reason       TEXT   NOT NULL,
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL,
    ends_at      BIGINT,                          -- null: until it is ended
    by_status    BIGINT NOT NULL                  -- flag: set because the affiliate was turned off, and ends with that
) {clustered};

CREATE TABLE payouts (
    payout_id   TEXT   NOT NULL PRIMARY KEY,
    mode        TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    status      TEXT   NOT NULL CHECK (status IN ('GATHERING', 'DRAFT', 'RELEASING', 'RELEASED', 'SETTLED', 'CANCELLED')),
    cutoff_at   BIGINT NOT NULL,
    currency    TEXT,                             -- null: all currencies
    minimum     TEXT   NOT NULL,                  -- the least that was paid, like 25 or EUR:25,JPY:3000
    created_by  TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    released_by TEXT,
    released_at BIGINT
) {clustered};

-- The pay dates of the schedule whose run was drafted: each once, on however many nodes and whatever became of the run.
CREATE TABLE pay_dates (
    pay_date   TEXT   NOT NULL,                   -- of the books, like 2026-12-15
    currency   TEXT   NOT NULL,                   -- empty: all
    payout_id  TEXT,                              -- null: there was nothing to pay
    drafted_at BIGINT NOT NULL,
    PRIMARY KEY (pay_date, currency)
) {clustered};

-- What one person paid without a second one, for the sums of a day.
CREATE TABLE lone_payments (
    acted_at     BIGINT NOT NULL,
    actor_id     TEXT   NOT NULL,
    act          TEXT   NOT NULL,                 -- as in the trail: "payout.released"
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (acted_at, actor_id, act, affiliate_id, currency)
) {clustered};

-- The files that were written for banks, kept to the byte: written again, a file is the same, and pays nobody twice.
CREATE TABLE payout_files (
    file_id      TEXT   NOT NULL PRIMARY KEY,
    payout_id    TEXT   NOT NULL REFERENCES payouts (payout_id),
    format       TEXT   NOT NULL,                 -- a word of PayoutFormat (hub/domain/words.py), which only the hub writes
    message_id   TEXT   NOT NULL UNIQUE,          -- what the bank's answer names
    sha256       TEXT   NOT NULL,                 -- of the bytes, in hexadecimal digits
    sealed       TEXT   NOT NULL,                 -- the bytes, compressed and sealed: they have account numbers
    payments     BIGINT NOT NULL,
    written_by   TEXT   NOT NULL,
    written_at   BIGINT NOT NULL,
    withdrawn_by TEXT,                            -- it was never sent, so that its payments may be in another
    withdrawn_at BIGINT
) {clustered};
CREATE INDEX payout_files_by_run ON payout_files (payout_id, file_id);
CREATE INDEX payout_files_by_day ON payout_files (format, written_at);

-- What a file pays, as it was written.
CREATE TABLE payout_file_payments (
    file_id      TEXT   NOT NULL REFERENCES payout_files (file_id),
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (file_id, affiliate_id, currency)
) {clustered};

-- What a run pays an affiliate in one currency: a payment.
CREATE TABLE payout_items (
    payout_id         TEXT   NOT NULL REFERENCES payouts (payout_id),
    affiliate_id      TEXT   NOT NULL,
    currency          TEXT   NOT NULL,
    amount_minor      BIGINT NOT NULL,
    commissions       BIGINT NOT NULL,
    adjustments       BIGINT NOT NULL,
    adjustments_minor BIGINT NOT NULL,            -- the part of the amount that corrections are
    status            TEXT   NOT NULL CHECK (status IN ('OPEN', 'CARRIED', 'RELEASED', 'SETTLED', 'RETURNED')),
    carried           TEXT,                       -- why it is carried on
    reference         TEXT,
    returned          TEXT,                       -- why the payment came back
    settled_at        BIGINT,
    file_id           TEXT REFERENCES payout_files (file_id),  -- the one file that it is in
    question          TEXT,                       -- a later word of the bank that contradicts what is known
    invoiced          BIGINT NOT NULL DEFAULT 0,  -- flag: all that it pays is on self-billed invoices, its own or earlier
    PRIMARY KEY (payout_id, affiliate_id, currency)
) {clustered};

-- What banks say, file by file as it was sent in: of a run's payments, or of what came into an account.
CREATE TABLE bank_reports (
    report_id  TEXT   NOT NULL PRIMARY KEY,
    kind       TEXT   NOT NULL CHECK (kind IN ('results', 'statement')),
    payout_id  TEXT REFERENCES payouts (payout_id),           -- null for a statement
    file_id    TEXT REFERENCES payout_files (file_id),        -- only what this file pays; null: all of the run
    reference  TEXT   NOT NULL,                   -- what payments arrive under that the bank gives none; empty for a statement
    file_name  TEXT   NOT NULL,                   -- as whoever sent it calls it
    sha256     TEXT   NOT NULL,                   -- of the bytes, in hexadecimal digits
    file_bytes BIGINT NOT NULL,
    sent_by    TEXT   NOT NULL,
    actor_kind TEXT   NOT NULL CHECK (actor_kind IN ('user', 'system')),  -- who sent it, and acts by it
    source     TEXT   NOT NULL CHECK (source IN ('cli', 'page', 'api')),
    sent_at    BIGINT NOT NULL
) {clustered};
CREATE INDEX bank_reports_by_run ON bank_reports (payout_id, report_id);
CREATE INDEX bank_reports_by_content ON bank_reports (sha256);

-- The bytes of banks' reports, compressed and sealed: they have account numbers.
CREATE TABLE bank_report_contents (
    report_id TEXT NOT NULL PRIMARY KEY REFERENCES bank_reports (report_id),
    sealed    TEXT NOT NULL
) {clustered};

-- How far banks' reports are read. It advances in the transactions that note what they say.
CREATE TABLE bank_report_progress (
    report_id   TEXT   NOT NULL PRIMARY KEY REFERENCES bank_reports (report_id),
    status      TEXT   NOT NULL CHECK (status IN ('WAITING', 'CHECKING', 'NOTING', 'DONE', 'REFUSED')),
    row_count   BIGINT NOT NULL,                  -- lines of the report; 0 until it is checked
    done        BIGINT NOT NULL,                  -- lines whose verdict is noted
    counts      TEXT   NOT NULL,                  -- JSON: how many lines have each verdict
    fault       TEXT   NOT NULL,                  -- why it was refused
    owner       TEXT   NOT NULL,                  -- the process that reads it, empty for none
    lease_until BIGINT NOT NULL,
    finished_at BIGINT
) {clustered};
CREATE INDEX bank_reports_open ON bank_report_progress (report_id) WHERE status IN ('WAITING', 'CHECKING', 'NOTING');

-- What became of the lines of banks' reports, some lines in a row.
CREATE TABLE bank_report_verdicts (
    report_id TEXT   NOT NULL REFERENCES bank_reports (report_id),
    first_row BIGINT NOT NULL,                    -- so many lines were noted before
    sealed    TEXT   NOT NULL,                    -- JSON, compressed and sealed
    PRIMARY KEY (report_id, first_row)
) {clustered};

-- Rates of exchange: one person proposes a set of them, and each is in force once another one approved it, until a newer
-- rate of its two currencies is.
CREATE TABLE exchange_rates (
    set_id      TEXT   NOT NULL,
    base        TEXT   NOT NULL,
    quote       TEXT   NOT NULL,
    rate        TEXT   NOT NULL,                  -- so many major units of quote for one of base
    source      TEXT   NOT NULL,                  -- where it is from
    status      TEXT   NOT NULL CHECK (status IN ('PROPOSED', 'APPROVED', 'DROPPED')),
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    decided_by  TEXT,
    decided_at  BIGINT,
    PRIMARY KEY (set_id, base, quote)
) {clustered};
CREATE INDEX exchange_rates_in_force ON exchange_rates (base, quote, decided_at) WHERE status = 'APPROVED';

-- The payments that are sent in another currency than was earned, by the rate that was in force when the run was made.
-- Everything else of a payment, its file as well, is by the currency that was earned.
CREATE TABLE payout_exchanges (
    payout_id     TEXT   NOT NULL,
    affiliate_id  TEXT   NOT NULL,
    currency      TEXT   NOT NULL,                -- what was earned
    sent_currency TEXT   NOT NULL,
    sent_minor    BIGINT NOT NULL,                -- of the payment's amount, rounded once
    rate          TEXT   NOT NULL,
    set_id        TEXT   NOT NULL,                -- the set of rates that it is of
    PRIMARY KEY (payout_id, affiliate_id, currency),
    FOREIGN KEY (payout_id, affiliate_id, currency) REFERENCES payout_items (payout_id, affiliate_id, currency)
) {clustered};

-- The commissions and corrections of a run. Each can be in one run only, unless that run dropped it. A run gathers and
-- pays its lines by affiliate, so its keys go on where it is: only `payout_lines_once` is written here and there.
CREATE TABLE payout_lines (
    account_id   TEXT   NOT NULL,
    payout_id    TEXT   NOT NULL,
    line_id      TEXT   NOT NULL,                 -- the id of the commission or adjustment
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('RESERVED', 'PAID', 'DROPPED')),
    PRIMARY KEY (account_id, payout_id, affiliate_id, currency, line_id)
) {clustered};
CREATE UNIQUE INDEX payout_lines_once ON payout_lines (account_id, line_id) WHERE status <> 'DROPPED';
CREATE INDEX payout_lines_by_run ON payout_lines (payout_id, affiliate_id, currency, account_id, line_id);
CREATE INDEX payout_lines_reserved ON payout_lines (payout_id, affiliate_id, currency, account_id, line_id)
    WHERE status = 'RESERVED';

-- What a run may pay that no other has reserved: payable commissions of approved merchants, and approved corrections.
-- Each is in the order of an index, so that runs and previews read it by pages.
CREATE VIEW payable_commissions AS
SELECT m.account_id, m.commission_id AS line_id, m.affiliate_id, m.currency, m.amount_minor, 1 AS is_commission,
       COALESCE(m.payable_at, m.created_at) AS payable_at, a.mode, a.merchant_id
FROM commissions AS m
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE m.state = 'PAYABLE' AND (a.mode = 'test' OR s.status = 'APPROVED')
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = m.account_id AND l.line_id = m.commission_id AND l.status <> 'DROPPED');

CREATE VIEW payable_corrections AS
SELECT d.account_id, d.adjustment_id AS line_id, d.affiliate_id, d.currency, d.amount_minor, 0 AS is_commission,
       d.decided_at AS payable_at, a.mode, a.merchant_id
FROM adjustments AS d
JOIN accounts AS a ON a.account_id = d.account_id
WHERE d.status = 'APPROVED'
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = d.account_id AND l.line_id = d.adjustment_id AND l.status <> 'DROPPED');

CREATE VIEW payable_lines AS
SELECT account_id, line_id, affiliate_id, currency, amount_minor, is_commission, payable_at, mode, merchant_id
FROM payable_commissions
UNION ALL
SELECT account_id, line_id, affiliate_id, currency, amount_minor, is_commission, payable_at, mode, merchant_id
FROM payable_corrections;

-- What a payment pays that no earlier self-billed invoice has: a supply is invoiced once, so what comes back to the
-- balance with a payment that was returned is not invoiced again if that payment was.
CREATE VIEW supplies_of_items AS
SELECT i.payout_id, i.affiliate_id, i.currency, i.status, i.invoiced,
       i.amount_minor - COALESCE((
           SELECT CAST(SUM(l.amount_minor) AS BIGINT)
           FROM payout_lines AS l
           JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id
           JOIN payout_items AS o
               ON o.payout_id = d.paid_reference AND o.affiliate_id = d.affiliate_id AND o.currency = d.currency
           WHERE l.payout_id = i.payout_id AND l.affiliate_id = i.affiliate_id AND l.currency = i.currency
             AND l.status = 'PAID' AND d.kind = 'returned' AND o.invoiced = 1), 0) AS supplies_minor
FROM payout_items AS i;

-- Self-billed invoices of affiliates that are businesses: their supplies, each once. Numbered without a gap, in the
-- transaction that releases the item; the payee is kept as it was then, sealed. A negative amount is a credit note.
CREATE TABLE invoices (
    invoice_no   BIGINT NOT NULL PRIMARY KEY,
    payout_id    TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    corrects     TEXT,                            -- the numbers of invoices that refunds in it take back from, like 1,4
    issuer_id    TEXT   NOT NULL,                 -- the company that it is to; empty: that of the settings
    series_no    BIGINT NOT NULL,                 -- its number among those to that company, which is what it says
    corrected    TEXT,                            -- what it corrects as those invoices say their numbers, like 1,AT-3
    billed_to    TEXT   NOT NULL,                 -- JSON: the company as it was then, in lines and in parts
    sealed_payee TEXT   NOT NULL,
    issued_at    BIGINT NOT NULL,
    UNIQUE (payout_id, affiliate_id, currency),
    UNIQUE (issuer_id, series_no),
    FOREIGN KEY (payout_id, affiliate_id, currency) REFERENCES payout_items (payout_id, affiliate_id, currency)
) {clustered};

-- The network's fee in percent of what affiliates are paid, since when, and who said so.
CREATE TABLE merchant_fees (
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    valid_from  BIGINT NOT NULL,
    percentage  TEXT   NOT NULL,
    set_by      TEXT   NOT NULL,
    PRIMARY KEY (merchant_id, valid_from)
) {clustered};

-- How the network keeps its books: one row, or none for months in UTC.
CREATE TABLE books (
    books_id   BIGINT NOT NULL PRIMARY KEY CHECK (books_id = 1),
    time_zone  TEXT   NOT NULL,                   -- an IANA name, like Europe/Berlin
    billed     TEXT   NOT NULL DEFAULT 'paid' CHECK (billed IN ('paid', 'payable')),  -- when merchants are billed
    changed_by TEXT   NOT NULL,
    changed_at BIGINT NOT NULL
) {clustered};

-- The legal entities that bill merchants, beside the one of the settings, which has no row and the empty id.
CREATE TABLE issuers (
    issuer_id  TEXT   NOT NULL PRIMARY KEY,       -- a code like at: its invoices are AT-1, AT-2 ...
    name       TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    country    TEXT   NOT NULL,                   -- ISO 3166, two letters
    vat_number TEXT   NOT NULL,                   -- empty: it has none
    vat_rate   TEXT   NOT NULL,                   -- of its own country, in percent
    pay_to     TEXT   NOT NULL,
    iban       TEXT   NOT NULL,                   -- the account whose statements pay its invoices alone; empty: not known
    set_by     TEXT   NOT NULL,
    set_at     BIGINT NOT NULL
) {clustered};

-- Which of them bills a merchant from its next invoice on; a merchant without a row is billed by that of the settings.
CREATE TABLE merchant_issuers (
    merchant_id TEXT   NOT NULL PRIMARY KEY REFERENCES merchants (merchant_id),
    issuer_id   TEXT   NOT NULL,                  -- empty: that of the settings again
    set_by      TEXT   NOT NULL,
    set_at      BIGINT NOT NULL
) {clustered};

-- To which of them an affiliate's self-billed invoices are from the next one on; without a row, to that of the settings.
CREATE TABLE affiliate_issuers (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    issuer_id    TEXT   NOT NULL,                 -- empty: that of the settings again
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL
) {clustered};

-- A month of an account in one currency, numbered without a gap over all merchants, and so within each issuer.
CREATE TABLE merchant_invoices (
    invoice_no        BIGINT NOT NULL PRIMARY KEY,
    issuer_id         TEXT   NOT NULL,            -- empty: that of the settings
    series_no         BIGINT NOT NULL,            -- its number among its issuer's, which is what it says
    account_id        TEXT   NOT NULL REFERENCES accounts (account_id),
    month             TEXT   NOT NULL,            -- like 2026-11, a month of the books
    time_zone         TEXT   NOT NULL,            -- in which it is one
    currency          TEXT   NOT NULL,
    commissions_minor BIGINT NOT NULL,
    payments          BIGINT NOT NULL,
    corrections_minor BIGINT NOT NULL,
    fee_minor         BIGINT NOT NULL,
    deposit_minor     BIGINT NOT NULL,            -- negative: what the deposit has paid of it
    vat_kind          TEXT   NOT NULL CHECK (vat_kind IN ('none', 'domestic', 'reverse_charge', 'outside')),
    vat_rate          TEXT   NOT NULL,            -- in percent
    vat_minor         BIGINT NOT NULL,            -- on commissions, corrections and fee; beside what the deposit paid
    corrects          TEXT,                       -- the numbers of invoices that corrections in it take back from, like 1,4
    corrected         TEXT,                       -- the same as those invoices say them, like 1,AT-3
    issuer            TEXT   NOT NULL,            -- JSON: the network as it was then, in lines and in parts
    pay_to            TEXT   NOT NULL,
    due_at            BIGINT NOT NULL,
    billed_to         TEXT   NOT NULL,            -- JSON: the merchant as it was then, in lines and in parts
    issued_by         TEXT   NOT NULL,
    issued_at         BIGINT NOT NULL,
    UNIQUE (account_id, month, currency),
    UNIQUE (issuer_id, series_no)
) {clustered};

-- What merchants paid of their invoices: movements that a bank's statement reported, each once however often it is read,
-- and what people noted. One that a person has to look at is OPEN.
CREATE TABLE receipts (
    receipt_id   TEXT   NOT NULL PRIMARY KEY,
    movement     TEXT   NOT NULL UNIQUE,          -- what tells the bank's movement from all others, or who noted it by hand
    source       TEXT   NOT NULL CHECK (source IN ('statement', 'by_hand', 'set_off')),
    booked_on    TEXT   NOT NULL,                 -- the bank's day, like 2026-11-30
    amount_minor BIGINT NOT NULL,                 -- negative: paid back to the merchant; 0 for a set-off
    currency     TEXT   NOT NULL,
    payer        TEXT   NOT NULL,
    remittance   TEXT   NOT NULL,                 -- what the payer wrote
    status       TEXT   NOT NULL CHECK (status IN ('OPEN', 'MATCHED', 'CLOSED')),
    question     TEXT,                            -- a word of ReceiptQuestion (hub/domain/words.py): why it is OPEN
    decision     TEXT,                            -- why a person closed it
    noted_by     TEXT   NOT NULL,
    noted_at     BIGINT NOT NULL
) {clustered};
CREATE INDEX receipts_by_status ON receipts (status, receipt_id);

-- Which invoices a receipt pays, and how much of each; of a set-off, negative for the credit note that is used up.
CREATE TABLE invoice_payments (
    invoice_no   BIGINT NOT NULL REFERENCES merchant_invoices (invoice_no),
    receipt_id   TEXT   NOT NULL REFERENCES receipts (receipt_id),
    amount_minor BIGINT NOT NULL CHECK (amount_minor <> 0),
    PRIMARY KEY (invoice_no, receipt_id)
) {clustered};
CREATE INDEX invoice_payments_by_receipt ON invoice_payments (receipt_id, invoice_no);

-- The reminders of overdue invoices, by their level: each once, on however many nodes.
CREATE TABLE invoice_reminders (
    invoice_no  BIGINT NOT NULL REFERENCES merchant_invoices (invoice_no),
    level       BIGINT NOT NULL,                  -- counts the settings' moments from 1
    left_minor  BIGINT NOT NULL,                  -- what was left to pay then
    reminded_at BIGINT NOT NULL,
    PRIMARY KEY (invoice_no, level)
) {clustered};

-- The reminders of what affiliates owe, each level once; a debt is known by when its oldest part began.
CREATE TABLE debt_reminders (
    affiliate_id TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    currency     TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    level        BIGINT NOT NULL,                 -- counts the settings' moments from 1
    owed_minor   BIGINT NOT NULL,                 -- what was owed then
    reminded_at  BIGINT NOT NULL,
    PRIMARY KEY (affiliate_id, currency, since, level)
) {clustered};

-- What an invoice is about, and what was paid of it until which day.
CREATE VIEW invoice_standings AS
SELECT n.invoice_no, n.issuer_id, n.series_no, n.account_id, n.month, n.currency, n.due_at, n.billed_to,
       n.commissions_minor + n.corrections_minor + n.fee_minor + n.deposit_minor + n.vat_minor AS total_minor,
       COALESCE((SELECT CAST(SUM(p.amount_minor) AS BIGINT) FROM invoice_payments AS p
                 WHERE p.invoice_no = n.invoice_no), 0) AS paid_minor,
       (SELECT MAX(r.booked_on) FROM invoice_payments AS p JOIN receipts AS r ON r.receipt_id = p.receipt_id
        WHERE p.invoice_no = n.invoice_no) AS paid_on
FROM merchant_invoices AS n;

-- What is left of a merchant's deposit: what was paid in, less what was taken out and what covers commissions. If the
-- merchant's setting says so, commissions only become payable while it covers them.
CREATE TABLE deposits (
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    currency      TEXT   NOT NULL,
    balance_minor BIGINT NOT NULL CHECK (balance_minor >= 0),
    -- When it was last reported that the deposit is too small, so that each shortage is reported once; null: not since
    -- the last payment into it.
    shortage_at   BIGINT,
    PRIMARY KEY (account_id, currency)
) {clustered};

CREATE TABLE deposit_payments (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    reference    TEXT   NOT NULL,                 -- the payment's own: it counts once
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,                 -- negative: taken out
    made_by      TEXT   NOT NULL,
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (account_id, reference)
) {clustered};

-- The commissions that a deposit covers, and with how much.
CREATE TABLE deposit_covers (
    account_id    TEXT   NOT NULL,
    commission_id TEXT   NOT NULL,
    currency      TEXT   NOT NULL,
    amount_minor  BIGINT NOT NULL,
    PRIMARY KEY (account_id, commission_id)
) {clustered};

-- What merchants owe, entry by entry, at the moment of supply: commissions when they are paid, less what the deposit
-- covers them with, or, if the books say so, when they become payable, and back when they no longer are, with what the
-- deposit covers as entries of their own; corrections when they are approved, and the fee with each payment and each
-- correction. This is its only definition.
CREATE VIEW owed_entries AS
SELECT e.account_id, e.entry_no, e.posted_at, e.currency, e.affiliate_id, e.commission_id, e.adjustment_id,
       e.external_order_id, e.cause,
       CASE e.kind WHEN 'adjusted' THEN 'correction' WHEN 'fee' THEN 'fee' WHEN 'covered' THEN 'cover'
                   WHEN 'uncovered' THEN 'cover' ELSE 'commission' END AS what,
       CASE WHEN e.kind IN ('covered', 'uncovered') THEN 0
            WHEN e.credit = 'merchant' OR (e.debit = 'payable' AND e.kind <> 'paid') THEN -e.amount_minor
            ELSE e.amount_minor END AS minor,
       CASE e.kind WHEN 'paid' THEN COALESCE(-c.amount_minor, 0) WHEN 'covered' THEN -e.amount_minor
                   WHEN 'uncovered' THEN e.amount_minor ELSE 0 END AS deposit_minor
FROM ledger_entries AS e
LEFT JOIN deposit_covers AS c ON c.account_id = e.account_id AND c.commission_id = e.commission_id
WHERE (e.kind = 'paid' OR e.kind = 'adjusted' OR e.kind = 'fee' OR e.kind = 'covered' OR e.kind = 'uncovered'
       OR e.debit = 'payable' OR e.credit = 'payable')
  AND CASE COALESCE((SELECT b.billed FROM books AS b), 'paid')
      WHEN 'payable' THEN e.kind <> 'paid'
      ELSE e.kind IN ('adjusted', 'fee') OR (e.kind = 'paid' AND e.debit = 'payable') END;

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
    link_parameters TEXT,                         -- JSON [[name, value]] of the links into the shop; null: none
    source        TEXT,                           -- the site that deliveries come from, as the platform names it; null:
                                                  -- none has named one yet
    consent_fault TEXT,                           -- why keys that the store posted did not work; null: none since
    consent_fault_at BIGINT,                      -- the last ones that did
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

-- What a connection's platform is asked with; no row: the connection only listens.
CREATE TABLE platform_access (
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    connection_id TEXT   NOT NULL,
    sealed        TEXT   NOT NULL,                -- a JSON object of all credentials, see hub/sealing.py
    shown         TEXT   NOT NULL,                -- a JSON object of those that are no secret
    certain_at    BIGINT NOT NULL,                -- everything modified before was taken in; 0: nothing yet
    next_at       BIGINT NOT NULL,                -- when the next reconciliation begins
    checked_at    BIGINT NOT NULL,                -- when the platform last took the credentials
    fault         TEXT,                           -- why it does not any more, a sentence
    fault_code    TEXT,
    fault_at      BIGINT,
    hooks         TEXT   NOT NULL,                -- a JSON array: the webhooks when they were last looked at
    hooks_at      BIGINT,
    created_at    BIGINT NOT NULL,
    last_look     TEXT   NOT NULL DEFAULT 'ask' CHECK (last_look IN ('ask', 'off')), -- before a hold ends
    renewing_until BIGINT NOT NULL DEFAULT 0,     -- until when a process renews the token; 0: none does
    PRIMARY KEY (account_id, connection_id),
    CHECK ((fault IS NULL) = (fault_at IS NULL))
) {clustered};
CREATE INDEX platform_access_due ON platform_access (next_at);

-- One reading of a platform's orders or products, page by page.
CREATE TABLE platform_reads (
    account_id    TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    read_id       TEXT   NOT NULL,
    kind          TEXT   NOT NULL CHECK (kind IN ('RECONCILIATION', 'BACKFILL', 'CATALOGUE')),
    status        TEXT   NOT NULL CHECK (status IN ('WAITING', 'DONE', 'FAILED')),
    since         BIGINT NOT NULL,                -- what was modified from then on (ms UTC)
    place         TEXT   NOT NULL,                -- a JSON object: where the reading goes on
    pages         BIGINT NOT NULL,
    items         BIGINT NOT NULL,                -- how many were taken in
    unknown       BIGINT NOT NULL,                -- how many of them the hub did not know
    attempts      BIGINT NOT NULL,                -- how often it broke off without a page
    fault         TEXT,                           -- why it broke off last, a sentence
    due_at        BIGINT,                         -- null: it is not to go on
    lease_until   BIGINT NOT NULL,                -- until then one process alone reads
    created_at    BIGINT NOT NULL,
    finished_at   BIGINT,
    PRIMARY KEY (account_id, connection_id, read_id),
    CHECK ((status = 'WAITING') = (due_at IS NOT NULL))
) {clustered};
CREATE INDEX platform_reads_due ON platform_reads (due_at) WHERE due_at IS NOT NULL;

-- Orders and products that a delivery only named, which are to be fetched; one row for however many deliveries.
CREATE TABLE platform_fetches (
    account_id    TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    kind          TEXT   NOT NULL CHECK (kind IN ('order', 'product')),
    item_id       TEXT   NOT NULL,
    wanted        BIGINT NOT NULL,                -- how many deliveries have named it since it was last fetched
    attempts      BIGINT NOT NULL,
    fault         TEXT,
    due_at        BIGINT,                         -- null: given up
    lease_until   BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, connection_id, kind, item_id)
) {clustered};
CREATE INDEX platform_fetches_due ON platform_fetches (due_at) WHERE due_at IS NOT NULL;

-- Orders that are looked for on their platform before their hold ends.
CREATE TABLE order_looks (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    due_at        BIGINT,                         -- null: it was looked for
    asked_at      BIGINT,                         -- when it last was; null: never
    event_id      TEXT,                           -- what the answer was taken in as; null: it cannot be asked for
    attempts      BIGINT NOT NULL,
    fault         TEXT,
    failing_since BIGINT,                         -- since when nothing was answered; null: it was
    lease_until   BIGINT NOT NULL,
    holds_back    BIGINT,                         -- 1: its commission waits for the look
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX order_looks_due ON order_looks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX order_looks_holding_back ON order_looks (account_id, conversion_id) WHERE holds_back IS NOT NULL;
CREATE INDEX order_looks_by_connection ON order_looks (account_id, connection_id, asked_at);

-- The operator's own app on a platform, by which stores are connected in one step.
CREATE TABLE platform_apps (
    connector  TEXT   NOT NULL PRIMARY KEY,
    client_id  TEXT   NOT NULL,
    sealed     TEXT   NOT NULL,                   -- the client secret
    changed_at BIGINT NOT NULL
) {clustered};

-- Consents that were begun on a platform's page and have not come back.
CREATE TABLE platform_consents (
    state_digest  TEXT   NOT NULL PRIMARY KEY,
    connection_id TEXT   NOT NULL,
    user_id       TEXT   NOT NULL,
    values_given  TEXT   NOT NULL,                -- a JSON object: the credentials that were typed, none of them secret
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
) {clustered};

CREATE TABLE mails (
    mail_id     TEXT   NOT NULL PRIMARY KEY,
    user_id     TEXT   REFERENCES users (user_id),  -- whom it is about; null: nobody who has an account
    recipient   TEXT   NOT NULL,
    template    TEXT   NOT NULL,
    parameters  TEXT   NOT NULL,                  -- JSON of what it says beside the link; no secrets
    sealed_link TEXT,                             -- the link, sealed under the master key; null once it is sent
    expires_at  BIGINT,                           -- when the link ends
    status      TEXT   NOT NULL CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP')),
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    due_at      BIGINT,                           -- when it is to be tried; null: never again
    finished_at BIGINT,
    fault       TEXT                              -- why the last attempt failed
) {clustered};
CREATE INDEX mails_by_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_by_end ON mails (finished_at) WHERE finished_at IS NOT NULL;

-- Who is told of changes outside. A subscription is a merchant's, in one account, or an affiliate's over all accounts.
CREATE TABLE subscriptions (
    subscription_id TEXT   NOT NULL PRIMARY KEY,
    account_id      TEXT   REFERENCES accounts (account_id),
    affiliate_id    TEXT   REFERENCES affiliates (affiliate_id),
    mode            TEXT   CHECK (mode IN ('test', 'live')),  -- the accounts that an affiliate's hears of; else null
    kind            TEXT   NOT NULL CHECK (kind IN ('WEBHOOK', 'POSTBACK')),
    url             TEXT   NOT NULL,              -- of a postback, a template
    description     TEXT,                         -- what its owner says that it is for
    patterns        TEXT   NOT NULL,              -- JSON array, as they were typed
    event_types     TEXT   NOT NULL,              -- those that the patterns match: ',commission.held,commission.paid,'
    payload_version TEXT   NOT NULL,              -- in which its messages are sent, see hub/domain/messages/payload_versions.py
    secrets         TEXT   NOT NULL,              -- JSON [{sealed, expiresAt}], the newest last, see hub/sealing.py
    status          TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'DELETED')),
    reason          TEXT,                         -- why it is paused
    failures        BIGINT NOT NULL,              -- in a row
    failing_since   BIGINT,
    next_at         BIGINT NOT NULL,              -- nothing is sent before
    lease_until     BIGINT NOT NULL,              -- until then one process alone sends
    created_at      BIGINT NOT NULL,
    CHECK ((account_id IS NULL) <> (affiliate_id IS NULL)),
    CHECK ((affiliate_id IS NULL) = (mode IS NULL))
) {clustered};
CREATE INDEX subscriptions_by_account ON subscriptions (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX subscriptions_by_affiliate ON subscriptions (affiliate_id) WHERE affiliate_id IS NOT NULL;

-- What is to be delivered: one row for each message and subscription.
CREATE TABLE webhook_deliveries (
    account_id      TEXT   NOT NULL,              -- where it happened
    subscription_id TEXT   NOT NULL,
    subject         TEXT   NOT NULL,              -- the conversion; messages of one subject are sent in their order
    number          BIGINT NOT NULL,
    message_id      TEXT   NOT NULL,
    event_type      TEXT   NOT NULL,
    data            TEXT   NOT NULL,              -- JSON, as things stood then
    payload_version TEXT   NOT NULL,              -- in which it is written: the newest of then
    status          TEXT   NOT NULL CHECK (status IN ('WAITING', 'DELIVERED', 'GIVEN_UP')),
    attempts        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT,                       -- null: it is not to be sent any more
    finished_at     BIGINT,
    answer_status   BIGINT,                       -- of the last attempt
    answer          TEXT,                         -- the beginning of its body
    fault           TEXT,
    PRIMARY KEY (account_id, subscription_id, subject, number)
) {clustered};
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_message ON webhook_deliveries (subscription_id, message_id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- The attempts of messages that are not the last one, which stands with the message: those that failed, and the last one
-- of a message that was sent again. A message that arrives at once has none.
CREATE TABLE webhook_attempts (
    account_id      TEXT   NOT NULL,              -- where it happened
    subscription_id TEXT   NOT NULL,
    message_id      TEXT   NOT NULL,
    ended_at        BIGINT NOT NULL,              -- when the answer was there, or was waited for no longer
    answer_status   BIGINT,                       -- null: there was no answer
    answer          TEXT,                         -- the beginning of its body
    fault           TEXT,                         -- null: the message arrived
    PRIMARY KEY (account_id, subscription_id, message_id, ended_at)
) {clustered};
CREATE INDEX webhook_attempts_by_age ON webhook_attempts (ended_at);

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
