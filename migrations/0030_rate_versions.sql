-- Every change of a rate, so that an order takes the rate in force at its time, and rates that are tried before they count.

CREATE TABLE rate_changes (
    account_id   TEXT   NOT NULL,
    level        TEXT   NOT NULL CHECK (level IN ('MERCHANT', 'CAMPAIGN', 'MEMBER', 'PRODUCT')),
    subject      TEXT   NOT NULL,                 -- '', a campaign, campaign/affiliate, or an external product id
    changed_at   BIGINT NOT NULL,
    change_id    TEXT   NOT NULL,                 -- uuid7: orders the changes of one millisecond
    before_type  TEXT,                            -- null: there was no rate
    before_value TEXT,
    after_type   TEXT,
    after_value  TEXT,
    changed_by   TEXT   NOT NULL,                 -- a user, an API key, an event, or what else made the change
    PRIMARY KEY (account_id, level, subject, changed_at, change_id)
) {clustered};
CREATE INDEX rate_changes_by_time ON rate_changes (account_id, changed_at);

CREATE TABLE rate_drafts (
    account_id TEXT   NOT NULL REFERENCES accounts (account_id),
    draft_id   TEXT   NOT NULL,
    level      TEXT   NOT NULL CHECK (level IN ('MERCHANT', 'CAMPAIGN', 'PRODUCT')),
    subject    TEXT   NOT NULL,                   -- as in rate_changes
    type       TEXT   NOT NULL CHECK (type IN ('PERCENTAGE', 'FIXED')),
    value      TEXT   NOT NULL,
    status     TEXT   NOT NULL CHECK (status IN ('DRAFT', 'PUBLISHED', 'DROPPED')),
    created_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    decided_by TEXT,
    decided_at BIGINT,
    PRIMARY KEY (account_id, draft_id)
);
