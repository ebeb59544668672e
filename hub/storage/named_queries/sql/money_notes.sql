-- name: lock_note_heads
-- Lock the ends of these accounts' chains of notes, in one order, and return them; the first note finds an empty one.
INSERT INTO money_note_heads (account_id, notes, hash)
SELECT account_id, 0, '' FROM @rows(:accounts; account_id text) WHERE true ORDER BY account_id
ON CONFLICT (account_id) DO UPDATE SET notes = money_note_heads.notes
RETURNING account_id, notes, hash

-- name: append_notes
-- Append notes of rows to their chains.
INSERT INTO money_notes (account_id, note_no, noted_at, table_name, row_key, digest, hash)
SELECT account_id, note_no, noted_at, table_name, row_key, digest, hash
FROM @rows(:notes; account_id text, note_no bigint, noted_at bigint, table_name text, row_key text, digest text,
           hash text)

-- name: move_note_heads
-- Store the new ends of chains of notes, which this transaction has locked.
UPDATE money_note_heads
SET notes = k.notes, hash = k.hash
FROM @rows(:heads; account_id text, notes bigint, hash text) AS k
WHERE money_note_heads.account_id = k.account_id

-- name: note_ends
-- Return the end of each chain of notes as it was noted, and the highest number that a note has, at one moment.
SELECT a.account_id, COALESCE(h.notes, 0) AS notes, COALESCE(h.hash, '') AS hash,
       COALESCE((SELECT MAX(n.note_no) FROM money_notes AS n WHERE n.account_id = a.account_id), 0) AS highest
FROM (SELECT '' AS account_id UNION SELECT account_id FROM accounts UNION SELECT account_id FROM money_note_heads) AS a
LEFT JOIN money_note_heads AS h ON h.account_id = a.account_id
ORDER BY a.account_id

-- name: note_page
-- Return notes of a chain after a number, up to another.
SELECT account_id, note_no, noted_at, table_name, row_key, digest, hash
FROM money_notes
WHERE account_id = :account_id AND note_no > :after AND note_no <= :last
ORDER BY note_no
LIMIT :limit

-- name: last_note
-- Return the last note of a row.
SELECT digest FROM money_notes
WHERE account_id = :account_id AND table_name = :table_name AND row_key = :row_key
ORDER BY note_no DESC
LIMIT 1

-- name: noted_payouts
-- Return runs by their keys, as they are noted.
SELECT p.payout_id, p.mode, p.status, p.cutoff_at, p.currency, p.minimum, p.created_by, p.created_at, p.released_by,
       p.released_at
FROM @rows(:keys; payout_id text) AS k
CROSS JOIN payouts AS p
WHERE p.payout_id = k.payout_id

-- name: noted_payouts_page
-- Return runs after a key, as they are noted.
SELECT p.payout_id, p.mode, p.status, p.cutoff_at, p.currency, p.minimum, p.created_by, p.created_at, p.released_by,
       p.released_at
FROM payouts AS p
WHERE p.payout_id > CAST(:payout_id AS TEXT)
ORDER BY p.payout_id
LIMIT :limit

-- name: noted_payout_items
-- Return payments by their keys, as they are noted.
SELECT i.payout_id, i.affiliate_id, i.currency, i.amount_minor, i.commissions, i.adjustments, i.adjustments_minor,
       i.status, i.carried, i.reference, i.returned, i.settled_at, i.file_id, i.question, i.invoiced
FROM @rows(:keys; payout_id text, affiliate_id text, currency text) AS k
CROSS JOIN payout_items AS i
WHERE i.payout_id = k.payout_id AND i.affiliate_id = k.affiliate_id AND i.currency = k.currency

-- name: noted_payout_items_page
-- Return payments after a key, as they are noted.
SELECT i.payout_id, i.affiliate_id, i.currency, i.amount_minor, i.commissions, i.adjustments, i.adjustments_minor,
       i.status, i.carried, i.reference, i.returned, i.settled_at, i.file_id, i.question, i.invoiced
