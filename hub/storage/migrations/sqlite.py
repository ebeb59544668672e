"""Migrations on SQLite: BEGIN IMMEDIATE keeps a second node out, foreign keys are checked before the commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import aiosqlite

from hub.storage.errors import MigrationFault
from hub.storage.migrations.files import Migration, split_statements
from hub.storage.migrations.run import LEDGER

_HAS_LEDGER = "SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'"
_RECORD = """
INSERT INTO schema_migrations (version, name, checksum, applied_at)
VALUES (?, ?, ?, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
"""


class SqliteSchema:
    """A connection that migrations run on; foreign keys are off on it, so that a table can be rebuilt."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def begin(self) -> None:
        """Open the one writing transaction, and create the ledger table if it is missing."""
        await self._connection.execute("BEGIN IMMEDIATE")
        await self._connection.execute(LEDGER.replace("BIGINT", "INTEGER"))

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version."""
        if not list(await self._connection.execute_fetchall(_HAS_LEDGER)):
            return {}
        rows = await self._connection.execute_fetchall("SELECT version, checksum FROM schema_migrations")
        return {row["version"]: row["checksum"] for row in rows}

    async def apply(self, step: Migration, *, is_new: bool) -> None:  # noqa: ARG002 - all of it in any case
        """Run the migration's statements one by one and write it into the ledger."""
        try:
            for statement in split_statements(step.text):
                await self._connection.execute(statement)
        except sqlite3.Error as error:
            raise MigrationFault(f"Migration {step.file} does not run, nothing of it was applied: {error}.") from error
        if list(await self._connection.execute_fetchall("PRAGMA foreign_key_check")):
            raise MigrationFault(f"Migration {step.file} leaves rows that refer to nothing, nothing of it was applied.")
        await self._connection.execute(_RECORD, (step.version, step.file, step.checksum))

    async def commit(self) -> None:
        """End the transaction and keep it."""
        await self._connection.execute("COMMIT")

    async def rollback(self) -> None:
        """End the transaction and undo it."""
        if self._connection.in_transaction:
            await self._connection.execute("ROLLBACK")
