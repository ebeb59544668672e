"""Payouts: from a preview to a run, its payments, its files, and what the bank says of them."""
