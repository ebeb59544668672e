"""Orders: what was reported, what became of it, and what a person decides on it."""
