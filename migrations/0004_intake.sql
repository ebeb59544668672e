-- What comes in and how it is taken: submissions, replays, uploads, rate limits, the request log.
-- The frequent words of a CHECK come first: SQLite compares one by one.

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
