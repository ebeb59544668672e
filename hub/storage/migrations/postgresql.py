"""Migrations on PostgreSQL: an advisory lock keeps other nodes out until the step is committed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import asyncpg

from hub.storage.errors import MigrationFault
from hub.storage.migrations.files import Migration
from hub.storage.migrations.run import LEDGER

# Two numbers are a key space apart from that of the locks on orders. These spell "hub" and "schm".
_KEY = "6845794, 1935894637"
_LOCK = f"SELECT pg_advisory_xact_lock({_KEY})"
LOCK_SHARED = f"SELECT pg_advisory_xact_lock_shared({_KEY})"
"""What a writing transaction begins with: no migration commits before it ends, and none is under way."""
SCHEMA_MOVED = "HB002"
"""The SQLSTATE that `require_schema` raises."""
_REQUIRE_SCHEMA = """
CREATE OR REPLACE FUNCTION require_schema(expected BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    found BIGINT := (SELECT max(version) FROM schema_migrations);
BEGIN
    IF found IS DISTINCT FROM expected THEN
        RAISE EXCEPTION USING ERRCODE = 'HB002', MESSAGE = coalesce(found, 0)::text;
    END IF;
END $$
"""
_RECORD = """
INSERT INTO schema_migrations (version, name, checksum, applied_at)
VALUES ($1, $2, $3, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT))
"""


class PostgresSchema:
    """A connection that migrations run on."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def begin(self) -> None:
        """Open a transaction, wait for writers and for other nodes' migrations, and create what notes the versions."""
        await self._connection.execute("BEGIN")
        await self._connection.execute(_LOCK)
        await self._connection.execute(LEDGER)
        await self._connection.execute(_REQUIRE_SCHEMA)

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version."""
        if await self._connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
            return {}
        rows = await self._connection.fetch("SELECT version, checksum FROM schema_migrations")
        return {row["version"]: row["checksum"] for row in rows}

    async def apply(self, step: Migration, *, is_new: bool) -> None:
        """Run the migration and write it into the ledger."""
        try:
            await self._connection.execute(step.whole if is_new else step.text)
        except asyncpg.PostgresError as error:
            raise MigrationFault(f"Migration {step.file} does not run, nothing of it was applied: {error}.") from error
        await self._connection.execute(_RECORD, step.version, step.file, step.checksum)

    async def commit(self) -> None:
        """End the transaction and keep it."""
        await self._connection.execute("COMMIT")

    async def rollback(self) -> None:
        """End the transaction and undo it."""
        if not self._connection.is_closed():
            await self._connection.execute("ROLLBACK")
