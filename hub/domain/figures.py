"""What one order adds to the figures of its day, and the difference that a change of it makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeVar

from hub.domain.durations import DAY
from hub.domain.lifecycle import StatusFact

STATES: Final = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED")

ALL: Final = "*"
"""Stands for all campaigns, or all affiliates, in a key."""

DayKey = tuple[int, str, str, str]
"""A day since 1970 (UTC), a campaign, an affiliate and a currency; empty texts for none, see `keys_of_day`."""
ProductKey = tuple[int, str, str]
"""A day since 1970 (UTC), an external product id (empty for none) and a currency."""


Changes = Iterable[tuple["OrderFigures | None", "OrderFigures"]]
"""Orders as they were counted, None for one that was not, and as they are now."""
Key = TypeVar("Key", DayKey, ProductKey)


class OrderFigures(NamedTuple):
    """One order as its figures count it; amounts in minor units of `currency`, `state` empty without a commission.

    `products` are (external product id or "", quantity, minor units) by line.
    """

    day: int
    campaign_id: str
    affiliate_id: str
    currency: str
    high: int
    revenue_minor: int
    refunds_minor: int
    state: str
    commission_minor: int
    products: tuple[tuple[str, int, int], ...]

    @property
    def keys(self) -> tuple[DayKey, ...]:
        """Which rows of the days count the order."""
        return keys_of_day(self.day, self.campaign_id, self.affiliate_id, self.currency)


def keys_of_day(day: int, campaign_id: str, affiliate_id: str, currency: str) -> tuple[DayKey, ...]:
    """Return the rows in which something counts: that of all, of its campaign and of its affiliate.

    There is no row for each pair of them, so that a year of a large network is some thousand rows.
    """
    return (day, ALL, ALL, currency), (day, campaign_id, ALL, currency), (day, ALL, affiliate_id, currency)


def day_of(moment: int) -> int:
    """Return the day since 1970 of a time in ms UTC."""
    return moment // DAY


def refunded_minor(order_minor: int, base_minor: int | None, facts: Iterable[StatusFact]) -> int:
    """Return how much of an order was refunded, in minor units; a cancelled or returned order is no refund.

    `base_minor` is what its commission is still taken from, None without a commission: then the money that the shop
    stated counts, up to the whole order.
    """
    refunds = [fact.refund for fact in facts if fact.status == "refunded"]
    if not refunds:
        return 0
    if any(refund is None or (refund.money_minor is None and not refund.lines) for refund in refunds):
        return order_minor
    if base_minor is not None:
        return order_minor - base_minor
    stated = 0
    for refund in refunds:
        if refund is not None:
            lines = sum(minor or 0 for _, _, minor in refund.lines)
            stated += lines if refund.money_minor is None else refund.money_minor
    return min(order_minor, stated)


def day_numbers(figures: OrderFigures) -> tuple[int, ...]:
    """Return an order's part of its day: orders, high, revenue, refunds, then count and amount of each state."""
    states = [number for state in STATES for number in _in_state(figures, state)]
    return (1, figures.high, figures.revenue_minor, figures.refunds_minor, *states)


def _in_state(figures: OrderFigures, state: str) -> tuple[int, int]:
    return (1, figures.commission_minor) if figures.state == state else (0, 0)


def day_changes(changes: Changes) -> dict[DayKey, tuple[int, ...]]:
    """Return what to add to each day, in the order of `day_numbers`."""
    sums: dict[DayKey, tuple[int, ...]] = {}
    for before, after in changes:
        if before is not None:
            taken = tuple(-number for number in day_numbers(before))
            for key in before.keys:
                _add(sums, key, taken)
        for key in after.keys:
            _add(sums, key, day_numbers(after))
    return {key: numbers for key, numbers in sums.items() if any(numbers)}


def product_changes(changes: Changes) -> dict[ProductKey, tuple[int, ...]]:
    """Return what to add to each product's day: orders, units, revenue in minor units."""
    sums: dict[ProductKey, tuple[int, ...]] = {}
    for before, after in changes:
        for figures, sign in ((before, -1), (after, 1)):
            for key, numbers in _by_product(figures).items():
                _add(sums, key, tuple(sign * number for number in numbers))
    return {key: numbers for key, numbers in sums.items() if any(numbers)}


def _by_product(figures: OrderFigures | None) -> Mapping[ProductKey, tuple[int, ...]]:
    """Return one order's products; several lines of a product are one order of it."""
    if figures is None:
        return {}
    found: dict[ProductKey, tuple[int, ...]] = {}
    for name, quantity, minor in figures.products:
        key = (figures.day, name, figures.currency)
        _, units, revenue = found.get(key, (1, 0, 0))
        found[key] = (1, units + quantity, revenue + minor)
    return found


def _add(sums: dict[Key, tuple[int, ...]], key: Key, numbers: tuple[int, ...]) -> None:
    known = sums.get(key)
    sums[key] = numbers if known is None else tuple(a + b for a, b in zip(known, numbers, strict=True))


def click_changes(clicks: Iterable[tuple[int, str, str, int]]) -> dict[DayKey, int]:
    """Return how many clicks to add to each row of the days; each is a day, a campaign, an affiliate and a number."""
    sums: dict[DayKey, int] = {}
    for day, campaign_id, affiliate_id, number in clicks:
        for key in keys_of_day(day, campaign_id, affiliate_id, ""):
            sums[key] = sums.get(key, 0) + number
    return sums
