"""Strict validation of every body, query and row that comes in."""
