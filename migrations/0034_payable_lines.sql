-- What a run may pay that no other has reserved: payable commissions of approved merchants, and approved corrections.

CREATE VIEW payable_lines AS
SELECT m.account_id, m.commission_id AS line_id, m.affiliate_id, m.currency, m.amount_minor, 1 AS is_commission,
       m.updated_at AS payable_at, a.mode, a.merchant_id
FROM commissions AS m
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
WHERE m.state = 'PAYABLE' AND (a.mode = 'test' OR s.status = 'APPROVED')
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = m.account_id AND l.line_id = m.commission_id AND l.status <> 'DROPPED')
UNION ALL
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.currency, d.amount_minor, 0, d.decided_at, a.mode, a.merchant_id
FROM adjustments AS d
JOIN accounts AS a ON a.account_id = d.account_id
WHERE d.status = 'APPROVED'
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l
                  WHERE l.account_id = d.account_id AND l.line_id = d.adjustment_id AND l.status <> 'DROPPED');
