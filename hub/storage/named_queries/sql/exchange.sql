-- fragment: rates_with_those_before
-- What is read of a rate, with the one that was in force when it was proposed.
e.set_id, e.base, e.quote, e.rate, e.source, e.status, e.proposed_by, e.proposed_at, e.decided_by, e.decided_at,
       (SELECT b.rate FROM exchange_rates AS b
        WHERE b.base = e.base AND b.quote = e.quote AND b.status = 'APPROVED' AND b.decided_at <= e.proposed_at
          AND b.set_id <> e.set_id
        ORDER BY b.decided_at DESC, b.set_id DESC LIMIT 1) AS before
FROM exchange_rates AS e

-- name: insert_exchange_rates
-- Insert a set of rates that is proposed.
INSERT INTO exchange_rates (set_id, base, quote, rate, source, status, proposed_by, proposed_at)
SELECT :set_id, r.base, r.quote, r.rate, :source, 'PROPOSED', :proposed_by, CAST(:now AS BIGINT)
FROM @rows(:rates; base text, quote text, rate text) AS r

-- name: exchange_rates_of
-- Return the rates of a set, each with the one that was in force when it was proposed.
SELECT @fragment(rates_with_those_before)
WHERE e.set_id = :set_id
ORDER BY e.base, e.quote

-- name: exchange_rates_listed
-- Return the rate in force of each two currencies, and those that are proposed.
SELECT @fragment(rates_with_those_before)
WHERE e.status = 'PROPOSED'
   OR (e.status = 'APPROVED'
       AND NOT EXISTS (SELECT 1 FROM exchange_rates AS n
                       WHERE n.base = e.base AND n.quote = e.quote AND n.status = 'APPROVED'
                         AND (n.decided_at, n.set_id) > (e.decided_at, e.set_id)))
ORDER BY e.base, e.quote, e.proposed_at DESC, e.set_id DESC

-- name: exchange_rates_in_force
-- Return the newest rate of each two currencies that was approved, if that was after a moment.
SELECT e.set_id, e.base, e.quote, e.rate
FROM exchange_rates AS e
WHERE e.status = 'APPROVED' AND e.decided_at > CAST(:since AS BIGINT) AND e.decided_at <= CAST(:now AS BIGINT)
  AND NOT EXISTS (SELECT 1 FROM exchange_rates AS n
                  WHERE n.base = e.base AND n.quote = e.quote AND n.status = 'APPROVED'
                    AND n.decided_at <= CAST(:now AS BIGINT) AND (n.decided_at, n.set_id) > (e.decided_at, e.set_id))
ORDER BY e.base, e.quote

-- name: decide_exchange_rates
-- Set what became of a set of rates that is proposed.
UPDATE exchange_rates SET status = :status, decided_by = :decided_by, decided_at = :now
WHERE set_id = :set_id AND status = 'PROPOSED'

-- name: insert_payout_exchanges
-- Insert by what payments of a run are exchanged.
INSERT INTO payout_exchanges (payout_id, affiliate_id, currency, sent_currency, sent_minor, rate, set_id)
SELECT payout_id, affiliate_id, currency, sent_currency, sent_minor, rate, set_id
FROM @rows(:exchanges; payout_id text, affiliate_id text, currency text, sent_currency text, sent_minor bigint,
           rate text, set_id text)

-- name: exchanges_of_items
-- Return those of these payments that are exchanged and not decided yet, with their amounts.
SELECT x.payout_id, x.affiliate_id, x.currency, x.sent_currency, x.rate, i.amount_minor
FROM @rows(:items; payout_id text, affiliate_id text, currency text) AS k
CROSS JOIN payout_exchanges AS x
JOIN payout_items AS i ON i.payout_id = x.payout_id AND i.affiliate_id = x.affiliate_id AND i.currency = x.currency
WHERE x.payout_id = k.payout_id AND x.affiliate_id = k.affiliate_id AND x.currency = k.currency AND i.status = 'OPEN'

-- name: set_sent_amounts
-- Set how much of payments is sent.
UPDATE payout_exchanges
SET sent_minor = k.sent_minor
FROM @rows(:sent; payout_id text, affiliate_id text, currency text, sent_minor bigint) AS k
WHERE payout_exchanges.payout_id = k.payout_id AND payout_exchanges.affiliate_id = k.affiliate_id
  AND payout_exchanges.currency = k.currency

-- name: old_exchanges_of
-- Return payments of a run that are exchanged by a rate of before a moment.
SELECT x.currency, x.sent_currency
FROM payout_exchanges AS x
JOIN payout_items AS i ON i.payout_id = x.payout_id AND i.affiliate_id = x.affiliate_id AND i.currency = x.currency
JOIN exchange_rates AS e ON e.set_id = x.set_id AND e.base = x.currency AND e.quote = x.sent_currency
WHERE x.payout_id = :payout_id AND i.status = 'OPEN' AND e.decided_at <= CAST(:since AS BIGINT)
ORDER BY x.affiliate_id, x.currency
LIMIT :limit

-- name: settled_exchanges
-- Return what some settled payments that are exchanged pay for each account, of those that pay something for one.
SELECT l.payout_id, l.affiliate_id, l.currency, l.account_id, x.sent_currency, x.rate,
       CAST(SUM(l.amount_minor) AS BIGINT) AS minor
FROM (SELECT k.payout_id, k.affiliate_id, k.currency, k.sent_currency, k.rate
      FROM payout_exchanges AS k
      JOIN payout_items AS i
          ON i.payout_id = k.payout_id AND i.affiliate_id = k.affiliate_id AND i.currency = k.currency
      WHERE i.status = 'SETTLED' AND (k.payout_id, k.affiliate_id, k.currency) > (:payout_id, :affiliate_id, :currency)
        AND EXISTS (SELECT 1 FROM payout_lines AS o
                    WHERE o.account_id = :account_id AND o.payout_id = k.payout_id AND o.affiliate_id = k.affiliate_id
                      AND o.currency = k.currency AND o.status = 'PAID')
      ORDER BY k.payout_id, k.affiliate_id, k.currency
      LIMIT :limit) AS x
JOIN payout_lines AS l ON l.payout_id = x.payout_id AND l.affiliate_id = x.affiliate_id AND l.currency = x.currency
WHERE l.status = 'PAID'
GROUP BY l.payout_id, l.affiliate_id, l.currency, l.account_id, x.sent_currency, x.rate
ORDER BY l.payout_id, l.affiliate_id, l.currency, l.account_id

-- name: exchanges_to_prove
-- Return some payments of a run that are exchanged, after one of them, and whether their rate was approved before.
SELECT x.affiliate_id, x.currency, x.sent_currency, x.sent_minor, x.rate, i.amount_minor,
       CASE WHEN EXISTS (SELECT 1 FROM exchange_rates AS e
                         WHERE e.set_id = x.set_id AND e.base = x.currency AND e.quote = x.sent_currency
                           AND e.rate = x.rate AND e.status = 'APPROVED')
            THEN 1 ELSE 0 END AS approved
FROM payout_exchanges AS x
JOIN payout_items AS i ON i.payout_id = x.payout_id AND i.affiliate_id = x.affiliate_id AND i.currency = x.currency
WHERE x.payout_id = :payout_id AND i.status <> 'CARRIED' AND (x.affiliate_id, x.currency) > (:affiliate_id, :currency)
ORDER BY x.affiliate_id, x.currency
LIMIT :limit
