"""Tables as the schema itself tells them, and what proves that two databases hold the same rows of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from attrs import frozen

from hub.storage.errors import TransferFault

INTEGER, TEXT = "integer", "text"
OWN = "schema_migrations"
"""The schema's own table: each database keeps its own."""

_HALF = 1 << 32


@frozen
class Table:
    """One table; `columns` are kinds by name, `parents` the tables that its rows refer to."""

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]
    parents: frozenset[str]

    @property
    def numbers(self) -> list[str]:
        """The columns that can be summed."""
        return [name for name, kind in self.columns.items() if kind == INTEGER]


@frozen
class Tally:
    """What must be the same on both sides: the rows, the sum of each integer column, a digest of every value."""

    rows: int
    sums: Mapping[str, int]
    digest: str


def parents_first(tables: Iterable[Table]) -> list[Table]:
    """Return the tables in an order in which every row finds the rows that it refers to."""
    by_name = {table.name: table for table in tables}
    references = {table.name: table.parents - {table.name} for table in by_name.values()}
    try:
        return [by_name[name] for name in TopologicalSorter(references).static_order()]
    except CycleError as error:
        raise TransferFault(f"These tables refer to each other in a circle: {', '.join(error.args[1])}.") from error


def quoted(name: str) -> str:
    """Return the name as both databases take it, whatever it is."""
    return '"' + name.replace('"', '""') + '"'


def tally_query(table: Table, digest: str) -> str:
    """Return the statement of a tally; `digest` is the database's sum of the digests of texts, one `{}` for each row.

    A row's text holds every value behind its length, so that no two rows share one; a sum of digests takes no order and
    no memory. Integers are summed in halves: SQLite adds in 64 bits, which a few million times in milliseconds exceed.
    """
    values = [f"CAST({quoted(name)} AS TEXT)" for name in table.columns]
    text = " || ".join(f"coalesce(length({value}) || ':' || {value}, '-')" for value in values)
    halves = [f"sum({name} >> 32), sum({name} & 4294967295)" for name in map(quoted, table.numbers)]
    return f"SELECT {', '.join(['count(*)', digest.format(text), *halves])} FROM {quoted(table.name)}"  # noqa: S608 - quoted


def read_tally(table: Table, answer: Sequence[Any]) -> Tally:
    """Read the one row that a tally's statement gives; the sums of no rows are null."""
    rows, digest, *halves = [int(value or 0) for value in answer]
    sums = [high * _HALF + low for high, low in zip(halves[::2], halves[1::2], strict=True)]
    return Tally(rows, dict(zip(table.numbers, sums, strict=True)), f"{digest % _HALF**2:016x}")
