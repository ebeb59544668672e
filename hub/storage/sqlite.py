"""The SQLite driver: one writer, a few readers beside it, each a connection with a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Self, cast

import aiosqlite

from hub.storage.checkpoints import keep_checkpointing
from hub.storage.errors import StoreError, StoreUnavailable
from hub.storage.locks import ServerPlace
from hub.storage.migrate import run_migrations
from hub.storage.query import Arguments, Dialect, NamedCall, Query, QueryBook, called
from hub.storage.schema_files import Migration
from hub.storage.sqlite_company import Company
from hub.storage.sqlite_connection import REFUSALS, connect, is_busy, make_sure_of, translate
from hub.storage.sqlite_lane import Lane, close
from hub.storage.sqlite_schema import SqliteSchema
from hub.storage.sqlite_work import CommitFailed, OneWriterSession, moment_of, read_through, work_out, work_through
from hub.storage.transaction import Moment, Row, T, Tx, Work

_READERS = 4
_OLDEST_SQLITE = (3, 38)


class _FellShort(Exception):
    """A statement touched fewer rows than it was given."""


class SqliteDriver:
    """One SQLite file."""

    dialect: Dialect = "sqlite"

    def __init__(self, path: Path, place: ServerPlace | None) -> None:
        self._path = path
        self._place = place
        self._writer = Lane(path, "writer", 1)
        self._readers = Lane(path, "reader", _READERS)
        self._company = Company()
        self._checkpoints = asyncio.create_task(keep_checkpointing(self._writer)) if place else None

    @classmethod
    async def open(cls, name: str, *, create: bool, serve: bool, passing: bool) -> Self:
        """Open the file; raise StoreBusy where it is served already, SchemaTooOld where it is missing."""
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            raise StoreError(f"The hub needs SQLite 3.38 or newer, this Python has {sqlite3.sqlite_version}.")
        path = make_sure_of(name, create=create)
        place = ServerPlace(path) if serve else None
        if place is not None:
            place.take(passing=passing)
        return cls(path, place)

    async def begin(self, *, write: bool) -> SqliteSession:
        """Open a transaction: the one writing transaction, or a read of what is committed now."""
        lane = self._writer if write else self._readers
        connection = await lane.borrow()
        try:
            await connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        except sqlite3.Error as error:
            await (lane.finish if is_busy(error) else lane.drop)(connection)
            raise translate(error) from error
        except BaseException:
            await asyncio.shield(asyncio.ensure_future(lane.finish(connection)))
            raise
        return SqliteSession(lane, connection)

    async def transact(self, queries: QueryBook, work: Work[T], *, brief: bool, adds: bool) -> T:
        """Run a whole writing transaction in the writer's thread; of a brief one only the commit, which may wait."""
        connection = await self._writer.borrow()
        step: Callable[[], T] | None = None
        if brief:
            try:
                step = work_out(self._writer, connection._conn, queries, work, adds=adds)  # noqa: SLF001
            except BaseException:
                await asyncio.shield(asyncio.ensure_future(self._writer.finish(connection)))
                raise
        step = step or partial(work_through, self._writer, connection._conn, queries, work, adds=adds)  # noqa: SLF001
        result = await _lent(self._writer, connection, step)
        self._writer.commits += 1
        return result

    async def join(self, queries: QueryBook, work: Work[T]) -> T:
        """Run a brief writing transaction, committed with the next `all_or_nothing` where one comes soon."""
        return await self._company.join(work, partial(self.transact, queries, work, brief=True, adds=True))

    async def all_or_nothing(self, queries: QueryBook, calls: Sequence[NamedCall]) -> bool:
        """Run the statements one after the other in one brief transaction, which is undone where one fell short.

        Who waits in `join` goes along, after these statements.
        """
        given = [called(queries, name, values).given(values) for name, values in calls]

        async def work(tx: Tx) -> None:
            if await tx.run_together(*calls) != given:
                raise _FellShort

        try:
            await self._company.lead(work, partial(self.transact, queries, brief=True, adds=True))
        except _FellShort:
            return False
        return True

    async def view(self, queries: QueryBook, work: Work[T]) -> T:
        """Run a whole reading transaction in a reader's thread."""
        connection = await self._readers.borrow()
        return await _lent(self._readers, connection, partial(read_through, connection._conn, queries, work))  # noqa: SLF001

    async def look_up(self, query: Query, arguments: Arguments) -> list[Row]:
        """Run a query that takes microseconds here and now: the way to a reader's thread and back takes longer."""
        connection = self._readers.at_hand
        if connection is None:
            connection = await self._readers.borrow()
            self._readers.give_back(connection)  # it stays at hand until somebody waits
        try:
            rows: list[Row] = connection._conn.execute(query.sql, arguments).fetchall()  # noqa: SLF001
        except sqlite3.Error as error:
            raise translate(error) from error
        return rows

    async def schema_version(self) -> int:
        """Return the number of the last migration applied, 0 where there is none."""
        session = await self.begin(write=False)
        try:
            if not await session.fetch("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'", {}):
                return 0
            rows = await session.fetch("SELECT max(version) AS version FROM schema_migrations", {})
            return int(rows[0]["version"] or 0)
        finally:
            await asyncio.shield(asyncio.ensure_future(session.rollback()))

    async def migrate(self, steps: Sequence[Migration]) -> list[str]:
        """Apply the migrations that are missing, on a connection of their own."""
        connection = await connect(self._path, "migrator")
        try:
            return await run_migrations(SqliteSchema(connection), steps)
        except sqlite3.Error as error:
            raise translate(error) from error
        finally:
            await close(connection)

    async def close(self) -> None:
        """Wait for the open transactions, close every connection and leave the server place."""
        if self._checkpoints is not None:
            self._checkpoints.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._checkpoints
        await self._readers.close()
        await self._writer.close()
        if self._place is not None:
            self._place.leave()


