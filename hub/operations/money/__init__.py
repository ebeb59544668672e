"""Money: the ledger, what is payable, payouts, corrections, payees, fees and statements."""
