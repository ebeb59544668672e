"""The SQLite driver: one writing connection and a few reading ones, each with a thread of its own."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

from hub.storage.errors import StoreBusy, StoreError
from hub.storage.migrations.files import Migration
from hub.storage.migrations.indexes import Tell
from hub.storage.migrations.run import missing, run_migrations, too_old
from hub.storage.migrations.sqlite import SqliteSchema
from hub.storage.named_queries.query import Arguments, Dialect, Query
from hub.storage.records import Row
from hub.storage.sqlite.backup import keep_before
from hub.storage.sqlite.checkpoints import keep_checkpointing, keep_log_short
from hub.storage.sqlite.connection import BUSY_SECONDS, connect, damaged, ensure_file, translate
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.file_identity import FileIdentity
from hub.storage.sqlite.group_commit import GroupCommit
from hub.storage.sqlite.server_lock import ServerLock
from hub.storage.sqlite.sessions import ThreadSession
from hub.storage.sqlite.version import OLDEST
from hub.tasks import end_task

READERS = 4
CHECKPOINT_SECONDS = 5.0
"""How long a starting server waits for a command that has the lock, which may only be running a checkpoint."""
_LOCK_RETRY_SECONDS = 0.05
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


class SqliteDriver:
    """One SQLite file."""

    dialect: Dialect = "sqlite"

    def __init__(self, path: Path, lock: ServerLock | None, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Make a driver; with the server lock it runs all checkpoints, and frees the lock when it is closed.

        `busy_seconds` is how long a statement waits for another process that writes.
        """
        self._path = path
        self._lock = lock
        self._file = FileIdentity(path)
        self._writer = ConnectionPool(path, "writer", 1, busy_seconds=busy_seconds)
        self._readers = ConnectionPool(path, "reader", READERS, busy_seconds=busy_seconds)
        self._group_commit = GroupCommit(self._writer)
        self.transact = self._group_commit.transact
        self._checkpoints = asyncio.create_task(
            keep_checkpointing(self._writer) if lock else keep_log_short(path, self._writer)
        )

    @classmethod
    async def open(cls, name: str, *, create: bool, serve: bool, transient: bool) -> Self:
        """Open the file; raise StoreBusy if it is served already, SchemaTooOld if it is missing."""
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreError(f"The hub needs SQLite 3.38 or newer, this Python has {sqlite3.sqlite_version}.")
        path = ensure_file(name, create=create)
        lock = ServerLock(path) if serve else None
        if lock is not None:
            await _acquire(lock, transient=transient)
        return cls(path, lock)

    @property
    def exhausted_ago(self) -> None:
        """None: a file has as many connections as are opened."""

    async def begin(self, *, write: bool) -> ThreadSession:
        """Open the one writing transaction, or a transaction that reads what is committed now."""
        if write:
            return ThreadSession(self._writer, await self._writer.begin_writing())
        connection = await self._readers.acquire()
        try:
            await connection.threaded.execute("BEGIN")
        except sqlite3.Error as error:
            await self._readers.discard(connection)
            raise translate(error) from error
        except BaseException:
            await self._readers.reset(connection)
            raise
        return ThreadSession(self._readers, connection)

    async def fetch_one(self, query: Query, arguments: Arguments) -> Row | None:
        """Run a query that takes microseconds on the event loop's thread: the way to a reader's thread takes longer."""
        connection = self._readers.idle
        if connection is None:
            connection = await self._readers.acquire()
            self._readers.release(connection)  # nothing else can run before the query below
        try:
            row: Row | None = connection.direct.execute(query.sql, arguments).fetchone()
        except sqlite3.Error as error:
            raise translate(error) from error
        return row

    async def check_integrity(self, rest: Callable[[], Awaitable[None]] | None = None) -> None:
        """Read the whole file; raise StoreUnusable if it is damaged.

        With `rest` it is read table by table, each after a rest: what belongs to no table is left out then.
        """
        parts = [""] if rest is None else [row["name"] for row in await self._fetched(_TABLES)]
        for table in parts:
            if rest is not None:
                await rest()
            checked = f"PRAGMA quick_check('{table}')" if table else "PRAGMA quick_check(10)"
            found = [str(row["quick_check"]) for row in await self._fetched(checked)]
            if found != ["ok"]:
                raise damaged("; ".join(found))

    async def _fetched(self, sql: str) -> list[Row]:
        """Run a query in a transaction of its own."""
        session = await self.begin(write=False)
        try:
            return await session.fetch(sql, {})
        finally:
            await asyncio.shield(asyncio.ensure_future(session.rollback()))

    def check_place(self) -> None:
        """Raise StoreUnavailable if the file was replaced or its disk is full."""
        self._file.check()
        self._file.check_room()

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version."""
        session = await self.begin(write=False)
        try:
            if not await session.fetch("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'", {}):
                return {}
            rows = await session.fetch("SELECT version, checksum FROM schema_migrations", {})
            return {row["version"]: row["checksum"] for row in rows}
        finally:
            await asyncio.shield(asyncio.ensure_future(session.rollback()))

    async def migrate(self, steps: Sequence[Migration], *, beside_servers: bool) -> list[str]:  # noqa: ARG002 - there are none beside the lock
        """Apply the migrations that are missing, on a connection of their own, which reads the whole schema anew.

        A schema that is there already is changed only under the server's lock, after a verified copy of the file beside
        it. Raise SchemaTooOld without the lock, BackupFault if the copy cannot be kept.
        """
        applied = await self.applied()
        if not missing(applied, steps):
            return []
        if applied:
            if self._lock is None:
                raise too_old(applied, steps)
            await asyncio.to_thread(keep_before, self._path, steps)
        connection = await connect(self._path, "migrator")
        try:
            return await run_migrations(SqliteSchema(connection.threaded), steps)
        except sqlite3.Error as error:
            raise translate(error) from error
        finally:
            await connection.close()

    async def build_indexes(self, steps: Sequence[Migration], tell: Tell) -> list[str]:  # noqa: ARG002 - the other's
        """Return nothing: a step builds its indexes itself, since one writer at a time is all there is."""
        return []

    def require_schema(self, version: int) -> None:
        """Let every writing transaction from now on raise SchemaMoved unless the schema is at this version."""
        self._writer.schema = version

    async def keep_partitions(self, now: int, cutoffs: Mapping[str, int]) -> Mapping[str, int]:  # noqa: ARG002 - the other's
        """Return nothing: SQLite has no partitions."""
        return {}

    async def close(self) -> None:
        """Wait for the open transactions, close every connection and free the server lock, even if cancelled."""
        async with AsyncExitStack() as stack:
            if self._lock is not None:
                stack.callback(self._lock.release)
            stack.push_async_callback(self._writer.close)
            stack.push_async_callback(self._readers.close)
            stack.push_async_callback(self._group_commit.close)
            await end_task(self._checkpoints)


async def _acquire(lock: ServerLock, *, transient: bool) -> None:
    """Take the server lock; raise StoreBusy if it is held, for a server only once a command had time to free it."""
    deadline = asyncio.get_running_loop().time() + (0 if transient else CHECKPOINT_SECONDS)
    while True:
        try:
            lock.acquire(transient=transient)
        except StoreBusy as busy:
            if not busy.transient or asyncio.get_running_loop().time() >= deadline:
                raise
            await asyncio.sleep(_LOCK_RETRY_SECONDS)
        else:
            return
