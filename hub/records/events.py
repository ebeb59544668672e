"""An event: a submission that was accepted, and what became of it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from attrs import frozen

from hub.domain.words import EventStatus, EventType, Mode
from hub.records.explanations import Explanation
from hub.records.orders import CONVERSION, EVENT, MERCHANT, NOON
from hub.records.record import Note, Sent
from hub.records.rows import read_row
from hub.records.scalars import WebhookKind
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import leading

OF_STATUS_REASON: Final = Note("The reason that an order status was reported with; null for others, and once deleted.")
OF_STATUS_METADATA: Final = Note("What else it was reported with; null for others, and once its body is deleted.")
EXPLANATION: Final = Note("What was decided and why, as it stood when the event was processed.")


@frozen(kw_only=True, slots=False)
class EventFields:
    """What is said of an event everywhere."""

    event_id: Annotated[str, Note("The id that the submission was answered with.", EVENT)]
    type: Annotated[EventType, Note("What was submitted.", "conversion")]
    kind: Annotated[
        WebhookKind | None,
        Note("The webhook's kind, such as order-created; null for a conversion or an order status."),
    ]
    status: Annotated[
        EventStatus,
        Note("RECEIVED or QUEUED until processed, then PROCESSED, SKIPPED, PARKED, UNMATCHED or FAILED.", "PROCESSED"),
    ]
    received_at: Annotated[int, Instant("When it was accepted.", NOON)]
    processed_at: Annotated[
        int | None, Instant("When it was decided; null until then, and while PARKED.", "2026-11-20T12:00:00.040Z")
    ]
    attempts: Annotated[int, Note("How often it was taken up.", 1)]
    conversion_id: Annotated[str | None, Note("The conversion it belongs to; null where there is none.", CONVERSION)]


@frozen(kw_only=True, slots=False, field_transformer=leading("event_id", "type", "kind", "status", "duplicate"))
class DecidedEvent(EventFields):
    """What an account is told of an event."""

    duplicate: Annotated[bool, Note("Always false: a duplicate has no event of its own.", example=False)] = False
    explanation: Annotated[dict[str, Any], Sent(Explanation), EXPLANATION]


@frozen(kw_only=True, slots=False, field_transformer=leading("event_id", "type", "kind", "status", "duplicate"))
class EventRecord(DecidedEvent):
    """An accepted submission and what became of it."""

    reason: Annotated[str | None, OF_STATUS_REASON] = None
    metadata: Annotated[dict[str, Any] | None, OF_STATUS_METADATA] = None


@frozen(kw_only=True, slots=False, field_transformer=leading("event_id", "type", "kind", "status", "duplicate"))
class ListedEvent(DecidedEvent):
    """An accepted submission, what became of it, and the order that it is about."""

    external_order_id: Annotated[
        str | None, Note("Your order number; null for news of a product, and until a webhook is read.")
    ]


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "event_id", "type", "kind", "connection_id", "topic", "status", "external_event_id", "external_order_id",
        "conversion_id", "received_at", "processed_at", "due_at", "attempts",
    ),
)  # fmt: skip
class EventDocument(EventFields):
    """An event; `explanation` is the JSON object that the worker left, which says what was decided and why."""

    connection_id: Annotated[str | None, Note("The connection that it came by.")]
    topic: Annotated[str | None, Note("The platform's name of what it says.")]
    external_event_id: Annotated[str | None, Note("The sender's id of it.")]
    external_order_id: Annotated[str | None, Note("The merchant's order number, once it is known.", "ORDER-1042")]
    due_at: Annotated[int | None, Instant("When the worker takes it up; null if it is decided.", "")]
    merchant_id: Annotated[str, Note("The merchant.", MERCHANT)]
    merchant_name: Annotated[str, Note("The merchant's name.", "Shop")]
    mode: Annotated[Mode, Note("The mode of the account.", "test")]
    explanation: Annotated[dict[str, Any] | None, EXPLANATION]


@frozen(kw_only=True, slots=False)
class ShownEvent(EventDocument):
    """An event with what was submitted beside its facts: null if nothing was, or once the body is deleted."""

    reason: Annotated[str | None, Note("The reason that was submitted with it.")]
    metadata: Annotated[dict[str, Any] | None, Note("What else was submitted with it.")]


def event_document(row: Row) -> EventDocument:
    """Return the record of an event's row."""
    return read_row(EventDocument, row)
