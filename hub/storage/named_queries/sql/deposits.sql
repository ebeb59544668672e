-- name: lock_deposits
-- Lock what is left of these deposits, in one order, and return it; a new one is empty.
INSERT INTO deposits (account_id, currency, balance_minor)
SELECT account_id, currency, 0 FROM @rows(:deposits; account_id text, currency text) WHERE true
ORDER BY account_id, currency
ON CONFLICT (account_id, currency) DO UPDATE SET balance_minor = deposits.balance_minor
RETURNING account_id, currency, balance_minor, shortage_at

-- name: move_deposits
-- Set what is left of these deposits, which this transaction has locked, to more or less by an amount.
UPDATE deposits SET balance_minor = deposits.balance_minor + k.minor
FROM @rows(:deposits; account_id text, currency text, minor bigint) AS k
WHERE deposits.account_id = k.account_id AND deposits.currency = k.currency

-- name: note_shortage
-- Store when it was reported that a deposit is too small, null if that is to be reported again.
UPDATE deposits SET shortage_at = :at WHERE account_id = :account_id AND currency = :currency

-- name: merchant_to_mail
-- Return the merchant of an account.
SELECT m.merchant_id, m.name, m.email FROM accounts AS a JOIN merchants AS m ON m.merchant_id = a.merchant_id
WHERE a.account_id = :account_id

-- name: due_under_lock
-- Return those of these commissions whose hold has ended, as they are now that their orders are locked.
SELECT m.account_id, m.commission_id, m.affiliate_id, m.currency, m.amount_minor, m.hold_until
FROM @rows(:due; account_id text, commission_id text) AS k
CROSS JOIN commissions AS m
WHERE m.account_id = k.account_id AND m.commission_id = k.commission_id
  AND m.state IN ('HOLD', 'APPROVED') AND m.hold_until <= :now

-- name: first_awaiting_deposit
-- Return the first commission of an account and currency that its deposit did not cover.
SELECT hold_until, commission_id
FROM commissions
WHERE account_id = :account_id AND currency = :currency AND awaits_deposit IS NOT NULL
  AND state IN ('HOLD', 'APPROVED') AND hold_until <= :now
ORDER BY hold_until, commission_id
LIMIT 1

-- name: await_deposit
-- Mark commissions that the deposit does not cover, unless it is not required any more.
UPDATE commissions SET awaits_deposit = 1
FROM @rows(:commissions; account_id text, commission_id text) AS k
WHERE commissions.account_id = k.account_id AND commissions.commission_id = k.commission_id
  AND EXISTS (SELECT 1 FROM accounts AS a JOIN merchants AS m ON m.merchant_id = a.merchant_id
              WHERE a.account_id = k.account_id AND m.deposit_required = 1)

-- name: try_deposit_again
-- Mark the first commissions of an account and currency that its deposit did not cover to be tried again.
UPDATE commissions SET awaits_deposit = NULL
WHERE account_id = :account_id AND awaits_deposit IS NOT NULL AND commission_id IN (
    SELECT commission_id FROM commissions
    WHERE account_id = :account_id AND currency = :currency AND awaits_deposit IS NOT NULL
    ORDER BY hold_until, commission_id
    LIMIT :limit
)

-- name: forget_awaited_deposit
-- Set all commissions of an account to be released without a deposit.
UPDATE commissions SET awaits_deposit = NULL WHERE account_id = :account_id AND awaits_deposit IS NOT NULL

-- name: cover_commissions
-- Insert what a deposit covers commissions with; one that was covered before is covered anew.
INSERT INTO deposit_covers (account_id, commission_id, currency, amount_minor)
SELECT account_id, commission_id, currency, amount_minor
FROM @rows(:covers; account_id text, commission_id text, currency text, amount_minor bigint)
WHERE true
ON CONFLICT (account_id, commission_id) DO UPDATE
SET amount_minor = deposit_covers.amount_minor + excluded.amount_minor

-- name: load_deposit_covers
-- Return what deposits cover these commissions with.
SELECT c.account_id, c.commission_id, c.currency, c.amount_minor
FROM @rows(:commissions; account_id text, commission_id text) AS k
CROSS JOIN deposit_covers AS c
WHERE c.account_id = k.account_id AND c.commission_id = k.commission_id AND c.amount_minor > 0

