"""What a run would pay: sums for each affiliate and currency, and its lines by pages. Nothing is reserved."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.instants import format_instant
from hub.operations.money.overdue import stopped_document, stopped_keys, stopped_merchants
from hub.operations.money.payout_documents import (
    LINES_SHOWN,
    LineDocument,
    LinePlace,
    PreviewedRun,
    line_document,
    mark_of,
    page_of_lines,
    place_of,
    previewed_item,
    totals_of,
)
from hub.operations.money.payout_gathering import decided_balances
from hub.operations.money.payout_runs import Wanted
from hub.storage import Row, Store

PAGE: Final = 1_000


async def preview_run(
    store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted, *, after: str = "", limit: int = LINES_SHOWN
) -> PreviewedRun:
    """Return the run that `create_run` would make now, with a page of its lines: those after an earlier page's end.

    Raise `OperatorFault` for a place that no page ended with.
    """
    now = clock()
    values, place = wanted.values(now), place_of(after)
    async with store.read() as tx:
        stopped = await stopped_merchants(tx, settings, wanted.mode, now)
        values |= {"stopped": stopped_keys(stopped)}
        decided = await decided_balances(tx, settings, values, now)
        affiliates = sorted({g.affiliate_id for g, _, _ in decided})
        names = {row["affiliate_id"]: row["name"] for row in await tx.all("affiliate_names", affiliates=affiliates)}
    paid = {(g.affiliate_id, g.currency) for g, _, carried in decided if carried is None}
    lines = list[Row]()
    async with aclosing(_lines(store, values, place, paid)) as found:
        async for line in found:
            lines.append(line)
            if len(lines) > limit:
                break
    return {
        "id": None,
        "status": "PREVIEW",
        "mode": wanted.mode,
        "mark": mark_of(wanted.mode),
        "currency": wanted.currency,
        "cutoff": format_instant(int(str(values["before"]))),
        "createdBy": None,
        "createdAt": None,
        "releasedBy": None,
        "releasedAt": None,
        "totals": totals_of((sent.currency, sent.minor) for _, sent, carried in decided if carried is None),
        "items": [previewed_item(g, sent, carried, names.get(g.affiliate_id)) for g, sent, carried in decided],
        **page_of_lines(lines, limit),
        "stopped": [stopped_document(row, settings) for row in stopped],
    }


async def previewed_lines(
    store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted
) -> AsyncIterator[LineDocument]:
    """Yield every line of the run that would be made now, a page of them in memory at a time."""
    now = clock()
    values = wanted.values(now)
    async with store.read() as tx:
        stopped = await stopped_merchants(tx, settings, wanted.mode, now)
        values |= {"stopped": stopped_keys(stopped)}
        decided = await decided_balances(tx, settings, values, now)
    paid = {(g.affiliate_id, g.currency) for g, _, carried in decided if carried is None}
    async with aclosing(_lines(store, values, place_of(""), paid)) as found:
        async for line in found:
            yield line_document(line)


async def _lines(
    store: Store, values: dict[str, object], after: LinePlace, paid: set[tuple[str, str]]
) -> AsyncGenerator[Row]:
    """Yield the lines after a place that the payments of these affiliates and currencies would have."""
    place: LinePlace | None = after
    while place is not None:
        async with store.read() as tx:
            rows = await tx.all("payout_candidates", **values, **place._asdict(), limit=PAGE)
        for row in rows:
            if (row["affiliate_id"], row["currency"]) in paid:
                yield row
        place = LinePlace.of(rows[-1]) if len(rows) == PAGE else None
