-- name: payouts
-- Return runs.
-- list: by payout_id text; indexed ()
-- filter mode text: r.mode = :mode
SELECT r.payout_id, r.mode, r.status, r.cutoff_at, r.currency, r.minimum, r.created_by, r.created_at, r.released_by, r.released_at
FROM @listed(payouts AS r)

-- fragment: gathered_between
-- The lines that a run gathers of affiliates, from the first to the last.
g.payable_at < :before AND g.mode = :mode
AND (CAST(:currency AS TEXT) IS NULL OR g.currency = CAST(:currency AS TEXT))
AND NOT (g.amount_minor > 0 AND g.account_id || ' ' || g.currency IN @list(:stopped text))
AND g.affiliate_id >= :first_affiliate AND g.affiliate_id <= :last_affiliate

-- name: payout_gathered
-- Return what each of some affiliates, from the first to the last, has coming in each currency that no run has reserved.
SELECT g.affiliate_id, g.currency,
       CAST(SUM(CASE g.is_commission WHEN 1 THEN g.amount_minor ELSE 0 END) AS BIGINT) AS commissions_minor,
       CAST(SUM(g.is_commission) AS BIGINT) AS commissions,
       CAST(SUM(CASE g.is_commission WHEN 1 THEN 0 ELSE g.amount_minor END) AS BIGINT) AS adjustments_minor,
       CAST(SUM(1 - g.is_commission) AS BIGINT) AS adjustments
FROM (SELECT affiliate_id, currency, amount_minor, is_commission
      FROM payable_commissions AS g WHERE @fragment(gathered_between)
      UNION ALL
      SELECT affiliate_id, currency, amount_minor, is_commission
      FROM payable_corrections AS g WHERE @fragment(gathered_between)) AS g
GROUP BY g.affiliate_id, g.currency
ORDER BY g.affiliate_id, g.currency

-- name: affiliates_after
-- Return the first and the last of some affiliates after one in the order of their ids; null if none is left.
SELECT MIN(k.affiliate_id) AS first_affiliate, MAX(k.affiliate_id) AS last_affiliate
FROM (SELECT affiliate_id FROM affiliates WHERE affiliate_id > :after ORDER BY affiliate_id LIMIT :limit) AS k

-- name: last_payment
-- Return to whom the last payment of a run is, in the order of the affiliates.
SELECT affiliate_id FROM payout_items WHERE payout_id = :payout_id ORDER BY affiliate_id DESC LIMIT 1

-- fragment: gathered_line
-- What a run takes of a line.
g.account_id, g.line_id, g.affiliate_id, g.currency, g.amount_minor, g.merchant_id

-- fragment: some_in_order
-- The first lines in the order of a run.
ORDER BY g.affiliate_id, g.currency, g.account_id, g.line_id
LIMIT :limit

-- fragment: gathered_after
-- The lines that a run gathers, after one in their order.
g.payable_at < :before AND g.mode = :mode
AND (CAST(:currency AS TEXT) IS NULL OR g.currency = CAST(:currency AS TEXT))
AND NOT (g.amount_minor > 0 AND g.account_id || ' ' || g.currency IN @list(:stopped text))
AND (g.affiliate_id, g.currency, g.account_id, g.line_id)
  > (:after_affiliate, :after_currency, :after_account, :after_line)

-- fragment: has_open_payment
-- The run has an open payment for the line.
EXISTS (SELECT 1 FROM payout_items AS i
        WHERE i.payout_id = :payout_id AND i.affiliate_id = g.affiliate_id AND i.currency = g.currency
          AND i.status = 'OPEN')

-- name: payout_candidates
-- Return some commissions and corrections that a run would gather, those after one in their order.
SELECT k.account_id, k.line_id, k.affiliate_id, k.currency, k.amount_minor, 'OPEN' AS status, k.merchant_id,
       s.name AS merchant_name, c.external_order_id, d.reason, d.external_order_id AS adjusted_order_id
FROM (SELECT * FROM (SELECT @fragment(gathered_line) FROM payable_commissions AS g
                     WHERE @fragment(gathered_after)
                     @fragment(some_in_order)) AS a
      UNION ALL
      SELECT * FROM (SELECT @fragment(gathered_line) FROM payable_corrections AS g
                     WHERE @fragment(gathered_after)
                     @fragment(some_in_order)) AS b) AS k
JOIN merchants AS s ON s.merchant_id = k.merchant_id
LEFT JOIN commissions AS m ON m.account_id = k.account_id AND m.commission_id = k.line_id
LEFT JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN adjustments AS d ON d.account_id = k.account_id AND d.adjustment_id = k.line_id
ORDER BY k.affiliate_id, k.currency, k.account_id, k.line_id
LIMIT :limit

-- name: payable_page
-- Return some of what the open payments of a run are to pay, after a line in their order.
SELECT k.account_id, k.line_id, k.affiliate_id, k.currency, k.amount_minor
FROM (SELECT * FROM (SELECT @fragment(gathered_line) FROM payable_commissions AS g
                     WHERE @fragment(gathered_after)
                       AND @fragment(has_open_payment)
                     @fragment(some_in_order)) AS a
      UNION ALL
      SELECT * FROM (SELECT @fragment(gathered_line) FROM payable_corrections AS g
                     WHERE @fragment(gathered_after)
                       AND @fragment(has_open_payment)
                     @fragment(some_in_order)) AS b) AS k
ORDER BY k.affiliate_id, k.currency, k.account_id, k.line_id
LIMIT :limit

