-- The entries that open the ledger for all commissions as they are now; the two other files chain them by their hashes.
INSERT INTO ledger_entries (account_id, entry_no, posted_at, kind, debit, credit, amount_minor, currency, affiliate_id,
                            commission_id, adjustment_id, external_order_id, cause, hash)
SELECT m.account_id, row_number() OVER (PARTITION BY m.account_id ORDER BY m.commission_id), m.updated_at, 'opened',
       'merchant',
       CASE m.state WHEN 'PENDING' THEN 'pending' WHEN 'PAYABLE' THEN 'payable' WHEN 'PAID' THEN 'bank' ELSE 'held' END,
       m.amount_minor, m.currency, m.affiliate_id, m.commission_id, NULL, c.external_order_id, 'opening', ''
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
WHERE m.state <> 'REJECTED' AND m.amount_minor > 0;
