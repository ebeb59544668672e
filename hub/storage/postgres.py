"""The PostgreSQL driver: a pool that writes, and a smaller one that only reads, so that lists never delay intake."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Self, cast

import asyncpg
import orjson

from hub.storage.errors import StoreUnavailable
from hub.storage.migrate import run_migrations
from hub.storage.postgres_connection import CONNECT_SECONDS, FAULTS, connect_alone, translate
from hub.storage.postgres_pool import Pool, is_dead
from hub.storage.postgres_schema import PostgresSchema
from hub.storage.query import Arguments, Dialect, NamedCall, Query, QueryBook, Statements, called
from hub.storage.schema_files import Migration
from hub.storage.together import ALL_OF_THEM, COUNTS, joined_reads, joined_writes
from hub.storage.transaction import Moment, Row, T, Transaction, Values, Work

_WRITERS = (2, 10)
_READERS = (1, 4)
_TRIES = _WRITERS[1] + 1  # after a restart of the server every connection of the pool may be dead
_BEGIN_WRITE = "BEGIN"
_BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"


class PostgresDriver:
    """One PostgreSQL database; its pools connect again by themselves when the server comes back."""

    dialect: Dialect = "postgresql"

    def __init__(self, url: str, writers: Pool, readers: Pool) -> None:
        self._url = url
        self._writers = writers
        self._readers = readers

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect; raise StoreUnavailable where the server cannot be reached."""
        writers = await Pool.open(url, *_WRITERS)
        try:
            return cls(url, writers, await Pool.open(url, *_READERS))
        except BaseException:
            await writers.close()
            raise

    async def begin(self, *, write: bool) -> PostgresSession:
        """Open a transaction; a read sees one moment, as on SQLite."""
        pool, opening = (self._writers, _BEGIN_WRITE) if write else (self._readers, _BEGIN_READ)
        for _ in range(_TRIES):
            session = PostgresSession(pool, await pool.borrow())
            if await session.start(opening):
                return session
        raise StoreUnavailable("The database breaks every connection off.")

    async def transact(self, queries: QueryBook, work: Work[T], *, brief: bool, adds: bool) -> T:  # noqa: ARG002
        """Run `work` in one writing transaction."""
        async with Transaction(self, queries, write=True) as tx:
            return await work(tx)

    async def join(self, queries: QueryBook, work: Work[T]) -> T:
        """Run `work` in a transaction of its own: here commits do not wait for each other."""
        return await self.transact(queries, work, brief=True, adds=True)

    async def view(self, queries: QueryBook, work: Work[T]) -> T:
        """Run `work` in one reading transaction."""
        async with Transaction(self, queries, write=False) as tx:
            return await work(tx)

    async def all_or_nothing(self, queries: QueryBook, calls: Sequence[NamedCall]) -> bool:
        """Run the statements as one, which is a transaction of its own: one wait for an answer and no other."""
        found = [(called(queries, name, values), values) for name, values in calls]
        sql, arguments = joined_writes([query.statements(values) for query, values in found], ALL_OF_THEM)
        given = [query.given(values) for query, values in found]
        connection = await self._writers.borrow()
        try:
            await connection.fetch(sql, *arguments, given)
        except asyncpg.DivisionByZeroError:
            return False
        except FAULTS as error:
            raise translate(error) from error
        finally:
            await self._writers.give_back(connection)
        return True

    async def look_up(self, query: Query, arguments: Arguments) -> list[Row]:
        """Run one query, on another connection where the one at hand had died in the pool."""
        for _ in range(_TRIES):
            connection = await self._readers.borrow()
            try:
                return cast(list[Row], await connection.fetch(query.sql, *arguments))
            except FAULTS as error:
                if not is_dead(connection):
                    raise translate(error) from error
            finally:
                await self._readers.give_back(connection)
        raise StoreUnavailable("The database breaks every connection off.")

    async def schema_version(self) -> int:
        """Return the number of the last migration applied, 0 where there is none."""
        session = await self.begin(write=False)
        try:
            if not await session.fetch("SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL", []):
                return 0
            rows = await session.fetch("SELECT max(version) AS version FROM schema_migrations", [])
            return int(rows[0]["version"] or 0)
        finally:
            await asyncio.shield(asyncio.ensure_future(session.rollback()))

    async def migrate(self, steps: Sequence[Migration]) -> list[str]:
        """Apply the migrations that are missing, on a connection of their own."""
        connection = await connect_alone(self._url)
        try:
            return await run_migrations(PostgresSchema(connection), steps)
        except FAULTS as error:
            raise translate(error) from error
        finally:
            with contextlib.suppress(*FAULTS):
                await connection.close(timeout=CONNECT_SECONDS)

    async def close(self) -> None:
        """Wait for the open transactions and close every connection."""
        for pool in (self._readers, self._writers):
            await pool.close()


