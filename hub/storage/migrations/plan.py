"""What migrations would do to a database: which tables that hold rows are locked, how many rows they have, how long."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from hub.storage.errors import StoreUnavailable
from hub.storage.migrations.files import Migration, load_migrations, split_statements
from hub.storage.migrations.indexes import read_index
from hub.storage.migrations.run import missing
from hub.storage.postgresql.connection import connect_alone

_COMMENTS: Final = re.compile(r"--[^\n]*")
_MADE: Final = re.compile(r"CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(\w+)", re.IGNORECASE)
INDEXED, CHANGED, DELETED, REWRITTEN = 500_000, 20_000, 40_000, 150_000
"""Rows a second of each kind of work, on two shared cores; which other indexes a table has, and its disk, say more."""


@frozen
class Lock:
    """What a statement does to the table that it names, by how it begins; `per_second` rows, 0 if rows do not count."""

    begins: str
    what: str
    per_second: int = 0


_UNSEEN: Final = "nobody reads or writes it meanwhile"
LOCKS: Final = (
    Lock(r"ALTER\s+TABLE\s+(\w+)\s+(?:ADD|RENAME)", f"is changed: {_UNSEEN}"),
    Lock(r"ALTER\s+TABLE\s+(\w+)\s+(?!ADD|RENAME)", f"is changed: {_UNSEEN}", REWRITTEN),
    Lock(r"DROP\s+TABLE\s+(\w+)", f"is dropped: {_UNSEEN}"),
    Lock(r"CREATE\s+(?:UNIQUE\s+)?INDEX\s+\w+\s+ON\s+(\w+)", "gets an index: nobody writes to it meanwhile", INDEXED),
    Lock(r"UPDATE\s+(\w+)", "has rows changed, which nobody else changes meanwhile", CHANGED),
    Lock(r"DELETE\s+FROM\s+(\w+)", "has rows deleted, which nobody else changes meanwhile", DELETED),
)
"""On SQLite whatever writes waits in any case."""
AFTERWARDS: Final = Lock("", "gets an index afterwards, while others read and write", INDEXED)


@frozen
class Touch:
    """A table that a step touches: in which file, what happens to it, and its rows (None: unknown to the server)."""

    file: str
    table: str
    lock: Lock
    rows: int | None = None

    @property
    def seconds(self) -> int | None:
        """Return about how long that takes, 0 for less than half a second; None if the rows count and are unknown."""
        if not self.lock.per_second:
            return 0
        return None if self.rows is None else round(self.rows / self.lock.per_second)


def touches(steps: Sequence[Migration]) -> Iterator[Touch]:
    """Yield what steps do to tables that were there before them, in their order."""
    made = {name for step in steps for name in _MADE.findall(_COMMENTS.sub("", step.text))}
    for step in steps:
        for statement in split_statements(step.text):
            bare = _COMMENTS.sub("", statement).strip()
            for lock in LOCKS:
                found = re.match(lock.begins, bare, re.IGNORECASE)
                if found is not None and found[1] not in made:
                    yield Touch(step.file, found[1], lock)
        for statement in step.beside:
            yield Touch(step.file, read_index(statement).table, AFTERWARDS)


async def plan_of(url: str, folder: Path | None = None) -> tuple[list[str], list[Touch]]:
    """Return the files of the steps that a database lacks, and what they touch; nothing is changed.

    Raises `StoreUnavailable` if it cannot be read, and `SchemaTooNew` or `MigrationFault` for one of other migrations.
    """
    if url.startswith("sqlite"):
        return _of_file(Path(url.removeprefix("sqlite:///")), load_migrations("sqlite", folder))
    return await _of_server(url, load_migrations("postgresql", folder))


def _of_file(path: Path, steps: Sequence[Migration]) -> tuple[list[str], list[Touch]]:
    if not path.exists():
        return [step.file for step in steps], []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            wanted = missing(dict(database.execute("SELECT version, checksum FROM schema_migrations")), steps)
            found = []
            for each in touches(wanted):
                (rows,) = database.execute(f"SELECT count(*) FROM {each.table}").fetchone()  # noqa: S608 - a name of our own files
                found.append(evolve(each, rows=rows))
    except sqlite3.Error as fault:
        raise StoreUnavailable(f"{path} cannot be read: {fault}.") from fault
    return [step.file for step in wanted], found


async def _of_server(url: str, steps: Sequence[Migration]) -> tuple[list[str], list[Touch]]:
    connection = await connect_alone(url)
    try:
        if await connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
            return [step.file for step in steps], []
        rows = await connection.fetch("SELECT version, checksum FROM schema_migrations")
        wanted = missing({row["version"]: row["checksum"] for row in rows}, steps)
        found = []
        for each in touches(wanted):
            estimate = await connection.fetchval(
                "SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass($1)", each.table
            )
            found.append(evolve(each, rows=estimate if estimate and estimate > 0 else None))
    finally:
        await connection.close()
    return [step.file for step in wanted], found
