-- Money: the ledger, corrections, the runs that pay affiliates, and what merchants deposit and are invoiced.

-- The ledger ---------------------------------------------------------------------------------------------------------

-- Every movement of money as one balanced entry, chained by hashes per account, only ever added to.
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
    external_order_id TEXT COLLATE "C",
    cause             TEXT   NOT NULL,            -- the id of the event, the act or the payout behind it
    hash              TEXT   NOT NULL,            -- SHA-256 over the hash of the entry before and all of the above
    PRIMARY KEY (account_id, entry_no)
) {clustered};
-- What merchants owe of a month, among all entries of an account; only payouts, corrections and fees write it. The kinds
-- are compared one by one: SQLite would build a list of them as a tree for every entry that is written.
CREATE INDEX ledger_entries_owed ON ledger_entries (account_id, posted_at)
    WHERE ((kind = 'paid') OR (kind = 'adjusted') OR (kind = 'fee') OR (kind = 'covered') OR (kind = 'uncovered')
           OR (debit = 'payable') OR (credit = 'payable'));
CREATE INDEX ledger_entries_fees ON ledger_entries (account_id, commission_id) WHERE kind = 'fee';
-- What changes the balance that an affiliate is paid, in the order of time. Decided orders (earned, held) are not in
-- it, so that only the ends of holds, payouts and corrections write it.
CREATE INDEX ledger_entries_of_balances ON ledger_entries (affiliate_id, posted_at, account_id, entry_no)
    WHERE debit IN ('payable', 'adjustments') OR credit IN ('payable', 'adjustments');
-- What a run pays, by its entries: a bank's file and the proof compare payments with it.
CREATE INDEX ledger_entries_of_runs ON ledger_entries (cause, affiliate_id, currency) WHERE kind = 'paid';

-- What the ledger lacked when somebody proposed to adopt it, and who adopted it: two people.
CREATE TABLE ledger_mends (
    mend_id     TEXT   NOT NULL PRIMARY KEY,
    commissions TEXT   NOT NULL,                  -- JSON array of ids
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    adopted_by  TEXT,
    adopted_at  BIGINT
) {clustered};

-- The end of each account's chain. A transaction that adds entries locks this row first.
CREATE TABLE ledger_heads (
    account_id   TEXT   NOT NULL PRIMARY KEY,
    entries      BIGINT NOT NULL,
    hash         TEXT   NOT NULL,
    closed_until BIGINT NOT NULL DEFAULT 0        -- no entry is posted before this moment: the months before are closed
) {clustered};

-- The months of the books that are closed, or proposed to be: one person proposes, another one closes.
CREATE TABLE closed_months (
    month       TEXT   NOT NULL PRIMARY KEY,      -- of the books, like 2026-11
    ends_at     BIGINT NOT NULL,                  -- the first moment after it
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    closed_by   TEXT,
    closed_at   BIGINT,
    entries     BIGINT,                           -- of all accounts, when it was closed
    head        TEXT                              -- SHA-256 over the heads of all accounts, when it was closed
) {clustered};

-- How far each account's chain was when a month was closed: behind it nothing is of that month.
CREATE TABLE closed_ends (
    month      TEXT   NOT NULL REFERENCES closed_months (month),
    account_id TEXT   NOT NULL,
    entries    BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    PRIMARY KEY (month, account_id)
) {clustered};
CREATE INDEX closed_ends_by_account ON closed_ends (account_id, month);

-- Digests of rows of money that are no entries (runs, payments, approvals, fees, invoices, files), chained per account
-- like the ledger, and only ever added to: what a row says is what was noted of it last.
CREATE TABLE money_notes (
    account_id TEXT   NOT NULL,                   -- empty: what belongs to no account
    note_no    BIGINT NOT NULL,                   -- counts the account's notes from 1, without a gap
    noted_at   BIGINT NOT NULL,
    table_name TEXT   NOT NULL,
    row_key    TEXT   NOT NULL,
    digest     TEXT   NOT NULL,                   -- SHA-256 over the row; empty: it was taken out
    hash       TEXT   NOT NULL,                   -- SHA-256 over the hash of the note before and all of the above
    PRIMARY KEY (account_id, note_no)
) {clustered};
CREATE INDEX money_notes_by_row ON money_notes (account_id, table_name, row_key, note_no);

