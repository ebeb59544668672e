"""Read any part of a list: one reader, one cursor and one page for pages, terminal, APIs and files.

A list is a block of SQL that declares its key and its filters (`hub/storage/named_queries/list_blocks.py`). A part ends
at a key and the next one begins behind it, so entries that are added or changed meanwhile neither repeat nor drop
others, and no part counts or skips what it does not show.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeVar

from attrs import evolve, field, frozen

from hub.operations.errors import InvalidFields, OperatorFault
from hub.storage import HIGHEST, LOWEST, Key, Kind, ListQuery, Order, Row, Store, Tx, declared_lists, lowest_of

DEPTH: Final = 5_000
"""How many entries a page looks through for filters that no index leads to: a few dozen milliseconds."""
NEAREST: Final = 20
"""Among how many accounts, those with the newest entries, the next ones of all accounts are looked for at a time."""
USUAL: Final = 50
ALL: Final = 1 << 62
"""More than any list has."""
FARTHEST: Final = 1 << 62
CHUNK: Final = 500
"""How many entries of a whole list are read in one transaction, so that a long list does not block anybody."""

T = TypeVar("T")
S = TypeVar("S")
Way = Literal["older", "newer"]
FilterValues = Mapping[str, str | int | None]
"""What a list is asked for, by the names of its filters; None is no condition."""
Place = tuple[str | int, ...]
"""The values of an entry's key."""
ORDER_OF: Final[Mapping[Way, Order]] = {"older": "newest", "newer": "oldest"}
"""In which order entries are read towards the older, and towards the newer ones."""
WAYS: Final[Mapping[str, Way]] = {way: way for way in ORDER_OF}


class CursorFault(InvalidFields):
    """A cursor that the list did not hand out, or not in this order."""

    def __init__(self) -> None:
        super().__init__({"cursor": "must be the cursor of a page of this list, in the same order"})


@frozen
class Wanted:
    """Which part of a list is wanted: at most `limit` entries at `cursor`, which a page of the list handed out.

    `filters` are those of the list by name; None is no condition. `sort` names one of the list's keys, None the usual.
    """

    filters: FilterValues = field(factory=dict)
    limit: int = USUAL
    cursor: str | None = None
    oldest_first: bool = False
    sort: str | None = None

    @property
    def order(self) -> Order:
        """The order of the entries."""
        return "oldest" if self.oldest_first else "newest"


@frozen
class Page(Generic[T]):
    """A part of a list in the order that was wanted, and the cursors of the parts beside it, None at an end.

    `looked_at` is how many entries were looked through if the list goes on although the page is not full, else 0.
    """

    entries: list[T]
    older: str | None = None
    newer: str | None = None
    looked_at: int = 0
    oldest_first: bool = False

    @property
    def following(self) -> str | None:
        """The cursor of the next part in the order that was wanted."""
        return self.newer if self.oldest_first else self.older

    def of(self, document: Callable[[T], S]) -> Page[S]:
        """Return the page with what each entry is to its reader."""
        return self.with_entries(map(document, self.entries))

    def with_entries(self, entries: Iterable[S]) -> Page[S]:
        """Return the page with other entries in place of its own, one for each."""
        return Page(list(entries), self.older, self.newer, self.looked_at, self.oldest_first)


NOTHING: Final = Page[Any]([])


@frozen(slots=False)
class List:
    """A list of the query files by its name."""

    name: str

    @cached_property
    def query(self) -> ListQuery:
        """How its block declares it."""
        return declared_lists()[self.name]

    def cursor(self, wanted: Wanted, way: Way, place: Iterable[object]) -> str:
        """Return the cursor of the part that begins behind a place, in one of the two directions of an order."""
        text = "\n".join([self.name, self.query.key(wanted.sort).name, wanted.order, way, *map(str, place)])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def start(self, wanted: Wanted) -> tuple[Way, Place | None]:
        """Return the direction in which a part is read and the place behind which it begins, None at the list's start.

        Raise `CursorFault` for a cursor of anything else.
        """
        if wanted.cursor is None:
            return "newer" if wanted.oldest_first else "older", None
        try:
            padded = wanted.cursor + "=" * (-len(wanted.cursor) % 4)
            name, sort, order, way, *texts = base64.b64decode(padded, b"-_", validate=True).decode().split("\n")
        except (binascii.Error, ValueError):
            raise CursorFault from None
        key = self.query.key(wanted.sort)
        values = [_value(text, column.type) for text, column in zip(texts, key.columns, strict=False)]
        place = tuple(each for each in values if each is not None)
        is_of = (name, sort, order) == (self.name, key.name, wanted.order)
        if not is_of or way not in WAYS or not len(place) == len(key.columns) == len(texts):
            raise CursorFault
        return WAYS[way], place