FROM payout_items AS i
WHERE (i.payout_id, i.affiliate_id, i.currency) > (CAST(:payout_id AS TEXT), CAST(:affiliate_id AS TEXT), CAST(:currency AS TEXT))
ORDER BY i.payout_id, i.affiliate_id, i.currency
LIMIT :limit

-- name: noted_payout_files
-- Return files by their keys, as they are noted.
SELECT f.file_id, f.payout_id, f.format, f.message_id, f.sha256, f.payments, f.written_by, f.written_at,
       f.withdrawn_by, f.withdrawn_at
FROM @rows(:keys; file_id text) AS k
CROSS JOIN payout_files AS f
WHERE f.file_id = k.file_id

-- name: noted_payout_files_page
-- Return files after a key, as they are noted.
SELECT f.file_id, f.payout_id, f.format, f.message_id, f.sha256, f.payments, f.written_by, f.written_at,
       f.withdrawn_by, f.withdrawn_at
FROM payout_files AS f
WHERE f.file_id > CAST(:file_id AS TEXT)
ORDER BY f.file_id
LIMIT :limit

-- name: noted_payout_file_payments
-- Return what files pay by their keys, as they are noted.
SELECT x.file_id, x.affiliate_id, x.currency, x.amount_minor
FROM @rows(:keys; file_id text, affiliate_id text, currency text) AS k
CROSS JOIN payout_file_payments AS x
WHERE x.file_id = k.file_id AND x.affiliate_id = k.affiliate_id AND x.currency = k.currency

-- name: noted_payout_file_payments_page
-- Return what files pay after a key, as they are noted.
SELECT x.file_id, x.affiliate_id, x.currency, x.amount_minor
FROM payout_file_payments AS x
WHERE (x.file_id, x.affiliate_id, x.currency) > (CAST(:file_id AS TEXT), CAST(:affiliate_id AS TEXT), CAST(:currency AS TEXT))
ORDER BY x.file_id, x.affiliate_id, x.currency
LIMIT :limit

-- name: noted_adjustments
-- Return corrections by their keys, as they are noted.
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.kind, d.amount_minor, d.currency, d.reason, d.commission_id,
       d.external_order_id, d.fact_key, d.paid_reference, d.status, d.created_by, d.created_at, d.decided_by,
       d.decided_at, d.payout_id
FROM @rows(:keys; account_id text, adjustment_id text) AS k
CROSS JOIN adjustments AS d
WHERE d.account_id = k.account_id AND d.adjustment_id = k.adjustment_id

-- name: noted_adjustments_page
-- Return corrections after a key, as they are noted.
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.kind, d.amount_minor, d.currency, d.reason, d.commission_id,
       d.external_order_id, d.fact_key, d.paid_reference, d.status, d.created_by, d.created_at, d.decided_by,
       d.decided_at, d.payout_id
FROM adjustments AS d
WHERE (d.account_id, d.adjustment_id) > (CAST(:account_id AS TEXT), CAST(:adjustment_id AS TEXT))
ORDER BY d.account_id, d.adjustment_id
LIMIT :limit

-- name: noted_payees
-- Return payees by their keys, as they are noted.
SELECT y.affiliate_id, y.method, y.self_billed, y.changed_at, y.waits
FROM @rows(:keys; affiliate_id text) AS k
CROSS JOIN payees AS y
WHERE y.affiliate_id = k.affiliate_id

-- name: noted_payees_page
-- Return payees after a key, as they are noted.
SELECT y.affiliate_id, y.method, y.self_billed, y.changed_at, y.waits
FROM payees AS y
WHERE y.affiliate_id > CAST(:affiliate_id AS TEXT)
ORDER BY y.affiliate_id
LIMIT :limit

