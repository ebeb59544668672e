"""The figures of each day, kept with the facts: the transaction that changes an order notes it, a timed job counts it.

The hot path pays one inserted row and never waits for another writer. There are two kinds of notes.

New orders: the transaction that creates them stores what is counted of each, and one note of what all of them add. The
job adds the notes up and deletes them, which is one transaction; it reads no order.

Changed orders: a note for each. The job reads the notes of some orders, then the orders, and adds to their days the
difference between what they are and what was counted of them; all that is one transaction, which deletes exactly the
notes that it read. A change that commits after the note was read has a note of its own, so it is counted by a later
turn, and an order that is counted twice adds nothing.

Sums and differences only add, so it does not matter which note of an order is read first. Turns of one account come one
after the other, by a lock.

Clicks are only ever added, in the order of their ids, so they are counted up to an id that is older than any click
whose commit may still be under way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Final

import orjson
from attrs import frozen

from hub.clock import Clock
from hub.domain.orders.figures import (
    ALL,
    Clicks,
    OrderFigures,
    Sums,
    added_up,
    click_changes,
    click_places,
    sums_from_json,
    sums_of,
)
from hub.domain.words import COMMISSION_STATES
from hub.ids import id_at
from hub.intake.throttle import Pause
from hub.processing.figure_rows import NOTHING_OF_ORDERS, DayRow, PlaceRow, ProductRow
from hub.processing.ledger_rows import FactRow
from hub.processing.order_figures import figures_of
from hub.processing.tellings import tell_of_ended
from hub.storage import Store, Tx

FIGURES_SECONDS: Final = 1.0
ORDERS_AT_ONCE: Final = 100
"""Changed orders of one transaction, which takes a few milliseconds."""
NOTES_AT_ONCE: Final = 32
"""Notes of new orders that one transaction adds up."""
REJECTED: Final = "REJECTED"
STANDING: Final = frozenset(COMMISSION_STATES) - {REJECTED}
CLICKS_AT_ONCE: Final = 5_000
CLICKS_UNDER_WAY_MS: Final = 30_000
"""A click whose id is this old is committed, or never will be: its request was given up after eight seconds."""
FIGURES_LOCK: Final = "\x1ffigures"
"""Stands for an account's figures among the locks of its orders; no order can be called so."""


@frozen(eq=False)
class FigureCounter:
    """Counts what changed; `pause` is called with the seconds that a transaction took, and rests beside requests."""

    _store: Store
    _clock: Clock
    pause: Pause

    async def count(self) -> int:
        """Count every order that changed and every click that is due; return how many orders were looked at."""
        looked_at = await self._count_orders()
        await self._count_clicks()
        return looked_at

    async def _count_orders(self) -> int:
        looked_at = await self._add_new()
        while True:
            started = monotonic()
            async with self._store.read() as tx:
                notes = await tx.all("next_changed_orders", limit=ORDERS_AT_ONCE)
            if not notes:
                return looked_at
            first = notes[0]["account_id"]
            changes = [(row["account_id"], row["change_id"]) for row in notes if row["account_id"] == first]
            orders = sorted({(first, row["conversion_id"]) for row in notes if row["account_id"] == first})
            await self._store.transact(partial(_count_changed, changes, orders, self._clock()))
            looked_at += len(orders)
            await self.pause(monotonic() - started)

    async def _add_new(self) -> int:
        """Add what new orders add; return how many orders that were."""
        added = 0
        while True:
            started = monotonic()
            account = await self._store.fetch_one("account_with_new_figures")
            if account is None:
                return added
            added += await self._store.transact(partial(_add_new_orders, account["account_id"]))
            await self.pause(monotonic() - started)

    async def _count_clicks(self) -> None:
        before = id_at("clk", self._clock() - CLICKS_UNDER_WAY_MS)
        async with self._store.read() as tx:
            accounts = await tx.all("accounts_with_new_clicks", before=before)
        for account in accounts:
            counted_to: str | None = account["counted_to"]
            while counted_to is not None:
                started = monotonic()
                counted_to = await self._store.transact(partial(_count_clicks, account["account_id"], before))
                await self.pause(monotonic() - started)


async def _add_new_orders(account_id: str, tx: Tx) -> int:
    """Add an account's oldest notes of new orders to its figures; return how many orders that were."""
    await tx.lock_orders([(account_id, FIGURES_LOCK)])
    notes = await tx.all("new_figures_of", account_id=account_id, limit=NOTES_AT_ONCE)
    if not notes:
        return 0
    await tx.run("forget_new_figures", account_id=account_id, last=notes[-1]["change_id"])
    sums = added_up(sums_from_json(orjson.loads(note["sums"])) for note in notes)
    await add_sums(tx, account_id, sums)
    return sum(numbers[0] for key, numbers in sums.days.items() if key[1:3] == (ALL, ALL))


