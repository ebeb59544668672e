-- More ways in: invitations and registrations, authenticator apps, recovery codes, passkeys; and a person's own settings.

-- Where a link leads: a sign-in, a new password, or the first sign-in of somebody who was invited.
ALTER TABLE login_links ADD COLUMN purpose TEXT NOT NULL DEFAULT 'sign-in'
    CHECK (purpose IN ('sign-in', 'recovery', 'invitation'));

ALTER TABLE users ADD COLUMN totp_secret TEXT;     -- of the authenticator app, sealed under the master key; null: none
ALTER TABLE users ADD COLUMN totp_counter BIGINT;  -- the last step that was used: no code works twice
ALTER TABLE users ADD COLUMN totp_since BIGINT;
ALTER TABLE users ADD COLUMN time_zone TEXT;       -- as in the IANA database; null: not known, so UTC
ALTER TABLE users ADD COLUMN zone_guessed BIGINT NOT NULL DEFAULT 0 CHECK (zone_guessed IN (0, 1));
ALTER TABLE users ADD COLUMN theme TEXT CHECK (theme IN ('light', 'dark'));  -- null: as the device says
ALTER TABLE users ADD COLUMN dense BIGINT NOT NULL DEFAULT 0 CHECK (dense IN (0, 1));

-- Whether a session began with, or has proved since, more than a password or a link.
ALTER TABLE sessions ADD COLUMN strong BIGINT NOT NULL DEFAULT 0 CHECK (strong IN (0, 1));

CREATE TABLE recovery_codes (
    user_id   TEXT   NOT NULL REFERENCES users (user_id),
    code_hash TEXT   NOT NULL,                     -- SHA-256 of a random code
    used_at   BIGINT,
    PRIMARY KEY (user_id, code_hash)
) {clustered};

CREATE TABLE passkeys (
    credential_id TEXT   NOT NULL PRIMARY KEY,     -- base64url, as browsers name it
    user_id       TEXT   NOT NULL REFERENCES users (user_id),
    public_key    TEXT   NOT NULL,                 -- COSE, base64url
    sign_count    BIGINT NOT NULL,
    name          TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    used_at       BIGINT
) {clustered};
CREATE INDEX passkeys_by_user ON passkeys (user_id, created_at);

-- What a browser has begun: a sign-in that waits for its second factor, or a challenge that a passkey has to answer.
CREATE TABLE sign_in_steps (
    token_hash TEXT   NOT NULL,                    -- SHA-256 of the browser's cookie
    kind       TEXT   NOT NULL CHECK (kind IN ('second-factor', 'passkey', 'new-passkey', 'new-app')),
    user_id    TEXT   REFERENCES users (user_id),  -- null: a passkey will say who it is
    value      TEXT   NOT NULL,                    -- the challenge, the sealed secret, or how the sign-in began
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (token_hash, kind)
) {clustered};
CREATE INDEX sign_in_steps_by_end ON sign_in_steps (expires_at);

-- Merchants and affiliates who register: by an invitation, or themselves, before they have proved their address.
CREATE TABLE registrations (
    token_hash TEXT   NOT NULL PRIMARY KEY,        -- SHA-256 of the link's token
    email      TEXT   NOT NULL,
    kind       TEXT   NOT NULL CHECK (kind IN ('merchant', 'affiliate')),
    name       TEXT,                               -- null: an invitation, whose guest is still to say it
    currency   TEXT,
    invited_by TEXT,                               -- the actor of an invitation
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
) {clustered};
CREATE INDEX registrations_by_end ON registrations (expires_at);
