"""The questions about orders that wait for a person, for tests that ask what became of an order."""

from __future__ import annotations

from hub.operations.lists import ALL, Wanted
from hub.operations.orders.order_reviews import questions_part
from hub.records.order_messages import OrderReviewDocument
from hub.storage import Store


async def list_order_reviews(store: Store, *, closed: bool = False) -> list[OrderReviewDocument]:
    """All open questions, the newest first; those that were closed if `closed`."""
    return (await questions_part(store, Wanted(limit=ALL), closed=closed)).entries
