-- name: receipts
-- Return what merchants paid of their invoices.
-- list: by receipt_id text; indexed (), (status)
-- filter status text: r.status = :status
SELECT r.receipt_id, r.source, r.booked_on, r.amount_minor, r.currency, r.payer, r.remittance, r.status, r.question,
       r.decision, r.noted_by, r.noted_at
FROM @listed(receipts AS r)

-- name: receipt_found
-- Return one payment of a merchant.
SELECT receipt_id, source, booked_on, amount_minor, currency, payer, remittance, status, question, decision, noted_by,
       noted_at
FROM receipts WHERE receipt_id = :receipt_id

-- name: receipt_of_movement
-- Return the payment of a merchant that a movement is noted as.
SELECT receipt_id, amount_minor, currency FROM receipts WHERE movement = :movement

-- name: known_movements
-- Return which of these movements are noted.
SELECT r.movement FROM receipts AS r WHERE r.movement IN @list(:movements text)

-- name: insert_receipts
-- Insert payments of merchants.
INSERT INTO receipts (receipt_id, movement, source, booked_on, amount_minor, currency, payer, remittance, status,
                      question, noted_by, noted_at)
SELECT receipt_id, movement, source, booked_on, amount_minor, currency, payer, remittance, status, question, noted_by,
       noted_at
FROM @rows(:receipts; receipt_id text, movement text, source text, booked_on text, amount_minor bigint, currency text,
           payer text, remittance text, status text, question text, noted_by text, noted_at bigint)

-- name: insert_invoice_payments
-- Insert which invoices receipts pay; more of the same one is added.
INSERT INTO invoice_payments (invoice_no, receipt_id, amount_minor)
SELECT invoice_no, receipt_id, amount_minor
FROM @rows(:payments; invoice_no bigint, receipt_id text, amount_minor bigint) AS k
WHERE true
ON CONFLICT (invoice_no, receipt_id) DO UPDATE SET amount_minor = invoice_payments.amount_minor + excluded.amount_minor

-- name: delete_invoice_payments
-- Delete which invoices a receipt pays.
DELETE FROM invoice_payments WHERE receipt_id = :receipt_id

-- name: payments_of_receipts
-- Return which invoices these receipts pay, with whose they are.
SELECT p.receipt_id, p.invoice_no, p.amount_minor, n.account_id, n.currency
FROM @rows(:receipts; receipt_id text) AS k
CROSS JOIN invoice_payments AS p
JOIN merchant_invoices AS n ON n.invoice_no = p.invoice_no
WHERE p.receipt_id = k.receipt_id
ORDER BY p.receipt_id, p.invoice_no

-- name: decide_receipt
-- Store what became of a payment of a merchant.
UPDATE receipts SET status = :status, question = CAST(:question AS TEXT), decision = CAST(:decision AS TEXT)
WHERE receipt_id = :receipt_id

-- name: open_invoices
-- Return invoices of which something is left, and those of these numbers, the hub's or their issuers'.
SELECT s.invoice_no, s.issuer_id, s.series_no, s.account_id, s.currency, s.total_minor - s.paid_minor AS left_minor, s.billed_to
FROM invoice_standings AS s
WHERE s.total_minor <> s.paid_minor
   OR EXISTS (SELECT 1 FROM @rows(:numbers; invoice_no bigint) AS k WHERE k.invoice_no = s.invoice_no)
   OR EXISTS (SELECT 1 FROM @rows(:series; issuer_id text, series_no bigint) AS k
              WHERE k.issuer_id = s.issuer_id AND k.series_no = s.series_no)

-- name: standings_of_invoices
-- Return what is left of these invoices, and whose they are.
SELECT s.invoice_no, s.issuer_id, s.series_no, s.account_id, s.currency, s.total_minor - s.paid_minor AS left_minor,
       s.billed_to, a.merchant_id
FROM @rows(:numbers; invoice_no bigint) AS k
CROSS JOIN invoice_standings AS s
JOIN accounts AS a ON a.account_id = s.account_id
WHERE s.invoice_no = k.invoice_no

-- name: paid_of_invoices
-- Return what was paid of these invoices, and the last reminder of each.
SELECT s.invoice_no, s.currency, s.due_at, s.total_minor, s.paid_minor, s.paid_on,
       (SELECT MAX(m.level) FROM invoice_reminders AS m WHERE m.invoice_no = s.invoice_no) AS level,
       (SELECT MAX(m.reminded_at) FROM invoice_reminders AS m WHERE m.invoice_no = s.invoice_no) AS reminded_at
FROM @rows(:numbers; invoice_no bigint) AS k
CROSS JOIN invoice_standings AS s
WHERE s.invoice_no = k.invoice_no

-- name: receipts_answered
-- Return receipts that paid a part of one of these invoices, of which nothing is left by now, nor of any other they pay.
SELECT DISTINCT r.receipt_id
FROM @rows(:numbers; invoice_no bigint) AS k
CROSS JOIN invoice_payments AS p
JOIN receipts AS r ON r.receipt_id = p.receipt_id
WHERE p.invoice_no = k.invoice_no AND r.status = 'OPEN' AND r.question = 'part_paid'
  AND NOT EXISTS (SELECT 1 FROM invoice_payments AS o JOIN invoice_standings AS s ON s.invoice_no = o.invoice_no
                  WHERE o.receipt_id = r.receipt_id AND s.total_minor <> s.paid_minor)

-- name: overdue_invoices
-- Return invoices that were due before a moment and are not paid, with the last level of their reminders.
SELECT s.invoice_no, s.account_id, s.currency, s.due_at, s.total_minor, s.total_minor - s.paid_minor AS left_minor,
       COALESCE((SELECT MAX(m.level) FROM invoice_reminders AS m WHERE m.invoice_no = s.invoice_no), 0) AS level
FROM invoice_standings AS s
WHERE s.due_at <= :due AND s.total_minor > s.paid_minor
ORDER BY s.invoice_no

-- name: note_reminder
-- Insert that a reminder of an invoice is sent, unless its level was.
INSERT INTO invoice_reminders (invoice_no, level, left_minor, reminded_at)
SELECT s.invoice_no, CAST(:level AS BIGINT), s.total_minor - s.paid_minor, CAST(:now AS BIGINT)
FROM invoice_standings AS s
WHERE s.invoice_no = :invoice_no AND s.total_minor > s.paid_minor
ON CONFLICT (invoice_no, level) DO NOTHING

-- name: invoice_to_remind
-- Return what a reminder of an invoice says.
SELECT n.invoice_no, n.issuer_id, n.series_no, n.issuer, n.pay_to, s.currency, s.due_at, s.total_minor,
       s.total_minor - s.paid_minor AS left_minor, m.merchant_id, m.name, m.email
FROM merchant_invoices AS n
JOIN invoice_standings AS s ON s.invoice_no = n.invoice_no
JOIN accounts AS a ON a.account_id = n.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE n.invoice_no = :invoice_no

-- name: overdue_sums
-- Return what accounts owe on invoices that were due before a moment, less what is left of their credit notes.
SELECT s.account_id, s.currency, a.merchant_id, m.name,
       CAST(SUM(s.total_minor - s.paid_minor) AS BIGINT) AS overdue_minor
FROM invoice_standings AS s
JOIN accounts AS a ON a.account_id = s.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE s.total_minor <> s.paid_minor AND (s.total_minor < 0 OR s.due_at <= :now)
GROUP BY s.account_id, s.currency, a.merchant_id, m.name
HAVING SUM(s.total_minor - s.paid_minor) > 0
ORDER BY s.account_id, s.currency
