"""Platforms that are asked: orders and products read, single ones fetched, webhooks kept alive."""
