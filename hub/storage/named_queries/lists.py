"""Lists: one block of SQL with its keys and filters becomes the queries that read any part of it.

A block that is a list has, below the line that says what it does, these:

* `-- list: by created_at bigint, code text; indexed (), (account_id)` is a key, whose columns are those of the listed
  table; the newest entry has the highest. It names the sets of filters whose entries an index has in the order of the
  key; `small` in place of them says that one query takes every filter. The first key is the usual one. SQLite prefers
  a primary key that begins like an index, and would read all of an account: `(account_id, unused) in events_unused`
  names the index that it must take.
* `-- filter account_id text: l.account_id = :account_id` is a condition that a reader may ask for, once for each.

Its statement has `FROM @listed(links AS l)` for the listed table, `WHERE @filters`, `ORDER BY @order` and
`LIMIT :limit`. A set that is not indexed is answered by the largest indexed set in it: the other filters look through
`:depth` of its entries. All that is put together here is text of our own files; values are bound as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final, Literal

from attrs import field, frozen

from hub.storage.errors import QueryFault

Order = Literal["newest", "oldest"]
Kind = Literal["page", "search", "edge"]

ORDERS: Final[tuple[Order, ...]] = ("newest", "oldest")
_LINE = re.compile(r"^-- (list|filter)\b:? (.*)$\n?", re.MULTILINE)
_KEY = re.compile(r"by ((?:\w+ (?:text|bigint)(?:, )?)+); (small|indexed (?:\([\w, ]*\)(?: in \w+)?(?:, )?)+)")
_COLUMN = re.compile(r"(\w+) (text|bigint)")
_FILTER = re.compile(r"(\w+) (text|bigint): (.+)")
_LISTED = re.compile(r"@listed\((\w+) AS (\w+)\)")
_SET = re.compile(r"\(([^)]*)\)(?: in (\w+))?")

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

    @property
    def always(self) -> str:
        """The condition of a query that is used only if the filter is asked for."""
        parameter = re.compile(rf":{self.column.name}\b")
        return f"({parameter.sub(self.column.parameter(), self.condition)})"

    @property
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
        return led, given - led


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
            kinds: tuple[Kind, ...] = ("page",) if key.indexed is None else ("page", "search", "edge")
            for led, kind in product(key.indexed or (frozenset[str](),), kinds):
                if kind == "page" or self.filters.keys() - led:
                    name = self.query_name(kind, key, order, led, goes_on=goes_on)
                    yield name, f"-- {self.purpose}\n{self._statement(kind, key, order, led, goes_on=goes_on)}"

    def _statement(self, kind: Kind, key: Key, order: Order, led: Led, *, goes_on: bool) -> str:
        table, alias = _LISTED.findall(self.statement)[0]
        listed = f"{table} AS {alias}" + (f" @by({key.indexes[led]})" if led in key.indexes else "")
        columns = ", ".join(f"{alias}.{each.name}" for each in key.columns)
        order_by = ", ".join(f"{alias}.{each.name}{' DESC' if order == 'newest' else ''}" for each in key.columns)
        conditions = [self.filters[name].always for name in sorted(led)]
        if goes_on:
            behind = ", ".join(each.parameter("behind_") for each in key.columns)
            conditions.append(f"({columns}) {'<' if order == 'newest' else '>'} ({behind})")
        where = " AND ".join(conditions) or "true"
        rest = " AND ".join(each.if_given for name, each in self.filters.items() if name not in led) or "true"
        if kind == "edge":
            return f"SELECT {columns} FROM {listed} WHERE {where} ORDER BY {order_by} LIMIT 1 OFFSET :depth"  # noqa: S608 - text of our own files
        if kind == "search":
            inner = f"SELECT {alias}.* FROM {listed} WHERE {where} ORDER BY {order_by} LIMIT :depth"  # noqa: S608 - as above
            listed, where = f"({inner}) AS {alias}", rest
        elif key.indexed is None:
            where = f"{where} AND {rest}"
        return _LISTED.sub(listed, self.statement).replace("@filters", where).replace("@order", order_by)


def read_list(name: str, text: str) -> ListQuery | None:
    """Return the list that a block declares, None if it is a plain query; raise QueryFault if a line is wrong."""
    lines = [(match[1], match[2]) for match in _LINE.finditer(text)]
    if not lines:
        return None
    first, _, statement = _LINE.sub("", text).strip().partition("\n")
    keys = [_key(name, rest) for kind, rest in lines if kind == "list"]
    filters = [_filter(name, rest) for kind, rest in lines if kind == "filter"]
    declared = ListQuery(
        name,
        first.removeprefix("--").strip(),
        {each.name: each for each in keys},
        {each.column.name: each for each in filters},
        statement,
    )
    for each in keys:
        declared.check_filters(frozenset[str]().union(*(each.indexed or ())))
    missing = [macro for macro in ("@filters", "@order", ":limit") if macro not in statement]
    if missing or not keys or len(_LISTED.findall(statement)) != 1:
        raise QueryFault(f"The list `{name}` needs a key, one `@listed(table AS alias)` and {missing or 'no more'}.")
    return declared


def _key(name: str, text: str) -> Key:
    found = _KEY.fullmatch(text)
    if found is None:
        raise QueryFault(f"The list `{name}` has the key `{text}`; write `by column text; indexed (), (filter)`.")
    columns = tuple(Column(*each) for each in _COLUMN.findall(found[1]))
    sets = {frozenset(re.findall(r"\w+", each)): index for each, index in _SET.findall(found[2])}
    return Key(columns, tuple(sets) or None, {each: index for each, index in sets.items() if index})


def _filter(name: str, text: str) -> Filter:
    found = _FILTER.fullmatch(text)
    if found is None or f":{found[1]}" not in found[3]:
        raise QueryFault(f"The list `{name}` has the filter `{text}`; write `name text: column = :name`.")
    return Filter(Column(found[1], found[2]), found[3])
