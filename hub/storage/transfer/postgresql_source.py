"""The source of a move: a PostgreSQL database, read as of one moment while others are kept from writing."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import asyncpg

from hub.storage.errors import TransferFault
from hub.storage.postgresql.connection import CONNECT_SECONDS, FAULTS, connect_alone, translate
from hub.storage.transfer.postgresql_tables import read_tables, tally
from hub.storage.transfer.tables import AT_ONCE, OWN, Batch, Table, Tally, quoted

_BEATS_WITHIN_MS = 10_000
"""A hub's process writes its row every second."""
_HAS_TABLE = "SELECT to_regclass($1) IS NOT NULL"
_SERVES = """
SELECT node_id FROM nodes
WHERE abs(seen_at - CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)) < $1 ORDER BY seen_at DESC LIMIT 1
"""
_BUSY = "The source is in use: stop the hubs that use it first. What they accept during the move would be left behind."


@contextlib.asynccontextmanager
async def open_source(url: str, wait_seconds: float) -> AsyncIterator[PostgresSource]:
    """Lock all tables against writes for the time of the block, and read all of them as of one moment.

    Raises TransferFault if a hub serves the database or another writer does not end within `wait_seconds`, and
    StoreUnavailable.
    """
    connection = await connect_alone(url)
    try:
        source = PostgresSource(connection)
        await source.hold(wait_seconds)
        yield source
    except asyncpg.LockNotAvailableError as error:
        raise TransferFault(_BUSY) from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise TransferFault(f"The source refuses its user: {error}.") from error
    except FAULTS as error:
        raise translate(error) from error
    finally:
        with contextlib.suppress(*FAULTS):
            await connection.close(timeout=CONNECT_SECONDS)


class PostgresSource:
    """The tables and rows of the database as of one moment."""

    name = "The source"
    mend = "`hub migrate` over it"

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def hold(self, wait_seconds: float) -> None:
        """Begin the one transaction; raise TransferFault for another program's database, or one that is served."""
        if not await self._connection.fetchval(_HAS_TABLE, OWN):
            raise TransferFault("The source is not the database of a hub.")
        if await self._connection.fetchval(_HAS_TABLE, "nodes"):
            node = await self._connection.fetchval(_SERVES, _BEATS_WITHIN_MS)
            if node is not None:
                raise TransferFault(f"{_BUSY} The process {node} was there a moment ago.")
        names = ", ".join(quoted(table.name) for table in await read_tables(self._connection))
        await self._connection.execute(f"SET lock_timeout = {wait_seconds * 1000:.0f}")
        # A repeatable read sees what is there at its first query: all that others had written before the lock.
        await self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        if names:
            await self._connection.execute(f"LOCK TABLE {names} IN SHARE MODE")

    async def applied(self) -> dict[int, str]:
        """Return the checksum of each migration applied, by version."""
        rows = await self._connection.fetch(f"SELECT version, checksum FROM {OWN}")  # noqa: S608 - a constant
        return {row["version"]: row["checksum"] for row in rows}

    async def tables(self) -> list[Table]:
        """Return every table except the schema's own."""
        return await read_tables(self._connection)

    async def count(self, table: str, column: str | None) -> int:
        """Return how many values a column has, or how many rows a table (None)."""
        counted = "*" if column is None else quoted(column)
        return int(await self._connection.fetchval(f"SELECT count({counted}) FROM {quoted(table)}"))  # noqa: S608 - quoted

    async def batches(self, table: Table) -> AsyncGenerator[Batch]:
        """Yield the rows in the order of the key, some at a time."""
        order = ", ".join(map(quoted, table.key))
        names = ", ".join(map(quoted, table.columns))
        rows = await self._connection.cursor(
            f"SELECT {names} FROM {quoted(table.name)}" + (f" ORDER BY {order}" if order else "")  # noqa: S608 - quoted
        )
        while batch := await rows.fetch(AT_ONCE):
            yield [tuple(row) for row in batch]

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        return await tally(self._connection, table)
