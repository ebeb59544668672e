-- fragment: fees_charged
-- What was charged as a fee, less what was given back.
CAST(COALESCE(SUM(CASE WHEN e.credit = 'fees' THEN e.amount_minor ELSE -e.amount_minor END), 0) AS BIGINT)
        FROM ledger_entries AS e
        WHERE e.kind = 'fee'

-- name: supplies_to_invoice
-- Return what of a released item is to be invoiced for its payee, if that is a business that agreed to self-billing.
SELECT i.supplies_minor, p.sealed
FROM supplies_of_items AS i
JOIN payouts AS r ON r.payout_id = i.payout_id
JOIN payees AS p ON p.affiliate_id = i.affiliate_id
WHERE i.payout_id = :payout_id AND i.affiliate_id = :affiliate_id AND i.currency = :currency
  AND i.status = 'RELEASED' AND r.mode = 'live' AND p.self_billed = 1

-- name: invoices_taken_back
-- Return the invoices that refunds in an item of a run take back from, by number.
SELECT DISTINCT v.invoice_no, v.issuer_id, v.series_no
FROM payout_lines AS l
JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id
JOIN invoices AS v
    ON v.payout_id = d.paid_reference AND v.affiliate_id = d.affiliate_id AND v.currency = d.currency
WHERE l.payout_id = :payout_id AND l.affiliate_id = :affiliate_id AND l.currency = :currency
  AND l.status = 'PAID' AND d.kind = 'refund'
ORDER BY v.invoice_no

-- name: issue_invoice
-- Give the supplies of an item of a run the next number.
INSERT INTO invoices (invoice_no, issuer_id, series_no, payout_id, affiliate_id, currency, amount_minor, corrects,
                      corrected, billed_to, sealed_payee, issued_at)
SELECT COALESCE((SELECT MAX(invoice_no) FROM invoices), 0) + 1, :issuer_id,
       COALESCE((SELECT MAX(s.series_no) FROM invoices AS s WHERE s.issuer_id = :issuer_id), 0) + 1,
       i.payout_id, i.affiliate_id, i.currency, CAST(:amount_minor AS BIGINT), CAST(:corrects AS TEXT),
       CAST(:corrected AS TEXT), :billed_to, :sealed_payee, CAST(:now AS BIGINT)
FROM payout_items AS i
WHERE i.payout_id = :payout_id AND i.affiliate_id = :affiliate_id AND i.currency = :currency

-- name: invoice_keys
-- Return the numbers of the self-billed invoices of items of runs.
SELECT v.invoice_no
FROM @rows(:items; payout_id text, affiliate_id text, currency text) AS k
CROSS JOIN invoices AS v
WHERE v.payout_id = k.payout_id AND v.affiliate_id = k.affiliate_id AND v.currency = k.currency

-- name: mark_item_invoiced
-- Mark that all of an item of a run is on self-billed invoices.
UPDATE payout_items SET invoiced = 1
WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id AND currency = :currency

-- name: invoices_of
-- Return the invoices of a run to an affiliate.
SELECT invoice_no, issuer_id, series_no, currency, amount_minor, corrects, corrected, billed_to, sealed_payee, issued_at
FROM invoices WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id

-- name: sealed_invoice_page
-- Return sealed payees of invoices after a number.
SELECT invoice_no, affiliate_id, sealed_payee FROM invoices WHERE invoice_no > :after ORDER BY invoice_no LIMIT :limit

-- name: reseal_invoice
-- Replace the sealed payee of an invoice if it is still the one that was read.
UPDATE invoices SET sealed_payee = :new WHERE invoice_no = :invoice_no AND sealed_payee = :old

-- name: put_fee
-- Store a merchant's fee from a moment on.
INSERT INTO merchant_fees (merchant_id, valid_from, percentage, set_by)
VALUES (:merchant_id, :now, :percentage, :set_by)
ON CONFLICT (merchant_id, valid_from) DO UPDATE SET percentage = excluded.percentage, set_by = excluded.set_by

-- name: fees_of
-- Return the fee in percent that holds for each of these accounts at a moment; an account without one is missing.
SELECT a.account_id, f.percentage
FROM accounts AS a
JOIN merchant_fees AS f ON f.merchant_id = a.merchant_id
WHERE a.account_id IN @list(:accounts text)
  AND f.valid_from = (SELECT MAX(g.valid_from) FROM merchant_fees AS g
                      WHERE g.merchant_id = a.merchant_id AND g.valid_from <= :now)

-- name: fee_history
-- Return every fee of a merchant, newest first.
SELECT percentage, valid_from, set_by FROM merchant_fees WHERE merchant_id = :merchant_id ORDER BY valid_from DESC

