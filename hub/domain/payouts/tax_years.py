"""What tax offices ask of those who pay others, by calendar year: a help for the accountant, and no advice."""

from __future__ import annotations

from datetime import date, tzinfo
from typing import Final, assert_never

from hub.domain.books.book_time import first_moment
from hub.domain.payouts.payees import Payee
from hub.domain.words import PayoutMethod

QUARTERS: Final = 4
_MONTHS_A_QUARTER: Final = 3
_RAISED_FROM: Final = 2026
_NEC_CENTS: Final = (60_000, 200_000)
"""From how much on a Form 1099-NEC is filed: USD 600 (26 U.S.C. 6041A), and 2,000 for payments made from 2026 on
(Public Law 119-21, section 70433; it is adjusted for inflation after 2026: look at the form's instructions)."""


def quarter_starts(year: int, zone: tzinfo) -> tuple[int, ...]:
    """Return the first moments (ms UTC) of a year's four quarters and of the next year, in a time zone."""
    days = [date(year, 1 + _MONTHS_A_QUARTER * quarter, 1) for quarter in range(QUARTERS)]
    return tuple(first_moment(day, zone) for day in [*days, date(year + 1, 1, 1)])


def form_1099_nec(payee: Payee | None, currency: str, minor: int, year: int) -> str:
    """Return what Form 1099-NEC asks of a payee who was paid so much in a year; empty if it does not concern it.

    "file", "below" its limit, "convert" what is not in USD first, or "network": who is paid through one of the payment
    networks is reported by that on Form 1099-K (instructions for Forms 1099-MISC and 1099-NEC).
    """
    if payee is None or payee.country != "US":
        return ""
    if _is_network(payee.method):
        return "network"
    if currency != "USD":
        return "convert"
    return "file" if minor >= _NEC_CENTS[year >= _RAISED_FROM] else "below"


def _is_network(method: PayoutMethod) -> bool:
    match method:
        case "paypal" | "stripe":
            return True
        case "iban" | "ach" | "bacs" | "wise":
            return False
        case _:
            assert_never(method)
