-- Which snapshot of the platform an order's amounts are from, and the last moment at which one said that it stands; null:
-- the order was reported without a snapshot.
ALTER TABLE conversions ADD COLUMN snapshot_version BIGINT;
ALTER TABLE conversions ADD COLUMN stands_at BIGINT;

-- The site that a connection's deliveries come from, as the platform names it; null: none has named one yet.
ALTER TABLE connections ADD COLUMN source TEXT;

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
