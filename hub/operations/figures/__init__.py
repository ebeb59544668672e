"""Figures: the sums of days, of an account, an affiliate and the network."""
