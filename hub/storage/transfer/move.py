"""The move from SQLite to PostgreSQL: every row of every table, with proof that both sides are the same, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from attrs import frozen

from hub.storage.errors import TransferFault
from hub.storage.migrations.files import load_migrations
from hub.storage.migrations.run import check_version
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


async def transfer(
    path: Path, url: str, watch: Watch, migrations: Path | None = None, *, wait_seconds: float = WAIT_SECONDS
) -> list[Comparison]:
    """Move the whole file into an empty database, in one transaction that is kept only if everything is the same.

    Return the comparison of each table. Nobody can write to either side meanwhile, and the file stays as it is. Tests
    pass a folder of other migrations. Raises TransferFault, SchemaTooNew, StoreBusy, MigrationFault, StoreUnavailable:
    then nothing was kept.
    """
    with open_source(path, wait_seconds) as source:
        _check_schema(source, path, len(load_migrations("sqlite", migrations)))
        tables = parents_first(source.tables())
        names = [table.name for table in tables]
        async with open_target(url) as target:
            # Before the schema too, so that a slip in the address leaves no tables in somebody else's database.
            await target.refuse_rows(await target.columns())
            await target.migrate(load_migrations("postgresql", migrations))
            _compare_schemas(tables, await target.columns())
            before = _count(source, tables, watch)
            await target.begin(names, wait_seconds)
            await target.refuse_rows(names)
            for table in tables:
                with closing(source.rows(table)) as rows:
                    await target.copy(table, _watched(rows, table.name, before[table.name].rows, watch))
            comparisons = await _compare(target, tables, before, watch)
            if all(comparison.same for comparison in comparisons):
                await target.commit(names)
            return comparisons


def _check_schema(source: SqliteSource, path: Path, known: int) -> None:
    version = source.schema_version()
    if version < known:
        raise TransferFault(
            f"{path} has schema version {version or 'of no release'}, this release moves version {known}:"
            f" run `hub migrate --database sqlite:///{path}` first."
        )
    check_version(version, known)


def _compare_schemas(tables: Iterable[Table], target: Mapping[str, Mapping[str, str]]) -> None:
    """Raise TransferFault unless both sides have the same tables with the same columns."""
    source = {table.name: table.columns for table in tables}
    for name in sorted(source.keys() | target.keys()):
        if name not in source or name not in target:
            raise TransferFault(f"Only the {'source' if name in source else 'target'} has a table {name}.")
        differences = source[name].items() ^ target[name].items()
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
