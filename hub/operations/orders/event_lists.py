"""Events in one status, over all merchants or of one."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from attrs import frozen

from hub.operations.pages import EVERYTHING, WHOLE, Filters, Part, found_filters, read_part
from hub.operations.references import like_pattern
from hub.records.events import EventDocument, event_document
from hub.storage import Row, Store, Tx


@frozen
class EventFilter:
    """Events in a status that match every filter; None is no condition.

    `since` is in ms UTC, `reason_like` a part of the explanation, `text` one of the order's or the delivery's id.
    """

    status: str
    filters: Filters = EVERYTHING
    since: int = 0
    reason_like: str | None = None
    type: str | None = None
    text: str | None = None


async def list_events(store: Store, wanted: EventFilter, part: Part = WHOLE) -> list[EventDocument]:
    """Return a part of the events that match; raise `OperatorFault` for an unknown merchant."""
    return [event_document(row) for row in await _rows(store, wanted, part)]


async def values_of(store: Store, wanted: EventFilter) -> dict[str, Any]:
    """Return the parameters of a query over these events; raise `OperatorFault` for an unknown merchant."""
    async with store.read() as tx:
        found = await found_filters(tx, wanted.filters)
    return {
        "status": wanted.status,
        "since": wanted.since,
        "merchant_id": found["merchant_id"],
        "mode": found["mode"],
        "pattern": None if wanted.reason_like is None else like_pattern(wanted.reason_like),
        "type": wanted.type,
        "text": None if wanted.text is None else like_pattern(wanted.text),
    }


async def _rows(store: Store, wanted: EventFilter, part: Part) -> list[Row]:
    values = await values_of(store, wanted)
    query = "events_above" if part.oldest_first else "events_below"

    async def read(tx: Tx, cursor: str, size: int) -> list[Row]:
        return list(await tx.all(query, **values, cursor=cursor, limit=size))

    return [row async for row in read_part(store, part, "evt", read, itemgetter("event_id"))]
