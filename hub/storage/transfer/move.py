"""The move of a whole hub from one database into another: every row, with proof that both are the same, or none."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from pathlib import Path
from typing import Protocol

import attrs
from attrs import frozen

from hub.storage.errors import MigrationFault, TransferFault
from hub.storage.migrations.files import Migration, load_migrations
from hub.storage.migrations.run import missing
from hub.storage.named_queries.query import Dialect
from hub.storage.transfer import postgresql_source, postgresql_target, sqlite_source, sqlite_target
from hub.storage.transfer.tables import Batch, Table, Tally, parents_first

_SQLITE = "sqlite:///"
WAIT_SECONDS = 10.0
"""How long to wait for others that write to the file, or use the target."""

Watch = Callable[[str, str, int, int], None]
"""Called with the stage ("count", "copy", "verify"), the table, how many of its rows are done, and of how many."""


class Source(Protocol):
    """The database that is moved, as of one moment."""

    name: str
    mend: str
    """The command that brings its schema up to date."""

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of each migration applied, by version; raise TransferFault for another program's."""

    async def tables(self) -> list[Table]:
        """Return every table except the schema's own."""

    async def count(self, table: str, column: str | None) -> int:
        """Return how many values a column has, or how many rows a table (None)."""

    def batches(self, table: Table) -> AsyncGenerator[Batch]:
        """Yield the rows in the order of the key, some at a time."""

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""


class Target(Protocol):
    """The database that everything goes into, in one transaction."""

    dialect: Dialect

    async def columns(self) -> dict[str, dict[str, str]]:
        """Return the kind of each column of every table except the schema's own: {table: {column: kind}}."""

    async def refuse_rows(self, tables: Collection[str]) -> None:
        """Raise TransferFault if any of the tables has a row."""

    async def migrate(self, steps: Sequence[Migration]) -> None:
        """Bring the schema up to date, which is kept even if the rows are not."""

    async def begin(self, tables: Collection[str], wait_seconds: float) -> None:
        """Open the one transaction, and keep everybody else from writing."""

    async def silence(self) -> None:
        """Keep the triggers that note changes from doing so until the commit."""

    async def copy(self, table: Table, rows: AsyncIterator[Batch]) -> None:
        """Add the rows; raise TransferFault if one is refused."""

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""

    async def commit(self, tables: Collection[str]) -> None:
        """Commit; raise StoreUnavailable if that is not certain, TransferFault if rows refer to nothing."""


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
    source_url: str,
    target_url: str,
    watch: Watch,
    migrations: Path | None = None,
    *,
    wait_seconds: float = WAIT_SECONDS,
) -> Move:
    """Move everything into an empty database, in one transaction that is kept only if all of it is the same.

    A source that was made by other migrations than these, before the first release, is moved by the names of its tables
    and columns; what the target does not have is left, and named in the result. Nobody can write to either side
    meanwhile, and the source stays as it is. Tests pass a folder of other migrations. Raises TransferFault,
    SchemaTooNew, StoreBusy, MigrationFault, StoreUnavailable: then nothing was kept.
    """
    async with _open_source(source_url, wait_seconds) as source:
        same_schema = _has_schema(source, await source.applied(), load_migrations(_dialect(source_url), migrations))
        tables = parents_first(await source.tables())
        async with _open_target(target_url) as target:
            # Before the schema too, so that a slip in the address leaves no tables in somebody else's database.
            await target.refuse_rows(await target.columns())
            await target.migrate(load_migrations(target.dialect, migrations))
            columns = await target.columns()
            left = [] if same_schema else await _left_behind(source, tables, columns)
            tables = tables if same_schema else list(_known_to(columns, tables))
            _compare_schemas(tables, columns, named_only=not same_schema)
            return Move(await _copy_all(source, target, tables, watch, wait_seconds, silent=same_schema), left)


async def _copy_all(
    source: Source, target: Target, tables: Sequence[Table], watch: Watch, wait_seconds: float, *, silent: bool
) -> list[Comparison]:
    """Copy every table; a source that has no notes of changes yet gets them by the target's triggers (`silent`)."""
    names = [table.name for table in tables]
    before = await _count(source, tables, watch)
    await target.begin(names, wait_seconds)
    await target.refuse_rows(names)
    if silent:
        await target.silence()
    for table in tables:
        async with aclosing(source.batches(table)) as rows:
            await target.copy(table, _watched(rows, table.name, before[table.name].rows, watch))
    comparisons = await _compare(target, tables, before, watch)
    if all(comparison.same for comparison in comparisons):
        await target.commit(names)
    return comparisons


def _dialect(url: str) -> Dialect:
    return "sqlite" if url.startswith(_SQLITE) else "postgresql"


def _open_source(url: str, wait_seconds: float) -> AbstractAsyncContextManager[Source]:
    if url.startswith(_SQLITE):
        return sqlite_source.open_source(Path(url.removeprefix(_SQLITE)), wait_seconds)
    return postgresql_source.open_source(url, wait_seconds)


def _open_target(url: str) -> AbstractAsyncContextManager[Target]:
    if url.startswith(_SQLITE):
        return sqlite_target.open_target(Path(url.removeprefix(_SQLITE)))
    return postgresql_target.open_target(url)


def _has_schema(source: Source, applied: Mapping[int, str], steps: Sequence[Migration]) -> bool:
    """Whether the source has the schema of these migrations, or else one of before the first release.

    Raises TransferFault for one that a migration brings up to date, and SchemaTooNew.
    """
    try:
        lacking = missing(applied, steps)
    except MigrationFault:
        return False
    if lacking:
        raise TransferFault(
            f"{source.name} has schema version {max(applied, default=0)}, this release moves version {len(steps)}:"
            f" run {source.mend} first."
        )
    return True


def _known_to(target: Mapping[str, Mapping[str, str]], tables: Iterable[Table]) -> Iterator[Table]:
    """Yield the tables that the target has, without the columns that it does not have."""
    for table in tables:
        if table.name in target:
            known = {name: kind for name, kind in table.columns.items() if name in target[table.name]}
            yield attrs.evolve(table, columns=known)


async def _left_behind(source: Source, tables: Iterable[Table], target: Mapping[str, Mapping[str, str]]) -> list[Left]:
    """Return what the target has no place for, unless there is nothing in it."""
    unknown = [
        (table.name, column)
        for table in tables
        for column in ([None] if table.name not in target else table.columns.keys() - target[table.name].keys())
    ]
    left = [Left(table, column, await source.count(table, column)) for table, column in sorted(unknown, key=str)]
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


async def _count(source: Source, tables: Iterable[Table], watch: Watch) -> dict[str, Tally]:
    tallies = {}
    for table in tables:
        watch("count", table.name, 0, 0)
        tally = tallies[table.name] = await source.tally(table)
        watch("count", table.name, 0, tally.rows)
    return tallies


async def _compare(
    target: Target, tables: Iterable[Table], before: Mapping[str, Tally], watch: Watch
) -> list[Comparison]:
    comparisons = []
    for table in tables:
        watch("verify", table.name, before[table.name].rows, before[table.name].rows)
        comparisons.append(Comparison(table.name, before[table.name], await target.tally(table)))
    return comparisons


async def _watched(batches: AsyncIterator[Batch], table: str, total: int, watch: Watch) -> AsyncIterator[Batch]:
    done = 0
    async for batch in batches:
        watch("copy", table, done, total)
        yield batch
        done += len(batch)
    watch("copy", table, done, total)
