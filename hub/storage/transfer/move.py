"""The move from SQLite to PostgreSQL: every row of every table, with proof that both sides are the same, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import attrs
from attrs import frozen

from hub.storage.errors import MigrationFault, TransferFault
from hub.storage.migrations.files import Migration, load_migrations
from hub.storage.migrations.run import missing
from hub.storage.transfer.postgresql_target import PostgresTarget, open_target
from hub.storage.transfer.sqlite_source import SqliteSource, open_source
from hub.storage.transfer.tables import Table, Tally, parents_first

_REPORT_EVERY = 1000
WAIT_SECONDS = 10.0
"""How long to wait for others that write to the file, or use the target."""

T = TypeVar("T")
Watch = Callable[[str, str, int, int], None]
"""Called with the stage ("count", "copy", "verify"), the table, how many of its rows are done, and of how many."""


@frozen
class Comparison:
    """The tallies of one table on both sides."""

    table: str
    source: Tally
    target: Tally

    @property
    def same(self) -> bool:
        """Whether the two tallies are equal."""
        return self.source == self.target


@frozen
class Left:
    """What the target has no place for: a table, or a column of one, and how many values of it stayed behind."""

    table: str
    column: str | None
    values: int


@frozen
class Move:
    """What was moved: the comparison of each table, and what stayed behind."""

    comparisons: Sequence[Comparison]
    left: Sequence[Left]


async def transfer(
    path: Path, url: str, watch: Watch, migrations: Path | None = None, *, wait_seconds: float = WAIT_SECONDS
) -> Move:
    """Move the whole file into an empty database, in one transaction that is kept only if everything is the same.

    A file that was made by other migrations than these, before the first release, is moved by the names of its tables
    and columns; what the target does not have is left, and named in the result. Nobody can write to either side
    meanwhile, and the file stays as it is. Tests pass a folder of other migrations. Raises TransferFault, SchemaTooNew,
    StoreBusy, MigrationFault, StoreUnavailable: then nothing was kept.
    """
    with open_source(path, wait_seconds) as source:
        same_schema = _has_schema(source.applied(), load_migrations("sqlite", migrations), path)
        tables = parents_first(source.tables())
        async with open_target(url) as target:
            # Before the schema too, so that a slip in the address leaves no tables in somebody else's database.
            await target.refuse_rows(await target.columns())
            await target.migrate(load_migrations("postgresql", migrations))
            columns = await target.columns()
            left = [] if same_schema else _left_behind(source, tables, columns)
            tables = tables if same_schema else list(_known_to(columns, tables))
            _compare_schemas(tables, columns, named_only=not same_schema)
            names = [table.name for table in tables]
            before = _count(source, tables, watch)
            await target.begin(names, wait_seconds)
            await target.refuse_rows(names)
            for table in tables:
                with closing(source.rows(table)) as rows:
                    await target.copy(table, _watched(rows, table.name, before[table.name].rows, watch))
            comparisons = await _compare(target, tables, before, watch)
            if all(comparison.same for comparison in comparisons):
                await target.commit(names)
            return Move(comparisons, left)


def _has_schema(applied: Mapping[int, str], steps: Sequence[Migration], path: Path) -> bool:
    """Whether the file has the schema of these migrations, or else one of before the first release.

    Raises TransferFault for one that a migration brings up to date, and SchemaTooNew.
    """
    try:
        lacking = missing(applied, steps)
    except MigrationFault:
        return False
    if lacking:
        raise TransferFault(
            f"{path} has schema version {max(applied, default=0)}, this release moves version {len(steps)}:"
            f" run `hub migrate --database sqlite:///{path}` first."
        )
    return True


def _known_to(target: Mapping[str, Mapping[str, str]], tables: Iterable[Table]) -> Iterator[Table]:
    """Yield the tables that the target has, without the columns that it does not have."""
    for table in tables:
        if table.name in target:
            known = {name: kind for name, kind in table.columns.items() if name in target[table.name]}
            yield attrs.evolve(table, columns=known)


def _left_behind(source: SqliteSource, tables: Iterable[Table], target: Mapping[str, Mapping[str, str]]) -> list[Left]:
    """Return what the target has no place for, unless there is nothing in it."""
    unknown = [
        (table.name, column)
        for table in tables
        for column in ([None] if table.name not in target else table.columns.keys() - target[table.name].keys())
    ]
    left = [Left(table, column, source.count(table, column)) for table, column in sorted(unknown, key=str)]
    return [one for one in left if one.values]


def _compare_schemas(tables: Iterable[Table], target: Mapping[str, Mapping[str, str]], *, named_only: bool) -> None:
    """Raise TransferFault unless both sides have the same tables with the same columns.

    With `named_only` only the source's are looked at: what the target has beside them stays empty.
    """
    source = {table.name: table.columns for table in tables}
    for name in sorted(source.keys() if named_only else source.keys() | target.keys()):
        if name not in source or name not in target:
            raise TransferFault(f"Only the {'source' if name in source else 'target'} has a table {name}.")
        differences = source[name].items() - target[name].items()
        differences |= set() if named_only else target[name].items() - source[name].items()
        if differences:
            listed = ", ".join(f"{column} ({kind})" for column, kind in sorted(differences))
            raise TransferFault(f"Table {name} has other columns in the target than in the source: {listed}.")


def _count(source: SqliteSource, tables: Iterable[Table], watch: Watch) -> dict[str, Tally]:
    tallies = {}
    for table in tables:
        watch("count", table.name, 0, 0)
        tally = tallies[table.name] = source.tally(table)
        watch("count", table.name, 0, tally.rows)
    return tallies


async def _compare(
    target: PostgresTarget, tables: Iterable[Table], before: Mapping[str, Tally], watch: Watch
) -> list[Comparison]:
    comparisons = []
    for table in tables:
        watch("verify", table.name, before[table.name].rows, before[table.name].rows)
        comparisons.append(Comparison(table.name, before[table.name], await target.tally(table)))
    return comparisons


def _watched(rows: Iterator[T], table: str, total: int, watch: Watch) -> Iterator[T]:
    done = 0
    for row in rows:
        if done % _REPORT_EVERY == 0:
            watch("copy", table, done, total)
        yield row
        done += 1
    watch("copy", table, done, total)
