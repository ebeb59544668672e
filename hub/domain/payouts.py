"""The rules of payouts: what a run pays each affiliate, and what it carries on to the next.

An affiliate has one item for each currency in a run: the sum of its payable commissions and of the corrections that
were approved. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, NamedTuple

from hub.domain.money import CURRENCIES, MoneyError, parse_money, to_minor
from hub.domain.words import CarriedReason

ANY: Final = ""
"""The key of the amount that holds for every currency without one of its own."""


class Gathered(NamedTuple):
    """What an affiliate has coming in one currency: sums in minor units, and how many of each."""

    affiliate_id: str
    currency: str
    commissions_minor: int
    commissions: int
    adjustments_minor: int
    adjustments: int

    @property
    def amount_minor(self) -> int:
        """What the affiliate would be paid; at most zero if it owes money."""
        return self.commissions_minor + self.adjustments_minor


def amounts_by_currency(text: str) -> Mapping[str, Decimal]:
    """Read amounts in major units, "25" for every currency or "EUR:25,JPY:3000"; raise ValueError for other forms."""
    amounts: dict[str, Decimal] = {}
    for part in text.split(","):
        currency, colon, amount = part.strip().rpartition(":")
        if colon and currency not in CURRENCIES:
            raise ValueError(f"{currency!r} is not a currency")
        _require_amount(amount, currency if colon else None)
        amounts[currency if colon else ANY] = Decimal(amount)
    return amounts


def _require_amount(text: str, currency: str | None) -> None:
    """Raise ValueError unless a text is an amount in a currency, None: in the one that has the most decimals."""
    try:
        parse_money(text, currency or "KWD")
    except MoneyError as fault:
        raise (fault if currency else ValueError("is not an amount")) from None


def amount_for(amounts: Mapping[str, Decimal], currency: str) -> int | None:
    """Return the amount that holds for a currency in its minor units, None if none does."""
    amount = amounts.get(currency, amounts.get(ANY))
    return None if amount is None else to_minor(amount, currency)


def carried_reason(gathered: Gathered, minimum_minor: int, *, payee_waits: bool) -> CarriedReason | None:
    """Return why a run carries an affiliate's balance on, None if it pays it.

    What the affiliate owes is held against later commissions, less than the minimum is not worth a payment, and a payee
    that was just changed may be a thief's.
    """
    if gathered.amount_minor < 0:
        return "negative"
    if gathered.amount_minor == 0 or gathered.amount_minor < minimum_minor:
        return "below_minimum"
    return "payee_waits" if payee_waits else None
