"""The target of a move: a PostgreSQL database, written in one transaction while others are kept from writing."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

import asyncpg

from hub.storage.errors import BadValue, Conflict, StoreUnavailable, TransferFault
from hub.storage.migrations.files import Migration
from hub.storage.migrations.postgresql import PostgresSchema
from hub.storage.migrations.run import run_migrations
from hub.storage.named_queries.query import Dialect
from hub.storage.postgresql.connection import CONNECT_SECONDS, FAULTS, connect_alone, translate
from hub.storage.transfer.postgresql_tables import read_columns, tally
from hub.storage.transfer.tables import Batch, Table, Tally, full_target, quoted

_WITH_TRIGGERS = """
SELECT c.relname AS name, t.tgname AS trigger
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE NOT t.tgisinternal AND n.nspname = 'public' AND starts_with(t.tgname, 'note_')
"""


@contextlib.asynccontextmanager
async def open_target(url: str) -> AsyncIterator[PostgresTarget]:
    """Connect for the time of the block; what was not committed by then is undone."""
    connection = await connect_alone(url)
    try:
        yield PostgresTarget(connection)
    except asyncpg.InsufficientPrivilegeError as error:
        raise TransferFault(f"The target refuses its user: {error}.") from error
    except FAULTS as error:
        raise translate(error) from error
    finally:
        with contextlib.suppress(*FAULTS):
            await connection.close(timeout=CONNECT_SECONDS)


class PostgresTarget:
    """One connection without time limits."""

    dialect: Dialect = "postgresql"

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._is_silent = False

    async def columns(self) -> dict[str, dict[str, str]]:
        """Return the kind of each column of every table except the schema's own: {table: {column: kind}}."""
        return await read_columns(self._connection)

    async def refuse_rows(self, tables: Collection[str]) -> None:
        """Raise TransferFault if any of the tables has a row."""
        names = [
            name
            for name in tables
            if await self._connection.fetchval(f"SELECT EXISTS (SELECT FROM {quoted(name)})")  # noqa: S608 - quoted
        ]
        if names:
            raise full_target(names)

    async def migrate(self, steps: Sequence[Migration]) -> None:
        """Bring the schema up to date, which is kept even if the rows are not."""
        await run_migrations(PostgresSchema(self._connection), steps)

    async def begin(self, tables: Collection[str], wait_seconds: float) -> None:
        """Open the one transaction, and lock the tables against everybody else's writes.

        Raises TransferFault if somebody else still uses one of them after `wait_seconds`.
        """
        await self._connection.execute(f"BEGIN; SET LOCAL lock_timeout = {wait_seconds * 1000:.0f}")
        try:
            await self._connection.execute(f"LOCK TABLE {', '.join(map(quoted, tables))} IN EXCLUSIVE MODE")
        except asyncpg.LockNotAvailableError as error:
            raise TransferFault("The target is in use: stop the hubs that use it first.") from error

    async def silence(self) -> None:
        """Disable the triggers that note changes, which is part of the transaction."""
        await self._set_triggers("DISABLE")
        self._is_silent = True

    async def _set_triggers(self, verb: str) -> None:
        for row in await self._connection.fetch(_WITH_TRIGGERS):
            await self._connection.execute(f"ALTER TABLE {quoted(row['name'])} {verb} TRIGGER {quoted(row['trigger'])}")

    async def copy(self, table: Table, rows: AsyncIterator[Batch]) -> None:
        """Add the rows, read as the server takes them; raise TransferFault if it refuses one."""
        columns = list(table.columns)
        async for batch in rows:
            try:
                await self._connection.copy_records_to_table(table.name, records=batch, columns=columns)
            except (*FAULTS, ValueError) as error:
                if isinstance(translate(error), BadValue | Conflict):
                    raise TransferFault(f"PostgreSQL refuses a row of table {table.name}: {error}.") from error
                raise

    async def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        return await tally(self._connection, table)

    async def commit(self, tables: Collection[str]) -> None:
        """Commit, with fresh statistics for the query planner; raise StoreUnavailable if that is not certain."""
        if self._is_silent:
            await self._set_triggers("ENABLE")
        await self._connection.execute(f"ANALYZE {', '.join(map(quoted, tables))}")
        try:
            await self._connection.execute("COMMIT")
        except FAULTS as error:
            raise StoreUnavailable(
                f"The move may or may not have reached the target, which then is full: {error}."
            ) from error
