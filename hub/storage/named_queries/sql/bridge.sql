-- name: operator_waits
-- Count what waits for an operator, each up to a limit.
SELECT (SELECT COUNT(*) FROM (SELECT 1 AS one FROM merchants
        WHERE closed_at IS NULL AND (status = 'IN_REVIEW' OR live_access = 'ASKED') LIMIT :limit) AS w) AS merchants,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM campaigns
        WHERE approval_status = 'PENDING' LIMIT :limit) AS w) AS campaigns,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM payouts
        WHERE status IN ('GATHERING', 'DRAFT', 'RELEASING') LIMIT :limit) AS w) AS payouts,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM adjustments
        WHERE status = 'PROPOSED' LIMIT :limit) AS w) AS corrections,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM receipts
        WHERE status = 'OPEN' LIMIT :limit) AS w) AS receipts,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM order_reviews
        WHERE closed_at IS NULL LIMIT :limit) AS w) AS questions,
       (SELECT COUNT(*) FROM (SELECT 1 AS one FROM conversions
        WHERE review = 'OPEN' LIMIT :limit) AS w) AS reviews

-- name: money_of_month
-- Return what came in from merchants and went out to affiliates since a moment, in live mode, by kind and currency.
-- Receipts and runs are found by their ids, which sort by time: `receipts_since` and `payouts_since` are lower bounds.
SELECT x.kind, x.currency, CAST(SUM(x.minor) AS BIGINT) AS minor, COUNT(*) AS movements
FROM (SELECT 'invoices' AS kind, r.currency, r.amount_minor AS minor
      FROM receipts AS r WHERE r.receipt_id >= :receipts_since AND r.noted_at >= :since AND r.amount_minor <> 0
      UNION ALL
      SELECT 'deposits', d.currency, d.amount_minor
      FROM deposit_payments AS d WHERE d.made_at >= :since
      UNION ALL
      SELECT 'paid', i.currency, i.amount_minor
      FROM payouts AS p
      JOIN payout_items AS i ON i.payout_id = p.payout_id
      WHERE p.mode = 'live' AND p.payout_id >= :payouts_since AND i.status = 'SETTLED' AND i.settled_at >= :since
      UNION ALL
      SELECT 'under_way', i.currency, i.amount_minor
      FROM payouts AS p
      JOIN payout_items AS i ON i.payout_id = p.payout_id
      WHERE p.mode = 'live' AND p.payout_id >= :payouts_since AND i.status = 'RELEASED') AS x
GROUP BY x.kind, x.currency
ORDER BY x.kind, x.currency
