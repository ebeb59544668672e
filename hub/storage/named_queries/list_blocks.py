"""How a block of SQL declares a list: its keys and filters, which become queries in `lists.py`.

A block that is a list has, below the line that says what it does, these:

* `-- list: by created_at bigint, code text; indexed (), (account_id)` is a key, whose columns are those of the listed
  table; the newest entry has the highest. It names the sets of filters whose entries an index has in the order of the
  key; `small` in place of them says that one query takes every filter. The first key is the usual one. SQLite prefers
  a primary key that begins like an index, and would read all of an account: `(account_id, unused) in events_unused`
  names the index that it must take. The table's keys begin with the account: `(mode) across accounts` is a set without
  it, for a key of one text, such as an id that sorts by time. It is read among the accounts with the newest entries.
  `from since until before` behind the sets names filters that bound the key's first column, in any of its queries.
  `sorted of conversion_id` in place of the sets is an order without an index: the newest `:depth` entries by another
  key of the list are sorted, by columns that the statement returns, in which NULL is lowest.
* `-- filter account_id text: l.account_id = :account_id` is a condition that a reader may ask for, once for each; one
  of an account's own is written with the alias `a`.

Its statement has `FROM @listed(links AS l)` for the listed table and ends with its joins: `TAIL` is added. One with a
condition of its own writes the tail out, `@filters`, `@order` and `:limit`. A set that is not indexed is answered by
the largest indexed set in it: the other filters look through `:depth` of its entries. All that is put together here is
text of our own files; values are bound as ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from hub.storage.errors import QueryFault
from hub.storage.named_queries.lists import LISTED, Column, Filter, Key, ListQuery

TAIL: Final = "WHERE @filters\nORDER BY @order\nLIMIT :limit"
MACROS: Final = ("@filters", "@order", ":limit")
_LINE = re.compile(r"^-- (list|filter)\b:? (.*)$\n?", re.MULTILINE)
_KEY = re.compile(
    r"by ((?:\w+ (?:text|bigint)(?:, )?)+); (small|sorted of \w+|"
    r"indexed (?:\([\w, ]*\)(?: across accounts)?(?: in \w+)?(?:, )?)+)"
    r"(?:; (?:from (\w+))? ?(?:until (\w+))?)?"
)
_COLUMN = re.compile(r"(\w+) (text|bigint)")
_FILTER = re.compile(r"(\w+) (text|bigint): (.+)")
_SET = re.compile(r"\(([^)]*)\)( across accounts)?(?: in (\w+))?")


def read_list(name: str, text: str) -> ListQuery | None:
    """Return the list that a block declares, None if it is a plain query; raise QueryFault if a line is wrong."""
    lines = [(match[1], match[2]) for match in _LINE.finditer(text)]
    if not lines:
        return None
    first, _, statement = _LINE.sub("", text).strip().partition("\n")
    if not any(macro in statement for macro in MACROS):
        statement = f"{statement}\n{TAIL}"
    keys = _keys(name, [rest for kind, rest in lines if kind == "list"])
    filters = [_filter(name, rest) for kind, rest in lines if kind == "filter"]
    declared = ListQuery(
        name,
        first.removeprefix("--").strip(),
        {each.name: each for each in keys},
        {each.column.name: each for each in filters},
        statement,
    )
    for each in keys:
        declared.check_filters(each.bounds.union(*(each.indexed or ())))
        if each.across and [column.type for column in each.columns] != ["text"]:
            raise QueryFault(f"The list `{name}` is read across accounts by `{each.name}`, which is not one text.")
    missing = [macro for macro in MACROS if macro not in statement]
    if missing or not keys or len(LISTED.findall(statement)) != 1:
        raise QueryFault(f"The list `{name}` needs a key, one `@listed(table AS alias)` and {missing or 'no more'}.")
    return declared


def _keys(name: str, texts: Sequence[str]) -> list[Key]:
    """Return the keys of a list; one that sorts has the indexed sets and the bounds of the key that it sorts."""
    keys: dict[str, Key] = {}
    for text in texts:
        key, of = _key(name, text), re.search(r"; sorted of (\w+)$", text)
        if of is not None:
            other = keys.get(of[1])
            if other is None or other.indexed is None or other.sorts:
                raise QueryFault(f"The list `{name}` sorts by `{key.name}` what `{of[1]}` has no index of.")
            sets = tuple(led for led in other.indexed if led not in other.across)
            key = evolve(other, columns=key.columns, indexed=sets, across=frozenset(), sorts=other.columns)
        keys[key.name] = key
    return [*keys.values()]


def _key(name: str, text: str) -> Key:
    found = _KEY.fullmatch(text)
    if found is None:
        raise QueryFault(f"The list `{name}` has the key `{text}`; write `by column text; indexed (), (filter)`.")
    columns = tuple(Column(*each) for each in _COLUMN.findall(found[1]))
    sets = [(frozenset(re.findall(r"\w+", each)), across, index) for each, across, index in _SET.findall(found[2])]
    return Key(
        columns,
        tuple(led for led, _, _ in sets) or None,
        {led: index for led, _, index in sets if index},
        frozenset(led for led, across, _ in sets if across),
        found[3],
        found[4],
    )


def _filter(name: str, text: str) -> Filter:
    found = _FILTER.fullmatch(text)
    if found is None or f":{found[1]}" not in found[3]:
        raise QueryFault(f"The list `{name}` has the filter `{text}`; write `name text: column = :name`.")
    return Filter(Column(found[1], found[2]), found[3])
