"""Pages of a list that is ordered by id, in both directions, without counting and without offsets that grow.

A filter that few rows match would otherwise read a whole table, so each page looks at a bounded number of rows: a page
may have few entries, or none, and still lead on to the next.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

from attrs import field, frozen

PAGE: Final = 50
DEPTH: Final = 5_000
"""How many rows a page of a filtered list looks at: a few dozen milliseconds."""
LAST: Final = "~"
"""Sorts after every id."""

T = TypeVar("T")


@frozen
class Cursor:
    """Where a page begins: with the first entry older than `after`, or the first newer than `before`."""

    after: str | None = None
    before: str | None = None


@frozen
class Slice(Generic[T]):
    """A page, the newest entry first, and the cursors of its neighbours, None at an end.

    `looked_at` is how many rows were looked at if the list goes on although the page is not full, else 0.
    """

    entries: Sequence[T]
    newer: str | None = None
    older: str | None = None
    looked_at: int = 0


@frozen
class Reader(Generic[T]):
    """How a list is read: a number of entries from a cursor on, and the id `DEPTH` rows from it, if any."""

    below: Callable[[str, int], Awaitable[Sequence[T]]]
    above: Callable[[str, int], Awaitable[Sequence[T]]]
    edge_below: Callable[[str], Awaitable[str | None]]
    edge_above: Callable[[str], Awaitable[str | None]]
    id_of: Callable[[T], str]
    size: int = field(default=PAGE)


async def read_slice(reader: Reader[T], cursor: Cursor) -> Slice[T]:
    """Return the page at a cursor."""
    if cursor.before is not None:
        return await _newer(reader, cursor.before)
    start = cursor.after or LAST
    found = list(await reader.below(start, reader.size + 1))
    more, entries = len(found) > reader.size, found[: reader.size]
    older, looked_at = None, 0
    if more:
        older = reader.id_of(entries[-1])
    elif (edge := await reader.edge_below(start)) is not None:
        older, looked_at = edge, DEPTH
    return Slice(entries, cursor.after and _first(reader, entries, cursor.after), older, looked_at)


def _first(reader: Reader[T], entries: Sequence[T], start: str) -> str:
    """Return the cursor of what is newer than a page that began below `start`."""
    return reader.id_of(entries[0]) if entries else start


async def _newer(reader: Reader[T], start: str) -> Slice[T]:
    found = list(await reader.above(start, reader.size + 1))
    more, entries = len(found) > reader.size, found[: reader.size][::-1]
    newer, looked_at = None, 0
    if more:
        newer = reader.id_of(entries[0])
    elif (edge := await reader.edge_above(start)) is not None:
        newer, looked_at = edge, DEPTH
    return Slice(entries, newer, reader.id_of(entries[-1]) if entries else start, looked_at)
