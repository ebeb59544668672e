"""Affiliates: their links and memberships."""
