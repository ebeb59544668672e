"""The books' terms and what a person books: corrections, write-offs, deposits, exchange rates, balances."""
