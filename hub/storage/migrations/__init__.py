"""The schema and its migrations."""
