"""The hub itself: audits, backups, keys, plugins, mails, health and search."""
