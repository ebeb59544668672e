"""What one order adds to the figures of its day, and the difference that a change of it makes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import add, neg
from typing import Any, Final, NamedTuple, TypeVar

from hub.domain.durations import DAY
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.sub_ids import SUB_NAMES
from hub.domain.words import COMMISSION_STATES

CAMPAIGN, LINK = "campaign", "link"
PLACES: Final = (CAMPAIGN, LINK, *SUB_NAMES)
"""By what an affiliate's clicks and orders are counted beside the day: where they came from."""

ALL: Final = "*"
"""Stands for all campaigns, or all affiliates, in a key."""

DayKey = tuple[int, str, str, str]
"""A day since 1970 (UTC), a campaign, an affiliate and a currency; empty texts for none, see `keys_of_day`."""
ProductKey = tuple[int, str, str]
"""A day since 1970 (UTC), an external product id (empty for none) and a currency."""
PlaceKey = tuple[str, str, int, str, str]
"""An affiliate, one of `PLACES`, a day since 1970 (UTC), the place's own name, and a currency (empty for clicks)."""
Origin = tuple[int, str, str, str, str, str]
"""A day since 1970 (UTC), a campaign, an affiliate, a currency, a link's code and sub-ids (JSON); empty for none."""

Changes = Sequence[tuple["OrderFigures | None", "OrderFigures"]]
"""Orders as they were counted, None for one that was not, and as they are now."""
Key = TypeVar("Key", DayKey, ProductKey, PlaceKey, Origin)


class OrderFigures(NamedTuple):
    """One order as its figures count it; amounts in minor units of `currency`, `state` empty without a commission.

    `code` is the link of its click, empty without a click, and `subs` the JSON of that click's sub-ids, empty without.
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
    code: str
    subs: str
    products: tuple[tuple[str, int, int], ...]

    @property
    def origin(self) -> Origin:
        """When and where the order came from, which decides the rows of the days and places that count it."""
        return self.day, self.campaign_id, self.affiliate_id, self.currency, self.code, self.subs


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


AMOUNTS: Final = slice(5, None, 2)
"""The commissions of each state in `day_numbers`, in minor units."""
REJECTED: Final = 4 + 2 * COMMISSION_STATES.index("REJECTED")
REJECTED_AMOUNT: Final = REJECTED + 1


def day_numbers(figures: OrderFigures) -> tuple[int, ...]:
    """Return an order's part of its day: orders, high, revenue, refunds, then count and amount of each state."""
    states = [0] * (2 * len(COMMISSION_STATES))
    if figures.state:
        place = 2 * COMMISSION_STATES.index(figures.state)
        states[place : place + 2] = 1, figures.commission_minor
    return (1, figures.high, figures.revenue_minor, figures.refunds_minor, *states)


def _add(sums: dict[Key, tuple[int, ...]], key: Key, numbers: tuple[int, ...]) -> None:
    known = sums.get(key)
    sums[key] = numbers if known is None else tuple(map(add, known, numbers))


def _days(origins: Mapping[Origin, tuple[int, ...]]) -> dict[DayKey, tuple[int, ...]]:
    """Return what to add to each day, in the order of `day_numbers`."""
    sums: dict[DayKey, tuple[int, ...]] = {}
    for (day, campaign_id, affiliate_id, currency, _, _), numbers in origins.items():
        for key in keys_of_day(day, campaign_id, affiliate_id, currency):
            _add(sums, key, numbers)
    return sums


def _places(origins: Mapping[Origin, tuple[int, ...]]) -> dict[PlaceKey, tuple[int, ...]]:
    """Return what to add to each place of an affiliate's orders: orders, rejected, and minor units not rejected."""
    sums: dict[PlaceKey, tuple[int, ...]] = {}
    for (day, campaign_id, affiliate_id, currency, code, subs), numbers in origins.items():
        if affiliate_id:
            earned = sum(numbers[AMOUNTS]) - numbers[REJECTED_AMOUNT]
            for place, name in places_of(campaign_id, code, subs):
                _add(sums, (affiliate_id, place, day, name, currency), (numbers[0], numbers[REJECTED], earned))
    return sums