-- name: reserve_lines
-- Insert what the payments of a run are to pay.
INSERT INTO payout_lines (account_id, payout_id, line_id, affiliate_id, currency, amount_minor, status)
SELECT account_id, :payout_id, line_id, affiliate_id, currency, amount_minor, 'RESERVED'
FROM @rows(:lines; account_id text, line_id text, affiliate_id text, currency text, amount_minor bigint)

-- name: affiliate_names
-- Return the names of these affiliates.
SELECT affiliate_id, name FROM affiliates WHERE affiliate_id IN @list(:affiliates text)

-- name: insert_payout
-- Insert a run.
INSERT INTO payouts (payout_id, mode, status, cutoff_at, currency, minimum, created_by, created_at)
VALUES (:payout_id, :mode, 'GATHERING', :cutoff_at, :currency, :minimum, :created_by, :now)

-- name: insert_payout_items
-- Insert the items of a run.
INSERT INTO payout_items (payout_id, affiliate_id, currency, amount_minor, commissions, adjustments, adjustments_minor,
                          status, carried)
SELECT payout_id, affiliate_id, currency, amount_minor, commissions, adjustments, adjustments_minor, status, carried
FROM @rows(:items; payout_id text, affiliate_id text, currency text, amount_minor bigint, commissions bigint,
           adjustments bigint, adjustments_minor bigint, status text, carried text)

-- name: count_payout_items
-- Set in open payments what their lines are.
UPDATE payout_items
SET amount_minor = k.amount_minor, commissions = k.commissions, adjustments = k.adjustments,
    adjustments_minor = k.adjustments_minor
FROM (SELECT l.payout_id, l.affiliate_id, l.currency, SUM(l.amount_minor) AS amount_minor,
             SUM(CASE WHEN l.line_id LIKE 'com%' THEN 1 ELSE 0 END) AS commissions,
             SUM(CASE WHEN l.line_id LIKE 'com%' THEN 0 ELSE 1 END) AS adjustments,
             SUM(CASE WHEN l.line_id LIKE 'com%' THEN 0 ELSE l.amount_minor END) AS adjustments_minor
      FROM @rows(:items; payout_id text, affiliate_id text, currency text) AS w
      JOIN payout_lines AS l ON l.payout_id = w.payout_id AND l.affiliate_id = w.affiliate_id
                            AND l.currency = w.currency
      WHERE l.status <> 'DROPPED'
      GROUP BY l.payout_id, l.affiliate_id, l.currency) AS k
WHERE payout_items.payout_id = k.payout_id AND payout_items.affiliate_id = k.affiliate_id
  AND payout_items.currency = k.currency AND payout_items.status = 'OPEN'

-- name: carry_empty_payments
-- Mark as carried on which of these payments have nothing left to pay, because orders were refunded meanwhile.
UPDATE payout_items
SET status = 'CARRIED', carried = 'changed'
FROM @rows(:items; payout_id text, affiliate_id text, currency text) AS w
WHERE payout_items.payout_id = w.payout_id AND payout_items.affiliate_id = w.affiliate_id
  AND payout_items.currency = w.currency AND payout_items.status = 'OPEN'
  AND (COALESCE((SELECT SUM(l.amount_minor) FROM payout_lines AS l
                 WHERE l.payout_id = w.payout_id AND l.affiliate_id = w.affiliate_id AND l.currency = w.currency
                   AND l.status <> 'DROPPED'), 0) <= 0
       OR EXISTS (SELECT 1 FROM payout_exchanges AS x
                  WHERE x.payout_id = w.payout_id AND x.affiliate_id = w.affiliate_id AND x.currency = w.currency
                    AND x.sent_minor <= 0))

-- name: free_lines_of_carried
-- Mark as dropped what those of these payments had reserved that are carried on.
UPDATE payout_lines
SET status = 'DROPPED'
FROM @rows(:items; payout_id text, affiliate_id text, currency text) AS w
WHERE payout_lines.payout_id = w.payout_id AND payout_lines.affiliate_id = w.affiliate_id
  AND payout_lines.currency = w.currency AND payout_lines.status = 'RESERVED'
  AND EXISTS (SELECT 1 FROM payout_items AS i
              WHERE i.payout_id = w.payout_id AND i.affiliate_id = w.affiliate_id AND i.currency = w.currency
                AND i.status = 'CARRIED')

-- name: end_gathering
-- Mark a run as a draft of which every line is reserved.
UPDATE payouts SET status = 'DRAFT' WHERE payout_id = :payout_id AND status = 'GATHERING'

-- name: gathering_payouts
-- Return the runs of a maker that still gather.
SELECT payout_id FROM payouts WHERE status = 'GATHERING' AND created_by = :created_by ORDER BY payout_id

-- name: open_payout
-- Return the run of this mode and currency that is not released yet.
SELECT payout_id FROM payouts
WHERE mode = :mode AND status IN ('GATHERING', 'DRAFT', 'RELEASING')
  AND COALESCE(currency, '') = COALESCE(CAST(:currency AS TEXT), '')
ORDER BY payout_id
LIMIT 1

-- name: take_over_payout
-- Make a draft of the clock, or of a token that belongs to nobody, a person's.
UPDATE payouts SET created_by = :created_by WHERE payout_id = :payout_id AND status = 'DRAFT'

-- name: put_pay_date
-- Store that the run of a pay date was drafted, or that there was nothing to pay.
INSERT INTO pay_dates (pay_date, currency, payout_id, drafted_at) VALUES (:pay_date, :currency, :payout_id, :now)

