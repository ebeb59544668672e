"""An account's orders under review, and the affiliates that they may be attributed to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hub.operations.keyset import Cursor, Reader, Slice, read_slice
from hub.storage import Store

MOST_AFFILIATES: Final = 200


class WaitingOrder(NamedTuple):
    """An order under review; amounts in minor units of `currency`, `candidate_id` is whom a weaker signal names."""

    conversion_id: str
    external_order_id: str
    order_minor: int
    currency: str
    reason: str
    coupon_code: str | None
    candidate_id: str | None
    candidate_name: str | None
    ordered_at: int


class Earner(NamedTuple):
    """An affiliate that may earn by an order of the account."""

    affiliate_id: str
    name: str


async def list_reviews(store: Store, account_id: str, cursor: Cursor) -> Slice[WaitingOrder]:
    """Return a page of an account's orders under review, the newest first."""
    async with store.read() as tx:

        async def below(start: str, limit: int) -> Sequence[WaitingOrder]:
            return await tx.records(WaitingOrder, "reviews_below", account_id=account_id, cursor=start, limit=limit)

        async def above(start: str, limit: int) -> Sequence[WaitingOrder]:
            return await tx.records(WaitingOrder, "reviews_above", account_id=account_id, cursor=start, limit=limit)

        async def no_edge(_start: str) -> str | None:
            return None

        return await read_slice(Reader(below, above, no_edge, no_edge, lambda order: order.conversion_id), cursor)


async def possible_earners(store: Store, account_id: str) -> list[Earner]:
    """Return the active affiliates with a link of the account, at most `MOST_AFFILIATES`."""
    async with store.read() as tx:
        return await tx.records(Earner, "affiliates_with_links", account_id=account_id, limit=MOST_AFFILIATES)


async def is_of_account(store: Store, account_id: str, conversion_id: str) -> bool:
    """Return whether a conversion belongs to an account."""
    async with store.read() as tx:
        return (
            await tx.one(
                "conversion_of_account", account_id=account_id, conversion_id=conversion_id, external_order_id=None
            )
            is not None
        )
