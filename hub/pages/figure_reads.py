"""What a page of figures reads, of one account or of all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from attrs import frozen

from hub.operations.figures.figures import Period, Sums
from hub.pages.figure_queries import Asked
from hub.storage import Store

COMPARED_DAYS: Final = 100
"""The lines of a longer period are not compared with the one before, which would take as long again."""


@frozen
class Found:
    """What a page of figures is made of, read at one place: the sums of days, now and before, and of a breakdown.

    `earlier` are the lines of the period before, None if they are not compared; `until` is as in `Overview`.
    """

    now: Sequence[Sums]
    before: Sequence[Sums]
    lines: Sequence[Sums]
    earlier: Sequence[Sums] | None
    products: Sequence[Any]
    until: int | None


@frozen
class Reads:
    """How somebody's figures are read, each from the store by whose they are: an account's id, or a mode for all."""

    days: Callable[[Store, str, Period], Awaitable[Sequence[Sums]]]
    breakdown: Callable[[Store, str, Period, str], Awaitable[Sequence[Sums]]]
    products: Callable[[Store, str, Period], Awaitable[Sequence[Any]]]

    async def found(self, asked: Asked, whose: str, until: int | None, store: Store) -> Found:
        """Read what an address asks for; `until` is as in `Overview`."""
        of_products = asked.by == "product"
        lines = [] if of_products else await self.breakdown(store, whose, asked.period, asked.by)
        compared = lines and asked.period.days <= COMPARED_DAYS
        return Found(
            now=await self.days(store, whose, asked.period),
            before=await self.days(store, whose, asked.period.before),
            lines=lines,
            earlier=await self.breakdown(store, whose, asked.period.before, asked.by) if compared else None,
            products=await self.products(store, whose, asked.period) if of_products else [],
            until=until,
        )
