"""Payouts: who is paid, what a run pays, on which day, and the formats of the files that pay."""
