-- Connections: a platform's own deliveries to POST /connect/{connectionId}, and what the platform is asked for.

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
