"""Transactions on a lent SQLite connection: run on the event loop's thread, or in the connection's own.

A LoopSession is for short transactions: its statements never wait, and the group commit ends it. A ThreadSession is for
long ones and for reads. If its caller is cancelled, a statement may still be running in the thread, so the connection
goes back to its pool only after a ROLLBACK that queues up behind that statement.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final, cast

from hub.storage.errors import StoreUnavailable
from hub.storage.named_queries.query import Arguments, Query, Statements
from hub.storage.records import Row
from hub.storage.session import Lockable
from hub.storage.sqlite.connection import REFUSALS, SqliteConnection, translate
from hub.storage.sqlite.connection_pool import ConnectionPool

NO_OTHER: Final = 2**63 - 1
"""The number below which every transaction has ended, where there is one writer."""


class CommitFailed(StoreUnavailable):
    """The commit failed; the state of its connection is unknown."""

    def __init__(self, error: BaseException | None) -> None:
        super().__init__(f"The commit failed, nothing of it may count as stored: {error}.")


class SqliteSession:
    """The calls that both kinds of session have in common; each has its own `fetch` and `execute`."""

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        raise NotImplementedError

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        raise NotImplementedError

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run statements one after the other, and return how many rows each part touched."""
        return [sum([await self.execute(*statement) for statement in part]) for part in parts]

    async def fetch_together(self, queries: Statements) -> list[list[Row]]:
        """Run queries one after the other, and return the rows of each."""
        return [await self.fetch(*query) for query in queries]

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""
        await self.execute(sql, {})

    async def lock(self, kind: Lockable, keys: Iterable[tuple[str, str]]) -> None:
        """Do nothing: there is only one writer."""

    async def ended_before(self) -> int:
        """Return a number above every other: there is only one writer, and this is it."""
        return NO_OTHER

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, one line for each step."""
        sql, arguments = query.without_values()
        rows = await self.fetch(f"EXPLAIN QUERY PLAN {sql}", arguments)
        return [row["detail"] for row in rows]


class LoopSession(SqliteSession):
    """A short writing transaction, whose statements run on the event loop's thread; none of its calls ever waits."""

    def __init__(self, connection: SqliteConnection) -> None:
        self._connection = connection.direct

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            return cast(list[Row], self._connection.execute(sql, arguments).fetchall())
        except sqlite3.Error as error:
            raise translate(error) from error

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        before = self._connection.total_changes
        try:
            cursor = self._connection.execute(sql, arguments)
        except REFUSALS as error:
            raise translate(error) from error
        return cursor.rowcount if cursor.rowcount >= 0 else self._connection.total_changes - before

    async def commit(self) -> None:
        """Raise NotImplementedError: a commit waits for the disk, so the group commit runs it in a thread."""
        raise NotImplementedError

    async def rollback(self) -> None:
        """End the transaction and undo it."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class ThreadSession(SqliteSession):
    """A transaction whose statements run in the connection's thread."""

    def __init__(self, pool: ConnectionPool, connection: SqliteConnection) -> None:
        self._pool = pool
        self._connection = connection

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            return cast(list[Row], await self._connection.threaded.execute_fetchall(sql, arguments))
        except sqlite3.Error as error:
            raise translate(error) from error

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        threaded = self._connection.threaded
        before = threaded.total_changes
        try:
            cursor = await threaded.execute(sql, arguments)
        except REFUSALS as error:
            raise translate(error) from error
        # `sqlite3` counts no rows for a statement that begins with WITH.
        return cursor.rowcount if cursor.rowcount >= 0 else threaded.total_changes - before

    async def commit(self) -> None:
        """End the transaction and keep it; raise CommitFailed, and close the connection, if that fails."""
        try:
            await self._connection.threaded.execute("COMMIT")
        except sqlite3.Error as error:
            await asyncio.shield(asyncio.ensure_future(self._pool.discard(self._connection)))
            raise CommitFailed(error) from error
        except BaseException:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            raise
        self._pool.commits += 1
        self._pool.release(self._connection)

    async def rollback(self) -> None:
        """End the transaction and undo it, after the statement that a cancelled caller may have left running."""
        await self._pool.reset(self._connection)
