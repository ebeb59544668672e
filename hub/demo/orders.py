"""The shop's own orders, kept in memory: the demo starts fresh each time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from attrs import define, field, frozen

from hub.demo.goods import Good


@frozen
class Report:
    """A report of the shop to the hub, and the event id that the hub answered with."""

    label: str
    event_id: str


@define
class Order:
    """One order; `click_id` is the affiliate click that its buyer came by, `reported` the statuses reported since."""

    number: str
    good: Good
    click_id: str | None
    reports: list[Report] = field(factory=list)
    reported: set[str] = field(factory=set)


class ShopOrders:
    """All orders since the start, the newest first."""

    def __init__(self) -> None:
        self._orders: dict[str, Order] = {}
        self._numbers = count(1001)

    def open(self, good: Good, click_id: str | None) -> Order:
        """Take an order and return it."""
        order = Order(f"F-{next(self._numbers)}", good, click_id)
        self._orders[order.number] = order
        return order

    def find(self, number: str) -> Order | None:
        """Return the order of a number, None if there is none."""
        return self._orders.get(number)

    def __iter__(self) -> Iterator[Order]:
        return reversed(list(self._orders.values()))
