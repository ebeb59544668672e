"""Connections to stores: their secrets, deliveries, health and packages."""
