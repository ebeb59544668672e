-- Self-billed invoices of affiliates that are businesses, and the network's fee of each merchant.

-- Whether the payee is a business that agreed to self-billing; the rest of it is sealed.
ALTER TABLE payees ADD COLUMN self_billed BIGINT NOT NULL DEFAULT 0;

-- Numbered without a gap, in the transaction that releases the item; the payee is kept as it was then, sealed.
CREATE TABLE invoices (
    invoice_no   BIGINT NOT NULL PRIMARY KEY,
    payout_id    TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    sealed_payee TEXT   NOT NULL,
    issued_at    BIGINT NOT NULL,
    UNIQUE (payout_id, affiliate_id, currency),
    FOREIGN KEY (payout_id, affiliate_id, currency) REFERENCES payout_items (payout_id, affiliate_id, currency)
) {clustered};

-- The network's fee in percent of what affiliates are paid, since when, and who said so.
CREATE TABLE merchant_fees (
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    valid_from  BIGINT NOT NULL,
    percentage  TEXT   NOT NULL,
    set_by      TEXT   NOT NULL,
    PRIMARY KEY (merchant_id, valid_from)
) {clustered};
