-- name: ledger_entries
-- Return entries of an account's ledger.
-- list: by entry_no bigint; indexed (account_id)
-- filter account_id text: e.account_id = :account_id
-- filter order_id text: e.external_order_id = :order_id
-- filter commission_id text: e.commission_id = :commission_id
-- filter affiliate_id text: e.affiliate_id = :affiliate_id
SELECT e.account_id, e.entry_no, e.posted_at, e.kind, e.debit, e.credit, e.amount_minor, e.currency, e.affiliate_id,
       e.commission_id, e.adjustment_id, e.external_order_id, e.cause, e.hash
FROM @listed(ledger_entries AS e)

-- name: lock_ledgers
-- Lock the ends of these accounts' chains, in one order, and return them; the first entry finds an empty one.
INSERT INTO ledger_heads (account_id, entries, hash, closed_until)
SELECT account_id, 0, '', COALESCE((SELECT MAX(ends_at) FROM closed_months WHERE closed_at IS NOT NULL), 0)
FROM @rows(:accounts; account_id text) WHERE true ORDER BY account_id
ON CONFLICT (account_id) DO UPDATE SET entries = ledger_heads.entries
RETURNING account_id, entries, hash, closed_until

-- name: append_entries
-- Append entries to the ledger.
INSERT INTO ledger_entries (account_id, entry_no, posted_at, kind, debit, credit, amount_minor, currency, affiliate_id,
                            commission_id, adjustment_id, external_order_id, cause, hash)
SELECT account_id, entry_no, posted_at, kind, debit, credit, amount_minor, currency, affiliate_id, commission_id,
       adjustment_id, external_order_id, cause, hash
FROM @rows(:entries; account_id text, entry_no bigint, posted_at bigint, kind text, debit text, credit text,
           amount_minor bigint, currency text, affiliate_id text, commission_id text, adjustment_id text,
           external_order_id text, cause text, hash text)

-- name: move_ledger_heads
-- Store the new ends of chains, which this transaction has locked.
UPDATE ledger_heads
SET entries = k.entries, hash = k.hash
FROM @rows(:heads; account_id text, entries bigint, hash text) AS k
WHERE ledger_heads.account_id = k.account_id

-- name: ledger_ends
-- Return the end of each account's chain as it was noted, and the highest number that an entry has, at one moment.
SELECT a.account_id, COALESCE(h.entries, 0) AS entries, COALESCE(h.hash, '') AS hash,
       COALESCE((SELECT MAX(e.entry_no) FROM ledger_entries AS e WHERE e.account_id = a.account_id), 0) AS highest
FROM (SELECT account_id FROM accounts UNION SELECT account_id FROM ledger_heads) AS a
LEFT JOIN ledger_heads AS h ON h.account_id = a.account_id
ORDER BY a.account_id

-- name: ledger_page
-- Return entries of an account after a number, up to another.
SELECT account_id, entry_no, posted_at, kind, debit, credit, amount_minor, currency, affiliate_id, commission_id,
       adjustment_id, external_order_id, cause, hash
FROM ledger_entries
WHERE account_id = :account_id AND entry_no > :after AND entry_no <= :last
ORDER BY entry_no
LIMIT :limit

-- name: accounts_named
-- Return all accounts with the names of their merchants.
SELECT a.account_id, a.mode, a.merchant_id, m.name
FROM accounts AS a
JOIN merchants AS m ON m.merchant_id = a.merchant_id
ORDER BY m.name, a.merchant_id, a.mode

-- name: place_balances
-- Return what an account's entries before a moment leave in each place, by currency; nothing of what is even.
SELECT k.place, k.currency, CAST(SUM(k.minor) AS BIGINT) AS minor
FROM (SELECT e.debit AS place, e.currency, -e.amount_minor AS minor
      FROM ledger_entries AS e WHERE e.account_id = :account_id AND e.posted_at < :before
      UNION ALL
      SELECT e.credit, e.currency, e.amount_minor
      FROM ledger_entries AS e WHERE e.account_id = :account_id AND e.posted_at < :before) AS k
