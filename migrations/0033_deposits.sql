-- A merchant's deposit: commissions only become payable while it covers them, if the merchant's setting says so.

ALTER TABLE merchants ADD COLUMN deposit_required BIGINT;   -- flag; null: never had a deposit
ALTER TABLE commissions ADD COLUMN awaits_deposit BIGINT;   -- 1: its hold is over, and the deposit did not cover it

DROP INDEX commissions_held;
CREATE INDEX commissions_held ON commissions (hold_until)
    WHERE ((state IN ('HOLD', 'APPROVED')) AND (awaits_deposit IS NULL));
CREATE INDEX commissions_awaiting_deposit ON commissions (account_id, currency, hold_until, commission_id)
    WHERE awaits_deposit IS NOT NULL;

-- What is left of an account's deposit: what was paid in, less what was taken out and what covers commissions.
CREATE TABLE deposits (
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    currency      TEXT   NOT NULL,
    balance_minor BIGINT NOT NULL CHECK (balance_minor >= 0),
    PRIMARY KEY (account_id, currency)
) {clustered};

CREATE TABLE deposit_payments (
    account_id   TEXT   NOT NULL REFERENCES accounts (account_id),
    reference    TEXT   NOT NULL,                 -- the payment's own: it counts once
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,                 -- negative: taken out
    made_by      TEXT   NOT NULL,
    made_at      BIGINT NOT NULL,
    PRIMARY KEY (account_id, reference)
) {clustered};

-- The commissions that a deposit covers, and with how much.
CREATE TABLE deposit_covers (
    account_id    TEXT   NOT NULL,
    commission_id TEXT   NOT NULL,
    currency      TEXT   NOT NULL,
    amount_minor  BIGINT NOT NULL,
    PRIMARY KEY (account_id, commission_id)
) {clustered};
