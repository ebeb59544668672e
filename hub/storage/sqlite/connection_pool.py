"""Pools of SQLite connections: one for the writer, one for the readers.

A semaphore counts the connections that may still be lent, and serves waiting callers in the order they came. Everything
runs on the event loop, so the list of idle connections needs no lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Literal

from hub.storage.errors import SchemaMoved, StoreUnavailable
from hub.storage.sqlite.connection import BUSY_SECONDS, RETRY_SECONDS, SqliteConnection, connect, is_busy, translate
from hub.storage.sqlite.file_identity import FileIdentity

_SCHEMA_VERSION = "SELECT max(version) AS version FROM schema_migrations"


class ConnectionPool:
    """Lends at most `size` connections at a time, first come first served, and opens them when needed."""

    def __init__(
        self, path: Path, role: Literal["writer", "reader"], size: int, *, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        """Make a pool of connections whose statements wait up to `busy_seconds` for another process that writes."""
        self.commits = 0
        """How many transactions were committed; a checkpoint is due after new ones."""
        self.schema: int | None = None
        """The version of the schema that a writing transaction has to find; None until it is known."""
        self._path = path
        self._file = FileIdentity(path)
        self._role: Literal["writer", "reader"] = role
        self._size = size
        self._busy_seconds = busy_seconds
        self._free = asyncio.Semaphore(size)
        self._idle: list[SqliteConnection] = []
        self._closed = False

    async def acquire(self) -> SqliteConnection:
        """Return a connection outside of any transaction; raise StoreUnavailable if none can be opened."""
        await self._free.acquire()
        try:
            if self._closed:
                raise StoreUnavailable("The store is closed.")
            if self._role == "writer" or not self._idle:
                self._file.check()
            return self._idle.pop() if self._idle else await connect(self._path, self._role, self._busy_seconds)
        except BaseException:
            self._free.release()
            raise

    async def begin_writing(self) -> SqliteConnection:
        """Return a connection inside of the one writing transaction of the file.

        Raises StoreUnavailable if none can be opened or another process keeps the file for longer than `busy_seconds`,
        SchemaMoved if the schema is another one than `schema`: to look costs one page, which is cached.
        """
        connection = await self.acquire()
        try:
            await self._begin(connection.direct)
        except sqlite3.Error as error:
            await (self.reset if is_busy(error) else self.discard)(connection)
            raise translate(error) from error
        except BaseException:
            await self.reset(connection)
            raise
        return connection

    async def _begin(self, connection: sqlite3.Connection) -> None:
        deadline = asyncio.get_running_loop().time() + self._busy_seconds
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                if not is_busy(error) or asyncio.get_running_loop().time() >= deadline:
                    raise
                await asyncio.sleep(RETRY_SECONDS)
            else:
                break
        if self.schema is not None:
            found = connection.execute(_SCHEMA_VERSION).fetchone()["version"]
            if found != self.schema:
                raise SchemaMoved(found)

    @property
    def idle(self) -> SqliteConnection | None:
        """A connection that is not lent, if there is one. It stays in the pool, so use it without awaiting anything."""
        return self._idle[-1] if self._idle else None

    def release(self, connection: SqliteConnection) -> None:
        """Take back a sound connection; the next caller in line gets it."""
        self._idle.append(connection)
        self._free.release()

    async def discard(self, connection: SqliteConnection) -> None:
        """Close a connection whose state is unknown; the next caller in line opens another."""
        try:
            await connection.close()
        finally:
            self._free.release()

    async def reset(self, connection: SqliteConnection) -> None:
        """Take back a connection after making sure that no transaction is open on it.

        It is taken back even if the caller is cancelled meanwhile; it raises nothing else than that cancellation.
        """
        await asyncio.shield(asyncio.ensure_future(self._reset(connection)))

    async def _reset(self, connection: SqliteConnection) -> None:
        with contextlib.suppress(sqlite3.Error, ValueError):
            await connection.threaded.execute("ROLLBACK")  # an error only means that there was nothing to roll back
        if connection.is_free:
            self.release(connection)
        else:
            await self.discard(connection)

    async def close(self) -> None:
        """Wait until every connection is back, and close them."""
        self._closed = True
        try:
            for _ in range(self._size):
                await self._free.acquire()
        finally:
            while self._idle:
                await self._idle.pop().close()
        for _ in range(self._size):
            self._free.release()
