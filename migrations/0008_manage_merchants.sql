-- What a merchant manages itself: its business profile, its domains, live access, and who may promote its campaigns.

ALTER TABLE merchants ADD COLUMN profile TEXT;         -- JSON object of texts; null: nothing was filled in yet
ALTER TABLE merchants ADD COLUMN live_access TEXT CHECK (live_access IN ('ASKED', 'GRANTED', 'REFUSED'));
ALTER TABLE merchants ADD COLUMN live_asked_at BIGINT;
ALTER TABLE merchants ADD COLUMN live_reason TEXT;     -- why live access was refused
UPDATE merchants SET live_access = 'GRANTED' WHERE status = 'APPROVED';

-- By how much the clock of a test account was moved forward, in all. Nothing is computed from it, see docs/people.md.
ALTER TABLE accounts ADD COLUMN advanced_ms BIGINT NOT NULL DEFAULT 0;

-- Whether a campaign may stand in the public listing.
ALTER TABLE campaigns ADD COLUMN listed BIGINT NOT NULL DEFAULT 0 CHECK (listed IN (0, 1));

-- Whether any affiliate may promote a campaign, or only those that its merchant approved.
ALTER TABLE campaigns ADD COLUMN joining TEXT NOT NULL DEFAULT 'OPEN' CHECK (joining IN ('OPEN', 'BY_APPROVAL'));

-- Domains that a merchant added itself. One that is proved is in merchants.domains, too.
CREATE TABLE merchant_domains (
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    domain      TEXT   NOT NULL,                -- in ASCII form
    token       TEXT   NOT NULL,                -- what the domain has to show
    added_at    BIGINT NOT NULL,
    checked_at  BIGINT,                         -- the last attempt to prove it
    fault       TEXT,                           -- why that attempt failed
    proved_at   BIGINT,
    method      TEXT   CHECK (method IN ('file', 'meta', 'dns')),
    PRIMARY KEY (merchant_id, domain),
    CHECK ((proved_at IS NULL) = (method IS NULL))
) {clustered};

-- The affiliates of a campaign. One without a row may promote a campaign whose joining is OPEN.
CREATE TABLE memberships (
    account_id       TEXT   NOT NULL,
    campaign_id      TEXT   NOT NULL,
    affiliate_id     TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    status           TEXT   NOT NULL CHECK (status IN ('APPLIED', 'APPROVED', 'REJECTED', 'REMOVED')),
    commission_type  TEXT   CHECK (commission_type IN ('PERCENTAGE', 'FIXED')),  -- its own rate; null: the campaign's
    commission_value TEXT,
    message          TEXT,                      -- what the affiliate wrote with the application
    reason           TEXT,                      -- what the merchant gave for the status
    applied_at       BIGINT NOT NULL,
    decided_at       BIGINT,
    PRIMARY KEY (account_id, campaign_id, affiliate_id),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    CHECK ((commission_type IS NULL) = (commission_value IS NULL))
) {clustered};
CREATE INDEX memberships_by_affiliate ON memberships (affiliate_id);
