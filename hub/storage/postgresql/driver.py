"""The PostgreSQL driver: a pool for writing, and a smaller one for reading, so that lists never delay intake."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any, Self, cast

import orjson

from hub.storage.errors import OutcomeUnknown, StoreBusy, StoreUnavailable
from hub.storage.migrations.files import Migration
from hub.storage.migrations.indexes import Tell, build_indexes, wanted_indexes
from hub.storage.migrations.postgresql import LOCK_SHARED, PostgresSchema
from hub.storage.migrations.run import is_older, run_migrations
from hub.storage.named_queries.query import Arguments, Dialect, NamedQueries, Query, Statements, query_for
from hub.storage.postgresql.address import Address, read_address
from hub.storage.postgresql.combined_statements import combine_inserts, combine_reads, combine_writes
from hub.storage.postgresql.connection import CONNECT_SECONDS, FAULTS, GIVEN_UP_SECONDS, connect_alone, translate
from hub.storage.postgresql.connection_pool import ConnectionPool, is_dead
from hub.storage.postgresql.partition_upkeep import keep_partitions
from hub.storage.records import Row
from hub.storage.session import Lockable
from hub.storage.transaction import InsertAll, T, Transaction, Work

_WRITERS = (2, 10)
_READERS = (1, 4)
_TRIES = _WRITERS[1] + 1  # after a restart of the server every connection of the pool may be dead
_LOCK = """
SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(key)::text ELSE pg_advisory_xact_lock(key)::text END
FROM unnest($1::bigint[], $2::boolean[]) AS locks (key, shared)
"""
_OLDEST = "SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) AS oldest"
_SERVING = """
SELECT node_id FROM nodes WHERE seen_at > CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - 15000
"""
_STOP_THEM = (
    "These processes serve the database, and would write to the new schema as to the old one: {}. Stop them first "
    "(15 seconds after its last sign of life a process is gone), or say --anyway: they stop within seconds of it."
)
_AT_SCHEMA = f"; {LOCK_SHARED}; SELECT require_schema({{}})"
"""Statements after BEGIN, each with a snapshot of its own: the version is read once no migration can be under way."""


class PostgresDriver:
    """One PostgreSQL database; its pools reconnect by themselves when the server comes back."""

    dialect: Dialect = "postgresql"

    def __init__(self, url: str, address: Address, writers: ConnectionPool, readers: ConnectionPool) -> None:
        self._url = url
        self._address = address
        self._writers = writers
        self._readers = readers
        self._begin_write = address.begin_write
        self._schema: int | None = None

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect; raise StoreUnavailable if the server cannot be reached."""
        address = read_address(url)
        writers = await ConnectionPool.open(address, *_WRITERS)
        try:
            return cls(url, address, writers, await ConnectionPool.open(address, *_READERS))
        except BaseException:
            await writers.close()
            raise

    @property
    def exhausted_ago(self) -> float | None:
        """See `Store.exhausted_ago`."""
        moments = [pool.exhausted_at for pool in (self._writers, self._readers) if pool.exhausted_at is not None]
        return monotonic() - max(moments) if moments else None

    async def begin(self, *, write: bool) -> PostgresSession:
        """Open a transaction; a reading one sees one snapshot, as on SQLite."""
        pool, opening = (self._writers, self._begin_write) if write else (self._readers, self._address.begin_read)
        for _ in range(_TRIES):
            session = PostgresSession(pool, await pool.acquire())
            if await session.start(opening):
                return session
        raise StoreUnavailable("The database closes every connection.")

    async def transact(self, queries: NamedQueries, work: Work[T]) -> T:
        """Run `work` in one writing transaction; an `InsertAll` becomes one statement, which is its own transaction.

        Behind a pooler it is not: what makes a commit durable is said as the transaction begins.
        """
        if isinstance(work, InsertAll) and not self._address.pooled:
            return cast(T, await self._insert_all(queries, work))
        async with Transaction(self, queries, write=True) as tx:
            return await work(tx)

    async def _insert_all(self, queries: NamedQueries, work: InsertAll) -> None:
        if not work.calls:
            return
        parts = [query_for(queries, name, values).statements(values) for name, values in work.calls]
        sql, arguments = combine_inserts(parts, schema=self._schema)
        connection = await self._writers.acquire()
        try:
            await connection.fetch(sql, *arguments, work.count_rows(queries))
        except FAULTS as error:
            raise translate(error) from error
        finally:
            await self._writers.release(connection)

    async def fetch_one(self, query: Query, arguments: Arguments) -> Row | None:
        """Run one query; use another connection if the first had died in the pool."""
        for _ in range(_TRIES):
            connection = await self._readers.acquire()
            try:
                return cast(Row | None, await connection.fetchrow(query.sql, *arguments))
            except FAULTS as error:
                if not is_dead(connection):
                    raise translate(error) from error
            finally:
                await self._readers.release(connection)
        raise StoreUnavailable("The database closes every connection.")

    async def check_integrity(self, rest: Callable[[], Awaitable[None]] | None = None) -> None:
        """Do nothing: the server checks its pages as it reads them, if it was made with checksums."""

    def check_place(self) -> None:
        """Do nothing: where the data is kept is the server's business, and a write proves it."""

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version."""
        session = await self.begin(write=False)
        try:
            if not await session.fetch("SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL", []):
                return {}
            rows = await session.fetch("SELECT version, checksum FROM schema_migrations", [])
            return {row["version"]: row["checksum"] for row in rows}
        finally:
            await asyncio.shield(asyncio.ensure_future(session.rollback()))

    async def migrate(self, steps: Sequence[Migration], *, beside_servers: bool) -> list[str]:
        """Apply the migrations that are missing, on a connection of their own.

        Raise StoreBusy, which names them, while processes serve that were started on the schema as it is, unless it may
        be done `beside_servers`: those stop themselves within seconds.
        """
        older = is_older(await self.applied(), steps)
        async with self._alone() as connection:
            if older and not beside_servers and (serving := await _serving(connection)):
                raise StoreBusy(_STOP_THEM.format(", ".join(serving)))
            return await run_migrations(PostgresSchema(connection), steps)

    async def build_indexes(self, steps: Sequence[Migration], tell: Tell) -> list[str]:
        """Build, beside those who write, the indexes that applied steps want so; return their names."""
        applied = await self.applied()
        if not wanted_indexes(steps):
            return []
        async with self._alone() as connection, self._alone() as watcher:
            return await build_indexes(connection, watcher, steps, applied, tell)

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[Any]:
        """Lend a connection of its own, without time limits."""
        connection = await connect_alone(self._url)
        try:
            yield connection
        except FAULTS as error:
            raise translate(error) from error
        finally:
            with contextlib.suppress(*FAULTS):
                await connection.close(timeout=CONNECT_SECONDS)

    def require_schema(self, version: int) -> None:
        """Let every writing transaction from now on raise SchemaMoved unless the schema is at this version."""
        self._schema = version
        self._begin_write = self._address.begin_write + _AT_SCHEMA.format(version)

    async def keep_partitions(self, now: int, cutoffs: Mapping[str, int]) -> Mapping[str, int]:
        """Make partitions ahead and drop those that were kept long enough; return the periods of those tables."""
        return await keep_partitions(partial(self.begin, write=True), now, cutoffs)

    async def close(self) -> None:
        """Wait for the open transactions and close every connection."""
        try:
            await self._readers.close()
        finally:
            await self._writers.close()


class PostgresSession:
    """One transaction on a connection of a pool."""

    def __init__(self, pool: ConnectionPool, connection: Any) -> None:
        self._pool = pool
        self._connection = connection

    async def start(self, opening: str) -> bool:
        """Open the transaction; return False if the connection had died in the pool, which only this shows."""
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

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        try:
            status: str = await self._connection.execute(sql, *arguments)
        except FAULTS as error:
            raise translate(error) from error
        count = status.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run statements as a single one, and return how many rows each part touched."""
        sql, arguments = combine_writes(parts)
        (row,) = await self.fetch(sql, arguments)
        counts: list[int] = row["counts"]
        return counts

    async def fetch_together(self, queries: Statements) -> list[list[Row]]:
        """Run queries as a single one, which sees one snapshot, and return the rows of each."""
        if len(queries) == 1:
            return [await self.fetch(*queries[0])]
        (row,) = await self.fetch(*combine_reads(queries))
        return [orjson.loads(rows) for rows in row["answers"]]

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""
        await self.execute(sql, [])

    async def lock(self, kind: Lockable, keys: Iterable[tuple[str, str]]) -> None:
        """Lock what these keys stand for until the transaction ends, in one global order."""
        wanted = list(keys)
        shared = sorted({_lock_key("account", account_id, "") for account_id, _ in wanted}) if kind == "order" else []
        alone = sorted({_lock_key(kind, account_id, name) for account_id, name in wanted})
        # The accounts come first: a transaction that has an order of an account never waits for the account itself.
        await self.fetch(_LOCK, [shared + alone, [True] * len(shared) + [False] * len(alone)])

    async def ended_before(self) -> int:
        """Return the number of the oldest transaction that is under way and has written."""
        rows = await self.fetch(_OLDEST, [])
        return int(rows[0]["oldest"])

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, one line for each step."""
        sql, arguments = query.without_values()
        rows = await self.fetch(f"EXPLAIN (COSTS OFF) {sql}", arguments)
        return [row["QUERY PLAN"] for row in rows]

    async def commit(self) -> None:
        """End the transaction and keep it; raise StoreUnavailable if that is not certain."""
        try:
            status = await self._connection.execute("COMMIT")
        except BaseException as error:
            await asyncio.shield(asyncio.ensure_future(self.rollback()))
            if isinstance(error, FAULTS):
                raise OutcomeUnknown(f"The commit may or may not have reached the database: {error}") from error
            raise
        await self._pool.release(self._connection)
        if status != "COMMIT":
            raise StoreUnavailable("A statement of the transaction had failed, so the database rolled it back.")

    async def rollback(self) -> None:
        """End the transaction and undo it; close the connection if it cannot even do that."""
        try:
            # Unconditional: while a cancelled statement is still ending, it is unknown whether a transaction is open.
            await self._connection.execute("ROLLBACK", timeout=GIVEN_UP_SECONDS)
        except FAULTS:
            with contextlib.suppress(*FAULTS):  # the pool may have closed it already
                self._connection.terminate()
        await self._pool.release(self._connection)


def _lock_key(kind: Lockable, account_id: str, name: str) -> int:
    """Return the 64 bits of an advisory lock; the length keeps ("a", "bc") apart from ("ab", "c")."""
    named = f"{kind}:{len(account_id)}:{account_id}{name}".encode()
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "big", signed=True)


async def _serving(connection: Any) -> list[str]:
    """Return the processes that wrote a sign of life lately, whatever schema they were started on."""
    if await connection.fetchval("SELECT to_regclass('nodes')") is None:
        return []
    return [str(row["node_id"]) for row in await connection.fetch(_SERVING)]
