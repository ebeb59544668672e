"""Rates that rise by volume: which of an affiliate's orders reached a tier, and what that adds to their commissions.

Commissions never change by it: what the tiers add is a bonus of its own for each affiliate and month. An order's tier
depends on its place among the orders that count, in the order in which they were placed, so that it does not matter in
which order they were reported. In the order of the levels a tier stands in the place of the campaign's default: the
rate of a product, one that was agreed with the affiliate alone and the one for new customers go before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, NamedTuple

from attrs import frozen

from hub.domain.money import MoneyError, parse_money
from hub.domain.orders.refunds import settle
from hub.domain.orders.rule_kinds import kind_of, line_amount
from hub.domain.orders.terms import OrderLine, Refund, Rule, TermLine, Terms
from hub.domain.words import RuleSource, VolumeMeasure, VolumePeriod

MOST_TIERS: Final = 10
LARGEST_COUNT: Final = 1_000_000_000
VOLUME_CAUSE: Final = "volume:"
"""What the causes of bonuses by volume begin with; the campaign and the month follow."""
REPLACED: Final[frozenset[RuleSource]] = frozenset({"CAMPAIGN", "MERCHANT", "PLATFORM"})
"""The levels in whose place a tier stands; those before them stay."""


class Tier(NamedTuple):
    """A rate and what it begins at: the number of an order, like "11", or money in the merchant's currency."""

    begins: str
    rule: Rule


@frozen
class VolumeRates:
    """The tiers of a campaign in rising order, by orders or by amount, of a calendar month or in all."""

    period: VolumePeriod
    measure: VolumeMeasure
    tiers: tuple[Tier, ...]


class VolumeVersion(NamedTuple):
    """The tiers that are in force from a moment on (ms UTC), None for none."""

    since: int
    rates: VolumeRates | None


class CountedOrder(NamedTuple):
    """An order that counts: placed at a moment (ms UTC), with what is left of its amount in minor units."""

    placed_at: int
    external_order_id: str
    currency: str
    base_minor: int


class Volume(NamedTuple):
    """Orders that were placed before, and their amounts in the merchant's currency, in minor units."""

    orders: int = 0
    minor: int = 0

    def with_order(self, order: CountedOrder, currency: str) -> Volume:
        """Return the volume with one more order; amounts in other currencies are not converted and do not count."""
        return Volume(self.orders + 1, self.minor + (order.base_minor if order.currency == currency else 0))


class Reached(NamedTuple):
    """What an order reached: its place among those of the period, from 1, and the tier; None below the first."""

    order: CountedOrder
    place: int
    tier: Tier | None


def tiers_reached(
    orders: Iterable[CountedOrder], versions: Sequence[VolumeVersion], currency: str, before: Volume
) -> Iterator[Reached]:
    """Yield what each order of one affiliate in one month reached, in the order of placing.

    `before` is the volume of the months before; a month's own begins at nothing. Each order takes the tiers that were
    in force at its own time. Orders of one moment are counted by their numbers.
    """
    of_month, of_all = Volume(), before
    for order in sorted(orders):
        rates = rates_at(versions, order.placed_at)
        volume = of_all if rates is not None and rates.period == "EVER" else of_month
        tier = None if rates is None else _reached(rates, volume, order.currency, currency)
        yield Reached(order, volume.orders + 1, tier)
        of_month, of_all = of_month.with_order(order, currency), of_all.with_order(order, currency)


def rates_at(versions: Sequence[VolumeVersion], moment: int) -> VolumeRates | None:
    """Return the tiers that were in force at a moment (ms UTC), whatever the order of the versions."""
    begun = [version for version in versions if version.since <= moment]
    return max(begun, key=lambda version: version.since).rates if begun else None


def _reached(rates: VolumeRates, volume: Volume, order_currency: str, currency: str) -> Tier | None:
    """Return the last tier that an order behind this volume reached and whose rate applies to its currency."""
    local = order_currency == currency
    if rates.measure == "AMOUNT" and not local:
        return None
    found = None
    for tier in rates.tiers:
        if rates.measure == "ORDERS":
            begun = volume.orders + 1 >= int(tier.begins)
        else:
            begun = volume.minor >= parse_money(tier.begins, currency)
        if begun and (local or kind_of(tier.rule.type).in_any_currency):
            found = tier
    return found