-- name: pay_date_drafted
-- Return what became of a pay date.
SELECT payout_id, drafted_at FROM pay_dates WHERE pay_date = :pay_date AND currency = :currency

-- name: gathered_of
-- Return what one affiliate has coming in each currency that no run has reserved, and how much of it by a moment.
SELECT currency,
       CAST(SUM(amount_minor) AS BIGINT) AS payable_minor,
       CAST(SUM(CASE WHEN payable_at < :before
                          AND NOT (amount_minor > 0 AND g.account_id || ' ' || g.currency IN @list(:stopped text))
                     THEN amount_minor ELSE 0 END) AS BIGINT) AS due_minor,
       CAST(SUM(CASE WHEN payable_at < :before AND amount_minor > 0
                          AND g.account_id || ' ' || g.currency IN @list(:stopped text)
                     THEN amount_minor ELSE 0 END) AS BIGINT) AS stopped_minor
FROM payable_lines AS g
WHERE affiliate_id = :affiliate_id AND mode = 'live'
GROUP BY currency
ORDER BY currency

-- name: payout_found
-- Return one run.
SELECT payout_id, mode, status, cutoff_at, currency, minimum, created_by, created_at, released_by, released_at
FROM payouts WHERE payout_id = :payout_id

-- fragment: payment_columns
-- What is read of a payment, with its run's mode, its affiliate and its exchange.
i.payout_id, i.affiliate_id, i.currency, i.amount_minor, i.commissions, i.adjustments, i.adjustments_minor,
i.status, i.carried, i.reference, i.returned, i.settled_at, i.file_id, i.question, f.name AS affiliate_name,
f.email AS affiliate_email, p.mode, x.sent_currency, x.sent_minor, x.rate

-- fragment: payments_with
-- Payments with their runs, their affiliates and their exchanges.
payout_items AS i
JOIN payouts AS p ON p.payout_id = i.payout_id
LEFT JOIN affiliates AS f ON f.affiliate_id = i.affiliate_id
LEFT JOIN payout_exchanges AS x
    ON x.payout_id = i.payout_id AND x.affiliate_id = i.affiliate_id AND x.currency = i.currency

-- name: payout_items_to
-- Return the payments of a run to one affiliate.
SELECT @fragment(payment_columns)
FROM @fragment(payments_with)
WHERE i.payout_id = :payout_id AND i.affiliate_id = :affiliate_id
ORDER BY i.currency

-- name: payout_items_named
-- Return payments of a run by whom and in which currency they are.
SELECT @fragment(payment_columns)
FROM @rows(:payments; affiliate_id text, currency text) AS k
CROSS JOIN @fragment(payments_with)
WHERE i.payout_id = :payout_id AND i.affiliate_id = k.affiliate_id AND i.currency = k.currency
ORDER BY i.affiliate_id, i.currency

-- name: payout_items_page
-- Return some payments of a run after one of them: of a status, or in a file, or all.
SELECT @fragment(payment_columns)
FROM @fragment(payments_with)
WHERE i.payout_id = :payout_id AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
  AND (CAST(:status AS TEXT) IS NULL OR i.status = CAST(:status AS TEXT))
  AND (CAST(:file_id AS TEXT) IS NULL OR i.file_id = CAST(:file_id AS TEXT))
ORDER BY i.affiliate_id, i.currency
LIMIT :limit

-- name: settled_otherwise
-- Return a payment of a run, or of a file of it, that was settled under another reference.
SELECT i.affiliate_id, i.reference
FROM payout_items AS i
WHERE i.payout_id = :payout_id AND i.status = 'SETTLED' AND i.reference <> :reference
  AND (CAST(:file_id AS TEXT) IS NULL OR i.file_id = CAST(:file_id AS TEXT))
ORDER BY i.affiliate_id, i.currency
LIMIT 1

-- name: payout_totals
-- Return what a run pays in each currency that is sent, and by how many payments.
SELECT k.currency, CAST(SUM(k.minor) AS BIGINT) AS amount_minor, COUNT(*) AS payments
FROM (SELECT COALESCE(x.sent_currency, i.currency) AS currency, COALESCE(x.sent_minor, i.amount_minor) AS minor
      FROM payout_items AS i
      LEFT JOIN payout_exchanges AS x
          ON x.payout_id = i.payout_id AND x.affiliate_id = i.affiliate_id AND x.currency = i.currency
      WHERE i.payout_id = :payout_id AND i.status <> 'CARRIED') AS k
GROUP BY k.currency ORDER BY k.currency

-- fragment: lines_with_orders
-- The lines of runs with whose they are and what they are of.
payout_lines AS l
JOIN accounts AS a ON a.account_id = l.account_id
JOIN merchants AS s ON s.merchant_id = a.merchant_id
LEFT JOIN commissions AS m ON m.account_id = l.account_id AND m.commission_id = l.line_id
LEFT JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id

-- name: payout_lines_of
-- Return the lines of one affiliate in a run, or of all, with their orders and what they are.
SELECT l.account_id, l.line_id, l.affiliate_id, l.currency, l.amount_minor, l.status, a.merchant_id,
       s.name AS merchant_name, c.external_order_id, c.order_minor, c.ordered_at, d.reason, d.kind,
       d.external_order_id AS adjusted_order_id
FROM @fragment(lines_with_orders)
WHERE l.payout_id = :payout_id
  AND (CAST(:affiliate_id AS TEXT) IS NULL OR l.affiliate_id = CAST(:affiliate_id AS TEXT))
ORDER BY l.affiliate_id, l.currency, l.account_id, l.line_id

