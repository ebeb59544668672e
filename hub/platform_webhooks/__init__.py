"""Webhooks that platforms such as Shopify send in their own form."""