-- name: charged_commissions
-- Return what of paid commissions was charged as a fee, and taken back by corrections.
SELECT m.account_id, m.commission_id, m.amount_minor,
       (SELECT @fragment(fees_charged)
          AND e.account_id = m.account_id AND e.commission_id = m.commission_id AND e.adjustment_id IS NULL)
       AS charged_minor,
       (SELECT CAST(COALESCE(SUM(-d.amount_minor), 0) AS BIGINT) FROM adjustments AS d
        WHERE d.account_id = m.account_id AND d.external_order_id = k.external_order_id
          AND d.commission_id = m.commission_id AND d.kind = 'refund' AND d.status IN ('APPROVED', 'PAID'))
           AS taken_minor
FROM @rows(:commissions; account_id text, commission_id text, external_order_id text) AS k
CROSS JOIN commissions AS m
WHERE m.account_id = k.account_id AND m.commission_id = k.commission_id

-- name: fees_of_payable
-- Return what commissions are payable or were paid, the fee in percent of when they became payable, and the charged.
SELECT h.account_id, k.commission_id, COALESCE(m.amount_minor, 0) AS amount_minor,
       (SELECT f.percentage FROM accounts AS a JOIN merchant_fees AS f ON f.merchant_id = a.merchant_id
        WHERE a.account_id = h.account_id AND f.valid_from <= COALESCE(m.payable_at, m.created_at)
        ORDER BY f.valid_from DESC LIMIT 1) AS percentage,
       (SELECT @fragment(fees_charged)
          AND e.account_id = h.account_id AND e.commission_id = k.commission_id AND e.adjustment_id IS NULL)
       AS charged_minor
FROM @rows(:commissions; account_id text, commission_id text) AS k
CROSS JOIN ledger_heads AS h
LEFT JOIN commissions AS m
    ON m.account_id = h.account_id AND m.commission_id = k.commission_id AND m.state IN ('PAYABLE', 'PAID')
WHERE h.account_id = k.account_id AND (SELECT b.billed FROM books AS b) = 'payable'

-- name: fees_of_payable_page
-- Return what a live account's commissions after one are payable or were paid, since when, and the charged.
SELECT m.commission_id AS place, m.commission_id, m.currency, COALESCE(m.payable_at, m.created_at) AS since,
       CASE WHEN m.state IN ('PAYABLE', 'PAID') THEN m.amount_minor ELSE 0 END AS amount_minor,
       (SELECT @fragment(fees_charged)
          AND e.account_id = m.account_id AND e.commission_id = m.commission_id AND e.adjustment_id IS NULL)
       AS charged_minor
FROM accounts AS a
CROSS JOIN commissions AS m
WHERE a.account_id = :account_id AND a.mode = 'live' AND m.account_id = a.account_id AND m.commission_id > :after
ORDER BY m.commission_id
LIMIT :limit

-- name: accounts_with_fee
-- Return the accounts whose merchants owe the network a fee, or did.
SELECT a.account_id FROM accounts AS a
WHERE EXISTS (SELECT 1 FROM merchant_fees AS f WHERE f.merchant_id = a.merchant_id)
ORDER BY a.account_id

-- name: payable_with_fee
-- Return a merchant with a fee whose commissions are payable or were.
SELECT a.merchant_id
FROM accounts AS a
WHERE EXISTS (SELECT 1 FROM merchant_fees AS f WHERE f.merchant_id = a.merchant_id)
  AND EXISTS (SELECT 1 FROM ledger_entries AS e
              WHERE e.account_id = a.account_id
                -- As the index of what is owed has it, which both databases take only for these very words.
                AND (e.kind = 'paid' OR e.kind = 'adjusted' OR e.kind = 'fee' OR e.kind = 'covered' OR e.kind = 'uncovered'
                     OR e.debit = 'payable' OR e.credit = 'payable')
                AND 'payable' IN (e.debit, e.credit))
ORDER BY a.merchant_id
LIMIT 1

-- name: owed_by_account
-- Return what an account owes of a time, by currency and what it is for.
SELECT currency, what, CAST(SUM(minor) AS BIGINT) AS minor, CAST(SUM(deposit_minor) AS BIGINT) AS deposit_minor,
       CAST(SUM(CASE WHEN minor > 0 THEN 1 ELSE 0 END) AS BIGINT) AS entries
FROM owed_entries
WHERE account_id = :account_id AND posted_at >= :since AND posted_at < :until
GROUP BY currency, what
ORDER BY currency, what

-- name: owed_by_month
-- Return what an account owes by month, currency and what it is for, for months with what it owes of.
SELECT k.month, e.currency, e.what, CAST(SUM(e.minor) AS BIGINT) AS minor,
       CAST(SUM(e.deposit_minor) AS BIGINT) AS deposit_minor,
       CAST(SUM(CASE WHEN e.minor > 0 THEN 1 ELSE 0 END) AS BIGINT) AS entries
