"""The move of a whole hub from SQLite to PostgreSQL."""
