"""Questions about orders that the hub may not decide: a person looks, and notes what was done."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from hub.clock import Clock
from hub.operations.errors import OperatorFault
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.orders.conversions import require_conversion
from hub.operations.trail import note_act
from hub.records.order_messages import OrderReviewDocument, order_review_document
from hub.storage import Store

LONGEST_NOTE: Final = 1_000
QUESTIONS: Final = List("questions")


async def questions_part(store: Store, wanted: Wanted, *, closed: bool = False) -> Page[OrderReviewDocument]:
    """Return a part of the open questions about orders, the newest first; of those that were closed if `closed`.

    The filter `merchant` is a reference. Raise `OperatorFault` if it names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        asked = await with_ids(tx, wanted)
        return (await read(tx, QUESTIONS, evolve(asked, filters={**asked.filters, "closed": int(closed)}))).of(
            order_review_document
        )


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
