"""The ledger: its entries and balances, the proof that they hold, the closing of months, the journal."""
