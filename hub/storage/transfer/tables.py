"""Tables as read from the schema, and the tallies that prove that two databases have the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from attrs import frozen

from hub.storage.errors import TransferFault

INTEGER, TEXT = "integer", "text"
OWN = "schema_migrations"
"""The schema's own table, which is not moved: each database keeps its own."""

AT_ONCE = 500
"""Rows that are read, and sent, at a time."""
Batch = Sequence[Sequence[Any]]
"""Rows of one table, each with a value for each column."""

_HALF = 1 << 32


@frozen
class Table:
    """One table: the kinds of its columns by name, the columns of its key, the tables that its rows refer to."""

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]
    parents: frozenset[str]

    @property
    def numbers(self) -> list[str]:
        """The names of the integer columns, which are summed."""
        return [name for name, kind in self.columns.items() if kind == INTEGER]


@frozen
class Tally:
    """What must be the same on both sides: the row count, the sum of each integer column, a digest of all values."""

    rows: int
    sums: Mapping[str, int]
    digest: str


def parents_first(tables: Iterable[Table]) -> list[Table]:
    """Return the tables so that each comes after those that it refers to; raise TransferFault for a circle."""
    by_name = {table.name: table for table in tables}
    references = {table.name: table.parents - {table.name} for table in by_name.values()}
    try:
        return [by_name[name] for name in TopologicalSorter(references).static_order()]
    except CycleError as error:
        raise TransferFault(f"These tables refer to each other in a circle: {', '.join(error.args[1])}.") from error


def full_target(tables: Sequence[str]) -> TransferFault:
    """Return what to raise for a target that has rows in these tables."""
    return TransferFault(f"The target has rows already, in {', '.join(tables)}: a move goes into an empty database.")


def quoted(name: str) -> str:
    """Return the name quoted for SQL, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def tally_query(table: Table, digest: str) -> str:
    """Return the statement of a tally; `digest` is the database's expression for the sum of digests of texts (`{}`).

    The text of a row has every value after its length, so that different rows have different texts. A sum of digests
    depends on no order and takes no memory. Integers are summed in halves: SQLite adds in 64 bits, which the sum of a
    few million times in milliseconds exceeds.
    """
    values = [f"CAST({quoted(name)} AS TEXT)" for name in table.columns]
    text = " || ".join(f"coalesce(length({value}) || ':' || {value}, '-')" for value in values)
    halves = [f"sum({name} >> 32), sum({name} & 4294967295)" for name in map(quoted, table.numbers)]
    return f"SELECT {', '.join(['count(*)', digest.format(text), *halves])} FROM {quoted(table.name)}"  # noqa: S608 - quoted


def read_tally(table: Table, row: Sequence[Any]) -> Tally:
    """Read the one row that a tally's statement returns; sums over no rows are null."""
    rows, digest, *halves = [int(value or 0) for value in row]
    sums = [high * _HALF + low for high, low in zip(halves[::2], halves[1::2], strict=True)]
    return Tally(rows, dict(zip(table.numbers, sums, strict=True)), f"{digest % _HALF**2:016x}")
