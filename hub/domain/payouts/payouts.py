"""The rules of payouts: what a run pays each affiliate, and what it carries on to the next.

An affiliate has one item for each currency in a run: the sum of its payable commissions and of the corrections that
were approved. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple, assert_never

from hub.domain.books.exchange import Sent
from hub.domain.money import CURRENCIES, MoneyError, parse_money, to_minor
from hub.domain.payouts.bacs import MOST_PENCE
from hub.domain.payouts.connect_transfers import why_not_stripe
from hub.domain.payouts.nacha import MOST_CENTS
from hub.domain.payouts.payout_batches import why_not_paypal
from hub.domain.words import CarriedReason, MissingForPayment, PayoutMethod

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


class Terms(NamedTuple):
    """What an affiliate chose: a `minimum` of its own, in which `currencies` (none: in all), and whether it `waits`.

    All that it earns is exchanged into `paid_in`; empty: it is paid in what it earned.
    """

    minimum: Mapping[str, Decimal] = {}
    currencies: frozenset[str] = frozenset()
    waits: bool = False
    paid_in: str = ""

    def missing(self, minor: int, currency: str) -> Sequence[MissingForPayment]:
        """Return what of it keeps an amount (minor units) from being paid."""
        found = list[MissingForPayment]()
        if 0 < minor < (amount_for(self.minimum, currency) or 0):
            found.append("below_own_minimum")
        if self.waits:
            found.append("own_wait")
        if self.currencies and currency not in self.currencies:
            found.append("own_currency")
        return found


class Payability(NamedTuple):
    """What stands between an affiliate and its money: how it is paid (None: nobody is named), and what it waits for."""

    method: PayoutMethod | None
    waits: bool = False
    on_hold: bool = False
    terms: Terms = Terms()


def carried_reason(sent: Sent, minimum_minor: int, payability: Payability | None) -> CarriedReason | None:
    """Return why a run carries on what it would send an affiliate, None if not; None for `payability` pays nobody.

    What the affiliate owes is held against later commissions, and less than the minimum is not worth a payment. A
    payment exists only with a payee who may be paid and whose way of being paid takes the currency; a payee that was
    just changed may be a thief's.
    """
    missing = missing_for(sent, minimum_minor, payability)
    match missing[0] if missing else None:
        case "nothing_due" | "merchant_overdue":
            return "below_minimum"
        case reason:
            return reason


def missing_for(
    sent: Sent, minimum_minor: int, payability: Payability | None, *, waits_for_merchants: bool = False
) -> Sequence[MissingForPayment]:
    """Return all that keeps an amount from being sent, what weighs most first; nothing if it is paid.

    `minimum_minor` is in the currency that is sent, as an affiliate's own minimum is. An amount of nothing may be why
    because the merchants that there is something of owe too much.
    """
    missing, minor, currency = list[MissingForPayment](), sent.minor, sent.currency
    if minor < 0:
        missing.append("negative")
    elif minor == 0:
        missing.append("merchant_overdue" if waits_for_merchants else "nothing_due")
    elif minor < minimum_minor:
        missing.append("below_minimum")
    if payability is None:
        return missing
    missing += payability.terms.missing(minor, currency)
    if payability.on_hold:
        missing.append("on_hold")
    if payability.method is None:
        return [*missing, "no_payee"]
    if payability.waits:
        missing.append("payee_waits")
    if sent.no_rate:
        missing.append("no_rate")
    elif minor > 0 and not takes(payability.method, currency, minor):
        missing.append("no_method")
    return missing


def takes(method: PayoutMethod, currency: str, minor: int) -> bool:
    """Return whether an amount can be paid in this way; what no batch file takes, a bank still pays by hand."""
    match method:
        case "paypal":
            return why_not_paypal(currency, minor) is None
        case "stripe":
            return why_not_stripe(currency, minor) is None
        case "ach":
            return currency == "USD" and minor <= MOST_CENTS
        case "bacs":
            return currency == "GBP" and minor <= MOST_PENCE
        case "iban" | "wise":
            return True
        case _:
            assert_never(method)
