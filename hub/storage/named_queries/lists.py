"""Lists: one declared block of SQL with its keys and filters becomes the queries that read any part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Final, Literal

from attrs import field, frozen

from hub.storage.errors import QueryFault

Order = Literal["newest", "oldest"]
Kind = Literal["page", "search", "edge", "floor"]

ORDERS: Final[tuple[Order, ...]] = ("newest", "oldest")
NEWEST: Final = ("newest", False)
"""In what order, and from where on, it is asked how many entries there are to sort."""
LISTED: Final = re.compile(r"@listed\((\w+) AS (\w+)\)")
_PARAMETER = re.compile(r":(\w+)")
_OF_ACCOUNT = re.compile(r"\ba\.")

Led = frozenset[str]
"""The filters that an index leads to."""


@frozen
class Column:
    """A column of a key, or a filter's parameter, with its type, "text" or "bigint"."""

    name: str
    type: str

    def parameter(self, prefix: str = "") -> str:
        """Return the parameter with the column's type, which PostgreSQL cannot always guess."""
        return f"CAST(:{prefix}{self.name} AS {self.type.upper()})"


@frozen
class Filter:
    """A condition that a reader may ask for; its parameter has its name."""

    column: Column
    condition: str

    @cached_property
    def always(self) -> str:
        """The condition of a query that is used only if the filter is asked for."""
        parameter = re.compile(rf":{self.column.name}\b")
        return f"({parameter.sub(self.column.parameter(), self.condition)})"

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The parameters that its condition names."""
        return frozenset(_PARAMETER.findall(self.condition))

    @cached_property
    def if_given(self) -> str:
        """The condition of a query to which NULL says that the filter is not asked for."""
        return f"({self.column.parameter()} IS NULL OR {self.always})"


@frozen
class Key:
    """An order of a list; `indexed` is None for a small table."""

    columns: tuple[Column, ...]
    indexed: tuple[Led, ...] | None
    indexes: Mapping[Led, str] = field(factory=dict)
    """The index that SQLite must take for a set, where it would take another."""
    across: frozenset[Led] = frozenset()
    """The sets that are read across accounts."""
    begins: str | None = None
    ends: str | None = None
    """The filters that are the lower, and the upper bound of its first column, or of what is sorted."""
    sorts: tuple[Column, ...] = ()
    """The columns of the key whose newest entries are sorted; none if the key has an index of its own."""

    @property
    def bounds(self) -> Led:
        """The filters that bound its first column."""
        return frozenset(each for each in (self.begins, self.ends) if each is not None)

    def bounds_of(self, order: Order, *, goes_on: bool) -> list[str]:
        """Return the bounds that a query has: what goes on behind an entry has that one's end behind it."""
        passed = None if self.sorts else self.ends if order == "newest" else self.begins
        return [each for each in (self.begins, self.ends) if each is not None and not (goes_on and each == passed)]

    @property
    def name(self) -> str:
        """The name by which a reader asks for the order."""
        return self.columns[0].name

    def parted(self, given: frozenset[str]) -> tuple[Led, frozenset[str]]:
        """Return the filters that an index leads to, and those that entries are looked through for.

        Raise QueryFault if no indexed set is among those given, as when a list of accounts is read without one.
        """
        if self.indexed is None:
            return frozenset(), frozenset()
        led = max((each for each in self.indexed if each <= given), key=len, default=None)
        if led is None:
            raise QueryFault(
                f"The list by `{self.name}` is read with {sorted(given)}, which has none of its indexed sets."
            )
        return led, given - led - self.bounds


