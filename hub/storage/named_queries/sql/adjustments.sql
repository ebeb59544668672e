-- name: adjustments
-- Return corrections of what affiliates are paid.
-- list: by adjustment_id text; indexed () across accounts, (merchant_id) across accounts, (mode) across accounts, (account_id)
-- filter account_id text: d.account_id = :account_id
-- filter merchant_id text: a.merchant_id = :merchant_id
-- filter mode text: a.mode = :mode
-- filter status text: d.status = :status
-- filter affiliate_id text: d.affiliate_id = :affiliate_id
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.kind, d.amount_minor, d.currency, d.reason, d.commission_id,
       d.external_order_id, d.fact_key, d.paid_reference, d.status, d.created_by, d.created_at, d.decided_by,
       d.decided_at, d.payout_id, a.mode, a.merchant_id, f.name AS affiliate_name
FROM @listed(adjustments AS d)
JOIN accounts AS a ON a.account_id = d.account_id
LEFT JOIN affiliates AS f ON f.affiliate_id = d.affiliate_id

-- name: insert_adjustments
-- Insert corrections of what affiliates are paid.
INSERT INTO adjustments (account_id, adjustment_id, affiliate_id, kind, amount_minor, currency, reason, commission_id,
                         external_order_id, fact_key, paid_reference, status, created_by, created_at, decided_by,
                         decided_at, payout_id)
SELECT account_id, adjustment_id, affiliate_id, kind, amount_minor, currency, reason, commission_id, external_order_id,
       fact_key, paid_reference, status, created_by, created_at, decided_by, decided_at, payout_id
FROM @rows(:adjustments; account_id text, adjustment_id text, affiliate_id text, kind text, amount_minor bigint,
           currency text, reason text, commission_id text, external_order_id text, fact_key text, paid_reference text,
           status text, created_by text, created_at bigint, decided_by text, decided_at bigint, payout_id text)

-- name: adjustment_anywhere
-- Return one correction by its id, in whichever account it is.
SELECT d.account_id, d.adjustment_id, d.affiliate_id, d.kind, d.amount_minor, d.currency, d.reason, d.commission_id,
       d.external_order_id, d.fact_key, d.paid_reference, d.status, d.created_by, d.created_at, d.decided_by,
       d.decided_at, d.payout_id, a.mode, f.name AS affiliate_name
FROM accounts AS a
CROSS JOIN adjustments AS d
LEFT JOIN affiliates AS f ON f.affiliate_id = d.affiliate_id
WHERE d.account_id = a.account_id AND d.adjustment_id = :adjustment_id

-- name: corrections_of_order
-- Return the corrections of one order's commission that count, oldest first.
SELECT adjustment_id, affiliate_id, fact_key, amount_minor, status, payout_id, created_at
FROM adjustments
WHERE account_id = :account_id AND external_order_id = :external_order_id AND status IN ('APPROVED', 'PAID')
ORDER BY adjustment_id

-- name: decide_adjustment
-- Set the decision on a correction that was proposed.
UPDATE adjustments SET status = :status, decided_by = :decided_by, decided_at = :now
WHERE account_id = :account_id AND adjustment_id = :adjustment_id AND status = 'PROPOSED'

-- name: adjustment_sums_of
-- Return an affiliate's corrections of one mode, summed up by currency, kind and status.
SELECT d.currency, d.kind, d.status, CAST(SUM(d.amount_minor) AS BIGINT) AS amount_minor
FROM accounts AS a
CROSS JOIN adjustments AS d
WHERE d.account_id = a.account_id AND a.mode = :mode AND d.affiliate_id = :affiliate_id
GROUP BY d.currency, d.kind, d.status

-- name: open_adjustment_page
-- Return some of an account's approved corrections that no run has paid, after one of them.
SELECT adjustment_id, affiliate_id, currency, amount_minor AS minor
FROM adjustments
WHERE account_id = :account_id AND adjustment_id > :after AND status = 'APPROVED'
ORDER BY adjustment_id
LIMIT :limit

-- name: debts
-- Return live balances below zero of all affiliates or of one, the oldest first, with the account that has most of it.
SELECT k.affiliate_id, f.name AS affiliate_name, k.currency, k.minor, k.since,
       (SELECT d.account_id FROM adjustments AS d JOIN accounts AS a ON a.account_id = d.account_id
        WHERE d.affiliate_id = k.affiliate_id AND d.currency = k.currency AND d.status = 'APPROVED' AND a.mode = 'live'
        GROUP BY d.account_id ORDER BY SUM(d.amount_minor), d.account_id LIMIT 1) AS account_id,
       (SELECT CAST(COALESCE(SUM(d.amount_minor), 0) AS BIGINT) FROM adjustments AS d
        WHERE d.affiliate_id = k.affiliate_id AND d.currency = k.currency AND d.status = 'PROPOSED'
          AND d.kind = 'written_off') AS proposed_minor
FROM (SELECT g.affiliate_id, g.currency, CAST(SUM(g.amount_minor) AS BIGINT) AS minor,
             MIN(CASE WHEN g.amount_minor < 0 THEN g.payable_at END) AS since
      FROM payable_lines AS g
      WHERE g.mode = 'live' AND g.affiliate_id IN (
                SELECT o.affiliate_id FROM adjustments AS o
                WHERE o.status IN ('PROPOSED', 'APPROVED') AND o.amount_minor < 0
                  AND (CAST(:affiliate_id AS TEXT) IS NULL OR o.affiliate_id = CAST(:affiliate_id AS TEXT)))
      GROUP BY g.affiliate_id, g.currency) AS k
JOIN affiliates AS f ON f.affiliate_id = k.affiliate_id
WHERE k.minor < 0
ORDER BY k.since, k.affiliate_id, k.currency

-- name: reminded_debts
-- Return the last level of which each debt was reminded.
SELECT affiliate_id, currency, since, MAX(level) AS level
FROM debt_reminders
GROUP BY affiliate_id, currency, since

-- name: note_debt_reminder
-- Insert a level of which a debt is reminded, once.
INSERT INTO debt_reminders (affiliate_id, currency, since, level, owed_minor, reminded_at)
VALUES (:affiliate_id, :currency, :since, :level, :owed_minor, :now)
ON CONFLICT DO NOTHING

-- name: dormant_balances
-- Return live balances above zero that no run has reserved and nothing has come to since a moment, the oldest first.
SELECT k.affiliate_id, f.name AS affiliate_name, k.currency, k.minor, k.last_moved
FROM (SELECT g.affiliate_id, g.currency, CAST(SUM(g.amount_minor) AS BIGINT) AS minor, MAX(g.payable_at) AS last_moved
      FROM payable_lines AS g
      WHERE g.mode = 'live'
      GROUP BY g.affiliate_id, g.currency) AS k
JOIN affiliates AS f ON f.affiliate_id = k.affiliate_id
WHERE k.minor > 0 AND k.last_moved < CAST(:before AS BIGINT)
ORDER BY k.last_moved, k.affiliate_id, k.currency