def _by_product(figures: OrderFigures) -> Mapping[ProductKey, tuple[int, ...]]:
    """Return an order's part of each product's day: orders (one, of however many lines), units, revenue."""
    found: dict[ProductKey, tuple[int, ...]] = {}
    for name, quantity, minor in figures.products:
        key = (figures.day, name, figures.currency)
        _, units, revenue = found.get(key, (1, 0, 0))
        found[key] = (1, units + quantity, revenue + minor)
    return found


def _not_zero(sums: Mapping[Key, tuple[int, ...]]) -> dict[Key, tuple[int, ...]]:
    return {key: numbers for key, numbers in sums.items() if any(numbers)}


def places_of(campaign_id: str, code: str, subs: str) -> list[tuple[str, str]]:
    """Return the places of a click and their names; what it lacks (an empty text) is not among them."""
    sub_ids = json.loads(subs) if subs else {}
    named = [(CAMPAIGN, campaign_id), (LINK, code), *((sub, str(sub_ids.get(sub, ""))) for sub in SUB_NAMES)]
    return [(place, name) for place, name in named if name]


class Sums(NamedTuple):
    """What to add to the days, products and places."""

    days: dict[DayKey, tuple[int, ...]]
    products: dict[ProductKey, tuple[int, ...]]
    places: dict[PlaceKey, tuple[int, ...]]


def sums_of(changes: Changes) -> Sums:
    """Return what to add to the figures for orders that are new or changed."""
    origins: dict[Origin, tuple[int, ...]] = {}  # most orders of a batch share theirs
    products: dict[ProductKey, tuple[int, ...]] = {}
    for before, after in changes:
        if before is not None:
            _add(origins, before.origin, tuple(map(neg, day_numbers(before))))
            for product, numbers in _by_product(before).items():
                _add(products, product, tuple(map(neg, numbers)))
        _add(origins, after.origin, day_numbers(after))
        for product, numbers in _by_product(after).items():
            _add(products, product, numbers)
    return Sums(_not_zero(_days(origins)), _not_zero(products), _not_zero(_places(origins)))


def added_up(several: Iterable[Sums]) -> Sums:
    """Return the sum of several."""
    total = Sums({}, {}, {})
    for sums in several:
        for day, numbers in sums.days.items():
            _add(total.days, day, numbers)
        for product, numbers in sums.products.items():
            _add(total.products, product, numbers)
        for place, numbers in sums.places.items():
            _add(total.places, place, numbers)
    return total


def sums_to_json(sums: Sums) -> list[list[tuple[tuple[int | str, ...], tuple[int, ...]]]]:
    """Return sums as three lists of [key, numbers], ready for JSON."""
    return [[*sums.days.items()], [*sums.products.items()], [*sums.places.items()]]


def sums_from_json(data: Sequence[Iterable[tuple[Any, Sequence[int]]]]) -> Sums:
    """Read back what `sums_to_json` returned; raise ValueError for anything else."""
    days, products, places = ({tuple(key): tuple(numbers) for key, numbers in each} for each in data)
    return Sums(days, products, places)


class Clicks(NamedTuple):
    """How many clicks one link had on a day since 1970 (UTC) with the same sub-ids (JSON); empty texts for none."""

    day: int
    campaign_id: str
    affiliate_id: str
    code: str
    subs: str
    clicks: int


def click_changes(clicks: Iterable[Clicks]) -> dict[DayKey, int]:
    """Return how many clicks to add to each row of the days."""
    sums: dict[DayKey, int] = {}
    for each in clicks:
        for key in keys_of_day(each.day, each.campaign_id, each.affiliate_id, ""):
            sums[key] = sums.get(key, 0) + each.clicks
    return sums


def click_places(clicks: Iterable[Clicks]) -> dict[PlaceKey, int]:
    """Return how many clicks to add to each place of the affiliates."""
    sums: dict[PlaceKey, int] = {}
    for each in clicks:
        for place, name in places_of(each.campaign_id, each.code, each.subs):
            key = (each.affiliate_id, place, each.day, name, "")
            sums[key] = sums.get(key, 0) + each.clicks
    return sums
