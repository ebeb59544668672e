"""Events: shown, and queued for the worker once more."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.errors import OperatorFault, unknown
from hub.operations.trail import note_act
from hub.storage import Row, Store, Tx

NOT_REPLAYABLE = {
    "RECEIVED": "it is already waiting for the worker",
    "QUEUED": "it is already waiting for the worker",
    "PROCESSED": "it was processed; a second time would change nothing",
    "SKIPPED": "it was understood and skipped; a second time would be skipped too",
}


class EventDocument(TypedDict):
    """An event; `explanation` is the JSON object that the worker left, which says what was decided and why."""

    eventId: str
    type: str
    kind: str | None
    connectionId: str | None
    topic: str | None
    status: str
    externalEventId: str | None
    externalOrderId: str | None
    conversionId: str | None
    receivedAt: str
    processedAt: str | None
    dueAt: str | None
    attempts: int
    merchantId: str
    mode: str
    explanation: dict[str, Any] | None


async def show_event(store: Store, event_id: str) -> EventDocument:
    """Return one event with its explanation; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return _document(await _event(tx, event_id))


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
        await tx.run("requeue_event", account_id=event["account_id"], event_id=event_id, now=clock())
        after = _document(await _event(tx, event_id))
        await note_act(tx, clock(), "event.replayed", event_id, before=_document(event), after=after)
        return after


async def _event(tx: Tx, event_id: str) -> Row:
    row = await tx.one("event_anywhere", event_id=event_id)
    if row is None:
        raise unknown("event", event_id, "Take the eventId or webhookEventId from the answer of the API.")
    return row


def _document(row: Row) -> EventDocument:
    return {
        "eventId": row["event_id"],
        "type": row["type"],
        "kind": row["kind"],
        "connectionId": row["connection_id"],
        "topic": row["topic"],
        "status": row["status"],
        "externalEventId": row["external_event_id"],
        "externalOrderId": row["external_order_id"],
        "conversionId": row["conversion_id"],
        "receivedAt": format_instant(row["received_at"]),
        "processedAt": instant_or_none(row["processed_at"]),
        "dueAt": instant_or_none(row["due_at"]),
        "attempts": row["attempts"],
        "merchantId": row["merchant_id"],
        "mode": row["mode"],
        "explanation": None if row["explanation"] is None else json.loads(row["explanation"]),
    }
