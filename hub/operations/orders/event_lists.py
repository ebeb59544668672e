"""What was submitted, listed: over all merchants, as the messages of one account, and as its API shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson
from attrs import evolve

from hub.operations.list_filters import since_moment, with_ids
from hub.operations.lists import List, Page, Wanted, first_rows, read
from hub.operations.references import like_pattern, merchant_id_of
from hub.records.events import EventDocument, ListedEvent, event_document
from hub.records.rows import read_row
from hub.storage import Row, Store

EVENTS: Final = List("events")
REPLAYABLE: Final = ("FAILED", "UNMATCHED", "PARKED")
"""The outcomes of what the hub could not use, to which an index leads."""
UNDECIDED: Final = {"attribution": None, "commission": None, "skipReason": None}


class ListedMessage(NamedTuple):
    """A message in a list; times are in ms UTC, `explanation` is JSON."""

    event_id: str
    type: str
    kind: str | None
    status: str
    external_event_id: str | None
    external_order_id: str | None
    conversion_id: str | None
    received_at: int
    processed_at: int | None
    due_at: int | None
    attempts: int
    explanation: str | None
    connection_id: str | None
    topic: str | None

    @property
    def skip_reason(self) -> str | None:
        """Why nothing followed from it, or why it failed."""
        found: dict[str, Any] = {} if self.explanation is None else orjson.loads(self.explanation)
        reason: str | None = found.get("skipReason")
        return reason

    @property
    def is_replayable(self) -> bool:
        """Whether it may be queued again."""
        return self.status in REPLAYABLE


async def events_part(store: Store, wanted: Wanted) -> Page[EventDocument]:
    """Return a part of the events of all accounts, by what `led` takes, `merchant` (a reference) and `mode`.

    Raise `OperatorFault` for a reference that names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        return (await read(tx, EVENTS, await with_ids(tx, led(wanted)))).of(event_document)


async def first_events(store: Store, wanted: Wanted) -> list[Row]:
    """Return as many events as are wanted, however many have to be looked through; raise as `events_part` does."""
    async with store.read() as tx:
        asked = await with_ids(tx, led(wanted))
    return await first_rows(store, EVENTS, asked)


async def account_messages(store: Store, account_id: str, wanted: Wanted) -> Page[ListedMessage]:
    """Return a part of an account's messages, by what `led` takes; raise `CursorFault`."""
    page = await read(store, EVENTS, led(wanted), within={"account_id": account_id})
    return page.of(lambda row: ListedMessage(*(row[name] for name in ListedMessage._fields)))


async def account_events(store: Store, account_id: str, wanted: Wanted) -> Page[ListedEvent]:
    """Return a part of an account's events as its API shows them, by what `led` takes; raise `CursorFault`.

    Those of an `order_id` are all that state something of this order of the merchant's; a webhook is one of them once
    it was read.
    """
    return (await read(store, EVENTS, led(wanted), within={"account_id": account_id})).of(listed_event)


def led(wanted: Wanted) -> Wanted:
    """Return what is wanted with the filters to which an index leads.

    The filters are `status`, `type`, `kind`, `order_id`, `created_from` and `created_to` (ms UTC), `reason`, a part of
    the explanation, and `text`, one of the order's or the delivery's id.
    """
    filters = dict(wanted.filters)
    status, begins = filters.get("status"), filters.get("created_from")
    if status in REPLAYABLE:
        filters["unused"] = filters.pop("status")
    filters["since"] = since_moment("evt", None if begins is None else int(begins))
    patterns = {name: like_pattern(str(filters[name])) for name in ("reason", "text") if filters.get(name) is not None}
    return evolve(wanted, filters={**filters, **patterns})


async def values_of(store: Store, filters: Mapping[str, str | int | None]) -> dict[str, Any]:
    """Return the parameters of a query that counts events; raise `OperatorFault` for an unknown merchant."""
    merchant, reason, text = (filters.get(name) for name in ("merchant", "reason", "text"))
    async with store.read() as tx:
        merchant_id = None if merchant is None else await merchant_id_of(tx, str(merchant))
    return {
        "status": filters["status"],
        "since": filters.get("created_from") or 0,
        "merchant_id": merchant_id,
        "mode": filters.get("mode"),
        "pattern": None if reason is None else like_pattern(str(reason)),
        "type": filters.get("type"),
        "text": None if text is None else like_pattern(str(text)),
    }


def listed_event(row: Row) -> ListedEvent:
    """Return the record of an event's row, which holds its explanation as it is stored: it is only sent on."""
    explanation = UNDECIDED if row["explanation"] is None else orjson.Fragment(row["explanation"])
    return read_row(ListedEvent, row, duplicate=False, explanation=explanation)