CREATE TABLE money_note_heads (
    account_id TEXT   NOT NULL PRIMARY KEY,
    notes      BIGINT NOT NULL,
    hash       TEXT   NOT NULL
) {clustered};


-- Payouts ------------------------------------------------------------------------------------------------------------

-- Corrections of what was paid; negative amounts take money back. A fact of an order makes at most one.
CREATE TABLE adjustments (
    account_id        TEXT   NOT NULL,
    adjustment_id     TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    kind              TEXT   NOT NULL CHECK (kind IN ('refund', 'manual', 'returned', 'carried', 'written_off',
                                                             'volume')),
    amount_minor      BIGINT NOT NULL CHECK (amount_minor <> 0),
    currency          TEXT   NOT NULL,
    reason            TEXT   NOT NULL,
    commission_id     TEXT,
    external_order_id TEXT COLLATE "C",
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
CREATE INDEX adjustments_approved ON adjustments (affiliate_id, currency, account_id, adjustment_id)
    WHERE status = 'APPROVED';
CREATE INDEX adjustments_open ON adjustments (affiliate_id, currency) WHERE status IN ('PROPOSED', 'APPROVED');
CREATE INDEX adjustments_of_volume ON adjustments (account_id, affiliate_id, fact_key) WHERE kind = 'volume';

-- The orders of campaigns whose rate rises by volume, as they count for it, and what they reached when their month was
-- last reckoned. They are read behind the change feed: the way of an order does not know of them.
CREATE TABLE volume_orders (
    account_id        TEXT   NOT NULL,
    conversion_id     TEXT   NOT NULL,
    campaign_id       TEXT   NOT NULL,
    affiliate_id      TEXT   NOT NULL,
    external_order_id TEXT COLLATE "C" NOT NULL,
    placed_at         BIGINT NOT NULL,
    standing          TEXT   NOT NULL CHECK (standing IN ('OPEN', 'COUNTED', 'LEFT_OUT')),
    currency          TEXT   NOT NULL,
    base_minor        BIGINT NOT NULL,            -- what is left of it after refunds, early or late
    left_over         BIGINT NOT NULL,            -- what is left of the commission, so that a change of it is seen
    place             BIGINT,                     -- among the affiliate's orders of the period; null: not reckoned
    tier_from         TEXT,                       -- null: below the first tier, or not reckoned
    type              TEXT   CHECK (type IN ('PERCENTAGE', 'FIXED')),
    value             TEXT,
    added_minor       BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, conversion_id)
) {clustered};
CREATE INDEX volume_orders_by_time ON volume_orders (account_id, campaign_id, affiliate_id, placed_at);

-- How far the change feed of an account was read for its rates by volume; an account without any has no row.
CREATE TABLE volume_readings (
    account_id TEXT   NOT NULL PRIMARY KEY,
    number     BIGINT NOT NULL,
    record_id  TEXT   NOT NULL
) {clustered};

-- The months of which something changed since they were last reckoned.
CREATE TABLE volume_due (
    account_id   TEXT   NOT NULL,
    campaign_id  TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    month        TEXT   NOT NULL,                 -- of the books, like 2026-11
    PRIMARY KEY (account_id, campaign_id, affiliate_id, month)
) {clustered};
CREATE INDEX volume_due_by_month ON volume_due (month);

-- Who is paid for an affiliate, and where to: sealed (hub/sealing.py), but for how, the time and the two flags.
CREATE TABLE payees (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    sealed       TEXT   NOT NULL CHECK (length(sealed) > 0),
    method       TEXT   NOT NULL CHECK (method IN ('iban', 'ach', 'bacs', 'paypal', 'wise', 'stripe')),
    self_billed  BIGINT NOT NULL DEFAULT 0,       -- flag: a business that agreed to self-billing
    changed_at   BIGINT NOT NULL,
    waits        BIGINT NOT NULL                  -- flag: it replaced another payee, so runs wait for a time
) {clustered};

-- What affiliates say of themselves for tax reports, where the operator asks for it.
CREATE TABLE tax_details (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    sealed       TEXT   NOT NULL CHECK (length(sealed) > 0),
    changed_at   BIGINT NOT NULL
) {clustered};