def added_by(
    rule: Rule, terms: Terms, paid_minor: int, order_lines: Sequence[OrderLine], refunds: Sequence[Refund]
) -> int:
    """Return what a tier's rate adds to a commission with these frozen terms, after refunds; never below nothing.

    It is for the rest of the order, which a default pays; the lines of products keep their own rates.
    """
    risen = terms._replace(lines=tuple([_risen(line, rule, terms.currency) for line in terms.lines]))
    had = settle(terms, paid_minor, order_lines, refunds)
    has = settle(risen, paid_minor, order_lines, refunds)
    return max(0, has.amount_minor - had.amount_minor)


def _risen(line: TermLine, rule: Rule, currency: str) -> TermLine:
    if line.external_product_id is not None or line.source not in REPLACED:
        return line
    amount = line_amount(line.source, rule.type, rule.value, line.base_minor, line.quantity, currency)
    return line._replace(type=rule.type, value=rule.value, amount_minor=amount)


def volume_faults(rates: VolumeRates, currency: str) -> list[str]:
    """Return what is wrong with tiers for a merchant of this currency, each as text that completes "`path` ..."."""
    faults = [fault for tier in rates.tiers for fault in _tier_faults(tier, rates.measure, currency)]
    if faults:
        return faults
    for low, high in pairwise(rates.tiers):
        if Decimal(low.begins) >= Decimal(high.begins):
            faults.append(f"must rise: a tier from {high.begins} stands behind one from {low.begins}")
        if low.rule.type == high.rule.type and Decimal(low.rule.value) >= Decimal(high.rule.value):
            faults.append(
                f"must rise: from {high.begins} it pays {high.rule.value}, from {low.begins} {low.rule.value}"
            )
    return faults


def _tier_faults(tier: Tier, measure: VolumeMeasure, currency: str) -> Iterator[str]:
    try:
        if measure == "ORDERS" and not _is_place(tier.begins):
            yield f"must begin at the 2nd order or a later one, which {tier.begins!r} is not"
        if measure == "AMOUNT" and not parse_money(tier.begins, currency):
            yield "must begin at more than nothing"
    except MoneyError as error:
        yield f"begins at an amount that {error}"
    try:
        kind_of(tier.rule.type).check(tier.rule.value, currency)
    except MoneyError as error:
        yield f"has from {tier.begins} a commissionValue that {error}"


def _is_place(text: str) -> bool:
    """Return whether a tier can begin at the order of this number."""
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST_COUNT))
    return digits and 2 <= int(text) <= LARGEST_COUNT


def volume_from_json(data: Mapping[str, Any]) -> VolumeRates:
    """Read tiers as they are stored and sent; raise KeyError for anything else."""
    tiers = [Tier(each["from"], Rule(each["commissionType"], each["commissionValue"])) for each in data["tiers"]]
    return VolumeRates(data["period"], data["measure"], tuple(tiers))


def volume_words(stated: Mapping[str, Any] | None, currency: str) -> str:
    """Return stored tiers in words, as affiliates read them; empty without any."""
    if stated is None:
        return ""
    rates = volume_from_json(stated)
    return "; ".join(tier_words(rates, tier, currency) for tier in rates.tiers)


def tier_words(rates: VolumeRates, tier: Tier, currency: str) -> str:
    """Return one tier in words, like "12 % from the 11th order of a month"."""
    pays = kind_of(tier.rule.type).amount(tier.rule.value, currency)
    span = " of a month" if rates.period == "MONTH" else ""
    if rates.measure == "ORDERS":
        return f"{pays} from the {ordinal(int(tier.begins))} order{span}"
    return f"{pays} once the orders{span} reach {tier.begins} {currency}"


def ordinal(number: int) -> str:
    """Return a number as a place: 1st, 2nd, 3rd, 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
