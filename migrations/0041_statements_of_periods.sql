-- What changes the balance that an affiliate is paid, in the order of time. Decided orders (earned, held) are not in it,
-- so that only the ends of holds, payouts and corrections write it.
CREATE INDEX ledger_entries_of_balances ON ledger_entries (affiliate_id, posted_at, account_id, entry_no)
    WHERE debit IN ('payable', 'adjustments') OR credit IN ('payable', 'adjustments');