GROUP BY k.place, k.currency
HAVING SUM(k.minor) <> 0
ORDER BY k.place, k.currency

-- name: commission_standings
-- Return state and amount of an account's commissions after an id.
SELECT commission_id, state, amount_minor, currency, affiliate_id, paid_at, payout_reference
FROM commissions
WHERE account_id = :account_id AND commission_id > :after
ORDER BY commission_id
LIMIT :limit

-- name: commission_states
-- Return the states and amounts of these commissions of an account.
SELECT commission_id, state, amount_minor
FROM commissions
WHERE account_id = :account_id AND commission_id IN @list(:commissions text)

-- name: commission_standing_since
-- Return a commission's state and amount with the entries of it after a number, at one moment.
SELECT m.state, m.amount_minor, e.entry_no, e.debit, e.credit, e.amount_minor AS moved_minor
FROM commissions AS m
LEFT JOIN ledger_entries AS e
    ON e.account_id = m.account_id AND e.entry_no > :after AND e.commission_id = m.commission_id
    AND e.adjustment_id IS NULL
WHERE m.account_id = :account_id AND m.commission_id = :commission_id

-- name: due_holds
-- Return commissions with their orders whose hold has ended, and the connections by which these are to be seen before.
SELECT m.account_id, m.commission_id, m.conversion_id, m.state, c.external_order_id,
       CASE WHEN p.connection_id IS NOT NULL
             AND COALESCE(CASE WHEN l.event_id IS NULL THEN l.asked_at
                               WHEN s.status IN ('PROCESSED', 'SKIPPED') AND s.conversion_id = m.conversion_id
                                   THEN l.asked_at END, 0) <= :fresh
            THEN p.connection_id END AS asks,
       CASE WHEN a.mode = 'live' AND h.deposit_required = 1 THEN 1 ELSE 0 END AS needs_deposit
FROM commissions AS m
JOIN conversions AS c ON c.account_id = m.account_id AND c.conversion_id = m.conversion_id
JOIN accounts AS a ON a.account_id = m.account_id
JOIN merchants AS h ON h.merchant_id = a.merchant_id
LEFT JOIN events AS e ON e.account_id = c.account_id AND e.event_id = c.event_id
LEFT JOIN connections AS n
  ON n.account_id = e.account_id AND n.connection_id = e.connection_id AND n.status = 'ACTIVE'
LEFT JOIN platform_access AS p
  ON p.account_id = n.account_id AND p.connection_id = n.connection_id AND p.last_look = 'ask'
LEFT JOIN order_looks AS l ON l.account_id = m.account_id AND l.conversion_id = m.conversion_id
LEFT JOIN events AS s ON s.account_id = l.account_id AND s.event_id = l.event_id
WHERE m.state IN ('HOLD', 'APPROVED') AND m.awaits_deposit IS NULL AND m.awaits_platform IS NULL
  AND m.hold_until <= :now
ORDER BY m.hold_until
LIMIT :limit

-- name: release_holds
-- Make these commissions payable if their hold has ended, and return those that became it.
UPDATE commissions
SET state = 'PAYABLE', updated_at = :now, payable_at = :now
FROM @rows(:due; account_id text, commission_id text) AS k
WHERE commissions.account_id = k.account_id AND commissions.commission_id = k.commission_id
  AND commissions.state IN ('HOLD', 'APPROVED') AND commissions.hold_until <= :now
RETURNING commissions.account_id, commissions.commission_id, commissions.conversion_id, commissions.affiliate_id,
          commissions.currency, commissions.amount_minor

-- name: balances_of
-- Return an affiliate's commissions of one mode, summed up by currency and state.
SELECT m.currency, m.state, CAST(SUM(m.amount_minor) AS BIGINT) AS amount_minor
FROM accounts AS a
CROSS JOIN commissions AS m
WHERE m.account_id = a.account_id AND a.mode = :mode AND m.affiliate_id = :affiliate_id AND m.amount_minor > 0
GROUP BY m.currency, m.state