async def _count_changed(
    changes: Sequence[tuple[str, str]], orders: Sequence[tuple[str, str]], now: int, tx: Tx
) -> None:
    """Count one account's orders whose notes these are, (account id, change id), unless another node just did."""
    await tx.lock_orders([(orders[0][0], FIGURES_LOCK)])
    if await tx.run("forget_changed_orders", changes=changes):
        ended = await count_orders(tx, orders)
        if ended:
            await tell_of_ended(tx, now, ended)


async def count_orders(tx: Tx, conversions: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Add to the figures what these orders, (account id, conversion id), differ by from what was counted of them.

    Return those whose commission stood when it was counted before, and is rejected now.
    """
    rows = await tx.all("orders_to_count", conversions=conversions)
    keys = [(row["account_id"], row["external_order_id"]) for row in rows]
    refunds = defaultdict(list)
    for fact in await tx.records(FactRow, "refunds_to_count", orders=keys) if keys else ():
        refunds[fact.account_id, fact.external_order_id].append(fact)
    changes: list[tuple[OrderFigures | None, OrderFigures]] = []
    counted: list[tuple[str, str, str]] = []
    for row, key in zip(rows, keys, strict=True):
        before, after = _counted(row["counted"]), figures_of(row, refunds[key])
        if before != after:
            changes.append((before, after))
            counted.append((row["account_id"], row["conversion_id"], orjson.dumps([*after]).decode()))
    if not counted:
        return []
    await tx.run("store_counted_orders", orders=counted)
    await add_sums(tx, rows[0]["account_id"], sums_of(changes))
    moved = zip(changes, counted, strict=True)
    return [
        key[:2] for (before, after), key in moved if after.state == REJECTED and before and before.state in STANDING
    ]


async def add_sums(tx: Tx, account_id: str, sums: Sums) -> None:
    """Add what orders add to an account's figures, whose lock the transaction holds."""
    days = [DayRow._make((account_id, *key, 0, *numbers)) for key, numbers in sums.days.items()]
    products = [ProductRow._make((account_id, *key, *numbers)) for key, numbers in sums.products.items()]
    places = [PlaceRow._make((account_id, *key, 0, *numbers)) for key, numbers in sums.places.items()]
    if days:
        await tx.run("add_daily_figures", figures=days)
    if products:
        await tx.run("add_product_figures", figures=products)
    if places:
        await tx.run("add_affiliate_figures", figures=places)


async def start_anew(tx: Tx, account_id: str) -> None:
    """Drop an account's figures and note all its orders, so that everything is counted again; locks the figures."""
    await tx.lock_orders([(account_id, FIGURES_LOCK)])
    await tx.run("drop_daily_figures", account_id=account_id)
    await tx.run("drop_product_figures", account_id=account_id)
    await tx.run("drop_affiliate_figures", account_id=account_id)
    await tx.run("drop_counted_orders", account_id=account_id)
    await tx.run("drop_counted_clicks", account_id=account_id)
    await tx.run("drop_new_figures", account_id=account_id)
    await tx.run("drop_changed_orders", account_id=account_id)
    await tx.run("note_all_orders", account_id=account_id)


def _counted(stored: str | None) -> OrderFigures | None:
    if stored is None:
        return None
    *plain, products = orjson.loads(stored)
    return OrderFigures._make([*plain, tuple((name, quantity, minor) for name, quantity, minor in products)])


async def _count_clicks(account_id: str, before: str, tx: Tx) -> str | None:
    """Count an account's next clicks; return the last of them, None if there are no more."""
    await tx.lock_orders([(account_id, FIGURES_LOCK)])
    known = await tx.one("counted_clicks_of", account_id=account_id)
    after = "" if known is None else known["click_id"]
    row = await tx.one("last_of_oldest_clicks", account_id=account_id, after=after, before=before, limit=CLICKS_AT_ONCE)
    if row is None or row["click_id"] is None:
        return None
    last = str(row["click_id"])
    clicks = await tx.records(Clicks, "clicks_to_count", account_id=account_id, after=after, last=last)
    days = [DayRow._make((account_id, *key, n, *NOTHING_OF_ORDERS)) for key, n in click_changes(clicks).items()]
    places = [PlaceRow._make((account_id, *key, n, 0, 0, 0)) for key, n in click_places(clicks).items()]
    await tx.run("add_daily_figures", figures=days)
    if places:
        await tx.run("add_affiliate_figures", figures=places)
    await tx.run("store_counted_clicks", account_id=account_id, last=last)
    return last
