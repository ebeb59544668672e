"""Questions about orders that the hub may not decide: a person looks, and notes what was done."""

from __future__ import annotations

import json
from typing import Any, Final, TypedDict

from attrs import evolve

from hub.clock import Clock
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.errors import OperatorFault
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, every, read
from hub.operations.orders.conversions import require_conversion
from hub.operations.trail import note_act
from hub.storage import Row, Store

LONGEST_NOTE: Final = 1_000
QUESTIONS: Final = List("questions")


class OrderReviewDocument(TypedDict):
    """A question about an order; `details` are what the shop states otherwise, if that is the question."""

    conversionId: str
    externalOrderId: str
    merchantId: str
    mode: str
    reason: str
    details: dict[str, Any]
    eventId: str
    openedAt: str
    closedAt: str | None
    note: str | None


async def questions_part(store: Store, wanted: Wanted, *, closed: bool = False) -> Page[OrderReviewDocument]:
    """Return a part of the open questions about orders, the newest first; of those that were closed if `closed`.

    The filter `merchant` is a reference. Raise `OperatorFault` if it names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        asked = await with_ids(tx, wanted)
        return (await read(tx, QUESTIONS, evolve(asked, filters={**asked.filters, "closed": int(closed)}))).of(
            _document
        )


async def list_order_reviews(
    store: Store, *, merchant: str | None = None, closed: bool = False
) -> list[OrderReviewDocument]:
    """Return all open questions about orders, the newest first; those that were closed if `closed`.

    Raise `OperatorFault` for an unknown merchant.
    """
    async with store.read() as tx:
        wanted = await with_ids(tx, Wanted({"merchant": merchant, "closed": int(closed)}))
    return [_document(row) async for row in every(store, QUESTIONS, wanted)]


async def close_order_reviews(store: Store, clock: Clock, conversion_id: str, note: str) -> int:
    """Close the open questions about an order with a note of what was done; return how many there were.

    Raise `OperatorFault` if the conversion is unknown, nothing is open, or the note is empty or too long.
    """
    text = note.strip()
    if not 0 < len(text) <= LONGEST_NOTE:
        raise OperatorFault(f"Say in at most {LONGEST_NOTE:,} characters what was done.")
    async with store.write() as tx:
        conversion, now = (await require_conversion(tx, conversion_id)).conversion, clock()
        closed = await tx.run(
            "close_order_reviews", account_id=conversion.account_id, conversion_id=conversion_id, note=text, now=now
        )
        if not closed:
            raise OperatorFault(
                f"Conversion {conversion_id} has no open question.", command="`hub conversion questions` lists them."
            )
        await note_act(tx, now, "conversion.questions_closed", conversion_id, after={"closed": closed, "note": text})
        return closed


def _document(row: Row) -> OrderReviewDocument:
    return {
        "conversionId": row["conversion_id"],
        "externalOrderId": row["external_order_id"],
        "merchantId": row["merchant_id"],
        "mode": row["mode"],
        "reason": row["reason"],
        "details": json.loads(row["details"]),
        "eventId": row["event_id"],
        "openedAt": format_instant(row["opened_at"]),
        "closedAt": instant_or_none(row["closed_at"]),
        "note": row["note"],
    }
