"""Submit conversions, order statuses and webhooks to intake, and show what became of them."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import orjson
from multidict import istr

from hub.domain.instants import format_instant, instant_or_none
from hub.http.errors import invalid, not_found
from hub.http.response import Reply
from hub.ids import new_id
from hub.intake.submission import Submission, order_submission, status_submission
from hub.merchant_api.endpoint import Call, HandlerResult
from hub.merchant_api.v1.reported_again import name_other_amount
from hub.merchant_api.v1.webhook_fields import unknown_webhook_fields
from hub.merchant_api.writes import submit

EXTERNAL_EVENT_ID = istr("X-External-Event-Id")
LONGEST_EVENT_ID = 255
UNDECIDED = {"attribution": None, "commission": None, "skipReason": None}


async def report_conversion(call: Call) -> HandlerResult:
    """Submit an order; a second report of the same order is a duplicate of the first."""
    result = await submit(call, order_submission(call.guards, call.body, call.raw.decode(), call.received_at))
    return await name_other_amount(call, result) if isinstance(result, Reply) and result.detail else result


def report_status(call: Call) -> Awaitable[HandlerResult]:
    """Submit the status of an order; the same status of the same moment is a duplicate."""
    return submit(call, status_submission(call.guards, call.body, call.raw.decode(), call.received_at))


def receive_webhook(call: Call) -> Awaitable[HandlerResult]:
    """Submit a webhook of the kind that its path ends with; a delivery with a known event id is a duplicate."""
    event_id = _external_event_id(call)
    kind = call.endpoint.path.rpartition("/")[2]
    call.ignored = unknown_webhook_fields(kind, call.body)
    return submit(
        call,
        Submission(
            guards=call.guards,
            type="webhook",
            kind=kind,
            claim_scope="webhook",
            claim_key=event_id,
            event_id=new_id("evt"),
            conversion_id=None,
            external_order_id=None,
            external_event_id=event_id,
            body=call.raw.decode(),
            received_at=call.received_at,
        ),
    )


async def look_up_event(call: Call) -> Reply:
    """Show what became of an accepted submission, and why."""
    event_id = call.reference("eventId", "event")
    row = await call.services.store.fetch_one("event_record", account_id=call.caller.account_id, event_id=event_id)
    if row is None:
        raise not_found("event")
    return Reply(200, orjson.dumps(_document(event_id, row)))


def _external_event_id(call: Call) -> str:
    values = call.headers.getall(EXTERNAL_EVENT_ID, ())
    if len(values) != 1 or not values[0].strip():
        raise invalid(["`X-External-Event-Id` must be given, exactly once"])
    event_id = values[0].strip()
    if len(event_id) > LONGEST_EVENT_ID or not event_id.isprintable():
        raise invalid([f"`X-External-Event-Id` must be 1 to {LONGEST_EVENT_ID} printable characters"])
    return event_id


def _document(event_id: str, row: Any) -> dict[str, Any]:
    """Return an `EventRecord` by its names on the wire; the row is read by position, which costs less than by name."""
    type_, kind, status, received_at, processed_at, attempts, conversion_id, explanation, submitted = row
    said = {} if submitted is None else orjson.loads(submitted)
    return {
        "eventId": event_id,
        "type": type_,
        "kind": kind,
        "status": status,
        "duplicate": False,
        "receivedAt": format_instant(received_at),
        "processedAt": instant_or_none(processed_at),
        "attempts": attempts,
        "conversionId": conversion_id,
        "explanation": UNDECIDED if explanation is None else orjson.Fragment(explanation),
        "reason": said.get("reason"),
        "metadata": said.get("metadata"),
    }
