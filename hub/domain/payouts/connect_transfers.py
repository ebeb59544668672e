"""Transfers to connected accounts of Stripe, in the words of its API.

Stripe has no upload for them: the columns are the parameters of `POST /v1/transfers`, with an idempotency key, so that
a program that sends each line is as safe as the file. Amounts are in the smallest unit that Stripe uses, which is not
always that of ISO 4217 (docs.stripe.com, "Supported currencies").
"""

from __future__ import annotations

import re
from typing import Final

from hub.domain.money import minor_digits

ACCOUNT: Final = re.compile(r"acct_[A-Za-z0-9]{14,40}", re.ASCII)
_WHOLE: Final = frozenset({
    "BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF",
})  # fmt: skip
_THOUSANDTHS: Final = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})


def stripe_digits(currency: str) -> int:
    """Return how many decimals Stripe's smallest unit of a currency has: two for all but those that it names."""
    return 0 if currency in _WHOLE else 3 if currency in _THOUSANDTHS else 2


def why_not_stripe(currency: str, minor: int) -> str | None:
    """Return why Stripe cannot transfer an amount in minor units, None if it can."""
    if minor * 10 ** stripe_digits(currency) % 10 ** minor_digits(currency):
        return f"Stripe moves no decimals of {currency}"
    if currency in _THOUSANDTHS and minor % 10:
        return f"Stripe moves {currency} in steps of 0.01"
    return None


def stripe_amount(currency: str, minor: int) -> int:
    """Return an amount in minor units in Stripe's smallest unit; it must be one that Stripe can transfer."""
    more = stripe_digits(currency) - minor_digits(currency)
    return minor * int(10**more) if more >= 0 else minor // int(10**-more)