-- name: payout_lines_page
-- Return some lines of a run after one in their order, with their orders and what they are.
SELECT l.account_id, l.line_id, l.affiliate_id, l.currency, l.amount_minor, l.status, a.merchant_id,
       s.name AS merchant_name, c.external_order_id, d.reason, d.external_order_id AS adjusted_order_id
FROM @fragment(lines_with_orders)
WHERE l.payout_id = :payout_id
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id)
    > (:after_affiliate, :after_currency, :after_account, :after_line)
ORDER BY l.affiliate_id, l.currency, l.account_id, l.line_id
LIMIT :limit

-- name: begin_release
-- Mark a run as being released.
UPDATE payouts SET status = 'RELEASING', released_by = :released_by, released_at = :now
WHERE payout_id = :payout_id AND status = 'DRAFT'

-- name: reserved_lines
-- Return some lines of a run that are not paid yet, after one in their order, each with its commission's order.
SELECT l.account_id, l.line_id, l.affiliate_id, l.currency, l.amount_minor,
       COALESCE(c.external_order_id, d.external_order_id) AS external_order_id, d.commission_id,
       d.kind
FROM payout_lines AS l
LEFT JOIN commissions AS m ON m.account_id = l.account_id AND m.commission_id = l.line_id
LEFT JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
LEFT JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id
WHERE l.payout_id = :payout_id AND l.status = 'RESERVED'
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id)
    > (:after_affiliate, :after_currency, :after_account, :after_line)
ORDER BY l.affiliate_id, l.currency, l.account_id, l.line_id
LIMIT :limit

-- name: lines_still_reserved
-- Return which lines of a run are not paid yet, of some after one in their order.
SELECT account_id, line_id
FROM payout_lines
WHERE payout_id = :payout_id AND status = 'RESERVED'
  AND (affiliate_id, currency, account_id, line_id)
    > (:after_affiliate, :after_currency, :after_account, :after_line)
ORDER BY affiliate_id, currency, account_id, line_id
LIMIT :limit

-- name: pay_reserved_commissions
-- Mark those of these commissions as paid that are payable with this amount still, and return them.
UPDATE commissions
SET state = 'PAID', paid_at = :now, payout_reference = :payout_id, updated_at = :now
FROM @rows(:lines; account_id text, line_id text, amount_minor bigint) AS k
WHERE commissions.account_id = k.account_id AND commissions.commission_id = k.line_id
  AND commissions.state = 'PAYABLE' AND commissions.amount_minor = k.amount_minor
  AND EXISTS (SELECT 1 FROM accounts AS a JOIN merchants AS s ON s.merchant_id = a.merchant_id
              WHERE a.account_id = commissions.account_id AND (a.mode = 'test' OR s.status = 'APPROVED'))
RETURNING commissions.account_id, commissions.commission_id AS line_id, commissions.conversion_id

-- name: pay_reserved_adjustments
-- Mark those of these corrections as paid that are approved, and return them.
UPDATE adjustments
SET status = 'PAID', payout_id = :payout_id
FROM @rows(:lines; account_id text, line_id text, amount_minor bigint) AS k
WHERE adjustments.account_id = k.account_id AND adjustments.adjustment_id = k.line_id
  AND adjustments.status = 'APPROVED' AND adjustments.amount_minor = k.amount_minor
RETURNING adjustments.account_id, adjustments.adjustment_id AS line_id

-- name: mark_payout_lines
-- Store what became of lines of a run.
UPDATE payout_lines
SET status = k.status
FROM @rows(:lines; account_id text, affiliate_id text, currency text, line_id text, status text) AS k
WHERE payout_lines.account_id = k.account_id AND payout_lines.payout_id = :payout_id
  AND payout_lines.affiliate_id = k.affiliate_id AND payout_lines.currency = k.currency
  AND payout_lines.line_id = k.line_id AND payout_lines.status = 'RESERVED'

-- name: paid_by_account
-- Return what an item of a run pays for each account.
SELECT account_id, CAST(SUM(amount_minor) AS BIGINT) AS minor
FROM payout_lines
WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id AND currency = :currency AND status = 'PAID'
GROUP BY account_id
ORDER BY account_id

-- name: move_payout_item
-- Give an item of a run its next status, if it has one of two before.
UPDATE payout_items
SET status = :status, reference = COALESCE(CAST(:reference AS TEXT), reference),
    carried = COALESCE(CAST(:carried AS TEXT), carried), returned = COALESCE(CAST(:returned AS TEXT), returned),
    settled_at = COALESCE(CAST(:settled_at AS BIGINT), settled_at), question = NULL
WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id AND currency = :currency
  AND status IN (:before, :or_before)

-- name: end_release
-- Mark a run as released whose items are all decided.
UPDATE payouts SET status = 'RELEASED'
WHERE payout_id = :payout_id AND status = 'RELEASING'
  AND NOT EXISTS (SELECT 1 FROM payout_items AS i WHERE i.payout_id = payouts.payout_id AND i.status = 'OPEN')
  AND NOT EXISTS (SELECT 1 FROM payout_lines AS l WHERE l.payout_id = payouts.payout_id AND l.status = 'RESERVED')

-- name: end_settlement
-- Mark a run as settled of which nothing is under way any more.
UPDATE payouts SET status = 'SETTLED'
WHERE payout_id = :payout_id AND status = 'RELEASED'
  AND NOT EXISTS (SELECT 1 FROM payout_items AS i WHERE i.payout_id = payouts.payout_id AND i.status = 'RELEASED')