-- name: noted_payment_holds
-- Return holds of payments by their keys, as they are noted.
SELECT h.affiliate_id, h.reason, h.set_by, h.set_at, h.ends_at, h.by_status
FROM @rows(:keys; affiliate_id text) AS k
CROSS JOIN payment_holds AS h
WHERE h.affiliate_id = k.affiliate_id

-- name: noted_payment_holds_page
-- Return holds of payments after a key, as they are noted.
SELECT h.affiliate_id, h.reason, h.set_by, h.set_at, h.ends_at, h.by_status
FROM payment_holds AS h
WHERE h.affiliate_id > CAST(:affiliate_id AS TEXT)
ORDER BY h.affiliate_id
LIMIT :limit

-- name: noted_invoices
-- Return self-billed invoices by their keys, as they are noted.
SELECT v.invoice_no, v.payout_id, v.affiliate_id, v.currency, v.amount_minor, v.corrects, v.issuer_id, v.series_no,
       v.corrected, v.billed_to, v.issued_at
FROM @rows(:keys; invoice_no bigint) AS k
CROSS JOIN invoices AS v
WHERE v.invoice_no = k.invoice_no

-- name: noted_invoices_page
-- Return self-billed invoices after a key, as they are noted.
SELECT v.invoice_no, v.payout_id, v.affiliate_id, v.currency, v.amount_minor, v.corrects, v.issuer_id, v.series_no,
       v.corrected, v.billed_to, v.issued_at
FROM invoices AS v
WHERE v.invoice_no > CAST(:invoice_no AS BIGINT)
ORDER BY v.invoice_no
LIMIT :limit

-- name: noted_merchant_fees
-- Return fees by their keys, as they are noted.
SELECT e.merchant_id, e.valid_from, e.percentage, e.set_by
FROM @rows(:keys; merchant_id text, valid_from bigint) AS k
CROSS JOIN merchant_fees AS e
WHERE e.merchant_id = k.merchant_id AND e.valid_from = k.valid_from

-- name: noted_merchant_fees_page
-- Return fees after a key, as they are noted.
SELECT e.merchant_id, e.valid_from, e.percentage, e.set_by
FROM merchant_fees AS e
WHERE (e.merchant_id, e.valid_from) > (CAST(:merchant_id AS TEXT), CAST(:valid_from AS BIGINT))
ORDER BY e.merchant_id, e.valid_from
LIMIT :limit

-- name: noted_merchant_invoices
-- Return invoices to merchants by their keys, as they are noted.
SELECT n.account_id, n.invoice_no, n.issuer_id, n.series_no, n.corrected, n.month, n.time_zone, n.currency,
       n.commissions_minor, n.payments, n.corrections_minor, n.fee_minor, n.deposit_minor, n.vat_kind, n.vat_rate, n.vat_minor, n.corrects, n.issuer,
       n.pay_to, n.due_at, n.billed_to, n.issued_by, n.issued_at
FROM @rows(:keys; invoice_no bigint) AS k
CROSS JOIN merchant_invoices AS n
WHERE n.invoice_no = k.invoice_no

-- name: noted_merchant_invoices_page
-- Return invoices to merchants after a key, as they are noted.
SELECT n.account_id, n.invoice_no, n.issuer_id, n.series_no, n.corrected, n.month, n.time_zone, n.currency,
       n.commissions_minor, n.payments, n.corrections_minor, n.fee_minor, n.deposit_minor, n.vat_kind, n.vat_rate, n.vat_minor, n.corrects, n.issuer,
       n.pay_to, n.due_at, n.billed_to, n.issued_by, n.issued_at
FROM merchant_invoices AS n
WHERE n.invoice_no > CAST(:invoice_no AS BIGINT)
ORDER BY n.invoice_no
LIMIT :limit

