-- Reports of orders that were reported before: the worker compares them with the order once it is decided.

CREATE TABLE repeated_reports (
    account_id        TEXT   NOT NULL,
    repeat_id         TEXT   NOT NULL,            -- uuid7: sorts by time
    external_order_id TEXT   NOT NULL,
    amount            TEXT   NOT NULL,            -- in major units, as reported
    currency          TEXT,                       -- null: the merchant's
    received_at       BIGINT NOT NULL,
    PRIMARY KEY (account_id, repeat_id)
) {clustered};