-- What VIES said of VAT numbers, each time that it was asked. Nothing is ever changed.
CREATE TABLE vat_checks (
    check_id     TEXT   NOT NULL PRIMARY KEY,
    party_id     TEXT   NOT NULL,                 -- a merchant, or an affiliate
    subject      TEXT   NOT NULL,                 -- a merchant's number; of a payee, which is sealed, since when it is so
    outcome      TEXT   NOT NULL CHECK (outcome IN ('valid', 'invalid', 'unreached')),
    consultation TEXT   NOT NULL,                 -- the number by which VIES knows of the question; empty: it gave none
    fault        TEXT   NOT NULL,                 -- why there is no answer, or that of an error; empty: none
    asked_by     TEXT   NOT NULL,
    asked_at     BIGINT NOT NULL
) {clustered};
CREATE INDEX vat_checks_of ON vat_checks (party_id, subject, check_id);

-- What affiliates chose of how they are paid, beside their payee.
CREATE TABLE payout_terms (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    minimum      TEXT   NOT NULL,                 -- like 25 or EUR:25,JPY:3000; empty: the network's alone
    currencies   TEXT   NOT NULL,                 -- JSON array of the only ones that are paid; empty: all
    waits        BIGINT NOT NULL,                 -- flag: runs carry its balances on until it says otherwise
    paid_in      TEXT   NOT NULL DEFAULT '',      -- the currency that all is exchanged into; empty: what was earned
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL
) {clustered};

-- Affiliates that are not paid for the time being: their balances are carried on, and no file has them.
CREATE TABLE payment_holds (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    reason       TEXT   NOT NULL,
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL,
    ends_at      BIGINT,                          -- null: until it is ended
    by_status    BIGINT NOT NULL                  -- flag: set because the affiliate was turned off, and ends with that
) {clustered};

CREATE TABLE payouts (
    payout_id   TEXT   NOT NULL PRIMARY KEY,
    mode        TEXT   NOT NULL CHECK (mode IN ('test', 'live')),
    status      TEXT   NOT NULL CHECK (status IN ('GATHERING', 'DRAFT', 'RELEASING', 'RELEASED', 'SETTLED', 'CANCELLED')),
    cutoff_at   BIGINT NOT NULL,
    currency    TEXT,                             -- null: all currencies
    minimum     TEXT   NOT NULL,                  -- the least that was paid, like 25 or EUR:25,JPY:3000
    created_by  TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    released_by TEXT,
    released_at BIGINT
) {clustered};

-- The pay dates of the schedule whose run was drafted: each once, on however many nodes and whatever became of the run.
CREATE TABLE pay_dates (
    pay_date   TEXT   NOT NULL,                   -- of the books, like 2026-12-15
    currency   TEXT   NOT NULL,                   -- empty: all
    payout_id  TEXT,                              -- null: there was nothing to pay
    drafted_at BIGINT NOT NULL,
    PRIMARY KEY (pay_date, currency)
) {clustered};

-- What one person paid without a second one, for the sums of a day.
CREATE TABLE lone_payments (
    acted_at     BIGINT NOT NULL,
    actor_id     TEXT   NOT NULL,
    act          TEXT   NOT NULL,                 -- as in the trail: "payout.released"
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (acted_at, actor_id, act, affiliate_id, currency)
) {clustered};

-- The files that were written for banks, kept to the byte: written again, a file is the same, and pays nobody twice.
CREATE TABLE payout_files (
    file_id      TEXT   NOT NULL PRIMARY KEY,
    payout_id    TEXT   NOT NULL REFERENCES payouts (payout_id),
    format       TEXT   NOT NULL,                 -- a word of PayoutFormat (hub/domain/words.py), which only the hub writes
    message_id   TEXT   NOT NULL UNIQUE,          -- what the bank's answer names
    sha256       TEXT   NOT NULL,                 -- of the bytes, in hexadecimal digits
    sealed       TEXT   NOT NULL,                 -- the bytes, compressed and sealed: they have account numbers
    payments     BIGINT NOT NULL,
    written_by   TEXT   NOT NULL,
    written_at   BIGINT NOT NULL,
    withdrawn_by TEXT,                            -- it was never sent, so that its payments may be in another
    withdrawn_at BIGINT
) {clustered};
CREATE INDEX payout_files_by_run ON payout_files (payout_id, file_id);
CREATE INDEX payout_files_by_day ON payout_files (format, written_at);

-- What a file pays, as it was written.
CREATE TABLE payout_file_payments (
    file_id      TEXT   NOT NULL REFERENCES payout_files (file_id),
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    PRIMARY KEY (file_id, affiliate_id, currency)
) {clustered};

