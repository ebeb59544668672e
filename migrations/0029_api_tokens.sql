-- Tokens of the operators' and the affiliates' own APIs; of a token itself only a digest is kept.
CREATE TABLE api_tokens (
    token_id       TEXT   NOT NULL PRIMARY KEY,
    name           TEXT   NOT NULL,
    scopes         TEXT   NOT NULL,                -- JSON array: ["admin:read"]
    affiliate_id   TEXT   REFERENCES affiliates (affiliate_id),  -- of the affiliates' scopes
    user_id        TEXT   REFERENCES users (user_id),            -- null: made at the terminal
    secret_hash    TEXT   NOT NULL,                -- SHA-256 of the secret part, in hex
    allowed_cidrs  TEXT   NOT NULL,                -- JSON array; empty: any address
    expires_at     BIGINT,
    revoked_at     BIGINT,
    last_used_at   BIGINT,
    last_address   TEXT,
    created_at     BIGINT NOT NULL
) {clustered};
CREATE INDEX api_tokens_by_user ON api_tokens (user_id) WHERE user_id IS NOT NULL;

-- What a token was answered, by its idempotency keys: a row without an answer says that the act was done.
CREATE TABLE token_answers (
    token_id        TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,
    status          BIGINT,
    sealed_answer   TEXT,                          -- it may hold a secret that is shown once
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (token_id, idempotency_key)
) {clustered};
CREATE INDEX token_answers_by_age ON token_answers (created_at);
