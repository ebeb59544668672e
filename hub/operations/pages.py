"""Long lists in pages: which part of a list is wanted, and how it is read in short transactions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from attrs import frozen

from hub.operations.errors import OperatorFault
from hub.operations.references import affiliate_id_of, merchant_id_of
from hub.storage import Store, Tx

PAGE = 500

T = TypeVar("T")


@frozen
class Part:
    """A part of a list that is ordered by id: at most `limit` entries (None: all), after the entry with the id `after`.

    The order is from the newest to the oldest, or the other way round if `oldest_first`.
    """

    limit: int | None = None
    after: str | None = None
    oldest_first: bool = False

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