-- What a run pays an affiliate in one currency: a payment.
CREATE TABLE payout_items (
    payout_id         TEXT   NOT NULL REFERENCES payouts (payout_id),
    affiliate_id      TEXT   NOT NULL,
    currency          TEXT   NOT NULL,
    amount_minor      BIGINT NOT NULL,
    commissions       BIGINT NOT NULL,
    adjustments       BIGINT NOT NULL,
    adjustments_minor BIGINT NOT NULL,            -- the part of the amount that corrections are
    status            TEXT   NOT NULL CHECK (status IN ('OPEN', 'CARRIED', 'RELEASED', 'SETTLED', 'RETURNED')),
    carried           TEXT,                       -- why it is carried on
    reference         TEXT,
    returned          TEXT,                       -- why the payment came back
    settled_at        BIGINT,
    file_id           TEXT REFERENCES payout_files (file_id),  -- the one file that it is in
    question          TEXT,                       -- a later word of the bank that contradicts what is known
    invoiced          BIGINT NOT NULL DEFAULT 0,  -- flag: all that it pays is on self-billed invoices, its own or earlier
    PRIMARY KEY (payout_id, affiliate_id, currency)
) {clustered};

-- What banks say, file by file as it was sent in: of a run's payments, or of what came into an account.
CREATE TABLE bank_reports (
    report_id  TEXT   NOT NULL PRIMARY KEY,
    kind       TEXT   NOT NULL CHECK (kind IN ('results', 'statement')),
    payout_id  TEXT REFERENCES payouts (payout_id),           -- null for a statement
    file_id    TEXT REFERENCES payout_files (file_id),        -- only what this file pays; null: all of the run
    reference  TEXT   NOT NULL,                   -- what payments arrive under that the bank gives none; empty for a statement
    file_name  TEXT   NOT NULL,                   -- as whoever sent it calls it
    sha256     TEXT   NOT NULL,                   -- of the bytes, in hexadecimal digits
    file_bytes BIGINT NOT NULL,
    sent_by    TEXT   NOT NULL,
    actor_kind TEXT   NOT NULL CHECK (actor_kind IN ('user', 'system')),  -- who sent it, and acts by it
    source     TEXT   NOT NULL CHECK (source IN ('cli', 'page', 'api')),
    sent_at    BIGINT NOT NULL
) {clustered};
CREATE INDEX bank_reports_by_run ON bank_reports (payout_id, report_id);
CREATE INDEX bank_reports_by_content ON bank_reports (sha256);

-- The bytes of banks' reports, compressed and sealed: they have account numbers.
CREATE TABLE bank_report_contents (
    report_id TEXT NOT NULL PRIMARY KEY REFERENCES bank_reports (report_id),
    sealed    TEXT NOT NULL
) {clustered};

-- How far banks' reports are read. It advances in the transactions that note what they say.
CREATE TABLE bank_report_progress (
    report_id   TEXT   NOT NULL PRIMARY KEY REFERENCES bank_reports (report_id),
    status      TEXT   NOT NULL CHECK (status IN ('WAITING', 'CHECKING', 'NOTING', 'DONE', 'REFUSED')),
    row_count   BIGINT NOT NULL,                  -- lines of the report; 0 until it is checked
    done        BIGINT NOT NULL,                  -- lines whose verdict is noted
    counts      TEXT   NOT NULL,                  -- JSON: how many lines have each verdict
    fault       TEXT   NOT NULL,                  -- why it was refused
    owner       TEXT   NOT NULL,                  -- the process that reads it, empty for none
    lease_until BIGINT NOT NULL,
    finished_at BIGINT
) {clustered};
CREATE INDEX bank_reports_open ON bank_report_progress (report_id) WHERE status IN ('WAITING', 'CHECKING', 'NOTING');

-- What became of the lines of banks' reports, some lines in a row.
CREATE TABLE bank_report_verdicts (
    report_id TEXT   NOT NULL REFERENCES bank_reports (report_id),
    first_row BIGINT NOT NULL,                    -- so many lines were noted before
    sealed    TEXT   NOT NULL,                    -- JSON, compressed and sealed
    PRIMARY KEY (report_id, first_row)
) {clustered};

