"""The platforms' own deliveries."""