-- name: lines_slice_end
-- Return the place of the last of so many lines of an account after a place; none where fewer are left.
SELECT payout_id, affiliate_id, currency, line_id
FROM payout_lines
WHERE account_id = :account_id
  AND (payout_id, affiliate_id, currency, line_id) > (:payout_id, :affiliate_id, :currency, :line_id)
ORDER BY payout_id, affiliate_id, currency, line_id
LIMIT 1 OFFSET :before

-- name: runs_under_way_sums
-- Return what an account's lines between two places, or after one, pay that is not settled, by affiliate and currency.
SELECT l.affiliate_id, l.currency, CAST(SUM(l.amount_minor) AS BIGINT) AS minor
FROM payout_lines AS l
JOIN payout_items AS i ON i.payout_id = l.payout_id AND i.affiliate_id = l.affiliate_id AND i.currency = l.currency
WHERE l.account_id = :account_id
  AND (l.payout_id, l.affiliate_id, l.currency, l.line_id) > (:payout_id, :affiliate_id, :currency, :line_id)
  AND (CAST(:last_payout_id AS TEXT) IS NULL OR (l.payout_id, l.affiliate_id, l.currency, l.line_id)
       <= (CAST(:last_payout_id AS TEXT), :last_affiliate_id, :last_currency, :last_line_id))
  AND l.status = 'PAID' AND i.status IN ('OPEN', 'RELEASED')
GROUP BY l.affiliate_id, l.currency

-- name: under_way_of
-- Return what runs of a mode pay an affiliate that is not settled, by currency.
SELECT i.currency, CAST(SUM(i.amount_minor) AS BIGINT) AS minor
FROM payout_items AS i
JOIN payouts AS p ON p.payout_id = i.payout_id
WHERE i.affiliate_id = :affiliate_id AND p.mode = :mode AND i.status = 'RELEASED'
GROUP BY i.currency

-- name: payabilities
-- Return how these affiliates are paid, and what stands in the way.
SELECT f.affiliate_id, p.method, CASE WHEN p.waits = 1 AND p.changed_at > :since THEN 1 ELSE 0 END AS waits,
       h.reason AS hold, t.minimum, t.currencies, COALESCE(t.waits, 0) AS asked_to_wait,
       COALESCE(t.paid_in, '') AS paid_in
FROM affiliates AS f
LEFT JOIN payees AS p ON p.affiliate_id = f.affiliate_id
LEFT JOIN payout_terms AS t ON t.affiliate_id = f.affiliate_id
LEFT JOIN payment_holds AS h ON h.affiliate_id = f.affiliate_id
                             AND (h.ends_at IS NULL OR h.ends_at > CAST(:now AS BIGINT))
WHERE f.affiliate_id IN @list(:affiliates text)

-- name: payout_terms_of
-- Return what an affiliate chose of how it is paid.
SELECT minimum, currencies, waits, paid_in, set_by, set_at FROM payout_terms WHERE affiliate_id = :affiliate_id

-- name: put_payout_terms
-- Store what an affiliate chose of how it is paid.
INSERT INTO payout_terms (affiliate_id, minimum, currencies, waits, paid_in, set_by, set_at)
VALUES (:affiliate_id, :minimum, :currencies, :waits, :paid_in, :set_by, :now)
ON CONFLICT (affiliate_id) DO UPDATE
SET minimum = excluded.minimum, currencies = excluded.currencies, waits = excluded.waits,
    paid_in = excluded.paid_in, set_by = excluded.set_by, set_at = excluded.set_at

-- name: money_waits
-- Return whether an affiliate has money that is not paid, and that a first payee could be named to get.
SELECT CASE WHEN EXISTS (SELECT 1 FROM payable_lines AS g WHERE g.affiliate_id = :affiliate_id AND g.mode = 'live')
              OR EXISTS (SELECT 1 FROM payout_items AS i
                         WHERE i.affiliate_id = :affiliate_id AND i.status IN ('OPEN', 'RELEASED'))
            THEN 1 ELSE 0 END AS waits

-- name: put_payment_hold
-- Store a hold of an affiliate's payments; another is replaced.
INSERT INTO payment_holds (affiliate_id, reason, set_by, set_at, ends_at, by_status)
VALUES (:affiliate_id, :reason, :set_by, :now, :ends_at, :by_status)
ON CONFLICT (affiliate_id) DO UPDATE
SET reason = excluded.reason, set_by = excluded.set_by, set_at = excluded.set_at, ends_at = excluded.ends_at,
    by_status = excluded.by_status

-- name: payment_hold
-- Return the hold of an affiliate's payments.
SELECT affiliate_id, reason, set_by, set_at, ends_at, by_status FROM payment_holds WHERE affiliate_id = :affiliate_id

-- name: end_payment_hold
-- Delete the hold of an affiliate's payments, or only one that came with its status.
DELETE FROM payment_holds WHERE affiliate_id = :affiliate_id AND (CAST(:any AS BIGINT) = 1 OR by_status = 1)

-- name: put_payee
-- Store an affiliate's payee.
INSERT INTO payees (affiliate_id, sealed, method, changed_at, waits, self_billed)
VALUES (:affiliate_id, :sealed, :method, :now, :waits, :self_billed)
ON CONFLICT (affiliate_id) DO UPDATE
SET sealed = excluded.sealed, method = excluded.method, changed_at = excluded.changed_at, waits = excluded.waits,
    self_billed = excluded.self_billed

-- name: payee_of
-- Return an affiliate's payee, sealed.
SELECT sealed, changed_at, waits FROM payees WHERE affiliate_id = :affiliate_id

