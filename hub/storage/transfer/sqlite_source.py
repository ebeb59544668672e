"""The source of a move: an SQLite file that nobody serves or writes to until it is closed."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path

from hub.storage.errors import StoreUnavailable, TransferFault
from hub.storage.sqlite.connection import BUSY_SECONDS, translate
from hub.storage.sqlite.server_lock import ServerLock
from hub.storage.transfer.sqlite_tables import SqliteTables, readable
from hub.storage.transfer.tables import AT_ONCE, OWN, Batch, Table, Tally, quoted

_HAS_LEDGER = "SELECT 1 FROM pragma_table_list WHERE name = ?"
_ADVICE = "Stop it first: what it accepts during the move would be left behind."


@contextlib.asynccontextmanager
async def open_source(path: Path, wait_seconds: float = BUSY_SECONDS) -> AsyncIterator[SqliteSource]:
    """Hold the file's server lock and its one writing transaction, in which nothing is written.

    `wait_seconds` is how long to wait for another process that writes. Raises TransferFault, StoreBusy or
    StoreUnavailable.
    """
    # Nothing else runs on the event loop of a move, so the file is read on its thread.
    with _held(path, wait_seconds) as source:
        yield source


@contextlib.contextmanager
def _held(path: Path, wait_seconds: float) -> Iterator[SqliteSource]:
    if not path.exists():
        raise TransferFault(f"There is no database {path}.")
    lock = ServerLock(path.absolute())
    try:
        lock.acquire(_ADVICE, transient=True)
    except OSError as error:
        raise StoreUnavailable(f"The lock file beside {path} cannot be made: {error.strerror}.") from error
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {wait_seconds * 1000:.0f}")
            connection.execute("BEGIN IMMEDIATE")
            yield SqliteSource(path, connection)
    except sqlite3.Error as error:
        raise translate(error) from error
    finally:
        lock.release()


class SqliteSource:
    """The tables and rows of the file as of one moment."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._tables = SqliteTables(connection)
        self.name = str(path)
        self.mend = f"`hub migrate --database sqlite:///{path}`"

    async def applied(self) -> dict[int, str]:
        """Return the checksum of each migration applied, by version; raise TransferFault for another program's file."""
        if not self._tables.fetch(_HAS_LEDGER, OWN):
            raise TransferFault(f"{self._path} is not the database of a hub.")
        return dict(self._tables.fetch(f"SELECT version, checksum FROM {OWN}"))  # noqa: S608 - a constant

    async def tables(self) -> list[Table]:
        """Return every table except the schema's own."""
        return self._tables.tables()

    async def count(self, table: str, column: str | None) -> int:
        """Return how many values a column has, or how many rows a table (None)."""
        return self._tables.count(table, column)

    async def batches(self, table: Table) -> AsyncGenerator[Batch]:
        """Yield the rows in the order of the key, some at a time; close the generator before the file."""
        order = ", ".join(map(quoted, table.key))
        names = ", ".join(map(quoted, table.columns))
        with readable(table):
            rows = self._connection.execute(
                f"SELECT {names} FROM {quoted(table.name)}" + (f" ORDER BY {order}" if order else "")  # noqa: S608 - quoted
            )
            while batch := rows.fetchmany(AT_ONCE):
                yield batch

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        return self._tables.tally(table)
