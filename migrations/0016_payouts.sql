-- Corrections of what was paid, and the runs that pay affiliates.

-- Negative amounts take money back. A fact of an order makes at most one.
CREATE TABLE adjustments (
    account_id        TEXT   NOT NULL,
    adjustment_id     TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    kind              TEXT   NOT NULL CHECK (kind IN ('refund', 'manual', 'returned', 'carried')),
    amount_minor      BIGINT NOT NULL CHECK (amount_minor <> 0),
    currency          TEXT   NOT NULL,
    reason            TEXT   NOT NULL,
    commission_id     TEXT,
    external_order_id TEXT,
    fact_key          TEXT,                       -- the refund or the cancel behind it
    paid_reference    TEXT,                       -- the payment or the run that paid the commission
    status            TEXT   NOT NULL CHECK (status IN ('PROPOSED', 'APPROVED', 'PAID', 'REJECTED')),
    created_by        TEXT   NOT NULL,
    created_at        BIGINT NOT NULL,
    decided_by        TEXT,
    decided_at        BIGINT,
    payout_id         TEXT,                       -- the run that took it along
    PRIMARY KEY (account_id, adjustment_id),
    UNIQUE (account_id, external_order_id, fact_key)
);
CREATE INDEX adjustments_open ON adjustments (affiliate_id, currency) WHERE status IN ('PROPOSED', 'APPROVED');

CREATE TABLE payouts (
    payout_id   TEXT   NOT NULL PRIMARY KEY,
    mode        TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    status      TEXT   NOT NULL CHECK (status IN ('DRAFT', 'RELEASING', 'RELEASED', 'SETTLED')),
    cutoff_at   BIGINT NOT NULL,
    currency    TEXT,                             -- null: all currencies
    created_by  TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    released_by TEXT,
    released_at BIGINT
) {clustered};

-- What a run pays an affiliate in one currency.
CREATE TABLE payout_items (
    payout_id     TEXT   NOT NULL REFERENCES payouts (payout_id),
    affiliate_id  TEXT   NOT NULL,
    currency      TEXT   NOT NULL,
    amount_minor  BIGINT NOT NULL,
    commissions   BIGINT NOT NULL,
    adjustments   BIGINT NOT NULL,
    adjustments_minor BIGINT NOT NULL,            -- the part of the amount that corrections are
    status        TEXT   NOT NULL
                  CHECK (status IN ('OPEN', 'CARRIED', 'RELEASED', 'SETTLED', 'RETURNED')),
    carried       TEXT,                           -- why it is carried on
    reference     TEXT,
    returned      TEXT,                           -- why the payment came back
    settled_at    BIGINT,
    PRIMARY KEY (payout_id, affiliate_id, currency)
) {clustered};

-- The commissions and corrections of a run. Each can be in one run only, unless that run dropped it.
CREATE TABLE payout_lines (
    account_id   TEXT   NOT NULL,
    payout_id    TEXT   NOT NULL,
    line_id      TEXT   NOT NULL,                 -- the id of the commission or adjustment
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('RESERVED', 'PAID', 'DROPPED')),
    PRIMARY KEY (account_id, payout_id, line_id)
) {clustered};
CREATE UNIQUE INDEX payout_lines_once ON payout_lines (account_id, line_id) WHERE status <> 'DROPPED';
CREATE INDEX payout_lines_by_run ON payout_lines (payout_id, affiliate_id, currency);
CREATE INDEX payout_lines_reserved ON payout_lines (payout_id, account_id, line_id) WHERE status = 'RESERVED';

-- Who is paid for an affiliate, and where to: everything but the time is sealed (hub/sealing.py).
CREATE TABLE payees (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    sealed       TEXT   NOT NULL CHECK (length(sealed) > 0),
    changed_at   BIGINT NOT NULL,
    waits        BIGINT NOT NULL                  -- flag: it replaced another payee, so runs wait for a time
) {clustered};