FROM @rows(:months; month text, since bigint, until bigint) AS k
CROSS JOIN owed_entries AS e
WHERE e.account_id = :account_id AND e.posted_at >= k.since AND e.posted_at < k.until
GROUP BY k.month, e.currency, e.what
ORDER BY 1, 2, 3

-- name: owed_lines
-- Return what an account owes of a time by line, in the order of the ledger: sorted, as its index is that of the time.
SELECT e.entry_no, e.posted_at, e.external_order_id, e.affiliate_id, f.name AS affiliate_name, e.commission_id,
       e.adjustment_id, d.reason, e.currency, e.cause, e.what, e.minor, e.deposit_minor
FROM owed_entries AS e
LEFT JOIN adjustments AS d ON d.account_id = e.account_id AND d.adjustment_id = e.adjustment_id
LEFT JOIN affiliates AS f ON f.affiliate_id = e.affiliate_id
WHERE e.account_id = :account_id AND e.entry_no + 0 > :after AND e.posted_at >= :since AND e.posted_at < :until
ORDER BY e.entry_no + 0
LIMIT :limit

-- name: issue_merchant_invoice
-- Give an account's month in one currency its number, unless it has one.
INSERT INTO merchant_invoices (invoice_no, issuer_id, series_no, corrected, account_id, month, currency,
                               commissions_minor, payments, corrections_minor, fee_minor, deposit_minor, billed_to,
                               issued_by, issued_at, time_zone, vat_kind, vat_rate, vat_minor, corrects, issuer, pay_to,
                               due_at)
SELECT COALESCE((SELECT MAX(invoice_no) FROM merchant_invoices), 0) + 1, :issuer_id,
       COALESCE((SELECT MAX(s.series_no) FROM merchant_invoices AS s WHERE s.issuer_id = :issuer_id), 0) + 1,
       CAST(:corrected AS TEXT), a.account_id, :month, :currency,
       :commissions_minor, :payments, :corrections_minor, :fee_minor, :deposit_minor, :billed_to, :issued_by,
       CAST(:now AS BIGINT), COALESCE((SELECT b.time_zone FROM books AS b), 'UTC'), :vat_kind, :vat_rate,
       CAST(:vat_minor AS BIGINT), CAST(:corrects AS TEXT), :issuer, :pay_to, CAST(:due_at AS BIGINT)
FROM accounts AS a
WHERE a.account_id = :account_id
  AND NOT EXISTS (SELECT 1 FROM merchant_invoices AS i
                  WHERE i.account_id = a.account_id AND i.month = :month AND i.currency = :currency)

-- name: merchants_to_invoice
-- Return the merchants whose live account owes something of a month that has no invoice.
SELECT a.merchant_id
FROM accounts AS a
WHERE a.mode = 'live'
  AND EXISTS (SELECT 1 FROM owed_entries AS e
              WHERE e.account_id = a.account_id AND e.posted_at >= :since AND e.posted_at < :until)
  AND NOT EXISTS (SELECT 1 FROM merchant_invoices AS i WHERE i.account_id = a.account_id AND i.month = :month)
ORDER BY a.merchant_id

-- name: merchant_invoices_listed
-- Return invoices to merchants, newest first: all, those of a merchant, of a month, or one by its number.
SELECT i.invoice_no, i.issuer_id, i.series_no, i.corrected, i.account_id, i.month, i.currency, i.commissions_minor,
       i.payments, i.corrections_minor, i.fee_minor, i.deposit_minor, i.billed_to, i.issued_by, i.issued_at, i.time_zone,
       i.vat_kind, i.vat_rate, i.vat_minor, i.corrects, i.issuer, i.pay_to, i.due_at, a.merchant_id,
       m.name AS merchant_name, COALESCE((SELECT b.billed FROM books AS b), 'paid') AS billed
FROM merchant_invoices AS i
JOIN accounts AS a ON a.account_id = i.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE (CAST(:merchant_id AS TEXT) IS NULL OR a.merchant_id = CAST(:merchant_id AS TEXT))
  AND (CAST(:month AS TEXT) IS NULL OR i.month = CAST(:month AS TEXT))
  AND (CAST(:invoice_no AS BIGINT) IS NULL OR i.invoice_no = CAST(:invoice_no AS BIGINT))
ORDER BY i.invoice_no DESC
LIMIT :limit

-- name: merchant_invoices_of
-- Return the invoices of an account.
SELECT invoice_no, issuer_id, series_no, month, currency, commissions_minor, payments, corrections_minor, fee_minor,
       deposit_minor, vat_rate, vat_minor
FROM merchant_invoices WHERE account_id = :account_id

-- name: invoices_that_differ
-- Return payments of a slice whose self-billed invoice is not what they supply, or that are not marked for one.
SELECT v.invoice_no, i.payout_id, i.affiliate_id, i.currency
FROM supplies_of_items AS i
LEFT JOIN invoices AS v
    ON v.payout_id = i.payout_id AND v.affiliate_id = i.affiliate_id AND v.currency = i.currency
