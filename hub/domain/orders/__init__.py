"""Orders: what shops state of them, whose they are, what they earn, and what becomes of that."""
