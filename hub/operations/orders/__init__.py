"""Orders: what was reported and delivered, what became of it, and what a person decides or asks of it."""
