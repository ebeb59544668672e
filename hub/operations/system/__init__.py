"""The hub itself: its processes, backups, keys, plugins, mails, erasures and search."""
