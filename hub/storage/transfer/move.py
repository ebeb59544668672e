"""The move from SQLite to PostgreSQL: every row of every table, proved the same on both sides, or none."""

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

_TOLD_EVERY = 1000

T = TypeVar("T")
Watch = Callable[[str, str, int, int], None]
"""Is told the stage ("count", "copy", "verify"), the table, how many of its rows are done, and of how many."""


@frozen
class Comparison:
    """What was counted of one table on either side."""

    table: str
    source: Tally
    target: Tally

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.source == self.target


async def transfer(path: Path, url: str, watch: Watch, migrations: Path | None = None) -> list[Comparison]:
    """Move the whole file into an empty database, in one transaction that is kept only if everything is the same.

    Nobody can write to either side meanwhile, and the file stays as it is. A folder of other migrations is for tests.
    Raises TransferFault, SchemaTooNew, StoreBusy, MigrationFault or StoreUnavailable; then nothing was kept.
    """
    with open_source(path) as source:
        _check_schema(source, path, len(load_migrations("sqlite", migrations)))
        tables = parents_first(source.tables())
        names = [table.name for table in tables]
        async with open_target(url) as target:
            # Before the schema too, so that a slip in the address leaves no tables in somebody else's database.
            await target.refuse_rows(await target.columns())
            await target.migrate(load_migrations("postgresql", migrations))
            _compare_schemas(tables, await target.columns())
            before = _count(source, tables, watch)
            await target.begin(names)
            await target.refuse_rows(names)
            for table in tables:
                with closing(source.rows(table)) as rows:
                    await target.copy(table, _watched(rows, table.name, before[table.name].rows, watch))
            found = await _compare(target, tables, before, watch)
            if all(comparison.same for comparison in found):
                await target.commit(names)
            return found


def _check_schema(source: SqliteSource, path: Path, known: int) -> None:
    found = source.schema_version()
    if found < known:
        raise TransferFault(
            f"{path} has schema version {found or 'of no release'}, this release moves version {known}:"
            f" run `hub migrate --database sqlite:///{path}` first."
        )
    check_version(found, known)


def _compare_schemas(tables: Iterable[Table], there: Mapping[str, Mapping[str, str]]) -> None:
    """Raise TransferFault unless both sides have the same tables with the same columns."""
    here = {table.name: table.columns for table in tables}
    for name in sorted(here.keys() | there.keys()):
        if name not in here or name not in there:
            raise TransferFault(f"Only the {'source' if name in here else 'target'} has a table {name}.")
        ours, theirs = (set(side[name].items()) for side in (here, there))
        if ours != theirs:
            told = ", ".join(f"{column} ({kind})" for column, kind in sorted(ours ^ theirs))
            raise TransferFault(f"Table {name} has other columns in the target than in the source: {told}.")


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
    found = []
    for table in tables:
        watch("verify", table.name, before[table.name].rows, before[table.name].rows)
        found.append(Comparison(table.name, before[table.name], await target.tally(table)))
    return found


def _watched(rows: Iterator[T], table: str, total: int, watch: Watch) -> Iterator[T]:
    done = 0
    for row in rows:
        if done % _TOLD_EVERY == 0:
            watch("copy", table, done, total)
        yield row
        done += 1
    watch("copy", table, done, total)
