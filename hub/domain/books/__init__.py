"""The books: the ledger and its journal, fees, deposits, exchange, and what merchants are billed."""
