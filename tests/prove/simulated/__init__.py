"""A whole hub in one history: what is proved is the product's, what is outside of it is pretended by a seed."""