-- Rates of exchange: one person proposes a set of them, and each is in force once another one approved it, until a newer
-- rate of its two currencies is.
CREATE TABLE exchange_rates (
    set_id      TEXT   NOT NULL,
    base        TEXT   NOT NULL,
    quote       TEXT   NOT NULL,
    rate        TEXT   NOT NULL,                  -- so many major units of quote for one of base
    source      TEXT   NOT NULL,                  -- where it is from
    status      TEXT   NOT NULL CHECK (status IN ('PROPOSED', 'APPROVED', 'DROPPED')),
    proposed_by TEXT   NOT NULL,
    proposed_at BIGINT NOT NULL,
    decided_by  TEXT,
    decided_at  BIGINT,
    PRIMARY KEY (set_id, base, quote)
) {clustered};
CREATE INDEX exchange_rates_in_force ON exchange_rates (base, quote, decided_at) WHERE status = 'APPROVED';

-- The payments that are sent in another currency than was earned, by the rate that was in force when the run was made.
-- Everything else of a payment, its file as well, is by the currency that was earned.
CREATE TABLE payout_exchanges (
    payout_id     TEXT   NOT NULL,
    affiliate_id  TEXT   NOT NULL,
    currency      TEXT   NOT NULL,                -- what was earned
    sent_currency TEXT   NOT NULL,
    sent_minor    BIGINT NOT NULL,                -- of the payment's amount, rounded once
    rate          TEXT   NOT NULL,
    set_id        TEXT   NOT NULL,                -- the set of rates that it is of
    PRIMARY KEY (payout_id, affiliate_id, currency),
    FOREIGN KEY (payout_id, affiliate_id, currency) REFERENCES payout_items (payout_id, affiliate_id, currency)
) {clustered};

-- The commissions and corrections of a run. Each can be in one run only, unless that run dropped it. A run gathers and
-- pays its lines by affiliate, so its keys go on where it is: only `payout_lines_once` is written here and there.
CREATE TABLE payout_lines (
    account_id   TEXT   NOT NULL,
    payout_id    TEXT   NOT NULL,
    line_id      TEXT   NOT NULL,                 -- the id of the commission or adjustment
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    status       TEXT   NOT NULL CHECK (status IN ('RESERVED', 'PAID', 'DROPPED')),
    PRIMARY KEY (account_id, payout_id, affiliate_id, currency, line_id)
) {clustered};
CREATE UNIQUE INDEX payout_lines_once ON payout_lines (account_id, line_id) WHERE status <> 'DROPPED';
CREATE INDEX payout_lines_by_run ON payout_lines (payout_id, affiliate_id, currency, account_id, line_id);
CREATE INDEX payout_lines_reserved ON payout_lines (payout_id, affiliate_id, currency, account_id, line_id)
    WHERE status = 'RESERVED';

-- What a run may pay that no other has reserved: payable commissions of approved merchants, and approved corrections.
-- Each is in the order of an index, so that runs and previews read it by pages.
CREATE VIEW payable_commissions AS
SELECT m.account_id, m.commission_id AS line_id, m.affiliate_id, m.currency, m.amount_minor, 1 AS is_commission,
       COALESCE(m.payable_at, m.created_at) AS payable_at, a.mode, a.merchant_id
FROM commissions AS m
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE m.state = 'PAYABLE' AND (a.mode = 'test' OR s.status = 'APPROVED')
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = m.account_id AND l.line_id = m.commission_id AND l.status <> 'DROPPED');
CREATE VIEW payable_corrections AS
SELECT d.account_id, d.adjustment_id AS line_id, d.affiliate_id, d.currency, d.amount_minor, 0 AS is_commission,
       d.decided_at AS payable_at, a.mode, a.merchant_id
FROM adjustments AS d
JOIN accounts AS a ON a.account_id = d.account_id
WHERE d.status = 'APPROVED'
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = d.account_id AND l.line_id = d.adjustment_id AND l.status <> 'DROPPED');
CREATE VIEW payable_lines AS
SELECT account_id, line_id, affiliate_id, currency, amount_minor, is_commission, payable_at, mode, merchant_id
FROM payable_commissions
UNION ALL
SELECT account_id, line_id, affiliate_id, currency, amount_minor, is_commission, payable_at, mode, merchant_id
FROM payable_corrections;