def place_of(key: Key, row: Row) -> Place:
    """Return the place of a row in a list; what it has not is lowest."""
    return tuple(lowest_of(each.type) if row[each.name] is None else row[each.name] for each in key.columns)


def _value(text: str, kind: str) -> str | int | None:
    """Return a part of a key as its column has it, None if the column cannot hold it."""
    if kind == "text":
        return None if "\0" in text else text
    return int(text) if re.fullmatch(r"-?[0-9]{1,19}", text) and abs(int(text)) <= FARTHEST else None


async def read(
    source: Store | Tx, wanted_list: List, wanted: Wanted, within: Mapping[str, str] | None = None
) -> Page[Row]:
    """Return a part of a list; `within` are filters whose values are the reader's own, such as its account.

    Raise `CursorFault` for a cursor of anything else, and QueryFault for filters that the list has not.
    """
    if not isinstance(source, Tx):  # a store, or what stands for one
        async with source.read() as tx:
            return await read(tx, wanted_list, wanted, within)
    way, place = wanted_list.start(wanted)
    asked = {name: value for name, value in wanted.filters.items() if value is not None}
    given = asked | dict(within or {})
    part = _Part(wanted_list.query, wanted_list.query.key(wanted.sort), ORDER_OF[way], place, given)
    rows, beyond, looked_at = await part.rows(source, wanted.limit)
    back: Way = "newer" if way == "older" else "older"
    ends: dict[Way, str | None] = {way: None, back: None}
    if beyond is not None:
        ends[way] = wanted_list.cursor(wanted, way, beyond)
    if place is not None:
        ends[back] = wanted_list.cursor(wanted, back, place_of(part.key, rows[0]) if rows else place)
    in_order = rows if (way == "newer") is wanted.oldest_first else rows[::-1]
    return Page(in_order, ends["older"], ends["newer"], looked_at, wanted.oldest_first)


