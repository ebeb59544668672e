"""SQLite connections with the hub's settings, and the meaning of SQLite's error codes."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path
from typing import Literal

import aiosqlite

from hub.storage.errors import BadValue, Conflict, SchemaTooOld, StoreUnavailable

BUSY_MS = 5000
_COLLISION_MS = 20
_CACHED_STATEMENTS = 512

# FULL: a commit survives a power cut. No automatic checkpoints: only the server's writer does them, because releases of
# SQLite before 3.51.3 can damage a file whose checkpoint meets another connection's commit.
_COMMON = f"""
PRAGMA busy_timeout = {BUSY_MS};
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = 67108864;
PRAGMA temp_store = MEMORY;
"""
_ROLE = {
    "writer": "PRAGMA journal_mode = WAL; PRAGMA cache_size = -65536;",
    # What a report or the audit compares of millions of rows goes to a temporary file once it outgrows the cache.
    "reader": "PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA temp_store = FILE;",
    # Tables may be rebuilt, so foreign keys are checked once at the end of each migration instead.
    "migrator": "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF;",
}
_CONFLICTS = {
    sqlite3.SQLITE_CONSTRAINT_UNIQUE,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    sqlite3.SQLITE_CONSTRAINT_ROWID,
}
_VALUE_FAULTS = {sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH}
_PROGRAM_FAULTS = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_AUTH}

# The module asks what is no number and no text how it wants to be stored, in vain where it is None, and each such
# question makes an error and drops it. Who has an adapter is not asked.
sqlite3.register_adapter(type(None), lambda nothing: nothing)


def make_sure_of(name: str, *, create: bool) -> Path:
    """Return the file's path; where it is missing raise SchemaTooOld, or create it, for its owner only."""
    path = Path(name).absolute()
    if path.exists():
        return path
    if not create:
        raise SchemaTooOld(f"There is no database at {path}: run `hub migrate`.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreUnavailable(f"The database file {path} cannot be created: {error.strerror}.") from error
    return path


REFUSALS = (sqlite3.Error, OverflowError)
"""What a statement of SQLite's raises."""


async def connect(path: Path, role: Literal["writer", "reader", "migrator"]) -> aiosqlite.Connection:
    """Return an open connection to an existing file; raise StoreUnavailable where it cannot be opened."""
    opening = asyncio.ensure_future(_open(path))
    try:
        connection = await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait([opening])  # else its thread would be left to itself, which may outlive the event loop
        if not opening.cancelled() and opening.exception() is None:
            await opening.result().close()
        raise
    except sqlite3.Error as error:
        raise StoreUnavailable(f"The database file {path} cannot be opened: {error}.") from error
    try:
        connection.row_factory = sqlite3.Row
        await _settle(connection, _COMMON + _ROLE[role])
    except BaseException as error:
        await connection.close()
        if isinstance(error, sqlite3.Error):
            raise StoreUnavailable(f"The database file {path} cannot be used: {error}.") from error
        raise
    return connection


async def _open(path: Path) -> aiosqlite.Connection:
    return await aiosqlite.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_CACHED_STATEMENTS,
    )


async def _settle(connection: aiosqlite.Connection, settings: str) -> None:
    """Run the settings; several openers of a fresh file collide over WAL, and there SQLite itself does not wait."""
    for _ in range(BUSY_MS // _COLLISION_MS):
        try:
            await connection.executescript(settings)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            await asyncio.sleep(_COLLISION_MS / 1000)
        else:
            return
    await connection.executescript(settings)


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether the file is only locked, so that its connection is as good as before."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def translate(error: sqlite3.Error | OverflowError) -> Exception:
    """Return the store's error for SQLite's; a fault of the program itself (wrong SQL) comes back as it is."""
    if isinstance(error, OverflowError):  # Python's module refuses what does not fit before SQLite sees it
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
    return StoreUnavailable(f"The database cannot answer now: {error}.")