-- name: payees_of
-- Return the sealed payees of these affiliates.
SELECT affiliate_id, sealed FROM payees WHERE affiliate_id IN @list(:affiliates text)

-- name: sealed_payee_page
-- Return sealed payees after an affiliate's id.
SELECT affiliate_id, sealed FROM payees WHERE affiliate_id > :after ORDER BY affiliate_id LIMIT :limit

-- name: reseal_payee
-- Replace a sealed payee if it is still the one that was read.
UPDATE payees SET sealed = :new WHERE affiliate_id = :affiliate_id AND sealed = :old

-- name: end_of_payments
-- Return the last of the next payments of a run, after one of them.
SELECT k.affiliate_id, k.currency
FROM (SELECT i.affiliate_id, i.currency FROM payout_items AS i
      WHERE i.payout_id = :payout_id AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
      ORDER BY i.affiliate_id, i.currency LIMIT :limit) AS k
ORDER BY k.affiliate_id DESC, k.currency DESC LIMIT 1

-- name: end_of_lines
-- Return the last of the next lines of a run, after one of them.
SELECT k.affiliate_id, k.currency, k.account_id, k.line_id
FROM (SELECT l.affiliate_id, l.currency, l.account_id, l.line_id FROM payout_lines AS l
      WHERE l.payout_id = :payout_id
        AND (l.affiliate_id, l.currency, l.account_id, l.line_id) > (:affiliate_id, :currency, :account_id, :line_id)
      ORDER BY l.affiliate_id, l.currency, l.account_id, l.line_id LIMIT :limit) AS k
ORDER BY k.affiliate_id DESC, k.currency DESC, k.account_id DESC, k.line_id DESC LIMIT 1

-- name: last_line_of
-- Return whose the last line of a run is, and in which currency.
SELECT affiliate_id, currency FROM payout_lines WHERE payout_id = :payout_id
ORDER BY affiliate_id DESC, currency DESC LIMIT 1

-- name: payments_that_differ
-- Return payments of a slice of a run whose amount is not what its lines and its entries in the ledger add up to.
SELECT k.payout_id, k.affiliate_id, k.currency, k.amount_minor, k.lines_minor, k.entries_minor
FROM (SELECT i.payout_id, i.affiliate_id, i.currency, i.amount_minor,
             (SELECT CAST(COALESCE(SUM(l.amount_minor), 0) AS BIGINT) FROM payout_lines AS l
              WHERE l.payout_id = i.payout_id AND l.affiliate_id = i.affiliate_id AND l.currency = i.currency
                AND l.status = 'PAID') AS lines_minor,
             (SELECT CAST(COALESCE(SUM(CASE WHEN e.credit = 'payout' THEN e.amount_minor
                                            WHEN e.debit = 'payout' THEN -e.amount_minor ELSE 0 END), 0) AS BIGINT)
              FROM ledger_entries AS e
              WHERE e.kind = 'paid' AND e.cause = i.payout_id AND e.affiliate_id = i.affiliate_id
                AND e.currency = i.currency) AS entries_minor
      FROM payout_items AS i
      WHERE i.payout_id = :payout_id AND i.status IN ('RELEASED', 'SETTLED', 'RETURNED')
        AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
        AND (i.affiliate_id, i.currency) <= (:last_affiliate_id, :last_currency)) AS k
WHERE k.amount_minor <> k.lines_minor OR k.amount_minor <> k.entries_minor
ORDER BY k.affiliate_id, k.currency
LIMIT :limit

-- name: lines_without_payment
-- Return what a run paid by a slice of its lines that no payment of it has.
SELECT DISTINCT l.affiliate_id, l.currency
FROM payout_lines AS l
WHERE l.payout_id = :payout_id AND l.status = 'PAID'
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id) > (:affiliate_id, :currency, :account_id, :line_id)
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id)
      <= (:last_affiliate_id, :last_currency, :last_account_id, :last_line_id)
  AND NOT EXISTS (SELECT 1 FROM payout_items AS i WHERE i.payout_id = l.payout_id AND i.affiliate_id = l.affiliate_id
                                                    AND i.currency = l.currency)
ORDER BY l.affiliate_id, l.currency
LIMIT :limit

-- name: file_that_differs
-- Return what a file of a run pays that its payments are not; one that was withdrawn pays nothing.
SELECT v.file_id, p.affiliate_id, p.currency
FROM payout_files AS v
JOIN payout_file_payments AS p ON p.file_id = v.file_id
WHERE v.file_id = :file_id AND v.withdrawn_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM payout_items AS i
                  WHERE i.payout_id = v.payout_id AND i.affiliate_id = p.affiliate_id AND i.currency = p.currency
                    AND i.file_id = v.file_id AND i.amount_minor = p.amount_minor)
ORDER BY p.affiliate_id, p.currency
LIMIT :limit

-- name: payments_without_file
-- Return payments of a slice of a run that say they are in a file that has not them.
SELECT i.file_id, i.affiliate_id, i.currency
FROM payout_items AS i
WHERE i.payout_id = :payout_id AND i.file_id IS NOT NULL
  AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
  AND (i.affiliate_id, i.currency) <= (:last_affiliate_id, :last_currency)
  AND NOT EXISTS (SELECT 1 FROM payout_file_payments AS p JOIN payout_files AS v ON v.file_id = p.file_id
                  WHERE p.file_id = i.file_id AND p.affiliate_id = i.affiliate_id AND p.currency = i.currency
                    AND v.withdrawn_at IS NULL)
ORDER BY i.affiliate_id, i.currency
LIMIT :limit

