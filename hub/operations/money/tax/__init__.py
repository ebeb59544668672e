"""Who bills whom, and what the tax office is told: issuers, VAT numbers, self-billing, yearly figures."""
