"""The orders that a rate is tried on: those of the last days, page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from hub.operations.errors import OperatorFault
from hub.storage import Row, Store, Tx

PAGE: Final = 500
LONGEST_DAYS: Final = 3_660


def checked_days(days: int) -> int:
    """Return a number of days whose orders can be priced; raise `OperatorFault` for any other."""
    if not 0 < days <= LONGEST_DAYS:
        raise OperatorFault(f"Orders of 1 to {LONGEST_DAYS} days can be priced; {days} is not among them.")
    return days


async def each_page_since(
    store: Store, account_id: str, since: int, take: Callable[[Tx, Sequence[Row]], Awaitable[None]],
    note: Callable[[int], None] | None,
) -> None:  # fmt: skip
    """Take an account's orders since a moment (ms UTC), rows of `orders_priced_since`, each page in a transaction.

    `note` is called with how many there were so far after each page.
    """
    after, seen = "", 0
    while True:
        async with store.read() as tx:
            rows = await tx.all("orders_priced_since", account_id=account_id, since=since, after=after, limit=PAGE)
            await take(tx, rows)
        seen += len(rows)
        if note is not None:
            note(seen)
        if len(rows) < PAGE:
            return
        after = rows[-1]["conversion_id"]