-- name: ledger_places_of
-- Return what the entries of these commissions of an account add up to, by place.
SELECT commission_id, place, CAST(SUM(minor) AS BIGINT) AS minor
FROM (
    SELECT commission_id, credit AS place, amount_minor AS minor FROM ledger_entries
    WHERE account_id = :account_id AND commission_id IN @list(:commissions text) AND adjustment_id IS NULL
    UNION ALL
    SELECT commission_id, debit, -amount_minor FROM ledger_entries
    WHERE account_id = :account_id AND commission_id IN @list(:commissions text) AND adjustment_id IS NULL
) AS moves
WHERE place NOT IN ('merchant', 'fees', 'deposit')
GROUP BY commission_id, place

-- name: insert_mend
-- Insert a proposal to adopt what the ledger lacks of these commissions.
INSERT INTO ledger_mends (mend_id, commissions, proposed_by, proposed_at)
VALUES (:mend_id, :commissions, :proposed_by, :now)

-- name: mend_by_id
-- Return a proposal to adopt what the ledger lacks.
SELECT mend_id, commissions, proposed_by, proposed_at, adopted_by, adopted_at FROM ledger_mends WHERE mend_id = :mend_id

-- name: finish_mend
-- Mark a proposal as adopted; nothing if it was before.
UPDATE ledger_mends SET adopted_by = :adopted_by, adopted_at = :now WHERE mend_id = :mend_id AND adopted_at IS NULL

-- name: schema_changed
-- Return when the schema was first and last changed, ms UTC.
SELECT MIN(applied_at) AS first_at, MAX(applied_at) AS last_at FROM schema_migrations

-- name: closed_months_listed
-- Return the months that are closed or proposed to be, newest first.
SELECT month, ends_at, proposed_by, proposed_at, closed_by, closed_at, entries, head
FROM closed_months ORDER BY month DESC

-- name: closed_month
-- Return one month that is closed or proposed to be.
SELECT month, ends_at, proposed_by, proposed_at, closed_by, closed_at, entries, head
FROM closed_months WHERE month = :month

-- name: last_close
-- Return before which moment the months are closed.
SELECT MAX(ends_at) AS ends_at FROM closed_months WHERE closed_at IS NOT NULL

-- name: propose_close
-- Insert that a month is proposed to be closed.
INSERT INTO closed_months (month, ends_at, proposed_by, proposed_at) VALUES (:month, :ends_at, :proposed_by, :now)

-- name: close_month
-- Mark a month as closed.
UPDATE closed_months SET closed_by = :closed_by, closed_at = :now, entries = :entries, head = :head
WHERE month = :month AND closed_at IS NULL

-- name: insert_closed_ends
-- Insert how far chains are when a month is closed.
INSERT INTO closed_ends (month, account_id, entries, hash)
SELECT month, account_id, entries, hash
FROM @rows(:ends; month text, account_id text, entries bigint, hash text)

-- name: close_chains
-- Set before which moment no chain takes an entry; this transaction has locked them all.
UPDATE ledger_heads SET closed_until = :until WHERE closed_until < :until

-- name: closed_ends_of
-- Return how far an account's chain was when each month was closed, the first month first.
SELECT m.month, m.ends_at, e.entries, e.hash
FROM closed_ends AS e
JOIN closed_months AS m ON m.month = e.month
WHERE e.account_id = :account_id
ORDER BY m.ends_at

-- name: chain_opens
-- Return before which moment an account's chain takes no entry, and before which one the months are closed.
SELECT h.closed_until,
       COALESCE((SELECT MAX(m.ends_at) FROM closed_months AS m WHERE m.closed_at IS NOT NULL), 0) AS ends_at
FROM ledger_heads AS h WHERE h.account_id = :account_id
