-- Orders: what a shop reported of them, the conversion and the commission that the hub made of it, and what people ask.

CREATE TABLE conversions (
    account_id        TEXT   NOT NULL,
    conversion_id     TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    order_minor       BIGINT NOT NULL,            -- the amount that the commission is taken from
    paid_minor        BIGINT NOT NULL,            -- the buyer's whole payment; a refund without lines is a share of it
    currency          TEXT   NOT NULL,
    lines             TEXT   NOT NULL,            -- JSON [[externalProductId or null, quantity, minor], ...]
    click_id          TEXT,
    coupon_code       TEXT,
    metadata          TEXT,                       -- JSON as sent
    ordered_at        BIGINT NOT NULL,
    received_at       BIGINT NOT NULL,
    confidence        TEXT   NOT NULL CHECK (confidence IN ('HIGH', 'LOW')),
    reason            TEXT   NOT NULL,
    affiliate_id      TEXT,                       -- null: not attributed to anyone yet
    campaign_id       TEXT,
    candidate_id      TEXT,                       -- the affiliate that a weaker signal names
    review            TEXT   CHECK (review IN ('OPEN', 'ATTRIBUTED', 'DISMISSED')),
    created_at        BIGINT NOT NULL,
    reviewed_at       BIGINT,                     -- when its review was closed; null: never
    snapshot_version  BIGINT,                     -- the platform's snapshot that the amounts are from
    stands_at         BIGINT,                     -- the last moment at which a snapshot said that they stand; null: the
                                                  -- order was reported without a snapshot
    born              TEXT,                       -- what makes it this order and no other, as the platform says
    namesakes         BIGINT,                     -- how many other orders came under its number; null: none
    refund_set        TEXT,                       -- JSON [version, [refund ids]] of the newest snapshot that says which
                                                  -- refunds there are in all; null: none did
    PRIMARY KEY (account_id, conversion_id),
    UNIQUE (account_id, external_order_id)
);
CREATE INDEX conversions_by_coupon ON conversions (account_id, upper(coupon_code), conversion_id)
    WHERE coupon_code IS NOT NULL;
-- Orders that came more than a week after they were placed, as a history that is imported, or a day before it: all others
-- are found by the span of time that their ids have, see hub/operations/orders/placed_orders.py.
CREATE INDEX conversions_astray ON conversions (account_id, conversion_id)
    WHERE ((created_at > (ordered_at + 604800000)) OR (created_at < (ordered_at - 86400000)));
CREATE INDEX conversions_in_review ON conversions (account_id, conversion_id) WHERE review = 'OPEN';
-- Which clicks have to be kept, by the quarter of a second (256 ms) in which they were made, which is what an id begins
-- with: whoever looks for a click compares the few orders of that moment. Orders name clicks in no order, and an entry
-- that is short and has its like is a third of the pages that a batch of orders changes.
CREATE INDEX conversions_by_click ON conversions (substr(click_id, 5, 10)) WHERE click_id IS NOT NULL;

-- What a shop reported of an order. Rows are only added; the state of an order is a fold over them.
CREATE TABLE order_facts (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    fact_key          TEXT   NOT NULL,
    event_id          TEXT   NOT NULL,
    status            TEXT   NOT NULL,
    happened_at       BIGINT NOT NULL,
    received_at       BIGINT NOT NULL,
    refund            TEXT,                       -- JSON of the refunded money; null: not a partial refund
    late              BIGINT NOT NULL,            -- flag: came after the payout and takes no part in the fold
    PRIMARY KEY (account_id, external_order_id, fact_key)
) {clustered};

