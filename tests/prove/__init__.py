"""Slow proofs: run by `make prove`, bounded by PROVE_SECONDS."""