-- name: noted_closed_months
-- Return months that are closed by their keys, as they are noted.
SELECT m.month, m.ends_at, m.proposed_by, m.proposed_at, m.closed_by, m.closed_at, m.entries, m.head
FROM @rows(:keys; month text) AS k
CROSS JOIN closed_months AS m
WHERE m.month = k.month

-- name: noted_closed_months_page
-- Return months that are closed after a key, as they are noted.
SELECT m.month, m.ends_at, m.proposed_by, m.proposed_at, m.closed_by, m.closed_at, m.entries, m.head
FROM closed_months AS m
WHERE m.month > CAST(:month AS TEXT)
ORDER BY m.month
LIMIT :limit

-- name: noted_closed_ends
-- Return the ends of chains in closed months by their keys, as they are noted.
SELECT e.month, e.account_id, e.entries, e.hash
FROM @rows(:keys; month text, account_id text) AS k
CROSS JOIN closed_ends AS e
WHERE e.month = k.month AND e.account_id = k.account_id

-- name: noted_closed_ends_page
-- Return the ends of chains in closed months after a key, as they are noted.
SELECT e.month, e.account_id, e.entries, e.hash
FROM closed_ends AS e
WHERE (e.month, e.account_id) > (CAST(:month AS TEXT), CAST(:account_id AS TEXT))
ORDER BY e.month, e.account_id
LIMIT :limit

-- name: noted_pay_dates
-- Return pay dates by their keys, as they are noted.
SELECT d.pay_date, d.currency, d.payout_id, d.drafted_at
FROM @rows(:keys; pay_date text, currency text) AS k
CROSS JOIN pay_dates AS d
WHERE d.pay_date = k.pay_date AND d.currency = k.currency

-- name: noted_pay_dates_page
-- Return pay dates after a key, as they are noted.
SELECT d.pay_date, d.currency, d.payout_id, d.drafted_at
FROM pay_dates AS d
WHERE (d.pay_date, d.currency) > (CAST(:pay_date AS TEXT), CAST(:currency AS TEXT))
ORDER BY d.pay_date, d.currency
LIMIT :limit

-- name: noted_payout_terms
-- Return what affiliates chose of how they are paid by their keys, as it is noted.
SELECT t.affiliate_id, t.minimum, t.currencies, t.waits, t.paid_in, t.set_by, t.set_at
FROM @rows(:keys; affiliate_id text) AS k
CROSS JOIN payout_terms AS t
WHERE t.affiliate_id = k.affiliate_id

-- name: noted_payout_terms_page
-- Return what affiliates chose of how they are paid after a key, as it is noted.
SELECT t.affiliate_id, t.minimum, t.currencies, t.waits, t.paid_in, t.set_by, t.set_at
FROM payout_terms AS t
WHERE t.affiliate_id > CAST(:affiliate_id AS TEXT)
ORDER BY t.affiliate_id
LIMIT :limit

-- name: noted_receipts
-- Return payments of merchants by their keys, as they are noted.
SELECT r.receipt_id, r.movement, r.source, r.booked_on, r.amount_minor, r.currency, r.payer, r.remittance, r.status,
       r.question, r.decision, r.noted_by, r.noted_at
FROM @rows(:keys; receipt_id text) AS k
CROSS JOIN receipts AS r
WHERE r.receipt_id = k.receipt_id

-- name: noted_receipts_page
-- Return payments of merchants after a key, as they are noted.
SELECT r.receipt_id, r.movement, r.source, r.booked_on, r.amount_minor, r.currency, r.payer, r.remittance, r.status,
       r.question, r.decision, r.noted_by, r.noted_at
FROM receipts AS r
WHERE r.receipt_id > CAST(:receipt_id AS TEXT)
ORDER BY r.receipt_id
LIMIT :limit

-- name: noted_invoice_payments
-- Return payments of invoices by their keys, as they are noted.
SELECT p.invoice_no, p.receipt_id, p.amount_minor
FROM @rows(:keys; invoice_no bigint, receipt_id text) AS k
CROSS JOIN invoice_payments AS p
WHERE p.invoice_no = k.invoice_no AND p.receipt_id = k.receipt_id