CREATE TABLE commissions (
    account_id       TEXT   NOT NULL,
    commission_id    TEXT   NOT NULL,
    conversion_id    TEXT   NOT NULL,
    affiliate_id     TEXT   NOT NULL,
    state            TEXT   NOT NULL CHECK (state IN ('PENDING', 'HOLD', 'APPROVED', 'PAYABLE', 'PAID', 'REJECTED')),
    amount_minor     BIGINT NOT NULL CHECK (amount_minor >= 0),
    base_minor       BIGINT NOT NULL CHECK (base_minor >= 0),
    currency         TEXT   NOT NULL,
    source           TEXT   NOT NULL CHECK (source IN ('PRODUCT', 'NEW_CUSTOMER', 'CAMPAIGN', 'MERCHANT', 'PLATFORM',
                                                       'MIXED')),
    terms            TEXT   NOT NULL,             -- JSON: the rule as it was then, its lines and the levels tried
    hold_ms          BIGINT NOT NULL,             -- fixed when the commission is created
    hold_until       BIGINT,
    paid_at          BIGINT,
    payout_reference TEXT,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    payable_at       BIGINT,                      -- since when it is PAYABLE; null: since it was created, or it is not
    awaits_deposit   BIGINT,                      -- 1: its hold is over, and the deposit did not cover it
    awaits_platform  BIGINT,                      -- 1: its hold is over, and its order was not seen in the shop since
    PRIMARY KEY (account_id, commission_id),
    UNIQUE (account_id, conversion_id),
    CHECK ((state = 'PAID') = (paid_at IS NOT NULL))
);
CREATE INDEX commissions_held ON commissions (hold_until)
    WHERE ((state IN ('HOLD', 'APPROVED')) AND (awaits_deposit IS NULL) AND (awaits_platform IS NULL));
CREATE INDEX commissions_awaiting_deposit ON commissions (account_id, currency, hold_until, commission_id)
    WHERE awaits_deposit IS NOT NULL;
-- What a run gathers, and what an affiliate may still be paid.
CREATE INDEX commissions_payable ON commissions (affiliate_id, currency, account_id, commission_id)
    WHERE state = 'PAYABLE';
-- What an affiliate sees of its own, over all accounts, newest first.
CREATE INDEX commissions_by_affiliate ON commissions (affiliate_id, commission_id);

