-- Connections: the platforms' own deliveries to POST /connect/{connectionId}, each connection bound to one account.

CREATE TABLE connection_routes (                  -- a delivery names its connection before its account is known
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

CREATE TABLE connection_items (                   -- whose a platform's inventory items are, learned from product news
    account_id          TEXT NOT NULL,
    connection_id       TEXT NOT NULL,            -- '' for what came through the v1 webhooks
    item_id             TEXT NOT NULL,
    external_product_id TEXT NOT NULL,
    PRIMARY KEY (account_id, connection_id, item_id)
) {clustered};
CREATE INDEX connection_items_by_product ON connection_items (account_id, connection_id, external_product_id);

CREATE TABLE connection_stock (                   -- what lies of an item in each place; a product's stock is the sum
    account_id    TEXT   NOT NULL,
    connection_id TEXT   NOT NULL,
    item_id       TEXT   NOT NULL,
    location_id   TEXT   NOT NULL,                -- '' where the platform names no place
    quantity      BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, connection_id, item_id, location_id)
) {clustered};

ALTER TABLE events ADD COLUMN connection_id TEXT; -- null: came through the API
ALTER TABLE events ADD COLUMN topic TEXT;         -- as the platform named it, unsigned
CREATE INDEX events_of_connections ON events (account_id, connection_id, event_id) WHERE connection_id IS NOT NULL;

ALTER TABLE payloads ADD COLUMN headers TEXT;     -- JSON object: what a delivery's headers said beside its signature
