"""Merchants: their accounts, profiles, domains, keys and the way to live orders."""
