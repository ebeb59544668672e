"""The rules of paying in another currency than was earned: rates, what an amount becomes, and by whose account.

A rate is decimal text: so many major units of the `quote` currency for one of the `base`. An amount is exchanged as a
whole and rounded once, halves up, as commissions are. Its parts, which are of several accounts, are the differences of
the rounded sums up to each, so that they always add up to the whole: nothing is lost, and no minor unit is made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from hub.domain.books.ledger import Movement, Place
from hub.domain.money import CURRENCIES, minor_digits, round_half_up

_RATE: Final = re.compile(r"(?=.*[1-9])[0-9]{1,9}(?:\.[0-9]{1,10})?")
MOST_RATES: Final = 200


class Exchange(NamedTuple):
    """A rate that two people set: the set it is of, its two currencies, and the rate."""

    set_id: str
    base: str
    quote: str
    rate: str


Exchanges = Mapping[tuple[str, str], Exchange]
"""The rates in force, by base and quote."""


class Sent(NamedTuple):
    """What of an amount is sent: in which currency, how much (minor units), by which rate; `no_rate`: there is none."""

    currency: str
    minor: int
    exchange: Exchange | None = None
    no_rate: bool = False


def read_rates(text: str) -> list[tuple[str, str, str]]:
    """Read rates like "USD:EUR:0.9231,GBP:EUR:1.19" as (base, quote, rate); commas or new lines are between them.

    Raise ValueError, in a sentence, for what is none, a pair that is there twice, and none or too many.
    """
    found: dict[tuple[str, str], str] = {}
    for part in text.replace("\n", ",").split(","):
        if not part.strip():
            continue
        base, _, rest = part.strip().partition(":")
        quote, _, rate = rest.partition(":")
        pair = base.strip().upper(), quote.strip().upper()
        if not set(pair) <= CURRENCIES.keys() or pair[0] == pair[1] or _RATE.fullmatch(rate.strip()) is None:
            raise ValueError(
                f"{part.strip()!r} is not a rate; write it like USD:EUR:0.9231, so many EUR for one USD, with at most "
                "ten decimals."
            )
        if pair in found:
            raise ValueError(f"The rate from {pair[0]} to {pair[1]} is there twice.")
        found[pair] = _plain(rate.strip())
    if not 0 < len(found) <= MOST_RATES:
        raise ValueError(f"A proposal has from 1 to {MOST_RATES} rates; this one has {len(found)}.")
    return [(*pair, rate) for pair, rate in sorted(found.items())]


def _plain(rate: str) -> str:
    """Return a rate without noughts that say nothing."""
    whole, _, fraction = rate.partition(".")
    return f"{whole.lstrip('0') or '0'}.{fraction.rstrip('0')}".rstrip(".")


def exchanged(minor: int, base: str, quote: str, rate: str) -> int:
    """Return what an amount (minor units of `base`, of either sign) is in minor units of `quote`."""
    return round_half_up(minor * Fraction(rate) * Fraction(10) ** (minor_digits(quote) - minor_digits(base)))


def exchanged_shares(shares: Sequence[int], base: str, quote: str, rate: str) -> list[int]:
    """Return what each part of an amount becomes; they add up to what `exchanged` makes of their sum."""
    done, before, found = 0, 0, []
    for share in shares:
        done += share
        after = exchanged(done, base, quote, rate)
        found.append(after - before)
        before = after
    return found


def sent_as(minor: int, currency: str, paid_in: str, rates: Exchanges) -> Sent:
    """Return what is sent of an amount to one who is paid in `paid_in` (empty: in what was earned)."""
    if paid_in in ("", currency):
        return Sent(currency, minor)
    found = rates.get((currency, paid_in))
    if found is None:
        return Sent(currency, minor, no_rate=True)
    return Sent(paid_in, exchanged(minor, currency, paid_in, found.rate), found)


def through_exchange(movement: Movement, sent_minor: int, currency: str) -> list[Movement]:
    """Return a movement from or to `bank` by way of `exchange`: what was earned goes into it, what is sent comes out.

    `sent_minor` is how much that is in `currency`, of either sign.
    """
    if movement.credit == "bank":
        places: tuple[Place, Place] = ("exchange", "bank")
        legs = [movement._replace(credit="exchange")]
    else:
        places = ("bank", "exchange")
        legs = [movement._replace(debit="exchange")]
    if sent_minor:
        legs.append(
            movement._replace(
                kind="exchanged", debit=places[0], credit=places[1], amount_minor=abs(sent_minor), currency=currency
            )
        )
    return legs
