"""Campaigns and products."""
