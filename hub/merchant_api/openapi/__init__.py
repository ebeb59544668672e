"""The description of the merchant API."""