@frozen
class ListQuery:
    """A list as its block declares it."""

    name: str
    purpose: str
    keys: Mapping[str, Key]
    filters: Mapping[str, Filter]
    statement: str

    def key(self, name: str | None) -> Key:
        """Return one of the list's keys, the usual one for None; raise QueryFault if it has no such."""
        key = next(iter(self.keys.values())) if name is None else self.keys.get(name)
        if key is None:
            raise QueryFault(f"The list `{self.name}` has no key `{name}`; it has {sorted(self.keys)}.")
        return key

    def parted(self, key: Key, given: frozenset[str]) -> tuple[Led, Led]:
        """Return the filters that an index leads to, and those that entries are looked through for.

        Raise QueryFault for a filter that cannot be looked for, and as `Key.parted` does.
        """
        self.check_filters(given)
        led, rest = key.parted(given)
        if strange := rest - set(self.looked_for(key, led)):
            raise QueryFault(f"The list `{self.name}` cannot look for {sorted(strange)} with {sorted(led)} alone.")
        return led, rest

    def check_filters(self, given: frozenset[str]) -> None:
        """Raise QueryFault for a filter that the list has not."""
        if strange := given - self.filters.keys():
            raise QueryFault(f"The list `{self.name}` has no filter {sorted(strange)}; it has {sorted(self.filters)}.")

    def query_name(self, kind: Kind, key: Key, order: Order, led: Led, *, goes_on: bool) -> str:
        """Return the name of the query that reads the list so; it `goes_on` behind a key."""
        end = "on" if goes_on else "first"
        return "/".join((self.name, key.name, order, "+".join(sorted(led)) or "all", kind, end))

    def queries(self) -> Iterator[tuple[str, str]]:
        """Yield every query of the list: its name and its text."""
        for key, order, goes_on in product(self.keys.values(), ORDERS, (False, True)):
            kinds: tuple[Kind, ...] = ("page",) if key.indexed is None else ("page", "search", "edge", "floor")
            for led, kind in product(key.indexed or (frozenset[str](),), kinds):
                if self._is_asked(kind, key, led) and not (kind == "edge" and key.sorts and (order, goes_on) != NEWEST):
                    name = self.query_name(kind, key, order, led, goes_on=goes_on)
                    yield name, f"-- {self.purpose}\n{self._statement(kind, key, order, led, goes_on=goes_on)}"

    def _is_asked(self, kind: Kind, key: Key, led: Led) -> bool:
        if key.sorts:
            return kind in ("search", "edge")
        if kind in ("edge", "floor") and (kind == "floor") is not (led in key.across):
            return False
        return kind in ("page", "floor") or bool(self.looked_for(key, led))

    def looked_for(self, key: Key, led: Led) -> list[str]:
        """Return the filters that a query takes beside those of an index.

        One that names another's parameter, as the events of an account's order do, is asked for by an indexed set only.
        """
        known = led | key.bounds
        return [name for name, each in self.filters.items() if name not in known and not self._others_in(each)]

    def _others_in(self, of: Filter) -> frozenset[str]:
        return of.parameters & self.filters.keys() - {of.column.name}

    def _statement(self, kind: Kind, key: Key, order: Order, led: Led, *, goes_on: bool) -> str:
        table, alias = LISTED.findall(self.statement)[0]
        listed = f"{table} AS {alias}" + (f" @by({key.indexes[led]})" if led in key.indexes else "")
        if key.sorts:
            return self._sorted(kind, key, order, led, goes_on=goes_on)
        columns = ", ".join(f"{alias}.{each.name}" for each in key.columns)
        order_by = ", ".join(f"{alias}.{each.name}{' DESC' if order == 'newest' else ''}" for each in key.columns)
        conditions = [self.filters[name].always for name in (*sorted(led), *key.bounds_of(order, goes_on=goes_on))]
        if goes_on:
            behind = ", ".join(each.parameter("behind_") for each in key.columns)
            conditions.append(f"({columns}) {'<' if order == 'newest' else '>'} ({behind})")
        if kind == "floor":
            return _floor(listed, columns, order, conditions)
        where = " AND ".join(conditions) or "true"
        rest = " AND ".join(self.filters[name].if_given for name in self.looked_for(key, led)) or "true"
        if kind == "edge":
            return f"SELECT {columns} FROM {listed} WHERE {where} ORDER BY {order_by} LIMIT 1 OFFSET :depth"  # noqa: S608 - text of our own files
        if led in key.across:
            above = f"{columns} {'>=' if order == 'newest' else '<='} CAST(:floor AS TEXT)"
            inner = f"{alias}.account_id = a.account_id AND {above} AND {where}"
            inner = f"SELECT {alias}.* FROM accounts AS a CROSS JOIN {listed} WHERE {inner}"  # noqa: S608 - as above
            # All that is above the floor is looked through; with a limit, databases read it before they join.
            inner += f" ORDER BY {order_by} LIMIT :limit" if kind == "page" else f" LIMIT {MOST}"
            listed, where = f"({inner}) AS {alias}", "true" if kind == "page" else rest
        elif kind == "search":
            inner = f"SELECT {alias}.* FROM {listed} WHERE {where} ORDER BY {order_by} LIMIT :depth"  # noqa: S608 - as above
            listed, where = f"({inner}) AS {alias}", rest
        elif key.indexed is None:
            where = f"{where} AND {rest}"
        return LISTED.sub(listed, self.statement).replace("@filters", where).replace("@order", order_by)

    def _sorted(self, kind: Kind, key: Key, order: Order, led: Led, *, goes_on: bool) -> str:
        """Return the query that sorts the newest entries by another key, or (edge) says whether there are so many."""
        table, alias = LISTED.findall(self.statement)[0]
        listed = f"{table} AS {alias}" + (f" @by({key.indexes[led]})" if led in key.indexes else "")
        where = " AND ".join(self.filters[name].always for name in (*sorted(led), *key.bounds_of(order, goes_on=False)))
        newest = ", ".join(f"{alias}.{each.name} DESC" for each in key.sorts)
        inner = f"FROM {listed} WHERE {where} ORDER BY {newest}"
        if kind == "edge":
            return f"SELECT 1 AS one {inner} LIMIT 1 OFFSET :depth"
        rest = " AND ".join(self.filters[name].if_given for name in self.looked_for(key, led)) or "true"
        entries = LISTED.sub(f"(SELECT {alias}.* {inner} LIMIT :depth) AS {alias}", self.statement)
        entries = entries.partition("ORDER BY @order")[0].replace("@filters", rest)
        columns = [f"COALESCE(found.{each.name}, {lowest_of(each.type)!r})" for each in key.columns]
        behind = ", ".join(each.parameter("behind_") for each in key.columns)
        after = f"WHERE ({', '.join(columns)}) {'<' if order == 'newest' else '>'} ({behind}) " if goes_on else ""
        order_by = ", ".join(f"{each}{' DESC' if order == 'newest' else ''}" for each in columns)
        return f"SELECT * FROM ({entries}) AS found {after}ORDER BY {order_by} LIMIT :limit"  # noqa: S608 - as above


