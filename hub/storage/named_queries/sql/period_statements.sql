-- name: balances_before
-- Return an affiliate's payable commissions and approved corrections at a moment, by currency, as the ledger has them.
SELECT e.currency,
       CAST(SUM(CASE WHEN e.credit IN ('payable', 'adjustments') THEN e.amount_minor ELSE 0 END
                - CASE WHEN e.debit IN ('payable', 'adjustments') THEN e.amount_minor ELSE 0 END) AS BIGINT) AS minor
FROM ledger_entries AS e
JOIN accounts AS a ON a.account_id = e.account_id
WHERE e.affiliate_id = :affiliate_id AND e.posted_at < :before AND a.mode = :mode
  AND (e.debit IN ('payable', 'adjustments') OR e.credit IN ('payable', 'adjustments'))
GROUP BY e.currency
ORDER BY e.currency

-- name: balance_entries
-- Return what changed that balance in a time, in the order in which it happened.
SELECT e.account_id, e.entry_no, e.posted_at, e.kind, e.currency, e.external_order_id, e.commission_id,
       e.adjustment_id, e.cause, a.merchant_id, m.name AS merchant_name, d.reason,
       CASE WHEN e.credit IN ('payable', 'adjustments') THEN e.amount_minor ELSE 0 END
       - CASE WHEN e.debit IN ('payable', 'adjustments') THEN e.amount_minor ELSE 0 END AS minor
FROM ledger_entries AS e
JOIN accounts AS a ON a.account_id = e.account_id
JOIN merchants AS m ON m.merchant_id = a.merchant_id
LEFT JOIN adjustments AS d ON d.account_id = e.account_id AND d.adjustment_id = e.adjustment_id
WHERE e.affiliate_id = :affiliate_id AND e.posted_at >= :since AND e.posted_at < :until AND a.mode = :mode
  AND (e.debit IN ('payable', 'adjustments') OR e.credit IN ('payable', 'adjustments'))
ORDER BY e.posted_at, e.account_id, e.entry_no
LIMIT :limit
