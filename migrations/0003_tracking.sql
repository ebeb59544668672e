-- Tracking links and the clicks on them.

-- A click names only its code.
CREATE TABLE tracking_codes (
    code       TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (account_id)
);

CREATE TABLE links (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    code         TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    campaign_id  TEXT,
    product_id   TEXT,
    destination  TEXT   NOT NULL,
    name         TEXT,                            -- what its affiliate calls it; null: nothing
    -- What an affiliate notes on a link to tell its places apart: a JSON object of sub1 to sub5, null without any. A
    -- click keeps those that it came with; an order has them through its click.
    subs         TEXT,
    created_at   BIGINT NOT NULL,
    disabled_at  BIGINT,                          -- since when its clicks earn nothing; null: it is enabled
    disabled_by  TEXT,                            -- the affiliate, if it did that itself; null: somebody else
    PRIMARY KEY (account_id, code),
    FOREIGN KEY (account_id, campaign_id) REFERENCES campaigns (account_id, campaign_id),
    FOREIGN KEY (account_id, product_id) REFERENCES products (account_id, product_id)
);
-- Links newest first: those of an account, those of an affiliate over all accounts, and all.
CREATE INDEX links_by_account ON links (account_id, created_at, code);
CREATE INDEX links_by_affiliate ON links (affiliate_id, created_at, code);
CREATE INDEX links_by_age ON links (created_at, code);

-- Short addresses that affiliates gave their links. One stays its link's for good: it is printed, and may be no other's.
CREATE TABLE short_links (
    short      TEXT   NOT NULL PRIMARY KEY,
    account_id TEXT   NOT NULL,
    code       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX short_links_of_link ON short_links (account_id, code, created_at);

-- Clicks that no conversion names are forgotten after a time, see hub/processing/click_retention.py.
CREATE TABLE clicks (
    account_id   TEXT   NOT NULL,
    click_id     TEXT   NOT NULL,
    code         TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    campaign_id  TEXT,
    clicked_at   BIGINT NOT NULL,
    subs         TEXT,                            -- as in links
    visitor      TEXT,                            -- keyed hash of address and agent, if the campaign's policy asks for
                                                  -- it; null once the click does not count
    PRIMARY KEY (account_id, click_id)
) {clustered};
-- How many orders a visitor's clicks on an affiliate's links brought: the index alone answers which clicks.
CREATE INDEX clicks_by_visitor ON clicks (visitor, affiliate_id) WHERE visitor IS NOT NULL;
CREATE INDEX clicks_with_visitor ON clicks (account_id, clicked_at) WHERE visitor IS NOT NULL;
