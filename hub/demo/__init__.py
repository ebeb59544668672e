"""The demo: a fresh hub, and a small shop beside it that is a real, signing client of the API."""
