"""Campaigns, as merchants write them and affiliates find them, and products."""
