"""Lanes of SQLite connections: one lane for the writer, one for the readers."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Literal

import aiosqlite

from hub.storage.errors import StoreUnavailable
from hub.storage.sqlite_connection import connect


class Lane:
    """Lends at most `size` connections at a time, first come first served; opens them when needed."""

    def __init__(self, path: Path, role: Literal["writer", "reader"], size: int) -> None:
        self.commits = 0
        self.changes = 0
        """How many transactions changed what is stored, other than by adding; a new connection knows of none."""
        self._path = path
        self.role = role
        self._size = size
        self._turns = asyncio.Semaphore(size)
        self._idle: list[aiosqlite.Connection] = []
        self._closed = False

    async def borrow(self) -> aiosqlite.Connection:
        """Return a connection outside of any transaction; raise StoreUnavailable where none can be opened."""
        await self._turns.acquire()
        try:
            if self._closed:
                raise StoreUnavailable("The store is closed.")
            if self._idle:
                return self._idle.pop()
            self.changes += 1
            return await connect(self._path, self.role)
        except BaseException:
            self._turns.release()
            raise

    @property
    def at_hand(self) -> aiosqlite.Connection | None:
        """A connection that nobody has, for a use that ends before anything else can run: it stays in the lane."""
        return self._idle[-1] if self._idle else None

    def give_back(self, connection: aiosqlite.Connection) -> None:
        """Take a sound connection back; the next in line gets it."""
        self._idle.append(connection)
        self._turns.release()

    async def drop(self, connection: aiosqlite.Connection) -> None:
        """Close a connection whose state is unknown; the next in line opens another."""
        try:
            await close(connection)
        finally:
            self._turns.release()

    async def finish(self, connection: aiosqlite.Connection) -> None:
        """Take back a connection after making sure that no transaction is open on it; never raises."""
        with contextlib.suppress(sqlite3.Error, ValueError):
            await connection.execute("ROLLBACK")  # an error only says that there was nothing to roll back
        if _is_free(connection):
            self.give_back(connection)
        else:
            await self.drop(connection)

    async def close(self) -> None:
        """Wait until every connection is back, then close them."""
        self._closed = True
        for _ in range(self._size):
            await self._turns.acquire()
        while self._idle:
            await close(self._idle.pop())
        for _ in range(self._size):
            self._turns.release()


async def close(connection: aiosqlite.Connection) -> None:
    """Close the connection and end its thread, whatever state it is in."""
    with contextlib.suppress(sqlite3.Error, ValueError):
        await connection.close()


def _is_free(connection: aiosqlite.Connection) -> bool:
    try:
        return not connection.in_transaction
    except ValueError:  # it is closed
        return False