-- Which orders began a subscription and which renew it, of those that say so.
CREATE TABLE subscription_orders (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    subscription  TEXT   NOT NULL,                -- the shop's id of it, or the click of renewals that name none
    renews        BIGINT NOT NULL CHECK (renews IN (0, 1)),
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX subscription_orders_by_subscription ON subscription_orders (account_id, subscription, renews);

-- By which orders customers are known again, of campaigns that ask for it.
CREATE TABLE customer_orders (
    account_id    TEXT   NOT NULL,
    conversion_id TEXT   NOT NULL,
    customer      TEXT   NOT NULL,                -- a keyed hash
    ordered_at    BIGINT NOT NULL,
    kept_until    BIGINT NOT NULL,
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX customer_orders_by_customer ON customer_orders (account_id, customer, ordered_at);
CREATE INDEX customer_orders_by_end ON customer_orders (account_id, kept_until);

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

-- Other orders that came under a known number, such as after a shop was restored from a backup. Until a person has
-- answered, their news wait.
CREATE TABLE order_namesakes (
    account_id        TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,  -- the number that they share with an order that was known before
    born              TEXT   NOT NULL,            -- what makes it this order and no other
    place             BIGINT NOT NULL,            -- 2 for the first one
    own_number        TEXT   NOT NULL,            -- the number under which it is kept, such as 576~2
    connection_id     TEXT,                       -- null: it came by the API or a file
    report            TEXT,                       -- JSON of what a report said of it; null: it waits as an event
    asked_at          BIGINT NOT NULL,
    confirmed_at      BIGINT,                     -- when a person said that it is an order of its own; null: not yet
    PRIMARY KEY (account_id, external_order_id, born)
) {clustered};
CREATE INDEX order_namesakes_by_connection ON order_namesakes (account_id, connection_id, asked_at)
    WHERE confirmed_at IS NULL;

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
CREATE INDEX order_messages_by_account ON order_messages (account_id, message_id);

-- The change feed (docs/architecture.md, "Changes have numbers"). Whatever writes a record that the API prints notes it
-- here, by a trigger (0009_*.sqlite.sql and .postgresql.sql), in its own transaction; the notes of what has committed are
-- numbered afterwards and deleted.
CREATE TABLE new_changes (
    account_id  TEXT   NOT NULL,
    record_type TEXT   NOT NULL,
    record_id   TEXT   NOT NULL,
    noted_by    BIGINT NOT NULL,                  -- PostgreSQL: the transaction; SQLite, which has one writer: 0
    PRIMARY KEY (account_id, record_type, record_id, noted_by)
) {clustered};

-- Names that changed, of an affiliate or ('') of the merchant: every record of the account that shows one is told.
CREATE TABLE new_names (
    account_id   TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    noted_by     BIGINT NOT NULL,                 -- PostgreSQL: the transaction; SQLite: a number by chance
    PRIMARY KEY (account_id, affiliate_id, noted_by)
) {clustered};

-- The latest change of every record that ever was; of one that is gone it stays, so that its end is told. A conversion
-- stands for its commission and for the event that made it as well.
CREATE TABLE changes (
    account_id   TEXT   NOT NULL,
    number       BIGINT NOT NULL,                 -- follows the order of commits, over all accounts; see change_heads
    record_type  TEXT   NOT NULL,
    record_id    TEXT   NOT NULL,
    affiliate_id TEXT,                            -- whose feed tells it as well; null: no affiliate's
    PRIMARY KEY (account_id, record_type, record_id)
) {clustered};
CREATE INDEX changes_by_number ON changes (account_id, number, record_type, record_id);
CREATE INDEX changes_of_affiliates ON changes (affiliate_id, number, record_type, record_id)
    WHERE affiliate_id IS NOT NULL;

-- The one row that whoever numbers changes holds. A number is 1,024 times a moment (ms UTC), or one more than the last
-- where the clock has not gone on since; what is numbered in one transaction has the same.
CREATE TABLE change_heads (
    name       TEXT   NOT NULL PRIMARY KEY,
    number     BIGINT NOT NULL,                   -- the last that was given
    expired_to BIGINT NOT NULL                    -- campaigns that ended by this moment are noted
);

-- What lists and pages show of an order and of a commission: the row, its account's mode and merchant, and the names.
-- SQLite takes the tables of a CROSS JOIN in the order in which they are written: without it, it would look for one
-- id through the orders of every account.
CREATE VIEW listed_conversions AS
SELECT c.account_id, c.conversion_id, c.event_id, c.external_order_id, c.order_minor, c.paid_minor, c.currency,
       c.lines AS lines_json, c.click_id, c.coupon_code, c.metadata, c.ordered_at, c.received_at, c.confidence,
       c.reason, c.affiliate_id, c.campaign_id, c.candidate_id, c.review, c.created_at, c.snapshot_version,
       c.stands_at, c.born, c.namesakes, c.refund_set, a.merchant_id, a.mode, s.name AS merchant_name,
       f.name AS affiliate_name,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = c.account_id AND h.record_type = 'conversion' AND h.record_id = c.conversion_id)
       AS change_number
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN conversions AS c
LEFT JOIN affiliates AS f ON f.affiliate_id = c.affiliate_id
WHERE c.account_id = a.account_id;

CREATE VIEW listed_commissions AS
SELECT m.account_id, m.commission_id, m.conversion_id, m.affiliate_id, m.state, m.amount_minor, m.base_minor,
       m.currency, m.source, m.hold_until, m.paid_at, m.payout_reference, m.created_at, m.updated_at,
       a.merchant_id, a.mode, s.name AS merchant_name, f.name AS affiliate_name,
       (SELECT h.number FROM changes AS h
        WHERE h.account_id = m.account_id AND h.record_type = 'conversion' AND h.record_id = m.conversion_id)
       AS change_number
FROM accounts AS a
JOIN merchants AS s ON s.merchant_id = a.merchant_id
CROSS JOIN commissions AS m
LEFT JOIN affiliates AS f ON f.affiliate_id = m.affiliate_id
WHERE m.account_id = a.account_id;