-- What a payment pays that no earlier self-billed invoice has: a supply is invoiced once, so what comes back to the
-- balance with a payment that was returned is not invoiced again if that payment was.
CREATE VIEW supplies_of_items AS
SELECT i.payout_id, i.affiliate_id, i.currency, i.status, i.invoiced,
       i.amount_minor - COALESCE((
           SELECT CAST(SUM(l.amount_minor) AS BIGINT)
           FROM payout_lines AS l
           JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id
           JOIN payout_items AS o
               ON o.payout_id = d.paid_reference AND o.affiliate_id = d.affiliate_id AND o.currency = d.currency
           WHERE l.payout_id = i.payout_id AND l.affiliate_id = i.affiliate_id AND l.currency = i.currency
             AND l.status = 'PAID' AND d.kind = 'returned' AND o.invoiced = 1), 0) AS supplies_minor
FROM payout_items AS i;

-- Self-billed invoices of affiliates that are businesses: their supplies, each once. Numbered without a gap, in the
-- transaction that releases the item; the payee is kept as it was then, sealed. A negative amount is a credit note.
CREATE TABLE invoices (
    invoice_no   BIGINT NOT NULL PRIMARY KEY,
    payout_id    TEXT   NOT NULL,
    affiliate_id TEXT   NOT NULL,
    currency     TEXT   NOT NULL,
    amount_minor BIGINT NOT NULL,
    corrects     TEXT,                            -- the numbers of invoices that refunds in it take back from, like 1,4
    issuer_id    TEXT   NOT NULL,                 -- the company that it is to; empty: that of the settings
    series_no    BIGINT NOT NULL,                 -- its number among those to that company, which is what it says
    corrected    TEXT,                            -- what it corrects as those invoices say their numbers, like 1,AT-3
    billed_to    TEXT   NOT NULL,                 -- JSON: the company as it was then, in lines and in parts
    sealed_payee TEXT   NOT NULL,
    issued_at    BIGINT NOT NULL,
    UNIQUE (payout_id, affiliate_id, currency),
    UNIQUE (issuer_id, series_no),
    FOREIGN KEY (payout_id, affiliate_id, currency) REFERENCES payout_items (payout_id, affiliate_id, currency)
) {clustered};


-- What merchants pay -------------------------------------------------------------------------------------------------

-- The network's fee in percent of what affiliates are paid, since when, and who said so.
CREATE TABLE merchant_fees (
    merchant_id TEXT   NOT NULL REFERENCES merchants (merchant_id),
    valid_from  BIGINT NOT NULL,
    percentage  TEXT   NOT NULL,
    set_by      TEXT   NOT NULL,
    PRIMARY KEY (merchant_id, valid_from)
) {clustered};

-- How the network keeps its books: one row, or none for months in UTC.
CREATE TABLE books (
    books_id   BIGINT NOT NULL PRIMARY KEY CHECK (books_id = 1),
    time_zone  TEXT   NOT NULL,                   -- an IANA name, like Europe/Berlin
    billed     TEXT   NOT NULL DEFAULT 'paid' CHECK (billed IN ('paid', 'payable')),  -- when merchants are billed
    changed_by TEXT   NOT NULL,
    changed_at BIGINT NOT NULL
) {clustered};

-- The legal entities that bill merchants, beside the one of the settings, which has no row and the empty id.
CREATE TABLE issuers (
    issuer_id  TEXT   NOT NULL PRIMARY KEY,       -- a code like at: its invoices are AT-1, AT-2 ...
    name       TEXT   NOT NULL,
    address    TEXT   NOT NULL,
    country    TEXT   NOT NULL,                   -- ISO 3166, two letters
    vat_number TEXT   NOT NULL,                   -- empty: it has none
    vat_rate   TEXT   NOT NULL,                   -- of its own country, in percent
    pay_to     TEXT   NOT NULL,
    iban       TEXT   NOT NULL,                   -- the account whose statements pay its invoices alone; empty: not known
    set_by     TEXT   NOT NULL,
    set_at     BIGINT NOT NULL
) {clustered};

-- Which of them bills a merchant from its next invoice on; a merchant without a row is billed by that of the settings.
CREATE TABLE merchant_issuers (
    merchant_id TEXT   NOT NULL PRIMARY KEY REFERENCES merchants (merchant_id),
    issuer_id   TEXT   NOT NULL,                  -- empty: that of the settings again
    set_by      TEXT   NOT NULL,
    set_at      BIGINT NOT NULL
) {clustered};