@frozen
class _Part:
    """A list in one direction, behind a place if there is one, with the filters that are asked for."""

    query: ListQuery
    key: Key
    order: Order
    place: Place | None
    given: Mapping[str, Any]

    async def rows(self, tx: Tx, limit: int) -> tuple[list[Row], Place | None, int]:
        """Return at most `limit` rows, the place behind which there are more, and how many were looked through."""
        led, rest = self.query.parted(self.key, frozenset(self.given))
        values = {name: self.given[name] for name in led} | self._values()
        others = {name: self.given.get(name) for name in self.query.looked_for(self.key, led)}
        if led in self.key.across:
            return await self._rows_across(tx, led, limit, values, others if rest else {})
        more = others | {"depth": DEPTH} if rest else others if self.key.indexed is None else {}
        query = self._name("search" if rest else "page", led)
        found = await tx.all(query, **values, **more, limit=limit + 1)
        if len(found) > limit:
            return found[:limit], place_of(self.key, found[limit - 1]), 0
        query = self._name("edge", led)
        edge = await tx.one(query, **values, depth=DEPTH - 1) if rest else None
        if edge is None:
            return found, None, 0
        return found, place_of(self.key, edge), DEPTH

    async def _rows_across(
        self, tx: Tx, led: frozenset[str], limit: int, values: Mapping[str, Any], rest: Mapping[str, Any]
    ) -> tuple[list[Row], Place | None, int]:
        """Return what `rows` does, of all accounts: as far as some of them have enough entries, and then on from there.

        With a `rest` of filters it looks so far once, as `DEPTH` says, else until the part is full.
        """
        looks, floor = DEPTH if rest else limit + 1, None
        query = self._name("floor", led)
        (near,) = await tx.all(query, **values, depth=looks, accounts=NEAREST)
        if near["looked_at"] == looks or (near["looked_at"] and near["accounts"] > NEAREST):
            floor = str(near["place"])
        lowest = LOWEST if self.order == "newest" else HIGHEST
        query = self._name("search" if rest else "page", led)
        found = await tx.all(query, **values, **rest, floor=lowest if floor is None else floor, limit=limit + 1)
        if len(found) > limit:
            return found[:limit], place_of(self.key, found[limit - 1]), 0
        if floor is None:
            return found, None, 0
        if rest:
            return found, (floor,), int(near["looked_at"])
        following = evolve(self, place=(floor,))
        others, beyond, _ = await following.rows(tx, max(limit - len(found), 1))
        if len(found) == limit:
            return found, place_of(self.key, found[-1]) if others or beyond else None, 0
        return [*found, *others], beyond, 0

    def _values(self) -> dict[str, str | int]:
        """Return the bounds of the key, and the place behind which the part begins."""
        first = self.key.columns[0]
        values = {}
        for name in self.key.bounds_of(self.order, goes_on=self.place is not None):
            given = self.given.get(name)
            values[name] = _end(first.type, lowest=name == self.key.begins) if given is None else given
        if self.place is not None:
            values |= {f"behind_{each.name}": part for each, part in zip(self.key.columns, self.place, strict=True)}
        return values

    def _name(self, kind: Kind, led: frozenset[str]) -> str:
        return self.query.query_name(kind, self.key, self.order, led, goes_on=self.place is not None)


def _end(kind: str, *, lowest: bool) -> str | int:
    """Return what sorts before or behind every value of a column."""
    if kind == "text":
        return LOWEST if lowest else HIGHEST
    return -FARTHEST if lowest else FARTHEST


async def first(tx: Tx, wanted_list: List, **within: str) -> Row | None:
    """Return the entry of a list that is within these filters; None if there is none."""
    found = await read(tx, wanted_list, Wanted(limit=1), within)
    return found.entries[0] if found.entries else None


async def every_part(
    store: Store, wanted_list: List, wanted: Wanted, within: Mapping[str, str] | None = None
) -> AsyncGenerator[Page[Row]]:
    """Yield a list from a cursor to its end, in parts that are each read in a short transaction of their own."""
    part: Wanted | None = evolve(wanted, limit=CHUNK)
    while part is not None:
        page = await read(store, wanted_list, part, within)
        yield page
        part = None if page.following is None else evolve(part, cursor=page.following)


async def every(
    store: Store, wanted_list: List, wanted: Wanted, within: Mapping[str, str] | None = None
) -> AsyncGenerator[Row]:
    """Yield the entries of a list from a cursor to its end, as `every_part` reads them."""
    async with aclosing(every_part(store, wanted_list, wanted, within)) as pages:
        async for page in pages:
            for row in page.entries:
                yield row


async def first_rows(
    store: Store, wanted_list: List, wanted: Wanted, within: Mapping[str, str] | None = None
) -> list[Row]:
    """Return as many rows as are wanted, however many entries have to be looked through for them."""
    found: list[Row] = []
    part: Wanted | None = wanted
    while part is not None and len(found) < wanted.limit:
        page = await read(store, wanted_list, evolve(part, limit=min(CHUNK, wanted.limit - len(found))), within)
        found += page.entries
        part = None if page.following is None else evolve(part, cursor=page.following)
    return found


def behind(wanted_list: List, wanted: Wanted, entry_id: str, prefix: str) -> Wanted:
    """Return what is wanted behind the entry with an id, in a list that is in the order of its ids.

    `prefix` is that of the ids, such as "com". Raise `OperatorFault` for the id of something else.
    """
    if not entry_id.startswith(f"{prefix}_"):
        raise OperatorFault(f"A page begins after an id of the list, like {prefix}_…; {entry_id!r} is none.")
    return evolve(wanted, cursor=wanted_list.cursor(wanted, "newer" if wanted.oldest_first else "older", [entry_id]))
