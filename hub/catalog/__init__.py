"""Products: what they are, and what an import, a patch or a platform makes of them."""