WHERE i.payout_id = :payout_id AND i.invoiced = 1 AND i.supplies_minor <> COALESCE(v.amount_minor, 0)
  AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
  AND (i.affiliate_id, i.currency) <= (:last_affiliate_id, :last_currency)
UNION ALL
SELECT v.invoice_no, v.payout_id, v.affiliate_id, v.currency
FROM invoices AS v
WHERE v.payout_id = :payout_id
  AND (v.affiliate_id, v.currency) > (:affiliate_id, :currency)
  AND (v.affiliate_id, v.currency) <= (:last_affiliate_id, :last_currency)
  AND NOT EXISTS (SELECT 1 FROM payout_items AS i
                  WHERE i.payout_id = v.payout_id AND i.affiliate_id = v.affiliate_id AND i.currency = v.currency
                    AND i.invoiced = 1)
ORDER BY 2, 3, 4
LIMIT :limit

-- name: invoice_numbers
-- Return how many invoices there are of each kind, and their highest number.
SELECT 'self-billed invoices' AS kind, COUNT(*) AS invoices, COALESCE(MAX(invoice_no), 0) AS highest FROM invoices
UNION ALL
SELECT 'invoices to merchants', COUNT(*), COALESCE(MAX(invoice_no), 0) FROM merchant_invoices
UNION ALL
SELECT 'invoices of issuer ' || CASE issuer_id WHEN '' THEN 'first' ELSE issuer_id END, COUNT(*), MAX(series_no)
FROM merchant_invoices GROUP BY issuer_id
UNION ALL
SELECT 'self-billed invoices to issuer ' || CASE issuer_id WHEN '' THEN 'first' ELSE issuer_id END, COUNT(*),
       MAX(series_no)
FROM invoices GROUP BY issuer_id

-- name: last_merchant_invoice
-- Return the last invoice to a merchant.
SELECT invoice_no FROM merchant_invoices ORDER BY invoice_no DESC LIMIT 1

-- name: books
-- Return how the books are kept.
SELECT time_zone, billed, changed_by, changed_at FROM books

-- name: put_books
-- Store how the books are kept.
INSERT INTO books (books_id, time_zone, billed, changed_by, changed_at)
VALUES (1, :time_zone, :billed, :changed_by, :now)
ON CONFLICT (books_id) DO UPDATE
SET time_zone = excluded.time_zone, billed = excluded.billed, changed_by = excluded.changed_by,
    changed_at = excluded.changed_at

-- name: fee_rates
-- Return every fee of an account's merchant, oldest first.
SELECT f.valid_from AS since, f.percentage
FROM accounts AS a
JOIN merchant_fees AS f ON f.merchant_id = a.merchant_id
WHERE a.account_id = :account_id
ORDER BY f.valid_from

-- name: fees_of_corrected
-- Return the fees of some commissions that refunds after the payout took back from, after an order: charged, and left.
SELECT k.external_order_id AS place, k.commission_id, m.currency, m.amount_minor, k.taken_minor,
       (SELECT @fragment(fees_charged)
          AND e.account_id = m.account_id AND e.commission_id = m.commission_id AND e.adjustment_id IS NULL)
       AS charged_minor,
       (SELECT @fragment(fees_charged)
          AND e.account_id = m.account_id AND e.commission_id = m.commission_id) AS left_minor
FROM (SELECT d.external_order_id, MIN(d.commission_id) AS commission_id,
             CAST(-SUM(d.amount_minor) AS BIGINT) AS taken_minor
      FROM adjustments AS d
      WHERE d.account_id = :account_id AND d.external_order_id > :after AND d.kind = 'refund'
        AND d.status IN ('APPROVED', 'PAID')
      GROUP BY d.external_order_id
      ORDER BY d.external_order_id
      LIMIT :limit) AS k
CROSS JOIN commissions AS m
WHERE m.account_id = :account_id AND m.commission_id = k.commission_id
ORDER BY k.external_order_id

-- name: corrected_payments
-- Return when the commissions were billed that a time takes something back from, in one currency.
SELECT DISTINCT CASE COALESCE((SELECT b.billed FROM books AS b), 'paid')
                WHEN 'payable' THEN COALESCE(m.payable_at, m.created_at) ELSE m.paid_at END AS billed_at
FROM owed_entries AS e
JOIN commissions AS m ON m.account_id = e.account_id AND m.commission_id = e.commission_id
WHERE e.account_id = :account_id AND e.posted_at >= :since AND e.posted_at < :until AND e.currency = :currency
  AND (e.what = 'correction' OR (e.what = 'commission' AND e.minor < 0))
  AND (m.paid_at IS NOT NULL OR e.what = 'commission')
