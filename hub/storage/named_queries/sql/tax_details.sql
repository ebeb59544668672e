-- name: tax_details_of
-- Return the sealed tax details of these affiliates.
SELECT affiliate_id, sealed, changed_at FROM tax_details WHERE affiliate_id IN @list(:affiliates text)

-- name: put_tax_details
-- Store an affiliate's tax details.
INSERT INTO tax_details (affiliate_id, sealed, changed_at) VALUES (:affiliate_id, :sealed, :now)
ON CONFLICT (affiliate_id) DO UPDATE SET sealed = excluded.sealed, changed_at = excluded.changed_at

-- name: sealed_tax_page
-- Return sealed tax details after an affiliate's id.
SELECT affiliate_id, sealed FROM tax_details WHERE affiliate_id > :after ORDER BY affiliate_id LIMIT :limit

-- name: reseal_tax_details
-- Replace sealed tax details if they are still the ones that were read.
UPDATE tax_details SET sealed = :new WHERE affiliate_id = :affiliate_id AND sealed = :old

-- name: seller_quarters
-- Return what a bank settled for some affiliates in a time and did not come back, by quarter, and for how much work.
SELECT k.affiliate_id, k.currency, k.quarter, CAST(SUM(k.minor) AS BIGINT) AS minor,
       CAST(SUM(k.commissions) AS BIGINT) AS activities
FROM (SELECT i.affiliate_id, COALESCE(x.sent_currency, i.currency) AS currency,
             COALESCE(x.sent_minor, i.amount_minor) AS minor, i.commissions,
             CASE WHEN i.settled_at < :second THEN 1 WHEN i.settled_at < :third THEN 2
                  WHEN i.settled_at < :fourth THEN 3 ELSE 4 END AS quarter
      FROM payout_items AS i
      JOIN payouts AS p ON p.payout_id = i.payout_id
      LEFT JOIN payout_exchanges AS x
          ON x.payout_id = i.payout_id AND x.affiliate_id = i.affiliate_id AND x.currency = i.currency
      WHERE p.mode = 'live' AND i.status = 'SETTLED' AND i.settled_at >= :first AND i.settled_at < :until) AS k
GROUP BY k.affiliate_id, k.currency, k.quarter
ORDER BY k.affiliate_id, k.currency, k.quarter
