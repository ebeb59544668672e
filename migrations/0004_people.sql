-- The people who sign in, what they may see, and the trail of what anybody did.

CREATE TABLE users (
    user_id       TEXT   NOT NULL PRIMARY KEY,
    email         TEXT   NOT NULL,                -- as it was typed
    email_key     TEXT   NOT NULL UNIQUE,         -- the same in one case, by which it is found
    name          TEXT   NOT NULL,
    status        TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'DISABLED')),
    password_hash TEXT,                           -- argon2id; null: signs in by links only
    link_asked_at BIGINT,                         -- when the person last asked for a sign-in link
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

CREATE TABLE sessions (
    token_hash   TEXT   NOT NULL PRIMARY KEY,     -- SHA-256 of the cookie, which is stored nowhere
    session_id   TEXT   NOT NULL UNIQUE,
    user_id      TEXT   NOT NULL REFERENCES users (user_id),
    created_at   BIGINT NOT NULL,
    seen_at      BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,                 -- when its person last proved who they are
    expires_at   BIGINT NOT NULL,
    user_agent   TEXT   NOT NULL,
    address      TEXT   NOT NULL
) {clustered};
CREATE INDEX sessions_by_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE login_links (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (user_id),
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
) {clustered};
CREATE INDEX login_links_by_user ON login_links (user_id);
CREATE INDEX login_links_by_end ON login_links (expires_at);

-- What failed to sign in: an address, or the digest of an e-mail address, known or not.
CREATE TABLE sign_in_failures (
    origin    TEXT   NOT NULL PRIMARY KEY,
    failures  BIGINT NOT NULL,
    failed_at BIGINT NOT NULL
) {clustered};
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (failed_at);

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
