"""Long lists in pages: which part of a list is wanted, and how it is read in short transactions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, TypeVar

from attrs import frozen

from hub.operations.errors import OperatorFault
from hub.operations.references import affiliate_id_of, merchant_id_of
from hub.storage import Store, Tx

PAGE = 500
LOOKED_THROUGH: Final = 500
"""How many entries a page looks through for those that its filters let in; its reader goes on with the older ones."""
NEAREST: Final = 20
"""Among how many accounts, those with the newest entries, a page's floor is looked for."""

T = TypeVar("T")


@frozen
class Part:
    """A part of a list that is ordered by id: at most `limit` entries (None: all), after the entry with the id `after`.

    The order is from the newest to the oldest, or the other way round if `oldest_first`. Newest first, nothing is
    looked at below the id `floor`, see `floor_of`.
    """

    limit: int | None = None
    after: str | None = None
    oldest_first: bool = False
    floor: str = ""

    def cursor(self, prefix: str) -> str:
        """Return the id after which the part begins; `prefix` is that of the list's ids, such as "com".

        Raise `OperatorFault` if `after` is the id of something else.
        """
        if self.after is None:
            return "" if self.oldest_first else f"{prefix}_z"  # sorts after every id of this prefix
        if not self.after.startswith(f"{prefix}_"):
            raise OperatorFault(f"A page begins after an id of the list, like {prefix}_…; {self.after!r} is none.")
        return self.after


@frozen
class Filters:
    """Which entries of a list are wanted; None is no condition.

    `merchant` and `affiliate` are an id, a name or an e-mail address, `mode` is "test" or "live".
    """

    merchant: str | None = None
    affiliate: str | None = None
    mode: str | None = None


WHOLE = Part()
EVERYTHING = Filters()


async def found_filters(tx: Tx, filters: Filters) -> dict[str, str | None]:
    """Return the parameters of a query with these filters; raise `OperatorFault` if a reference names nothing."""
    return {
        "merchant_id": None if filters.merchant is None else await merchant_id_of(tx, filters.merchant),
        "affiliate_id": None if filters.affiliate is None else await affiliate_id_of(tx, filters.affiliate),
        "mode": filters.mode,
    }


async def floor_of(store: Store, query: str, filters: Filters, cursor: str, looks: int) -> str:
    """Return the id down to which there are some `looks` entries below `cursor`, "" if there is nothing below it.

    A page over all accounts reads this far and no further, however many entries there are: no index is in the order of
    all of them. `query` is `conversions_floor` or `commissions_floor`. Raise `OperatorFault` if a filter names nothing.
    """
    async with store.read() as tx:
        wanted = await found_filters(tx, filters)
        named = {"merchant_id": wanted["merchant_id"], "mode": wanted["mode"]}
        row = await tx.one(query, cursor=cursor, looks=looks, accounts=NEAREST, **named)
    if row is None or (row["looked_at"] < looks and row["accounts"] <= NEAREST):
        return ""
    return str(row["id"])


async def read_part(
    store: Store,
    part: Part,
    prefix: str,
    read: Callable[[Tx, str, int], Awaitable[Sequence[T]]],
    id_of: Callable[[T], str],
) -> AsyncIterator[T]:
    """Yield the entries of a part; `read(tx, cursor, size)` returns the next page, of at most `size` entries.

    Each page is a short transaction, so that a long list does not block anybody.
    """
    cursor, left = part.cursor(prefix), part.limit
    while left is None or left > 0:
        size = PAGE if left is None else min(PAGE, left)
        async with store.read() as tx:
            entries = await read(tx, cursor, size)
        for entry in entries:
            yield entry
        if len(entries) < size:
            return
        cursor = id_of(entries[-1])
        left = None if left is None else left - size
