-- What the hub tells others: mails to people, webhooks and postbacks to programs. Both are outboxes: a message is
-- written in the transaction of what it reports, and sent afterwards.

CREATE TABLE mails (
    mail_id     TEXT   NOT NULL PRIMARY KEY,
    user_id     TEXT   REFERENCES users (user_id),  -- whom it is about; null: nobody who has an account
    recipient   TEXT   NOT NULL,
    template    TEXT   NOT NULL,
    parameters  TEXT   NOT NULL,                  -- JSON of what it says beside the link; no secrets
    sealed_link TEXT,                             -- the link, sealed under the master key; null once it is sent
    expires_at  BIGINT,                           -- when the link ends
    status      TEXT   NOT NULL CHECK (status IN ('WAITING', 'SENT', 'GIVEN_UP')),
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    due_at      BIGINT,                           -- when it is to be tried; null: never again
    finished_at BIGINT,
    fault       TEXT                              -- why the last attempt failed
) {clustered};
CREATE INDEX mails_by_due ON mails (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mails_by_end ON mails (finished_at) WHERE finished_at IS NOT NULL;

-- Who is told of changes outside. A subscription is a merchant's, in one account, or an affiliate's over all accounts.
CREATE TABLE subscriptions (
    subscription_id TEXT   NOT NULL PRIMARY KEY,
    account_id      TEXT   REFERENCES accounts (account_id),
    affiliate_id    TEXT   REFERENCES affiliates (affiliate_id),
    mode            TEXT   CHECK (mode IN ('test', 'live')),  -- the accounts that an affiliate's hears of; else null
    kind            TEXT   NOT NULL CHECK (kind IN ('WEBHOOK', 'POSTBACK')),
    url             TEXT   NOT NULL,              -- of a postback, a template
    description     TEXT,                         -- what its owner says that it is for
    patterns        TEXT   NOT NULL,              -- JSON array, as they were typed
    event_types     TEXT   NOT NULL,              -- those that the patterns match: ',commission.held,commission.paid,'
    payload_version TEXT   NOT NULL,              -- in which its messages are sent, see hub/domain/messages/payload_versions.py
    secrets         TEXT   NOT NULL,              -- JSON [{sealed, expiresAt}], the newest last, see hub/sealing.py
    status          TEXT   NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'DELETED')),
    reason          TEXT,                         -- why it is paused
    failures        BIGINT NOT NULL,              -- in a row
    failing_since   BIGINT,
    next_at         BIGINT NOT NULL,              -- nothing is sent before
    lease_until     BIGINT NOT NULL,              -- until then one process alone sends
    created_at      BIGINT NOT NULL,
    CHECK ((account_id IS NULL) <> (affiliate_id IS NULL)),
    CHECK ((affiliate_id IS NULL) = (mode IS NULL))
) {clustered};
CREATE INDEX subscriptions_by_account ON subscriptions (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX subscriptions_by_affiliate ON subscriptions (affiliate_id) WHERE affiliate_id IS NOT NULL;

-- What is to be delivered: one row for each message and subscription.
CREATE TABLE webhook_deliveries (
    account_id      TEXT   NOT NULL,              -- where it happened
    subscription_id TEXT   NOT NULL,
    subject         TEXT   NOT NULL,              -- the conversion; messages of one subject are sent in their order
    number          BIGINT NOT NULL,
    message_id      TEXT   NOT NULL,
    event_type      TEXT   NOT NULL,
    data            TEXT   NOT NULL,              -- JSON, as things stood then
    payload_version TEXT   NOT NULL,              -- in which it is written: the newest of then
    status          TEXT   NOT NULL CHECK (status IN ('WAITING', 'DELIVERED', 'GIVEN_UP')),
    attempts        BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    due_at          BIGINT,                       -- null: it is not to be sent any more
    finished_at     BIGINT,
    answer_status   BIGINT,                       -- of the last attempt
    answer          TEXT,                         -- the beginning of its body
    fault           TEXT,
    PRIMARY KEY (account_id, subscription_id, subject, number)
) {clustered};
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_message ON webhook_deliveries (subscription_id, message_id);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- The attempts of messages that are not the last one, which stands with the message: those that failed, and the last one
-- of a message that was sent again. A message that arrives at once has none.
CREATE TABLE webhook_attempts (
    account_id      TEXT   NOT NULL,              -- where it happened
    subscription_id TEXT   NOT NULL,
    message_id      TEXT   NOT NULL,
    ended_at        BIGINT NOT NULL,              -- when the answer was there, or was waited for no longer
    answer_status   BIGINT,                       -- null: there was no answer
    answer          TEXT,                         -- the beginning of its body
    fault           TEXT,                         -- null: the message arrived
    PRIMARY KEY (account_id, subscription_id, message_id, ended_at)
) {clustered};
CREATE INDEX webhook_attempts_by_age ON webhook_attempts (ended_at);