-- To which of them an affiliate's self-billed invoices are from the next one on; without a row, to that of the settings.
CREATE TABLE affiliate_issuers (
    affiliate_id TEXT   NOT NULL PRIMARY KEY REFERENCES affiliates (affiliate_id),
    issuer_id    TEXT   NOT NULL,                 -- empty: that of the settings again
    set_by       TEXT   NOT NULL,
    set_at       BIGINT NOT NULL
) {clustered};

-- A month of an account in one currency, numbered without a gap over all merchants, and so within each issuer.
CREATE TABLE merchant_invoices (
    invoice_no        BIGINT NOT NULL PRIMARY KEY,
    issuer_id         TEXT   NOT NULL,            -- empty: that of the settings
    series_no         BIGINT NOT NULL,            -- its number among its issuer's, which is what it says
    account_id        TEXT   NOT NULL REFERENCES accounts (account_id),
    month             TEXT   NOT NULL,            -- like 2026-11, a month of the books
    time_zone         TEXT   NOT NULL,            -- in which it is one
    currency          TEXT   NOT NULL,
    commissions_minor BIGINT NOT NULL,
    payments          BIGINT NOT NULL,
    corrections_minor BIGINT NOT NULL,
    fee_minor         BIGINT NOT NULL,
    deposit_minor     BIGINT NOT NULL,            -- negative: what the deposit has paid of it
    vat_kind          TEXT   NOT NULL CHECK (vat_kind IN ('none', 'domestic', 'reverse_charge', 'outside')),
    vat_rate          TEXT   NOT NULL,            -- in percent
    vat_minor         BIGINT NOT NULL,            -- on commissions, corrections and fee; beside what the deposit paid
    corrects          TEXT,                       -- the numbers of invoices that corrections in it take back from, like 1,4
    corrected         TEXT,                       -- the same as those invoices say them, like 1,AT-3
    issuer            TEXT   NOT NULL,            -- JSON: the network as it was then, in lines and in parts
    pay_to            TEXT   NOT NULL,
    due_at            BIGINT NOT NULL,
    billed_to         TEXT   NOT NULL,            -- JSON: the merchant as it was then, in lines and in parts
    issued_by         TEXT   NOT NULL,
    issued_at         BIGINT NOT NULL,
    UNIQUE (account_id, month, currency),
    UNIQUE (issuer_id, series_no)
) {clustered};

-- What merchants paid of their invoices: movements that a bank's statement reported, each once however often it is read,
-- and what people noted. One that a person has to look at is OPEN.
CREATE TABLE receipts (
    receipt_id   TEXT   NOT NULL PRIMARY KEY,
    movement     TEXT   NOT NULL UNIQUE,          -- what tells the bank's movement from all others, or who noted it by hand
    source       TEXT   NOT NULL CHECK (source IN ('statement', 'by_hand', 'set_off')),
    booked_on    TEXT   NOT NULL,                 -- the bank's day, like 2026-11-30
    amount_minor BIGINT NOT NULL,                 -- negative: paid back to the merchant; 0 for a set-off
    currency     TEXT   NOT NULL,
    payer        TEXT   NOT NULL,
    remittance   TEXT   NOT NULL,                 -- what the payer wrote
    status       TEXT   NOT NULL CHECK (status IN ('OPEN', 'MATCHED', 'CLOSED')),
    question     TEXT,                            -- a word of ReceiptQuestion (hub/domain/words.py): why it is OPEN
    decision     TEXT,                            -- why a person closed it
    noted_by     TEXT   NOT NULL,
    noted_at     BIGINT NOT NULL
) {clustered};
CREATE INDEX receipts_by_status ON receipts (status, receipt_id);

-- Which invoices a receipt pays, and how much of each; of a set-off, negative for the credit note that is used up.
CREATE TABLE invoice_payments (
    invoice_no   BIGINT NOT NULL REFERENCES merchant_invoices (invoice_no),
    receipt_id   TEXT   NOT NULL REFERENCES receipts (receipt_id),
    amount_minor BIGINT NOT NULL CHECK (amount_minor <> 0),
    PRIMARY KEY (invoice_no, receipt_id)
) {clustered};
CREATE INDEX invoice_payments_by_receipt ON invoice_payments (receipt_id, invoice_no);

