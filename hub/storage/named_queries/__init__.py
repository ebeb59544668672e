"""Named queries: compiled for each database, bound to their values."""