-- name: noted_invoice_payments_page
-- Return payments of invoices after a key, as they are noted.
SELECT p.invoice_no, p.receipt_id, p.amount_minor
FROM invoice_payments AS p
WHERE (p.invoice_no, p.receipt_id) > (CAST(:invoice_no AS BIGINT), CAST(:receipt_id AS TEXT))
ORDER BY p.invoice_no, p.receipt_id
LIMIT :limit

-- name: noted_deposit_payments
-- Return payments into deposits by their keys, as they are noted.
SELECT t.account_id, t.reference, t.currency, t.amount_minor, t.made_by, t.made_at
FROM @rows(:keys; account_id text, reference text) AS k
CROSS JOIN deposit_payments AS t
WHERE t.account_id = k.account_id AND t.reference = k.reference

-- name: noted_deposit_payments_page
-- Return payments into deposits after a key, as they are noted.
SELECT t.account_id, t.reference, t.currency, t.amount_minor, t.made_by, t.made_at
FROM deposit_payments AS t
WHERE (t.account_id, t.reference) > (CAST(:account_id AS TEXT), CAST(:reference AS TEXT))
ORDER BY t.account_id, t.reference
LIMIT :limit

-- name: noted_books
-- Return how the books are kept by their keys, as they are noted.
SELECT b.books_id, b.time_zone, b.billed, b.changed_by, b.changed_at
FROM @rows(:keys; books_id bigint) AS k
CROSS JOIN books AS b
WHERE b.books_id = k.books_id

-- name: noted_books_page
-- Return how the books are kept after a key, as they are noted.
SELECT b.books_id, b.time_zone, b.billed, b.changed_by, b.changed_at
FROM books AS b
WHERE b.books_id > CAST(:books_id AS BIGINT)
ORDER BY b.books_id
LIMIT :limit

-- name: noted_payout_exchanges
-- Return by what payments were exchanged by their keys, as it is noted.
SELECT x.payout_id, x.affiliate_id, x.currency, x.sent_currency, x.sent_minor, x.rate, x.set_id
FROM @rows(:keys; payout_id text, affiliate_id text, currency text) AS k
CROSS JOIN payout_exchanges AS x
WHERE x.payout_id = k.payout_id AND x.affiliate_id = k.affiliate_id AND x.currency = k.currency

-- name: noted_payout_exchanges_page
-- Return by what payments were exchanged after a key, as it is noted.
SELECT x.payout_id, x.affiliate_id, x.currency, x.sent_currency, x.sent_minor, x.rate, x.set_id
FROM payout_exchanges AS x
WHERE (x.payout_id, x.affiliate_id, x.currency)
    > (CAST(:payout_id AS TEXT), CAST(:affiliate_id AS TEXT), CAST(:currency AS TEXT))
ORDER BY x.payout_id, x.affiliate_id, x.currency
LIMIT :limit

-- name: noted_exchange_rates
-- Return rates of exchange by their keys, as they are noted.
SELECT e.set_id, e.base, e.quote, e.rate, e.source, e.status, e.proposed_by, e.proposed_at, e.decided_by, e.decided_at
FROM @rows(:keys; set_id text, base text, quote text) AS k
CROSS JOIN exchange_rates AS e
WHERE e.set_id = k.set_id AND e.base = k.base AND e.quote = k.quote

-- name: noted_exchange_rates_page
-- Return rates of exchange after a key, as they are noted.
SELECT e.set_id, e.base, e.quote, e.rate, e.source, e.status, e.proposed_by, e.proposed_at, e.decided_by, e.decided_at
FROM exchange_rates AS e
WHERE (e.set_id, e.base, e.quote) > (CAST(:set_id AS TEXT), CAST(:base AS TEXT), CAST(:quote AS TEXT))
ORDER BY e.set_id, e.base, e.quote
LIMIT :limit

