-- Who is told of changes outside: subscriptions of merchants and affiliates, and what is to be delivered to them.

-- A subscription is a merchant's, in one account, or an affiliate's over all accounts.
CREATE TABLE subscriptions (
    subscription_id TEXT   NOT NULL PRIMARY KEY,
    account_id      TEXT   REFERENCES accounts (account_id),
    affiliate_id    TEXT   REFERENCES affiliates (affiliate_id),
    kind            TEXT   NOT NULL CHECK (kind IN ('WEBHOOK', 'POSTBACK')),
    url             TEXT   NOT NULL,               -- of a postback, a template
    patterns        TEXT   NOT NULL,               -- JSON array, as they were typed
    event_types     TEXT   NOT NULL,               -- those that the patterns match: ',commission.held,commission.paid,'
    secrets         TEXT   NOT NULL,               -- JSON [{sealed, expiresAt}], the newest last, see hub/sealing.py
    status          TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'DELETED')),
    reason          TEXT,                          -- why it is paused
    failures        BIGINT NOT NULL,               -- in a row
    failing_since   BIGINT,
    next_at         BIGINT NOT NULL,               -- nothing is sent before
    lease_until     BIGINT NOT NULL,               -- until then one process alone sends
    created_at      BIGINT NOT NULL,
    CHECK ((account_id IS NULL) <> (affiliate_id IS NULL))
) {clustered};
CREATE INDEX subscriptions_by_account ON subscriptions (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX subscriptions_by_affiliate ON subscriptions (affiliate_id) WHERE affiliate_id IS NOT NULL;

-- The outbox: a message is written in the transaction of what it reports, once for each subscription.
CREATE TABLE webhook_deliveries (
    account_id      TEXT   NOT NULL,               -- where it happened
    subscription_id TEXT   NOT NULL,
    subject         TEXT   NOT NULL,               -- the conversion; messages of one subject are sent in their order
    number          BIGINT NOT NULL,
    message_id      TEXT   NOT NULL,
    event_type      TEXT   NOT NULL,
    data            TEXT   NOT NULL,               -- JSON, as things stood then
    status          TEXT   NOT NULL CHECK (status IN ('WAITING', 'DELIVERED', 'GIVEN_UP')),
    attempts        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT,                        -- null: it is not to be sent any more
    finished_at     BIGINT,
    answer_status   BIGINT,                        -- of the last attempt
    answer          TEXT,                          -- the beginning of its body
    fault           TEXT,
    PRIMARY KEY (account_id, subscription_id, subject, number)
) {clustered};
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_message ON webhook_deliveries (subscription_id, message_id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