-- The reminders of overdue invoices, by their level: each once, on however many nodes.
CREATE TABLE invoice_reminders (
    invoice_no  BIGINT NOT NULL REFERENCES merchant_invoices (invoice_no),
    level       BIGINT NOT NULL,                  -- counts the settings' moments from 1
    left_minor  BIGINT NOT NULL,                  -- what was left to pay then
    reminded_at BIGINT NOT NULL,
    PRIMARY KEY (invoice_no, level)
) {clustered};

-- The reminders of what affiliates owe, each level once; a debt is known by when its oldest part began.
CREATE TABLE debt_reminders (
    affiliate_id TEXT   NOT NULL REFERENCES affiliates (affiliate_id),
    currency     TEXT   NOT NULL,
    since        BIGINT NOT NULL,
    level        BIGINT NOT NULL,                 -- counts the settings' moments from 1
    owed_minor   BIGINT NOT NULL,                 -- what was owed then
    reminded_at  BIGINT NOT NULL,
    PRIMARY KEY (affiliate_id, currency, since, level)
) {clustered};

-- What an invoice is about, and what was paid of it until which day.
CREATE VIEW invoice_standings AS
SELECT n.invoice_no, n.issuer_id, n.series_no, n.account_id, n.month, n.currency, n.due_at, n.billed_to,
       n.commissions_minor + n.corrections_minor + n.fee_minor + n.deposit_minor + n.vat_minor AS total_minor,
       COALESCE((SELECT CAST(SUM(p.amount_minor) AS BIGINT) FROM invoice_payments AS p
                 WHERE p.invoice_no = n.invoice_no), 0) AS paid_minor,
       (SELECT MAX(r.booked_on) FROM invoice_payments AS p JOIN receipts AS r ON r.receipt_id = p.receipt_id
        WHERE p.invoice_no = n.invoice_no) AS paid_on
FROM merchant_invoices AS n;

-- What is left of a merchant's deposit: what was paid in, less what was taken out and what covers commissions. If the
-- merchant's setting says so, commissions only become payable while it covers them.
CREATE TABLE deposits (
    account_id    TEXT   NOT NULL REFERENCES accounts (account_id),
    currency      TEXT   NOT NULL,
    balance_minor BIGINT NOT NULL CHECK (balance_minor >= 0),
    -- When it was last reported that the deposit is too small, so that each shortage is reported once; null: not since
    -- the last payment into it.
    shortage_at   BIGINT,
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

-- What merchants owe, entry by entry, at the moment of supply: commissions when they are paid, less what the deposit
-- covers them with, or, if the books say so, when they become payable, and back when they no longer are, with what the
-- deposit covers as entries of their own; corrections when they are approved, and the fee with each payment and each
-- correction. This is its only definition.
CREATE VIEW owed_entries AS
SELECT e.account_id, e.entry_no, e.posted_at, e.currency, e.affiliate_id, e.commission_id, e.adjustment_id,
       e.external_order_id, e.cause,
       CASE e.kind WHEN 'adjusted' THEN 'correction' WHEN 'fee' THEN 'fee' WHEN 'covered' THEN 'cover'
                   WHEN 'uncovered' THEN 'cover' ELSE 'commission' END AS what,
       CASE WHEN e.kind IN ('covered', 'uncovered') THEN 0
            WHEN e.credit = 'merchant' OR (e.debit = 'payable' AND e.kind <> 'paid') THEN -e.amount_minor
            ELSE e.amount_minor END AS minor,
       CASE e.kind WHEN 'paid' THEN COALESCE(-c.amount_minor, 0) WHEN 'covered' THEN -e.amount_minor
                   WHEN 'uncovered' THEN e.amount_minor ELSE 0 END AS deposit_minor
FROM ledger_entries AS e
LEFT JOIN deposit_covers AS c ON c.account_id = e.account_id AND c.commission_id = e.commission_id
WHERE (e.kind = 'paid' OR e.kind = 'adjusted' OR e.kind = 'fee' OR e.kind = 'covered' OR e.kind = 'uncovered'
       OR e.debit = 'payable' OR e.credit = 'payable')
  AND CASE COALESCE((SELECT b.billed FROM books AS b), 'paid')
      WHEN 'payable' THEN e.kind <> 'paid'
      ELSE e.kind IN ('adjusted', 'fee') OR (e.kind = 'paid' AND e.debit = 'payable') END;
