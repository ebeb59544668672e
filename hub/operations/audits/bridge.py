"""The operator's first page: who waits, the month's money in and out, and who grew or fell. Every read is bounded."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from hub.clock import Clock
from hub.domain.books.book_time import month_of, span_of_month
from hub.domain.durations import DAY
from hub.domain.orders.figures import day_of
from hub.ids import id_at
from hub.operations.figures.figures import Period
from hub.operations.figures.network_figures import network_breakdown
from hub.operations.money.books.books import books_zone
from hub.storage import Store

MOST_COUNTED: Final = 1_001
"""How far what waits is counted."""
COMPARED_DAYS: Final = 30
MOST_COMPARED: Final = 1_000
"""How many merchants or affiliates with the most revenue of each period are compared."""
SHOWN_MOVERS: Final = 3
PAYOUT_AGE_MS: Final = 92 * DAY
"""A payment of a run that is older is not looked for in a month's money."""


class Waits(NamedTuple):
    """How much waits for an operator; what is more than a thousand is 1,001."""

    merchants: int
    campaigns: int
    payouts: int
    corrections: int
    receipts: int
    questions: int
    reviews: int


class Movement(NamedTuple):
    """What moved this month in one currency: "invoices" and "deposits" in, "paid" out, "under_way" on the way out."""

    kind: str
    currency: str
    minor: int
    movements: int


class Mover(NamedTuple):
    """Whose revenue changed, in minor units, from the 30 days before to the last 30, both without today."""

    id: str
    name: str
    currency: str
    before_minor: int
    now_minor: int

    @property
    def change_minor(self) -> int:
        """By how much it grew; negative if it fell."""
        return self.now_minor - self.before_minor


class Movers(NamedTuple):
    """Those that grew the most, and those that fell the most."""

    growing: list[Mover]
    falling: list[Mover]


async def waits(store: Store) -> Waits:
    """Return how much waits for an operator."""
    async with store.read() as tx:
        return (await tx.records(Waits, "operator_waits", limit=MOST_COUNTED))[0]


async def month_money(store: Store, clock: Clock) -> tuple[str, list[Movement]]:
    """Return this month of the books, such as "2026-11", and what moved in it so far, in live mode."""
    now, zone = clock(), await books_zone(store)
    month = month_of(now, zone)
    since = span_of_month(month, zone)[0]
    async with store.read() as tx:
        found = await tx.records(
            Movement, "money_of_month", since=since, receipts_since=id_at("rcp", since),
            payouts_since=id_at("pay", since - PAYOUT_AGE_MS),
        )  # fmt: skip
    return month, found


async def movers(store: Store, clock: Clock, dimension: Literal["merchant", "affiliate"]) -> Movers:
    """Return whose live revenue changed the most, of those with the most of it in either period."""
    yesterday = day_of(clock()) - 1
    period = Period(yesterday - COMPARED_DAYS + 1, yesterday)
    sums = [await network_breakdown(store, "live", each, dimension, MOST_COMPARED) for each in (period.before, period)]
    before, after = ({(each.id, each.currency): each for each in found if each.id and each.currency} for found in sums)
    found = []
    for key in before.keys() | after.keys():
        old, new = before.get(key), after.get(key)
        named = new or old
        if named is not None:
            minor = [0 if each is None else each.revenue_minor for each in (old, new)]
            found.append(Mover(key[0], named.name, key[1], minor[0], minor[1]))
    changed = sorted((each for each in found if each.change_minor), key=lambda each: (each.change_minor, each.id))
    return Movers(
        [each for each in reversed(changed) if each.change_minor > 0][:SHOWN_MOVERS],
        [each for each in changed if each.change_minor < 0][:SHOWN_MOVERS],
    )
