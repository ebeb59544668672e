"""What a merchant chooses of in a review: an order of its own, and an affiliate that it may be attributed to."""

from __future__ import annotations

from typing import Final, NamedTuple

from hub.operations.lists import DEPTH
from hub.storage import Store

MOST_AFFILIATES: Final = 200


class Earner(NamedTuple):
    """An affiliate that may earn by an order of the account."""

    affiliate_id: str
    name: str


async def possible_earners(store: Store, account_id: str) -> list[Earner]:
    """Return the active affiliates of the account's newest links by name, at most `MOST_AFFILIATES`."""
    asked = {"account_id": account_id, "newest": DEPTH, "limit": MOST_AFFILIATES}
    async with store.read() as tx:
        return await tx.records(Earner, "affiliates_with_links", **asked)


async def is_of_account(store: Store, account_id: str, conversion_id: str) -> bool:
    """Return whether a conversion belongs to an account."""
    async with store.read() as tx:
        return (
            await tx.one(
                "conversion_of_account", account_id=account_id, conversion_id=conversion_id, external_order_id=None
            )
            is not None
        )
