"""Connectors: what one declares of its platform, how deliveries are proved, how an API is asked, and played stores."""
