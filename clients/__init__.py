"""Clients of the merchant API, each a package of its own language, and what writes their types."""
