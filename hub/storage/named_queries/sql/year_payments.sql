-- name: year_payments
-- Return what a bank settled for affiliates in a time and did not come back, by what was sent, and by its four parts.
SELECT k.affiliate_id, f.name AS affiliate_name, k.currency, COUNT(*) AS payments,
       CAST(SUM(k.minor) AS BIGINT) AS total_minor,
       CAST(SUM(CASE WHEN k.settled_at < :second THEN k.minor ELSE 0 END) AS BIGINT) AS first_minor,
       CAST(SUM(CASE WHEN k.settled_at >= :second AND k.settled_at < :third
                     THEN k.minor ELSE 0 END) AS BIGINT) AS second_minor,
       CAST(SUM(CASE WHEN k.settled_at >= :third AND k.settled_at < :fourth
                     THEN k.minor ELSE 0 END) AS BIGINT) AS third_minor,
       CAST(SUM(CASE WHEN k.settled_at >= :fourth THEN k.minor ELSE 0 END) AS BIGINT) AS fourth_minor
FROM (SELECT i.affiliate_id, i.settled_at, COALESCE(x.sent_currency, i.currency) AS currency,
             COALESCE(x.sent_minor, i.amount_minor) AS minor
      FROM payout_items AS i
      JOIN payouts AS p ON p.payout_id = i.payout_id
      LEFT JOIN payout_exchanges AS x
          ON x.payout_id = i.payout_id AND x.affiliate_id = i.affiliate_id AND x.currency = i.currency
      WHERE p.mode = 'live' AND i.status = 'SETTLED' AND i.settled_at >= :first AND i.settled_at < :until) AS k
LEFT JOIN affiliates AS f ON f.affiliate_id = k.affiliate_id
GROUP BY k.affiliate_id, f.name, k.currency
ORDER BY k.affiliate_id, k.currency
