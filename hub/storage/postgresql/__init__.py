"""The PostgreSQL driver."""
