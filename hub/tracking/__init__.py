"""Tracking links, clicks, and the script that keeps a click in a shop until the order."""
