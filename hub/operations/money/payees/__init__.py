"""Whom the network pays, and how: payees, the accounts that it pays from, minimums and currencies."""