async def _lent(lane: Lane, connection: aiosqlite.Connection, step: Callable[[], T]) -> T:
    """Run a step in the thread of a borrowed connection, which goes back to its lane in any case."""
    running = _in_its_thread(connection, step)
    try:
        result = await asyncio.shield(running)
    except CommitFailed:
        await lane.drop(connection)
        raise
    except BaseException:
        await asyncio.wait([running])  # a cancelled caller leaves the thread at work
        await asyncio.shield(asyncio.ensure_future(lane.finish(connection)))
        raise
    lane.give_back(connection)
    return result


def _in_its_thread(connection: aiosqlite.Connection, work: Callable[[], T]) -> asyncio.Future[T]:
    """Hand work to the thread where the connection lives, at once: a task would begin a turn of the event loop later.

    aiosqlite, whose version is pinned, has no public way to do so.
    """
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    connection._tx.put_nowait((future, work))  # noqa: SLF001
    return future


class SqliteSession(OneWriterSession):
    """One transaction on a borrowed connection; every call is one hop to its thread."""

    def __init__(self, lane: Lane, connection: aiosqlite.Connection) -> None:
        self._lane = lane
        self._connection = connection
        self._changes_before = connection.total_changes

    async def moment(self) -> Moment | None:
        """Return the moment, of a writing transaction only."""
        if self._lane.role != "writer":
            return await super().moment()
        return moment_of(self._lane, self._connection._conn)  # noqa: SLF001

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            return cast(list[Row], await self._connection.execute_fetchall(sql, arguments))
        except sqlite3.Error as error:
            raise translate(error) from error

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        before = self._connection.total_changes
        try:
            cursor = await self._connection.execute(sql, arguments)
        except REFUSALS as error:
            raise translate(error) from error
        # The module counts no rows for a statement that begins with WITH.
        return cursor.rowcount if cursor.rowcount >= 0 else self._connection.total_changes - before

    async def commit(self) -> None:
        """End the transaction and keep it; after a failure the connection is replaced, its state is unknown."""
        try:
            if self._connection.total_changes != self._changes_before:
                self._lane.changes += 1
            await self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            await asyncio.shield(asyncio.ensure_future(self._lane.drop(self._connection)))
            raise StoreUnavailable(f"The commit failed, nothing of it may count as stored: {error}.") from error
        except BaseException:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            raise
        self._lane.commits += 1
        self._lane.give_back(self._connection)

    async def rollback(self) -> None:
        """End the transaction and undo it; the thread first ends what a cancelled caller left running."""
        await self._lane.finish(self._connection)