-- name: insert_payout_file
-- Insert a file for a bank.
INSERT INTO payout_files (file_id, payout_id, format, message_id, sha256, sealed, payments, written_by, written_at)
VALUES (:file_id, :payout_id, :format, :message_id, :sha256, :sealed, :payments, :written_by, :now)

-- name: insert_file_payments
-- Insert what a file pays.
INSERT INTO payout_file_payments (file_id, affiliate_id, currency, amount_minor)
SELECT file_id, affiliate_id, currency, amount_minor
FROM @rows(:payments; file_id text, affiliate_id text, currency text, amount_minor bigint)

-- name: mark_payments_in_file
-- Mark which payments of a run a file has that were in none.
UPDATE payout_items
SET file_id = k.file_id
FROM @rows(:payments; file_id text, affiliate_id text, currency text, amount_minor bigint) AS k
WHERE payout_items.payout_id = :payout_id AND payout_items.affiliate_id = k.affiliate_id
  AND payout_items.currency = k.currency AND payout_items.file_id IS NULL AND payout_items.status = 'RELEASED'

-- name: payout_files_of
-- Return the files of a run, oldest first, without their bytes.
SELECT file_id, payout_id, format, message_id, sha256, payments, written_by, written_at, withdrawn_by, withdrawn_at
FROM payout_files WHERE payout_id = :payout_id
ORDER BY file_id

-- name: payout_files_since
-- Return how many files of a format were written since a moment.
SELECT COUNT(*) AS files FROM payout_files WHERE format = :format AND written_at >= :since

-- name: payout_file
-- Return a file with its sealed bytes.
SELECT file_id, payout_id, format, message_id, sha256, sealed, payments, written_by, written_at, withdrawn_by,
       withdrawn_at
FROM payout_files WHERE file_id = :file_id

-- name: withdraw_payout_file
-- Mark a file as never sent.
UPDATE payout_files SET withdrawn_by = :withdrawn_by, withdrawn_at = :now
WHERE file_id = :file_id AND withdrawn_at IS NULL

-- name: free_payments_of_file
-- Take the payments of a file out of it.
UPDATE payout_items SET file_id = NULL WHERE payout_id = :payout_id AND file_id = :file_id

-- name: sealed_file_page
-- Return a sealed file after an id; a page is one file, since they are large.
SELECT file_id, sha256, sealed FROM payout_files WHERE file_id > :after ORDER BY file_id LIMIT 1

-- name: reseal_payout_file
-- Replace a sealed file if it is still the one that was read.
UPDATE payout_files SET sealed = :new WHERE file_id = :file_id AND sealed = :old

-- name: cancel_payout
-- Mark a run as cancelled that nothing was paid of.
UPDATE payouts SET status = 'CANCELLED' WHERE payout_id = :payout_id AND status IN ('GATHERING', 'DRAFT')

-- name: cancel_payout_items
-- Mark what a cancelled run was to pay as carried on.
UPDATE payout_items SET status = 'CARRIED', carried = 'cancelled' WHERE payout_id = :payout_id AND status = 'OPEN'

-- name: drop_payout_lines
-- Mark what a cancelled run has reserved as dropped.
UPDATE payout_lines SET status = 'DROPPED' WHERE payout_id = :payout_id AND status = 'RESERVED'

-- name: question_payment
-- Store that a later word of the bank contradicts what is known of a payment.
UPDATE payout_items SET question = :question
WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id AND currency = :currency

-- name: reinstate_payment
-- Take back the return of a payment.
UPDATE payout_items SET status = :status, returned = NULL, question = NULL
WHERE payout_id = :payout_id AND affiliate_id = :affiliate_id AND currency = :currency AND status = 'RETURNED'

-- name: reopen_settlement
-- Mark a run as released of which something is under way again.
UPDATE payouts SET status = 'RELEASED'
WHERE payout_id = :payout_id AND status = 'SETTLED'
  AND EXISTS (SELECT 1 FROM payout_items AS i WHERE i.payout_id = payouts.payout_id AND i.status = 'RELEASED')

-- name: reopened_by_returns
-- Return the corrections that returns of a payment made and that are approved still, and whether a run has each.
SELECT d.account_id, d.adjustment_id, d.amount_minor,
       CASE WHEN EXISTS (SELECT 1 FROM payout_lines AS l
                         WHERE l.account_id = d.account_id AND l.line_id = d.adjustment_id AND l.status <> 'DROPPED')
            THEN 1 ELSE 0 END AS reserved
FROM adjustments AS d
WHERE d.kind = 'returned' AND d.paid_reference = :payout_id AND d.affiliate_id = :affiliate_id
  AND d.currency = :currency AND d.status = 'APPROVED'

-- name: reject_reopened
-- Set these corrections, which reopened the balance of a payment that came back, as rejected.
UPDATE adjustments SET status = 'REJECTED', decided_by = :decided_by, decided_at = :now
FROM @rows(:corrections; account_id text, adjustment_id text) AS k
WHERE adjustments.account_id = k.account_id AND adjustments.adjustment_id = k.adjustment_id
  AND adjustments.status = 'APPROVED'

-- name: loose_payments
-- Return how many payments of a run are under way in no file, and how many it makes.
SELECT COUNT(*) AS payments,
       CAST(COALESCE(SUM(CASE WHEN file_id IS NULL AND status = 'RELEASED' THEN 1 ELSE 0 END), 0) AS BIGINT) AS loose
FROM payout_items WHERE payout_id = :payout_id AND status <> 'CARRIED'

