"""The source of a move: an SQLite file that nobody serves or writes to until it is closed."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from hub.storage.errors import StoreUnavailable, TransferFault
from hub.storage.sqlite.connection import BUSY_SECONDS, translate
from hub.storage.sqlite.server_lock import ServerLock
from hub.storage.transfer.tables import INTEGER, OWN, TEXT, Table, Tally, quoted, read_tally, tally_query

_KINDS = {"INTEGER": INTEGER, "TEXT": TEXT}
_OURS = "t.schema = 'main' AND t.type <> 'view' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^'"
_COLUMNS = f"""
SELECT t.name, c.name, c.type, c.pk FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
WHERE {_OURS} AND t.name <> ? ORDER BY t.name, c.cid
"""  # noqa: S608 - constants
_PARENTS = 'SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)'
_HAS_LEDGER = "SELECT 1 FROM pragma_table_list WHERE name = ?"
_ADVICE = "Stop it first: what it accepts during the move would be left behind."


@contextlib.contextmanager
def open_source(path: Path, wait_seconds: float = BUSY_SECONDS) -> Iterator[SqliteSource]:
    """Hold the file's server lock and its one writing transaction, in which nothing is written.

    `wait_seconds` is how long to wait for another process that writes. Raises TransferFault, StoreBusy or
    StoreUnavailable.
    """
    if not path.exists():
        raise TransferFault(f"There is no database {path}.")
    lock = ServerLock(path.absolute())
    try:
        lock.acquire(_ADVICE, transient=True)
    except OSError as error:
        raise StoreUnavailable(f"The lock file beside {path} cannot be made: {error.strerror}.") from error
    try:
        # Nothing else runs on the event loop of a move, so the file is read on its thread.
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
        connection.create_aggregate("sum_digest", 1, _DigestSum)  # type: ignore[arg-type]  # typeshed: integers only

    def applied(self) -> dict[int, str]:
        """Return the checksum of each migration applied, by version; raise TransferFault for another program's file."""
        if not self._all(_HAS_LEDGER, OWN):
            raise TransferFault(f"{self._path} is not the database of a hub.")
        return dict(self._all(f"SELECT version, checksum FROM {OWN}"))  # noqa: S608 - a constant

    def tables(self) -> list[Table]:
        """Return every table except the schema's own."""
        columns: dict[str, dict[str, str]] = {}
        keys: dict[str, dict[int, str]] = {}
        for table, column, kind, place in self._all(_COLUMNS, OWN):
            columns.setdefault(table, {})[column] = _KINDS.get(kind, kind)
            keys.setdefault(table, {})[place] = column
        return [
            Table(
                name,
                columns[name],
                tuple(column for place, column in sorted(keys[name].items()) if place),
                frozenset(parent for (parent,) in self._all(_PARENTS, name)),
            )
            for name in columns
        ]

    def rows(self, table: Table) -> Generator[tuple[Any, ...]]:
        """Yield the rows in the order of the key, one at a time; close the generator before the file."""
        order = ", ".join(map(quoted, table.key))
        names = ", ".join(map(quoted, table.columns))
        with _translated(table):
            yield from self._connection.execute(
                f"SELECT {names} FROM {quoted(table.name)}" + (f" ORDER BY {order}" if order else "")  # noqa: S608 - quoted
            )

    def count(self, table: str, column: str | None) -> int:
        """Return how many values a column has, or how many rows a table (None)."""
        counted = "*" if column is None else quoted(column)
        return int(self._all(f"SELECT count({counted}) FROM {quoted(table)}")[0][0])  # noqa: S608 - quoted

    def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        with _translated(table):
            return read_tally(table, self._all(tally_query(table, "sum_digest({})"))[0])

    def _all(self, sql: str, *values: str) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


@contextlib.contextmanager
def _translated(table: Table) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise TransferFault(f"Table {table.name} cannot be read: {error}.") from error


class _DigestSum:
    """An aggregate of SQLite: the sum of digests, as a text because it does not fit into 64 bits."""

    def __init__(self) -> None:
        self._sum = 0

    def step(self, text: str, /) -> None:
        """Add the digest of a row's text."""
        self._sum += int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def finalize(self) -> str:
        """Return the sum of all rows."""
        return str(self._sum)
