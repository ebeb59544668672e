"""Payout runs: what they gather, how they are found and shown, and how a draft is cancelled."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from attrs import evolve, frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payouts import amounts_by_currency
from hub.operations import lists
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.payout_documents import (
    ITEMS_SHOWN,
    LINES_SHOWN,
    ItemPlace,
    RunDocument,
    ShownRun,
    page_of_lines,
    place_of,
    require_run,
    run_document,
)
from hub.operations.trail import note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.storage import Row, Store, Tx

RUNS: Final = lists.List("payouts")
ITEMS_AT_ONCE: Final = 1_000
"""So many payments of a run are in memory at a time."""


@frozen
class Wanted:
    """Which balances a run gathers: of a mode, payable before a moment (ms UTC; None: now), in one currency or all."""

    mode: str
    before: int | None = None
    currency: str | None = None

    def values(self, now: int) -> dict[str, object]:
        """Return the parameters of the queries that gather."""
        return {"mode": self.mode, "before": now + 1 if self.before is None else self.before, "currency": self.currency}


def with_minimum(settings: PayoutSettings, minimum: str | None) -> PayoutSettings:
    """Return the settings with another least amount, like 25 or EUR:25; raise `OperatorFault` for another form."""
    if not minimum:
        return settings
    try:
        amounts_by_currency(minimum)
    except ValueError as fault:
        raise OperatorFault(f"The minimum {minimum!r} {fault}; write it like 25 or EUR:25,JPY:3000.") from None
    return evolve(settings, minimum=minimum)


async def cancel_run(store: Store, clock: Clock, payout_id: str, reason: str) -> RunDocument:
    """Cancel a DRAFT: what it has reserved is payable again. Repeating it changes nothing.

    Raise `OperatorFault` if the run is unknown, without a reason, and once its release has begun.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        run = await require_run(tx, payout_id)
        if run["status"] == "CANCELLED":
            return await found_run(tx, payout_id)
        if not await tx.run("cancel_payout", payout_id=payout_id):
            raise OperatorFault(f"Payout {payout_id} is {run['status']}; only a DRAFT can be cancelled.")
        await tx.run("cancel_payout_items", payout_id=payout_id)
        await tx.run("drop_payout_lines", payout_id=payout_id)
        now = clock()
        await note_run(tx, now, payout_id)
        await note_act(tx, now, "payout.cancelled", payout_id, after={"reason": why})
        return await found_run(tx, payout_id)


async def note_run(tx: Tx, now: int, payout_id: str) -> None:
    """Note a run with all its payments (`now` is ms UTC)."""
    async for items in pages_of_items(tx, payout_id):
        await note_rows(tx, now, {"payout_items": items_of(items)})
    await note_rows(tx, now, {"payouts": [(payout_id,)]})


async def pages_of_items(
    tx: Tx, payout_id: str, *, status: str | None = None, file_id: str | None = None, after: ItemPlace | None = None
) -> AsyncIterator[Sequence[Row]]:
    """Yield the payments of a run after a place, of a status or in a file (None: all), some at a time."""
    place: ItemPlace | None = after or ItemPlace()
    while place is not None:
        items = await tx.all(
            "payout_items_page", payout_id=payout_id, **place._asdict(), status=status, file_id=file_id,
            limit=ITEMS_AT_ONCE,
        )  # fmt: skip
        place = ItemPlace.of(items[-1]) if len(items) == ITEMS_AT_ONCE else None
        if items:
            yield items


async def waiting_run(store: Store, wanted: Wanted) -> str | None:
    """Return the id of the run of this mode and currency that waits for its release: `create_run` returns it."""
    async with store.read() as tx:
        row = await tx.one("open_payout", mode=wanted.mode, currency=wanted.currency)
    return None if row is None else str(row["payout_id"])


async def run_part(store: Store, payout_id: str, *, after: str = "", limit: int = 0) -> RunDocument:
    """Return a run with its totals and at most `limit` of its items, those after the `nextItem` of the page before.

    Raise `OperatorFault` if the run is unknown.
    """
    async with store.read() as tx:
        return await _document(tx, await require_run(tx, payout_id), ItemPlace.at(after), limit)


async def loose_payments(store: Store, payout_id: str) -> tuple[int, int]:
    """Return how many payments of a released run are under way in no file, and how many it makes."""
    async with store.read() as tx:
        row = await tx.one("loose_payments", payout_id=payout_id)
    return (0, 0) if row is None else (row["loose"], row["payments"])


async def loose_ways(store: Store, payout_id: str) -> list[tuple[str, str]]:
    """Return the method and the currency of what a released run pays and no file has, each once."""
    async with store.read() as tx:
        return [(row["method"], row["currency"]) for row in await tx.all("loose_ways", payout_id=payout_id)]


async def show_run(
    store: Store, payout_id: str, *, after: str = "", limit: int = LINES_SHOWN, after_item: str = ""
) -> ShownRun:
    """Return a run with a page of its items and one of its lines, those after places that earlier pages ended with.

    Raise `OperatorFault` if the run is unknown, or for a place that no page ended with.
    """
    place = place_of(after)
    async with store.read() as tx:
        found = await _document(tx, await require_run(tx, payout_id), ItemPlace.at(after_item), ITEMS_SHOWN)
        lines = await tx.all("payout_lines_page", payout_id=payout_id, **place._asdict(), limit=limit + 1)
    return {**found, **page_of_lines(lines, limit)}


async def runs_part(store: Store, wanted: lists.Wanted) -> lists.Page[RunDocument]:
    """Return a part of the runs, by `mode`; raise `CursorFault`."""
    async with store.read() as tx:
        found = await lists.read(tx, RUNS, wanted)
        return found.with_entries([await _document(tx, run, ItemPlace(), ITEMS_SHOWN) for run in found.entries])


async def first_runs(store: Store, wanted: lists.Wanted) -> list[RunDocument]:
    """Return as many runs as are wanted."""
    runs = await lists.first_rows(store, RUNS, wanted)
    async with store.read() as tx:
        return [await _document(tx, run, ItemPlace(), ITEMS_SHOWN) for run in runs]


async def _document(tx: Tx, run: Row, after: ItemPlace, limit: int) -> RunDocument:
    payout_id = run["payout_id"]
    items = await tx.all(
        "payout_items_page", payout_id=payout_id, **after._asdict(), status=None, file_id=None, limit=limit + 1
    )
    return run_document(run, await tx.all("payout_totals", payout_id=payout_id), items, limit)


async def found_run(tx: Tx, payout_id: str) -> RunDocument:
    """Return a run with its first items; raise `OperatorFault` if it is unknown."""
    return await _document(tx, await require_run(tx, payout_id), ItemPlace(), ITEMS_SHOWN)
