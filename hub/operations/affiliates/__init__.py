"""Affiliates: their links, memberships, reports and questions."""