-- name: loose_ways
-- Return by which methods and in which currencies a run pays what is under way in no file.
SELECT DISTINCT p.method, i.currency
FROM payout_items AS i
JOIN payees AS p ON p.affiliate_id = i.affiliate_id
WHERE i.payout_id = :payout_id AND i.file_id IS NULL AND i.status = 'RELEASED'
ORDER BY p.method, i.currency

-- name: lone_payments_since
-- Return what single persons paid since a moment, by person and currency.
SELECT actor_id, currency, CAST(SUM(amount_minor) AS BIGINT) AS minor
FROM lone_payments
WHERE acted_at >= :since
GROUP BY actor_id, currency

-- name: lone_payments_to
-- Return what single persons paid these affiliates since a moment, by affiliate and currency.
SELECT affiliate_id, currency, CAST(SUM(amount_minor) AS BIGINT) AS minor
FROM lone_payments
WHERE acted_at >= :since AND affiliate_id IN @list(:affiliates text)
GROUP BY affiliate_id, currency

-- name: note_lone_payments
-- Store what a person pays alone, added up by affiliate and currency.
INSERT INTO lone_payments (acted_at, actor_id, act, affiliate_id, currency, amount_minor)
SELECT CAST(:now AS BIGINT), :actor_id, :act, p.affiliate_id, p.currency, SUM(p.amount_minor)
FROM @rows(:payments; affiliate_id text, currency text, amount_minor bigint) AS p
WHERE true
GROUP BY p.affiliate_id, p.currency
ON CONFLICT (acted_at, actor_id, act, affiliate_id, currency) DO UPDATE
SET amount_minor = lone_payments.amount_minor + excluded.amount_minor

-- name: sweep_lone_payments
-- Delete what single persons paid before a moment.
DELETE FROM lone_payments WHERE acted_at < :cutoff

-- name: makers_of_payees
-- Return who changed since a moment where the money of a run's open payments goes.
SELECT DISTINCT t.actor_id
FROM trail AS t
WHERE t.act = 'payee.changed' AND t.acted_at >= :since
  AND EXISTS (SELECT 1 FROM payout_items AS i
              WHERE i.payout_id = :payout_id AND i.affiliate_id = t.subject_id AND i.status = 'OPEN')
ORDER BY t.actor_id

-- name: payees_made_by
-- Return the affiliates of a run's open payments whose payee these actors changed since a moment.
SELECT DISTINCT t.subject_id AS affiliate_id
FROM trail AS t
WHERE t.act = 'payee.changed' AND t.acted_at >= :since AND t.actor_id IN @list(:makers text)
  AND EXISTS (SELECT 1 FROM payout_items AS i
              WHERE i.payout_id = :payout_id AND i.affiliate_id = t.subject_id AND i.status = 'OPEN')

-- name: lines_that_differ
-- Return lines of a slice that are not what they pay: a commission or a correction of this affiliate and amount.
SELECT l.account_id, l.line_id, l.affiliate_id, l.currency
FROM payout_lines AS l
LEFT JOIN commissions AS m ON m.account_id = l.account_id AND m.commission_id = l.line_id
LEFT JOIN adjustments AS d ON d.account_id = l.account_id AND d.adjustment_id = l.line_id
WHERE l.payout_id = :payout_id
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id) > (:affiliate_id, :currency, :account_id, :line_id)
  AND (l.affiliate_id, l.currency, l.account_id, l.line_id)
      <= (:last_affiliate_id, :last_currency, :last_account_id, :last_line_id)
  AND NOT CASE
      WHEN m.commission_id IS NOT NULL THEN
          m.affiliate_id = l.affiliate_id AND m.currency = l.currency
          AND (l.status <> 'PAID' OR (m.payout_reference = l.payout_id AND m.amount_minor = l.amount_minor))
      WHEN d.adjustment_id IS NOT NULL THEN
          d.affiliate_id = l.affiliate_id AND d.currency = l.currency AND d.amount_minor = l.amount_minor
          AND (l.status <> 'PAID' OR d.payout_id = l.payout_id)
      ELSE 1 = 0 END
ORDER BY l.account_id, l.line_id
LIMIT :limit

-- name: drafts_that_differ
-- Return payments of a slice of a draft whose amount is not what their lines have reserved, and lines with no payment.
SELECT k.affiliate_id, k.currency, CAST(SUM(k.said_minor) AS BIGINT) AS amount_minor,
       CAST(SUM(k.lines_minor) AS BIGINT) AS lines_minor
FROM (SELECT i.affiliate_id, i.currency, i.amount_minor AS said_minor, 0 AS lines_minor
      FROM payout_items AS i
      WHERE i.payout_id = :payout_id AND i.status = 'OPEN'
        AND (i.affiliate_id, i.currency) > (:affiliate_id, :currency)
        AND (i.affiliate_id, i.currency) <= (:last_affiliate_id, :last_currency)
      UNION ALL
      SELECT l.affiliate_id, l.currency, 0, l.amount_minor
      FROM payout_lines AS l
      WHERE l.payout_id = :payout_id AND l.status <> 'DROPPED'
        AND (l.affiliate_id, l.currency) > (:affiliate_id, :currency)
        AND (l.affiliate_id, l.currency) <= (:last_affiliate_id, :last_currency)) AS k
WHERE EXISTS (SELECT 1 FROM payouts AS p WHERE p.payout_id = :payout_id AND p.status = 'DRAFT')
GROUP BY k.affiliate_id, k.currency
HAVING SUM(k.said_minor) <> SUM(k.lines_minor)
ORDER BY k.affiliate_id, k.currency
LIMIT :limit
