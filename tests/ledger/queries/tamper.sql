-- name: tamper_amount
-- Change the amount of one entry.
UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_affiliate
-- Give one entry to another affiliate.
UPDATE ledger_entries SET affiliate_id = 'aff_other' WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_time
-- Change the time of one entry.
UPDATE ledger_entries SET posted_at = posted_at - 1 WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_cause
-- Change the cause of one entry.
UPDATE ledger_entries SET cause = 'evt_other' WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_hash
-- Change the hash of one entry.
UPDATE ledger_entries SET hash = 'ffff' WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_places
-- Turn an entry round.
UPDATE ledger_entries SET debit = credit, credit = debit WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_delete
-- Delete one entry.
DELETE FROM ledger_entries WHERE account_id = :account_id AND entry_no = :entry

-- name: tamper_head
-- Change the end of a chain.
UPDATE ledger_heads SET hash = 'ffff' WHERE account_id = :account_id AND entries >= :entry

-- name: tamper_head_number
-- Shorten a chain by its end alone.
UPDATE ledger_heads SET entries = :entry WHERE account_id = :account_id

-- name: tamper_commission
-- Change the amount of every commission of an account.
UPDATE commissions SET amount_minor = amount_minor + 100 WHERE account_id = :account_id

-- name: insert_bare_commission
-- Insert a commission without an entry, as a program of before the ledger did.
INSERT INTO commissions (account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor,
                         currency, source, terms, hold_ms, hold_until, paid_at, payout_reference, created_at,
                         updated_at)
SELECT account_id, :commission_id, conversion_id || '-2', affiliate_id, state, amount_minor, base_minor, currency,
       source, terms, hold_ms, hold_until, paid_at, payout_reference, created_at, updated_at
FROM commissions

-- name: tamper_line
-- Change the amount of every line of runs.
UPDATE payout_lines SET amount_minor = amount_minor + 1

-- name: tamper_item
-- Mark every released item as settled.
UPDATE payout_items SET status = 'SETTLED' WHERE status = 'RELEASED'

-- name: tamper_adjustment
-- Change the amount of every correction.
UPDATE adjustments SET amount_minor = amount_minor - 1

-- name: tamper_deposit_payment
-- Change a payment into a deposit.
UPDATE deposit_payments SET amount_minor = amount_minor + 1

-- name: tamper_deposit_cover
-- Change what a deposit covers a commission with.
UPDATE deposit_covers SET amount_minor = amount_minor + 1

-- name: tamper_deposit_balance
-- Change what is left of a deposit.
UPDATE deposits SET balance_minor = balance_minor + 1

-- name: tamper_merchant_invoice
-- Change the fee of an invoice to a merchant.
UPDATE merchant_invoices SET fee_minor = fee_minor + 1

-- name: tamper_merchant_invoice_number
-- Give an invoice to a merchant another number.
UPDATE merchant_invoices SET invoice_no = invoice_no + 1

-- name: tamper_payment_amount
-- Raise what a payment says.
UPDATE payout_items SET amount_minor = 910000 WHERE status = 'RELEASED'

-- name: tamper_payment_row
-- Take a payment out.
DELETE FROM payout_items WHERE status = 'RELEASED'

-- name: tamper_file_payment
-- Change what a file is said to pay.
UPDATE payout_file_payments SET amount_minor = amount_minor + 1

-- name: tamper_file_of_payment
-- Let a payment say that it is in no file, so that it could be in another.
UPDATE payout_items SET file_id = NULL WHERE status = 'RELEASED'

-- name: tamper_file_hash
-- Give a file the hash of another.
UPDATE payout_files SET sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

-- name: lose_entries
-- Take every entry out, as if a server that writes none had decided all orders.
DELETE FROM ledger_entries

-- name: lose_heads
-- Forget the ends of all chains.
UPDATE ledger_heads SET entries = 0, hash = ''

-- name: change_schema_later
-- Make the newest change of the schema a day younger than the first.
UPDATE schema_migrations SET applied_at = applied_at + 86400000 WHERE version = (SELECT MAX(version) FROM schema_migrations)

-- name: cut_chain
-- Take the end of a chain off.
DELETE FROM ledger_entries WHERE account_id = :account_id AND entry_no > :entry

-- name: cut_head
-- Note another end of a chain.
UPDATE ledger_heads SET entries = :entry, hash = :hash WHERE account_id = :account_id

-- name: forget_pay_dates
-- Forget which pay dates were drafted.
DELETE FROM pay_dates WHERE currency = :currency

-- name: tamper_series
-- Set the number of an issuer's only invoice to the next one.
UPDATE merchant_invoices SET series_no = 2

-- name: mail_parameters
-- Return what the mails say.
SELECT parameters FROM mails ORDER BY mail_id

-- name: drop_lines_of_runs
-- Let no line of a run be paid.
UPDATE payout_lines SET status = 'DROPPED' WHERE status = 'PAID'

-- name: vat_check_rows
-- Return all that is kept of questions to VIES.
SELECT check_id, party_id, subject, outcome, consultation, fault, asked_by, asked_at FROM vat_checks ORDER BY check_id

-- name: tamper_self_billed_series
-- Set the number of a company's only self-billed invoice to the next one.
UPDATE invoices SET series_no = 2
