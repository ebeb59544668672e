"""Rows of a result, and records made of them: named tuples whose fields are the columns of their query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from hub.storage.errors import QueryFault

Record = TypeVar("Record", bound=NamedTuple)
"""A named tuple class whose fields are the columns of its query, in order."""


class Row(Protocol):
    """One row of a result: `row["name"]` is a column, `dict(row)` all of them."""

    def __getitem__(self, key: str, /) -> Any:
        """Return the value of a column."""

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""


def read_records(kind: type[Record], rows: Sequence[Row], query: str) -> list[Record]:
    """Return rows as records; raise QueryFault unless the columns of the query are the record's fields, in order."""
    if rows and tuple(rows[0].keys()) != kind._fields:
        raise QueryFault(f"Query `{query}` returns {list(rows[0].keys())}; its record has {list(kind._fields)}.")
    return list(map(kind._make, values_of(rows)))


def pick_records(kind: type[Record], rows: Sequence[Row]) -> list[Record]:
    """Return the records of a result's rows, which may have further columns; raise ValueError if one is missing.

    Columns are read by their places: by a name each row looks through its columns.
    """
    if not rows:
        return []
    names = list(rows[0].keys())
    pick = itemgetter(*map(names.index, kind._fields))
    return [kind._make(pick(tuple(each))) for each in values_of(rows)]


def pick_record(kind: type[Record], row: Row) -> Record:
    """Return the record of a row that may have further columns; raise KeyError or IndexError if one is missing."""
    return kind._make(map(row.__getitem__, kind._fields))


def values_of(rows: Sequence[Any]) -> Iterable[Iterable[Any]]:
    """Return the values of each row in the order of its columns; by a name each row looks through its columns."""
    # The rows of a statement that read several results are mappings.
    return map(dict.values, rows) if rows and isinstance(rows[0], dict) else rows