-- name: noted_issuers
-- Return issuers by their keys, as they are noted.
SELECT i.issuer_id, i.name, i.address, i.country, i.vat_number, i.vat_rate, i.pay_to, i.iban, i.set_by, i.set_at
FROM @rows(:keys; issuer_id text) AS k
CROSS JOIN issuers AS i
WHERE i.issuer_id = k.issuer_id

-- name: noted_issuers_page
-- Return issuers after a key, as they are noted.
SELECT i.issuer_id, i.name, i.address, i.country, i.vat_number, i.vat_rate, i.pay_to, i.iban, i.set_by, i.set_at
FROM issuers AS i
WHERE i.issuer_id > CAST(:issuer_id AS TEXT)
ORDER BY i.issuer_id
LIMIT :limit

-- name: noted_merchant_issuers
-- Return who bills merchants by their keys, as it is noted.
SELECT i.merchant_id, i.issuer_id, i.set_by, i.set_at
FROM @rows(:keys; merchant_id text) AS k
CROSS JOIN merchant_issuers AS i
WHERE i.merchant_id = k.merchant_id

-- name: noted_merchant_issuers_page
-- Return who bills merchants after a key, as it is noted.
SELECT i.merchant_id, i.issuer_id, i.set_by, i.set_at
FROM merchant_issuers AS i
WHERE i.merchant_id > CAST(:merchant_id AS TEXT)
ORDER BY i.merchant_id
LIMIT :limit

-- name: noted_affiliate_issuers
-- Return to whom self-billed invoices of affiliates are by their keys, as it is noted.
SELECT i.affiliate_id, i.issuer_id, i.set_by, i.set_at
FROM @rows(:keys; affiliate_id text) AS k
CROSS JOIN affiliate_issuers AS i
WHERE i.affiliate_id = k.affiliate_id

-- name: noted_affiliate_issuers_page
-- Return to whom self-billed invoices of affiliates are after a key, as it is noted.
SELECT i.affiliate_id, i.issuer_id, i.set_by, i.set_at
FROM affiliate_issuers AS i
WHERE i.affiliate_id > CAST(:affiliate_id AS TEXT)
ORDER BY i.affiliate_id
LIMIT :limit

-- name: noted_vat_checks
-- Return what VIES said of VAT numbers by their keys, as it is noted.
SELECT c.check_id, c.party_id, c.subject, c.outcome, c.consultation, c.fault, c.asked_by, c.asked_at
FROM @rows(:keys; check_id text) AS k
CROSS JOIN vat_checks AS c
WHERE c.check_id = k.check_id

-- name: noted_vat_checks_page
-- Return what VIES said of VAT numbers after a key, as it is noted.
SELECT c.check_id, c.party_id, c.subject, c.outcome, c.consultation, c.fault, c.asked_by, c.asked_at
FROM vat_checks AS c
WHERE c.check_id > CAST(:check_id AS TEXT)
ORDER BY c.check_id
LIMIT :limit

-- name: noted_bank_reports
-- Return banks' reports by their keys, as they are noted.
SELECT r.report_id, r.kind, r.payout_id, r.file_id, r.reference, r.file_name, r.sha256, r.file_bytes, r.sent_by,
       r.actor_kind, r.source, r.sent_at
FROM @rows(:keys; report_id text) AS k
CROSS JOIN bank_reports AS r
WHERE r.report_id = k.report_id

-- name: noted_bank_reports_page
-- Return banks' reports after a key, as they are noted.
SELECT r.report_id, r.kind, r.payout_id, r.file_id, r.reference, r.file_name, r.sha256, r.file_bytes, r.sent_by,
       r.actor_kind, r.source, r.sent_at
FROM bank_reports AS r
WHERE r.report_id > CAST(:report_id AS TEXT)
ORDER BY r.report_id
LIMIT :limit
