-- The ledger: every movement of money as one balanced entry, chained by hashes per account, only ever added to.
-- 0013_ledger.sqlite.sql and .postgresql.sql chain the entries that open the books, as hub/domain/ledger.py does.

CREATE TABLE ledger_entries (
    account_id        TEXT   NOT NULL,
    entry_no          BIGINT NOT NULL,            -- counts the account's entries from 1, without a gap
    posted_at         BIGINT NOT NULL,
    kind              TEXT   NOT NULL,
    debit             TEXT   NOT NULL,            -- the place that the money leaves
    credit            TEXT   NOT NULL,            -- the place that it goes to
    amount_minor      BIGINT NOT NULL CHECK (amount_minor > 0),
    currency          TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    commission_id     TEXT,
    adjustment_id     TEXT,
    external_order_id TEXT,
    cause             TEXT   NOT NULL,            -- the id of the event, the act or the payout behind it
    hash              TEXT   NOT NULL,            -- SHA-256 over the hash of the entry before and all of the above
    PRIMARY KEY (account_id, entry_no)
) {clustered};

-- The end of each account's chain. A transaction that adds entries locks this row first.
CREATE TABLE ledger_heads (
    account_id TEXT   NOT NULL PRIMARY KEY,
    entries    BIGINT NOT NULL,
    hash       TEXT   NOT NULL
) {clustered};

-- What a run gathers, and what an affiliate may still be paid.
CREATE INDEX commissions_payable ON commissions (affiliate_id, currency, account_id, commission_id) WHERE state = 'PAYABLE';

INSERT INTO ledger_entries (account_id, entry_no, posted_at, kind, debit, credit, amount_minor, currency, affiliate_id,
                            commission_id, adjustment_id, external_order_id, cause, hash)
SELECT m.account_id, row_number() OVER (PARTITION BY m.account_id ORDER BY m.commission_id), m.updated_at, 'opened',
       'merchant',
       CASE m.state WHEN 'PENDING' THEN 'pending' WHEN 'PAYABLE' THEN 'payable' WHEN 'PAID' THEN 'bank' ELSE 'held' END,
       m.amount_minor, m.currency, m.affiliate_id, m.commission_id, NULL, c.external_order_id, 'opening', ''
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.state <> 'REJECTED' AND m.amount_minor > 0;