class PostgresSession:
    """One transaction on a pool's connection."""

    def __init__(self, pool: Pool, connection: Any) -> None:
        self._pool = pool
        self._connection = connection

    async def start(self, opening: str) -> bool:
        """Open the transaction; return False where the connection had died in the pool, which shows only now."""
        try:
            await self._connection.execute(opening, timeout=CONNECT_SECONDS)
        except BaseException as error:
            dead = is_dead(self._connection)
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            if not isinstance(error, FAULTS):
                raise
            if not dead:
                raise translate(error) from error
        else:
            return True
        return False

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            rows: list[Row] = await self._connection.fetch(sql, *arguments)
        except FAULTS as error:
            raise translate(error) from error
        return rows

    async def fetch_values(self, sql: str, arguments: Arguments) -> list[Values]:
        """Run a query and return each row as its values: the driver's records give them in turn."""
        return cast(list[Values], await self.fetch(sql, arguments))

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        try:
            status: str = await self._connection.execute(sql, *arguments)
        except FAULTS as error:
            raise translate(error) from error
        count = status.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run them as one statement: each wait for an answer costs a turn of the event loop."""
        sql, arguments = joined_writes(parts, COUNTS)
        (row,) = await self.fetch(sql, arguments)
        counts: list[int] = row["counts"]
        return counts

    async def fetch_together(self, asked: Statements) -> list[list[Row]]:
        """Run them as one query, which sees one moment."""
        if len(asked) == 1:
            return [await self.fetch(*asked[0])]
        (row,) = await self.fetch(*joined_reads(asked))
        return [orjson.loads(rows) for rows in row["answers"]]

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""
        await self.execute(sql, [])

    async def lock(self, orders: Iterable[tuple[str, str]]) -> None:
        """Hold these orders until the transaction ends, taken in one global order."""
        keys = sorted({_lock_key(account, order) for account, order in orders})
        await self.fetch("SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key", [keys])

    async def moment(self) -> Moment | None:
        """Return None: many write at once, and their locks keep them apart."""
        return None

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, a line for each step."""
        sql, arguments = query.explained()
        rows = await self.fetch(f"EXPLAIN (COSTS OFF) {sql}", arguments)
        return [row["QUERY PLAN"] for row in rows]

    async def commit(self) -> None:
        """End the transaction and keep it; raise StoreUnavailable where that is not certain."""
        try:
            status = await self._connection.execute("COMMIT")
        except BaseException as error:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            if isinstance(error, FAULTS):
                raise StoreUnavailable(f"The commit may or may not have reached the database: {error}") from error
            raise
        await self._pool.give_back(self._connection)
        if status != "COMMIT":
            raise StoreUnavailable("A statement of the transaction had failed, so the database rolled it back.")

    async def rollback(self) -> None:
        """End the transaction and undo it; a connection that cannot even do that is thrown away."""
        try:
            # Unconditional: while a cancelled statement still winds down, nobody knows yet whether one is open.
            await self._connection.execute("ROLLBACK", timeout=CONNECT_SECONDS)
        except FAULTS:
            with contextlib.suppress(*FAULTS):  # the pool may have thrown it away already
                self._connection.terminate()
        await self._pool.give_back(self._connection)


def _lock_key(account_id: str, order_id: str) -> int:
    """Return 64 bits that stand for the order; the length keeps ("a", "bc") apart from ("ab", "c")."""
    named = f"{len(account_id)}:{account_id}{order_id}".encode()
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "big", signed=True)
