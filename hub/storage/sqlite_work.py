"""A whole transaction in the SQLite writer's thread: its statements follow each other without a hop to the event loop.

Under load a turn of the event loop takes milliseconds, and each statement awaited from there costs one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeVar, cast

import orjson

from hub.storage.errors import QueryFault, StoreUnavailable
from hub.storage.query import Arguments, Query, QueryBook, Statements
from hub.storage.sqlite_connection import BUSY_MS, REFUSALS, is_busy, translate
from hub.storage.sqlite_lane import Lane
from hub.storage.transaction import Moment, Row, Tx, Values, Work

T = TypeVar("T")


_READS = re.compile(r"\s*SELECT\b", re.IGNORECASE).match
_GATHERED: dict[tuple[str, str], str] = {}


class CommitFailed(StoreUnavailable):
    """The commit failed; the state of its connection is unknown."""


class OneWriterSession:
    """What every session of SQLite does alike, by its own way to run a query and a statement."""

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        raise NotImplementedError

    async def fetch_values(self, sql: str, arguments: Arguments) -> list[Values]:
        """Run a query and return each row as its values: the rows themselves give them in turn."""
        return cast(list[Values], await self.fetch(sql, arguments))

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        raise NotImplementedError

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run them one after the other."""
        return [sum([await self.execute(*statement) for statement in part]) for part in parts]

    async def fetch_together(self, asked: Statements) -> list[list[Row]]:
        """Run them one after the other."""
        return [await self.fetch(*query) for query in asked]

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""
        await self.execute(sql, {})

    async def lock(self, orders: Iterable[tuple[str, str]]) -> None:
        """Do nothing: there is one writer."""

    async def moment(self) -> Moment | None:
        """Refuse: others may be in the middle of a change that a reading transaction does not see."""
        raise QueryFault("Only a writing transaction has a moment.")

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, a line for each step."""
        sql, arguments = query.explained()
        rows = await self.fetch(f"EXPLAIN QUERY PLAN {sql}", arguments)
        return [row["detail"] for row in rows]


class DirectSession(OneWriterSession):
    """One transaction, used in the thread that owns the connection: nothing here ever waits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        return cast(list[Row], self._gather("json_object", sql, arguments))

    async def fetch_values(self, sql: str, arguments: Arguments) -> list[Values]:
        """Run a query and return each row as its values."""
        return self._gather("json_array", sql, arguments)

    def _gather(self, form: str, sql: str, arguments: Arguments) -> list[Any]:
        """Run a query and return its rows, read from one JSON text of all of them.

        Each row that SQLite hands over costs a turn of the interpreter's lock, for which the event loop's thread waits
        too; a text with all of them costs one.
        """
        try:
            if _READS(sql) is None:
                return self._connection.execute(sql, arguments).fetchall()
            gathering = _GATHERED.get((form, sql)) or self._learn(form, sql, arguments)
            (answer,) = self._connection.execute(gathering, arguments).fetchone()
        except sqlite3.Error as error:
            raise translate(error) from error
        return cast(list[Any], orjson.loads(answer))

    def _learn(self, form: str, sql: str, arguments: Arguments) -> str:
        """Return the query of one JSON text of all rows; only the hub's own query files come here."""
        described = self._connection.execute(f"SELECT * FROM ({sql}) LIMIT 0", arguments)  # noqa: S608
        names = [name for name, *_ in described.description]
        fields = [f"""'{name}', "{name}" """ if form == "json_object" else f'"{name}"' for name in names]
        gathering = f"SELECT json_group_array({form}({', '.join(fields)})) FROM ({sql})"  # noqa: S608
        return _GATHERED.setdefault((form, sql), gathering)

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        before = self._connection.total_changes
        try:
            cursor = self._connection.execute(sql, arguments)
        except REFUSALS as error:
            raise translate(error) from error
        return cursor.rowcount if cursor.rowcount >= 0 else self._connection.total_changes - before

    async def commit(self) -> None:
        """End the transaction and keep it; raise CommitFailed where that is not certain."""
        try:
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise CommitFailed(f"The commit failed, nothing of it may count as stored: {error}.") from error

    async def rollback(self) -> None:
        """End the transaction and undo it."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class WritingSession(DirectSession):
    """The one writing transaction, used in the thread that owns the writer's connection or in the event loop's."""

    def __init__(self, connection: sqlite3.Connection, lane: Lane, *, adds: bool) -> None:
        super().__init__(connection)
        self._lane = lane
        self._adds = adds
        self._changes_before = connection.total_changes

    async def moment(self) -> Moment | None:
        """Return the changes by this process and by others; nobody is in the middle of one."""
        return moment_of(self._lane, self._connection)

    async def commit(self) -> None:
        """End the transaction and keep it, counted as a change unless it only adds."""
        if not self._adds and self._connection.total_changes != self._changes_before:
            self._lane.changes += 1
        await super().commit()


def moment_of(lane: Lane, connection: sqlite3.Connection) -> Moment:
    """Return the moment of the writer's lane inside a transaction on its connection."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return lane.changes, version


def work_through(lane: Lane, connection: sqlite3.Connection, queries: QueryBook, work: Work[T], *, adds: bool) -> T:
    """Run a whole writing transaction in this thread and return the work's result once it has committed."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        raise translate(error) from error
    return _work_out(WritingSession(connection, lane, adds=adds), queries, work)()


def work_out(
    lane: Lane, connection: sqlite3.Connection, queries: QueryBook, work: Work[T], *, adds: bool
) -> Callable[[], T] | None:
    """Run a writing transaction up to its commit, which is left to the caller; None where another process writes."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        if is_busy(error):
            return None
        raise translate(error) from error
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return _work_out(WritingSession(connection, lane, adds=adds), queries, work)


def read_through(connection: sqlite3.Connection, queries: QueryBook, work: Work[T]) -> T:
    """Run a whole reading transaction in this thread."""
    session = DirectSession(connection)
    try:
        connection.execute("BEGIN")
        return _without_waiting(work(Tx(session, queries)))
    except sqlite3.Error as error:
        raise translate(error) from error
    finally:
        _without_waiting(session.rollback())


def _work_out(session: WritingSession, queries: QueryBook, work: Work[T]) -> Callable[[], T]:
    tx = Tx(session, queries)
    try:
        result = _without_waiting(work(tx))
        if tx.fault is not None:
            raise StoreUnavailable(tx.fault)
    except BaseException:
        _without_waiting(session.rollback())
        raise
    tx.spoil("The transaction has ended.")

    def commit() -> T:
        _without_waiting(session.commit())
        return result

    return commit


def _without_waiting(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that has nothing to wait for to its end."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    work.close()
    raise QueryFault("The work of a transaction waited for something else than the transaction.")
