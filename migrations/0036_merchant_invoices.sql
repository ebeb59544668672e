-- Invoices to merchants: a month of an account in one currency, numbered without a gap over all merchants.

CREATE TABLE merchant_invoices (
    invoice_no        BIGINT NOT NULL PRIMARY KEY,
    account_id        TEXT   NOT NULL REFERENCES accounts (account_id),
    month             TEXT   NOT NULL,            -- like 2026-11, in UTC
    currency          TEXT   NOT NULL,
    commissions_minor BIGINT NOT NULL,
    payments          BIGINT NOT NULL,
    corrections_minor BIGINT NOT NULL,
    fee_minor         BIGINT NOT NULL,
    billed_to         TEXT   NOT NULL,            -- JSON: the merchant as it was then
    issued_by         TEXT   NOT NULL,
    issued_at         BIGINT NOT NULL,
    UNIQUE (account_id, month, currency)
) {clustered};
