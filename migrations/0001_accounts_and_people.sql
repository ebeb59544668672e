-- Merchants, affiliates and their accounts; the people who sign in and what they may do; the trail of what anybody did.
--
-- These files are the hub's schema, one for each subject. One file serves both databases; what PostgreSQL alone needs
-- is in a second file that ends in `.postgresql.sql`. hub/storage/migrations/files.py says how SQLite reads a file:
-- {clustered} becomes WITHOUT ROWID, for example. schema.sql shows the outcome of all of them.
--
-- Times are milliseconds UTC, amounts are minor units of the currency beside them, JSON is text, a flag is 0 or 1.
--
-- A table is shared, or its rows belong to accounts. The shared ones are small and route a key, a code or a coupon to
-- its owner. In every other table the primary, unique and foreign keys begin with account_id, so that the rows of an
-- account can be kept together on one machine; tests/storage/test_schema.py checks that.


-- Merchants and their accounts ---------------------------------------------------------------------------------------

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


-- Affiliates ---------------------------------------------------------------------------------------------------------

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


-- People -------------------------------------------------------------------------------------------------------------

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


-- Signing in ---------------------------------------------------------------------------------------------------------

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


-- Tokens of the operators' and the affiliates' own APIs --------------------------------------------------------------

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


-- The trail ----------------------------------------------------------------------------------------------------------

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
