"""What the batch files of PayPal and Wise take, and by which names files call a payment.

PayPal: "Use Web UI" of its payouts guide and its currency codes (one currency in a file, 5,000 rows, an id of at most
30 characters, three currencies without decimals). Wise: its guide to batch payments (1,000 rows).
"""

from __future__ import annotations

from typing import Final

from hub.domain.money import format_money, minor_digits

LONGEST_PAYPAL_ID: Final = 30
PAYPAL_PAYS: Final = frozenset({
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR", "JPY", "MXN", "MYR",
    "NOK", "NZD", "PHP", "PLN", "RUB", "SEK", "SGD", "THB", "TRY", "TWD", "USD",
})  # fmt: skip
PAYPAL_WHOLE: Final = frozenset({"HUF", "JPY", "TWD"})


def why_not_paypal(currency: str, minor: int) -> str | None:
    """Return why PayPal cannot pay an amount in minor units, None if it can."""
    if currency not in PAYPAL_PAYS:
        return f"PayPal does not pay {currency}"
    if currency in PAYPAL_WHOLE and minor % 10 ** minor_digits(currency):
        return f"PayPal pays no decimals of {currency}"
    return None


def paypal_amount(currency: str, minor: int) -> str:
    """Return an amount in minor units as PayPal reads it."""
    return str(minor // 10 ** minor_digits(currency)) if currency in PAYPAL_WHOLE else format_money(minor, currency)


def paypal_id(affiliate_id: str) -> str:
    """Return an affiliate's id as PayPal takes it: the kind, and the last of the rest, which no two share."""
    kind, _, rest = affiliate_id.rpartition("_")
    return f"{kind}_{rest[-(LONGEST_PAYPAL_ID - len(kind) - 1) :]}"


def ach_id(affiliate_id: str) -> str:
    """Return an affiliate's id as the entry of an ACH file has it: its last fifteen digits, in capitals."""
    return affiliate_id.rpartition("_")[2].replace("-", "")[-15:].upper()


def bacs_id(affiliate_id: str) -> str:
    """Return an affiliate's id as a Bacs record has it: its last eighteen digits, in capitals."""
    return affiliate_id.rpartition("_")[2].replace("-", "")[-18:].upper()


def part_of(place: int, most_rows: int | None) -> int:
    """Return the part of a batch, from 1, that the payment at a place (from 0) is in; None is a batch without end."""
    return 1 if most_rows is None else place // most_rows + 1
