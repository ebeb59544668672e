-- What an affiliate sees of its own, over all accounts, newest first.
CREATE INDEX commissions_by_affiliate ON commissions (affiliate_id, commission_id);
CREATE INDEX clicks_by_affiliate ON clicks (affiliate_id, clicked_at);

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
