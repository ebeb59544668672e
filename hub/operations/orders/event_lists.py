"""Events in one status: listed, and replayed all together once their cause is mended."""

from __future__ import annotations

from operator import itemgetter
from typing import TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.operations.orders.events import EventDocument, event_document, requeue
from hub.operations.pages import EVERYTHING, WHOLE, Filters, Part, found_filters, read_part
from hub.operations.references import like_pattern
from hub.storage import Row, Store, Tx

TOGETHER = 100
"""At most this many events are replayed in one transaction, so that a server beside it does not wait."""
IN_ORDER = Part(oldest_first=True)


@frozen
class EventFilter:
    """Events in a status that match every filter; `since` is in ms UTC, `reason_like` a part of the explanation."""

    status: str
    filters: Filters = EVERYTHING
    since: int = 0
    reason_like: str | None = None


class ReplayDocument(TypedDict):
    """A replay of many: how many events match, how many have no payload any more, and how many were queued again."""

    matched: int
    withoutPayload: int
    replayed: int


async def list_events(store: Store, wanted: EventFilter, part: Part = WHOLE) -> list[EventDocument]:
    """Return a part of the events that match; raise `OperatorFault` for an unknown merchant."""
    return [event_document(row) for row in await _rows(store, wanted, part)]


async def replay_events(store: Store, clock: Clock, wanted: EventFilter, *, dry_run: bool) -> ReplayDocument:
    """Queue every event that matches now and has its payload again, the oldest first; count only, if it is a dry run.

    Raise `OperatorFault` for an unknown merchant. Broken off, it goes on when it is run again: what was queued does not
    match any more.
    """
    rows = await _rows(store, wanted, IN_ORDER)
    ready = [row for row in rows if row["has_payload"]]
    replayed = 0
    for start in range(0, 0 if dry_run else len(ready), TOGETHER):
        async with store.write() as tx:
            replayed += sum([await requeue(tx, clock, row) for row in ready[start : start + TOGETHER]])
    return {"matched": len(rows), "withoutPayload": len(rows) - len(ready), "replayed": replayed}


async def _rows(store: Store, wanted: EventFilter, part: Part) -> list[Row]:
    async with store.read() as tx:
        found = await found_filters(tx, wanted.filters)
    query = "events_above" if part.oldest_first else "events_below"

    async def read(tx: Tx, cursor: str, size: int) -> list[Row]:
        return list(
            await tx.all(
                query,
                cursor=cursor,
                status=wanted.status,
                since=wanted.since,
                merchant_id=found["merchant_id"],
                mode=found["mode"],
                pattern=None if wanted.reason_like is None else like_pattern(wanted.reason_like),
                limit=size,
            )
        )

    return [row async for row in read_part(store, part, "evt", read, itemgetter("event_id"))]
