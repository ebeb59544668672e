"""SQLite connections with the hub's settings, and the meaning of SQLite's error codes.

A connection is used in two ways. Through aiosqlite each call runs in the connection's own thread, so that the event
loop never waits for the disk. A statement that takes microseconds runs on the event loop's thread instead, on the
`sqlite3` connection itself: the hop to another thread and back costs more. A connection that was acquired from its pool
has one user, who never uses both ways at once, so no lock is needed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Literal

import aiosqlite
from attrs import frozen

from hub.storage.errors import BadValue, Conflict, SchemaTooOld, StoreUnavailable, StoreUnusable
from hub.storage.sqlite.file_identity import is_full

BUSY_SECONDS = 5.0
"""How long a statement waits for another process that writes, before it gives up."""
RETRY_SECONDS = 0.02
_CACHED_STATEMENTS = 512
_FETCHED_AT_ONCE = 64

KEPT_LOG_BYTES = 67_108_864
"""How long the file of a log that starts anew stays, at most: SQLite cuts off the rest with the next commit."""

# FULL: a commit survives a power cut. No automatic checkpoints: only who holds the server lock runs them, because
# releases of SQLite before 3.51.3 can damage a file if a checkpoint coincides with another connection's commit.
_COMMON = f"""
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = {KEPT_LOG_BYTES};
PRAGMA temp_store = MEMORY;
"""
_ROLE = {
    # It retries while another process writes instead of waiting inside of SQLite, which would block the event loop.
    "writer": "PRAGMA journal_mode = WAL; PRAGMA cache_size = -65536; PRAGMA busy_timeout = 0;",
    # A report or the audit compares millions of rows: these go to a temporary file once they outgrow the cache.
    "reader": "PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA temp_store = FILE;",
    # A migration may rebuild tables, so foreign keys are checked once at its end instead. The first one makes the file,
    # with pages of half of SQLite's usual size: a batch writes whole pages, of each table and index that it touches.
    "migrator": "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF;",
}
_CONFLICTS = {
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
}
_VALUE_FAULTS = {sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH}
_PROGRAM_FAULTS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_AUTH}
_DAMAGED = "The database file is damaged ({}). Stop the hub and restore a backup: hub restore FILE."
_UNUSABLE = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_READONLY: "The database may not be written to ({}). Let the hub write to the file and its folder.",
}
REFUSALS = (sqlite3.Error, OverflowError)
"""What the `sqlite3` module raises for a statement that fails, or a number that does not fit."""

_AS_IT_IS: dict[None, None] = {}
# Without an adapter of its own, each None that is bound is asked whether it adapts itself: two errors are formatted
# and dropped, which nobody sees. This one answers None, and is no call in Python.
sqlite3.register_adapter(type(None), _AS_IT_IS.get)

Role = Literal["writer", "reader", "migrator"]


@frozen(eq=False)
class SqliteConnection:
    """An open connection: `threaded` runs each call in the connection's thread, `direct` in that of the caller."""

    threaded: aiosqlite.Connection
    direct: sqlite3.Connection

    @property
    def is_free(self) -> bool:
        """Whether the connection is open and outside of any transaction."""
        try:
            return not self.threaded.in_transaction
        except ValueError:  # the connection is closed
            return False

    async def close(self) -> None:
        """Close the connection and end its thread, whatever state it is in."""
        with contextlib.suppress(sqlite3.Error, ValueError):
            await self.threaded.close()


def ensure_file(name: str, *, create: bool) -> Path:
    """Return the absolute path of an existing file; create a missing one (mode 0600), or else raise SchemaTooOld."""
    path = Path(name).absolute()
    if path.exists():
        return path
    if not create:
        raise SchemaTooOld(f"There is no database at {path}: run `hub migrate`.")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"The database file {path} cannot be created: {error.strerror}.") from error
    return path


async def connect(path: Path, role: Role, busy_seconds: float = BUSY_SECONDS) -> SqliteConnection:
    """Return an open connection to an existing file; raise StoreUnavailable if it cannot be opened.

    `busy_seconds` is how long its statements wait for another process that writes.
    """
    opening = asyncio.ensure_future(_open(path))
    try:
        connection = await asyncio.shield(opening)
    except asyncio.CancelledError:
        closing = asyncio.ensure_future(_close_when_open(opening))
        while not closing.done():  # otherwise its thread could outlive the event loop, however often this is cancelled
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([closing])
        raise
    except sqlite3.Error as error:
        raise _unopened(path, error) from error
    try:
        wait = f"PRAGMA busy_timeout = {busy_seconds * 1000:.0f};"
        await _configure(connection.threaded, wait + _COMMON + _ROLE[role])
    except BaseException as error:
        await connection.close()
        if isinstance(error, sqlite3.Error):
            raise _unopened(path, error) from error
        raise
    return connection


async def _close_when_open(opening: asyncio.Future[SqliteConnection]) -> None:
    await asyncio.wait([opening])
    if not opening.cancelled() and opening.exception() is None:
        await opening.result().close()


def _unopened(path: Path, error: sqlite3.Error) -> Exception:
    meaning = translate(error)
    if isinstance(meaning, StoreUnusable):
        return meaning
    if is_full(path):  # SQLite calls it an I/O error where its files beside the database find no room
        return StoreUnavailable(f"The database file {path} cannot be opened: its disk is full. Make room.")
    return StoreUnavailable(f"The database file {path} cannot be opened: {error}.")


def damaged(finding: str) -> StoreUnusable:
    """Return the error of a file that is damaged, with what SQLite says of it, in one line."""
    said = [line for line in finding.splitlines() if not line.startswith("***")]  # a heading, "in database main"
    return StoreUnusable(_DAMAGED.format("; ".join(said)))


async def _open(path: Path) -> SqliteConnection:
    opened: list[sqlite3.Connection] = []

    def connector() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode=rw",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_CACHED_STATEMENTS,
        )
        connection.row_factory = sqlite3.Row
        opened.append(connection)
        return connection

    threaded = await aiosqlite.Connection(connector, _FETCHED_AT_ONCE)
    return SqliteConnection(threaded, opened[0])


async def _configure(connection: aiosqlite.Connection, settings: str) -> None:
    """Run the settings; retry while others open the same new file: SQLite does not wait for the change to WAL."""
    for _ in range(int(BUSY_SECONDS / RETRY_SECONDS)):
        try:
            await connection.executescript(settings)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return
    await connection.executescript(settings)


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another process has locked the file, so that the connection is still sound."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def translate(error: sqlite3.Error | OverflowError) -> Exception:
    """Return the store's error for one of SQLite's; return a fault of the program itself (wrong SQL) unchanged."""
    if isinstance(error, OverflowError):  # raised by Python's module before SQLite sees the number
        return BadValue("A number does not fit into 64 bits.")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return error
    if code in _CONFLICTS:
        return Conflict(str(error))
    if code & 0xFF in _VALUE_FAULTS:
        return BadValue(f"The database refused a value: {error}")
    if code & 0xFF in _PROGRAM_FAULTS:
        return error
    if code & 0xFF in _UNUSABLE:
        return StoreUnusable(_UNUSABLE[code & 0xFF].format(error))
    return StoreUnavailable(f"The database cannot answer now: {error}.")
