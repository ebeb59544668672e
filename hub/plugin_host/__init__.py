"""Plugins: found, checked and asked for what they declare."""