-- name: uncover_commissions
-- Take from what deposits cover commissions with.
UPDATE deposit_covers SET amount_minor = deposit_covers.amount_minor - k.minor
FROM @rows(:covers; account_id text, commission_id text, minor bigint) AS k
WHERE deposit_covers.account_id = k.account_id AND deposit_covers.commission_id = k.commission_id

-- name: set_deposit_required
-- Set whether a merchant's commissions need a deposit.
UPDATE merchants SET deposit_required = :required, updated_at = :now WHERE merchant_id = :merchant_id

-- name: deposit_setting
-- Return whether a merchant's commissions need a deposit, and its live account.
SELECT m.merchant_id, m.name, m.currency, m.deposit_required, a.account_id
FROM merchants AS m
JOIN accounts AS a ON a.merchant_id = m.merchant_id AND a.mode = 'live'
WHERE m.merchant_id = :merchant_id

-- name: deposit_payment
-- Return the payment of this reference.
SELECT currency, amount_minor FROM deposit_payments WHERE account_id = :account_id AND reference = :reference

-- name: insert_deposit_payment
-- Insert a payment into a deposit, or out of it.
INSERT INTO deposit_payments (account_id, reference, currency, amount_minor, made_by, made_at)
VALUES (:account_id, :reference, :currency, :amount_minor, :made_by, :now)

-- name: deposit_payments_of
-- Return the payments into and out of a deposit, newest first.
SELECT reference, currency, amount_minor, made_by, made_at FROM deposit_payments
WHERE account_id = :account_id
ORDER BY made_at DESC, reference
LIMIT :limit

-- name: deposit_balances
-- Return what is left of an account's deposit, by currency.
SELECT currency, balance_minor FROM deposits WHERE account_id = :account_id

-- name: deposit_awaited
-- Return what an account's deposit does not cover, by currency.
SELECT currency, CAST(SUM(amount_minor) AS BIGINT) AS minor, COUNT(*) AS commissions
FROM commissions
WHERE account_id = :account_id AND awaits_deposit IS NOT NULL AND state IN ('HOLD', 'APPROVED')
GROUP BY currency

-- name: deposit_covered
-- Return what an account's deposit covers, by currency.
SELECT currency, CAST(SUM(amount_minor) AS BIGINT) AS minor FROM deposit_covers
WHERE account_id = :account_id
GROUP BY currency

-- name: deposit_sums
-- Return what is left of an account's deposit, by currency; it is no affiliate's.
SELECT '' AS affiliate_id, currency, balance_minor AS minor FROM deposits WHERE account_id = :account_id

-- name: received_sums
-- Return what an account's merchant paid, into its deposit and of invoices, as the ledger has it in `received`.
SELECT '' AS affiliate_id, k.currency, CAST(-SUM(k.amount_minor) AS BIGINT) AS minor
FROM (SELECT currency, amount_minor FROM deposit_payments WHERE account_id = :account_id
      UNION ALL
      SELECT n.currency, p.amount_minor
      FROM merchant_invoices AS n
      JOIN invoice_payments AS p ON p.invoice_no = n.invoice_no
      JOIN receipts AS r ON r.receipt_id = p.receipt_id
      WHERE n.account_id = :account_id AND r.source <> 'set_off') AS k
GROUP BY k.currency

-- name: invoice_tax_sums
-- Return the VAT on an account's invoices by currency.
SELECT '' AS affiliate_id, currency, CAST(SUM(vat_minor) AS BIGINT) AS minor
FROM merchant_invoices WHERE account_id = :account_id
GROUP BY currency

-- name: deposit_cover_page
-- Return some of what an account's deposit covers, after a commission.
SELECT c.commission_id, m.affiliate_id, c.currency, c.amount_minor AS minor
FROM deposit_covers AS c
JOIN commissions AS m ON m.account_id = c.account_id AND m.commission_id = c.commission_id
WHERE c.account_id = :account_id AND c.commission_id > :after
ORDER BY c.commission_id
LIMIT :limit
