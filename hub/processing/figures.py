"""The figures of each day, kept with the facts: the transaction that changes an order notes it, a timed job counts it.

The hot path pays one inserted row for each changed order and never waits for another writer. The job reads the notes of
some orders, then the orders, and adds to their days the difference between what they are and what was counted of them;
all that is one transaction, which deletes exactly the notes that it read. A change that commits after the note was read
has a note of its own, so it is counted by a later turn, and an order that is counted twice adds nothing. Turns of one
account come one after the other, by a lock.

Clicks are only ever added, in the order of their ids, so they are counted up to an id that is older than any click
whose commit may still be under way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Final

import orjson

from hub.clock import Clock
from hub.domain.figures import (
    Clicks,
    OrderFigures,
    click_changes,
    click_places,
    day_changes,
    day_of,
    place_changes,
    product_changes,
    refunded_minor,
)
from hub.ids import id_at
from hub.intake.throttle import Pause
from hub.processing.figure_rows import NOTHING_OF_ORDERS, DayRow, PlaceRow, ProductRow
from hub.processing.ledger_rows import FactRow
from hub.storage import Row, Store, Tx

FIGURES_SECONDS: Final = 1.0
ORDERS_AT_ONCE: Final = 100
"""Orders of one transaction, which takes a few milliseconds."""
CLICKS_AT_ONCE: Final = 5_000
CLICKS_UNDER_WAY_MS: Final = 30_000
"""A click whose id is this old is committed, or never will be: its request was given up after eight seconds."""
FIGURES_LOCK: Final = "\x1ffigures"
"""Stands for an account's figures among the locks of its orders; no order can be called so."""


class DailyFigures:
    """Counts what changed; `pause` is called with the seconds that a transaction took, and rests beside requests."""

    def __init__(self, store: Store, clock: Clock, pause: Pause) -> None:
        self._store = store
        self._clock = clock
        self._pause = pause

    async def count(self) -> int:
        """Count every order that changed and every click that is due; return how many orders were looked at."""
        looked_at = await self._count_orders()
        await self._count_clicks()
        return looked_at

    async def _count_orders(self) -> int:
        looked_at = 0
        while True:
            started = monotonic()
            async with self._store.read() as tx:
                notes = await tx.all("next_changed_orders", limit=ORDERS_AT_ONCE)
            if not notes:
                return looked_at
            first = notes[0]["account_id"]
            changes = [(row["account_id"], row["change_id"]) for row in notes if row["account_id"] == first]
            orders = sorted({(first, row["conversion_id"]) for row in notes if row["account_id"] == first})
            await self._store.transact(partial(_count_changed, changes, orders))
            looked_at += len(orders)
            await self._pause(monotonic() - started)

    async def _count_clicks(self) -> None:
        before = id_at("clk", self._clock() - CLICKS_UNDER_WAY_MS)
        async with self._store.read() as tx:
            accounts = await tx.all("accounts_with_new_clicks", before=before)
        for account in accounts:
            counted_to: str | None = account["counted_to"]
            while counted_to is not None:
                started = monotonic()
                counted_to = await self._store.transact(partial(_count_clicks, account["account_id"], before))
                await self._pause(monotonic() - started)


async def _count_changed(changes: Sequence[tuple[str, str]], orders: Sequence[tuple[str, str]], tx: Tx) -> None:
    """Count one account's orders whose notes these are, (account id, change id), unless another node just did."""
    await tx.lock_orders([(orders[0][0], FIGURES_LOCK)])
    if await tx.run("forget_changed_orders", changes=changes):
        await count_orders(tx, orders)


async def count_orders(tx: Tx, conversions: Sequence[tuple[str, str]]) -> None:
    """Add to the figures what these orders, (account id, conversion id), differ by from what was counted of them."""
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
        return
    account_id = rows[0]["account_id"]
    await tx.run("store_counted_orders", orders=counted)
    days = [DayRow._make((account_id, *key, 0, *numbers)) for key, numbers in day_changes(changes).items()]
    products = [ProductRow._make((account_id, *key, *numbers)) for key, numbers in product_changes(changes).items()]
    if days:
        await tx.run("add_daily_figures", figures=days)
    places = [PlaceRow._make((account_id, *key, 0, *numbers)) for key, numbers in place_changes(changes).items()]
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
    await tx.run("drop_changed_orders", account_id=account_id)
    await tx.run("note_all_orders", account_id=account_id)


def figures_of(row: Row, facts: Iterable[FactRow]) -> OrderFigures:
    """Return the figures of an order: a row of `orders_to_count`, and its refunds."""
    return OrderFigures(
        day=day_of(row["ordered_at"]),
        campaign_id=row["campaign_id"] or "",
        affiliate_id=row["affiliate_id"] or "",
        currency=row["currency"],
        high=int(row["confidence"] == "HIGH"),
        revenue_minor=row["order_minor"],
        refunds_minor=refunded_minor(row["order_minor"], row["base_minor"], [fact.fact for fact in facts]),
        state=row["state"] or "",
        commission_minor=row["amount_minor"] or 0,
        code=row["code"] or "",
        subs=row["subs"] or "",
        products=tuple((name or "", quantity, minor) for name, quantity, minor in orjson.loads(row["lines_json"])),
    )


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
