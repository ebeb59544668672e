"""Events: shown, and queued for the worker once more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from hub.clock import Clock
from hub.operations.errors import OperatorFault, known
from hub.operations.trail import note_act
from hub.records.events import EventDocument, ShownEvent, event_document
from hub.records.rows import read_row
from hub.storage import Row, Store, Tx

NOT_REPLAYABLE = {
    "RECEIVED": "it is already waiting for the worker",
    "QUEUED": "it is already waiting for the worker",
    "PROCESSED": "it was processed; a second time would change nothing",
    "SKIPPED": "it was understood and skipped; a second time would be skipped too",
}


async def show_event(store: Store, event_id: str) -> ShownEvent:
    """Return one event with its explanation, reason and metadata; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        event = await _event(tx, event_id)
        found = await submitted(tx, [(event["account_id"], event_id)])
    said = found.get(event_id, {})
    return read_row(ShownEvent, event, reason=said.get("reason"), metadata=said.get("metadata"))


async def submitted(tx: Tx, events: Sequence[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Return what was submitted as conversions and order statuses, by event id; `events` are (account id, event id).

    A body that was deleted, after the retention time or for privacy, is left out.
    """
    rows = await tx.all("submitted_texts", events=events) if events else []
    return {row["event_id"]: orjson.loads(row["body"]) for row in rows}


async def replay_event(store: Store, clock: Clock, event_id: str) -> EventDocument:
    """Queue a FAILED, UNMATCHED or PARKED event again; raise `OperatorFault` for any other, with the reason."""
    async with store.write() as tx:
        event = await _event(tx, event_id)
        reason = NOT_REPLAYABLE.get(event["status"])
        if reason is not None:
            raise OperatorFault(f"Event {event_id} is {event['status']} and is not replayed: {reason}.")
        if not event["has_payload"]:
            raise OperatorFault(
                f"Event {event_id} cannot be replayed: its payload was deleted after the retention time, or for "
                "privacy. Ask the merchant to send it again under a new id."
            )
        await requeue(tx, clock, event)
        return event_document(await _event(tx, event_id))


async def requeue(tx: Tx, clock: Clock, event: Row) -> bool:
    """Make an event due again and note it in the trail; return False if it was taken up already."""
    event_id = event["event_id"]
    if not await tx.run("requeue_event", account_id=event["account_id"], event_id=event_id, now=clock()):
        return False
    after = event_document(await _event(tx, event_id))
    await note_act(tx, clock(), "event.replayed", event_id, before=event_document(event), after=after)
    return True


async def _event(tx: Tx, event_id: str) -> Row:
    row = await tx.one("event_anywhere", event_id=event_id)
    return known(row, "event", event_id, "Take the eventId or webhookEventId from the answer of the API.")
