"""Connections to stores: their secrets, their platform's API, health and packages."""
