"""A simulated network: merchants, affiliates, buyers and a bank, around a real hub whose clock they move."""
