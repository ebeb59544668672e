-- What merchants owe of a month, among all entries of an account; only payouts and fees write it.
CREATE INDEX ledger_entries_owed ON ledger_entries (account_id, posted_at) WHERE kind IN ('paid', 'fee');
