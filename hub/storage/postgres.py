"""The PostgreSQL driver: a pool that writes and a smaller one that only reads, so that lists never keep intake waiting."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Self

import asyncpg

from hub.storage.errors import StoreError, StoreUnavailable
from hub.storage.migrate import run_migrations
from hub.storage.postgres_connection import ANSWER_SECONDS, CONNECT_SECONDS, FAULTS, connect_alone, pool_settings, translate
from hub.storage.postgres_schema import PostgresSchema
from hub.storage.queryfile import Arguments, Dialect, Query
from hub.storage.schema_files import Migration
from hub.storage.transaction import Row

_WRITERS = (2, 10)
_READERS = (1, 4)
_STATEMENTS = 500


class PostgresDriver:
    """One PostgreSQL database; its pools connect again by themselves when the server comes back."""

    dialect: Dialect = "postgresql"

    def __init__(self, url: str, writers: Any, readers: Any) -> None:
        self._url = url
        self._writers = writers
        self._readers = readers

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect; raise StoreUnavailable where the server cannot be reached."""
        writers = await _pool(url, *_WRITERS, read_only=False)
        try:
            return cls(url, writers, await _pool(url, *_READERS, read_only=True))
        except BaseException:
            await writers.close()
            raise

    async def begin(self, *, write: bool) -> PostgresSession:
        """Open a transaction; a read has none, each of its statements sees what is committed when it runs."""
        pool = self._writers if write else self._readers
        try:
            connection = await pool.acquire(timeout=CONNECT_SECONDS)
        except FAULTS as error:
            raise translate(error) from error
        session = PostgresSession(pool, connection, write=write)
        if write:
            await session.start()
        return session

    async def schema_version(self) -> int:
        """Return the number of the last migration applied, 0 where there is none."""
        try:
            async with self._readers.acquire(timeout=CONNECT_SECONDS) as connection:
                if await connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
                    return 0
                return int(await connection.fetchval("SELECT max(version) FROM schema_migrations") or 0)
        except FAULTS as error:
            raise translate(error) from error

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
            with contextlib.suppress(*FAULTS):
                await pool.close()


class PostgresSession:
    """One transaction on a pool's connection."""

    def __init__(self, pool: Any, connection: Any, *, write: bool) -> None:
        self._pool = pool
        self._connection = connection
        self._write = write

    async def start(self) -> None:
        """Open the transaction; the connection goes back to the pool where that fails."""
        try:
            await self._connection.execute("BEGIN")
        except BaseException as error:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            if isinstance(error, FAULTS):
                raise translate(error) from error
            raise

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            rows: list[Row] = await self._connection.fetch(sql, *arguments)
        except FAULTS as error:
            raise translate(error) from error
        return rows

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        try:
            status: str = await self._connection.execute(sql, *arguments)
        except FAULTS as error:
            raise translate(error) from error
        count = status.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""
        await self.execute(sql, [])

    async def lock(self, keys: Sequence[int]) -> None:
        """Hold these advisory locks until the transaction ends, taken in the order given."""
        await self.fetch("SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key", [keys])

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, a line for each step."""
        rows = await self.fetch(f"EXPLAIN (COSTS OFF) {query.sql}", query.bind(query.nothing()))
        return [row["QUERY PLAN"] for row in rows]

    async def commit(self) -> None:
        """End the transaction and keep it; raise StoreUnavailable where that is not certain."""
        try:
            status = await self._connection.execute("COMMIT") if self._write else "COMMIT"
        except BaseException as error:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            if isinstance(error, FAULTS):
                raise StoreUnavailable(f"The commit may or may not have reached the database: {error}") from error
            raise
        await self._give_back()
        if status != "COMMIT":
            raise StoreUnavailable("A statement of the transaction had failed, so the database rolled it back.")

    async def rollback(self) -> None:
        """End the transaction and undo it; a connection that cannot even do that is thrown away."""
        try:
            if self._connection.is_in_transaction():
                await self._connection.execute("ROLLBACK", timeout=CONNECT_SECONDS)
        except FAULTS:
            with contextlib.suppress(*FAULTS):  # the pool may have thrown it away already
                self._connection.terminate()
        await self._give_back()

    async def _give_back(self) -> None:
        with contextlib.suppress(*FAULTS):
            await self._pool.release(self._connection)


async def _pool(url: str, least: int, most: int, *, read_only: bool) -> Any:
    try:
        return await asyncpg.create_pool(
            url,
            min_size=least,
            max_size=most,
            timeout=CONNECT_SECONDS,
            command_timeout=ANSWER_SECONDS,
            statement_cache_size=_STATEMENTS,
            max_cached_statement_lifetime=0,
            server_settings=pool_settings(read_only=read_only),
            reset=_keep,
        )
    except ValueError as error:
        raise StoreError(f"The database address is not understood: {error}.") from error
    except FAULTS as error:
        raise translate(error) from error


async def _keep(connection: Any) -> None:
    """Do nothing when a connection goes back: transactions leave no session state, so the usual round trip is spared."""