def lowest_of(kind: str) -> str | int:
    """Return what stands for NULL where entries are sorted."""
    return LOWEST if kind == "text" else -MOST


MOST: Final = 1 << 62
LOWEST: Final = ""
HIGHEST: Final = "z" * 40
"""Sorts behind every id, in any collation."""


def _floor(listed: str, place: str, order: Order, conditions: Sequence[str]) -> str:
    """Return the query of how far one has to go for `:depth` entries among the `:accounts` nearest ones.

    `place` is the key's column. It reads that many entries of each of these accounts at the most, by its own index.
    """
    own = " AND ".join(each for each in conditions if _OF_ACCOUNT.search(each)) or "true"
    others = [each for each in conditions if not _OF_ACCOUNT.search(each)]
    newest = order == "newest"
    first, last, direction, sign, end = (
        ("MAX", "MIN", " DESC", ">=", LOWEST) if newest else ("MIN", "MAX", "", "<=", HIGHEST)
    )
    behind = "<=" if newest else ">="
    alias = place.partition(".")[0]
    of_near = " AND ".join([f"{alias}.account_id = near.account_id", f"{place} {behind} near.edge", *others])
    of_own = " AND ".join([f"{alias}.account_id = a.account_id", *others])
    farthest = f"SELECT {place} FROM {listed} WHERE {of_near} ORDER BY {place}{direction} LIMIT 1 OFFSET :depth"  # noqa: S608 - text of our own files
    return f"""SELECT COUNT(*) AS looked_at, {last}(seen.place) AS place, (SELECT COUNT(*) FROM accounts) AS accounts
FROM (SELECT {place} AS place
      FROM (SELECT a.account_id, (SELECT {first}({place}) FROM {listed} WHERE {of_own}) AS edge
            FROM accounts AS a WHERE {own} ORDER BY edge{direction} NULLS LAST LIMIT :accounts) AS near
      CROSS JOIN {listed}
      WHERE {of_near} AND {place} {sign} COALESCE(({farthest}), '{end}')
      ORDER BY place{direction} LIMIT :depth) AS seen"""  # noqa: S608 - as above
