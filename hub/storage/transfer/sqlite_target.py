"""The target of a move: an SQLite file, new or empty, that nobody serves until the move is over."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from pathlib import Path

from hub.storage.errors import TransferFault
from hub.storage.migrations.files import Migration
from hub.storage.migrations.run import run_migrations
from hub.storage.migrations.sqlite import SqliteSchema
from hub.storage.named_queries.query import Dialect
from hub.storage.sqlite.connection import connect, ensure_file, translate
from hub.storage.sqlite.server_lock import ServerLock
from hub.storage.transfer.sqlite_tables import SqliteTables
from hub.storage.transfer.tables import Batch, Table, Tally, full_target, quoted

_ADVICE = "Stop it first: a move goes into a file of its own."


@contextlib.asynccontextmanager
async def open_target(path: Path) -> AsyncIterator[SqliteTarget]:
    """Hold the file's server lock for the time of the block; what was not committed by then is undone.

    A missing file is created. Raises StoreBusy or StoreUnavailable.
    """
    file = ensure_file(str(path), create=True)
    lock = ServerLock(file)
    lock.acquire(_ADVICE, transient=True)
    try:
        # Nothing else runs on the event loop of a move, so the file is written on its thread.
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
            yield SqliteTarget(file, connection)
    except sqlite3.Error as error:
        raise translate(error) from error
    finally:
        lock.release()


class SqliteTarget:
    """One connection, on which foreign keys are checked once, before the commit."""

    dialect: Dialect = "sqlite"

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file = file
        self._connection = connection
        self._tables = SqliteTables(connection)
        self._silenced: list[str] = []

    async def columns(self) -> dict[str, dict[str, str]]:
        """Return the kind of each column of every table except the schema's own: {table: {column: kind}}."""
        return {table.name: dict(table.columns) for table in self._tables.tables()}

    async def refuse_rows(self, tables: Collection[str]) -> None:
        """Raise TransferFault if any of the tables has a row."""
        full = [name for name in tables if self._tables.fetch(f"SELECT 1 FROM {quoted(name)} LIMIT 1")]  # noqa: S608 - quoted
        if full:
            raise full_target(full)

    async def migrate(self, steps: Sequence[Migration]) -> None:
        """Bring the schema up to date, which is kept even if the rows are not."""
        connection = await connect(self._file, "migrator")
        try:
            await run_migrations(SqliteSchema(connection.threaded), steps)
        finally:
            await connection.close()

    async def begin(self, tables: Collection[str], wait_seconds: float) -> None:  # noqa: ARG002 - a file is locked as one
        """Open the one transaction, which keeps everybody else from writing; wait for one who writes."""
        self._connection.execute(f"PRAGMA busy_timeout = {wait_seconds * 1000:.0f}")
        self._connection.execute("PRAGMA foreign_keys = OFF")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("BEGIN IMMEDIATE")

    async def silence(self) -> None:
        """Drop the triggers that note changes, which is part of the transaction; the commit makes them again."""
        for name, sql in self._tables.fetch(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'note_*'"
        ):
            self._connection.execute(f"DROP TRIGGER {quoted(name)}")
            self._silenced.append(sql)

    async def copy(self, table: Table, rows: AsyncIterator[Batch]) -> None:
        """Add the rows; raise TransferFault if the file refuses one."""
        names, places = ", ".join(map(quoted, table.columns)), ", ".join("?" * len(table.columns))
        insert = f"INSERT INTO {quoted(table.name)} ({names}) VALUES ({places})"  # noqa: S608 - quoted
        async for batch in rows:
            with _accepted(table):
                self._connection.executemany(insert, batch)

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        return self._tables.tally(table)

    async def commit(self, tables: Collection[str]) -> None:  # noqa: ARG002 - as PostgreSQL's, which analyzes them
        """Commit; raise TransferFault if rows refer to nothing."""
        orphans = sorted({row[0] for row in self._tables.fetch("PRAGMA foreign_key_check")})
        if orphans:
            raise TransferFault(f"Rows refer to others that are missing, in {', '.join(orphans)}.")
        for sql in self._silenced:
            self._connection.execute(sql)
        self._connection.execute("COMMIT")
        with contextlib.suppress(sqlite3.Error):  # all is kept; what the disk has no room for stays in the log
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextlib.contextmanager
def _accepted(table: Table) -> Iterator[None]:
    try:
        yield
    except (sqlite3.IntegrityError, UnicodeEncodeError) as error:
        raise TransferFault(f"SQLite refuses a row of table {table.name}: {error}.") from error
