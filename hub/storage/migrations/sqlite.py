"""Migrations on SQLite: BEGIN IMMEDIATE keeps a second node out, foreign keys are checked before the commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256

import aiosqlite

from hub.storage.errors import MigrationFault
from hub.storage.migrations.files import Migration, split_statements
from hub.storage.migrations.run import LEDGER
from hub.storage.migrations.unreleased import adopt_sqlite

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

    async def apply(self, step: Migration) -> None:
        """Run the migration's statements one by one and write it into the ledger."""
        try:
            await self._connection.create_function("sha256_hex", 1, _sha256_hex, deterministic=True)
            for statement in split_statements(step.text):
                await self._connection.execute(statement)
        except sqlite3.Error as error:
            raise MigrationFault(f"Migration {step.file} does not run, nothing of it was applied: {error}.") from error
        await self._record(step)

    async def adopt(self, step: Migration) -> None:
        """Bring an unreleased file to the schema of the first migration."""
        await adopt_sqlite(self._connection, step)
        await self._connection.execute("DELETE FROM schema_migrations")
        await self._record(step)

    async def _record(self, step: Migration) -> None:
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


def _sha256_hex(text: str) -> str:
    """Return what PostgreSQL's own functions make of a text, for migrations; SQLite has no digest."""
    return sha256(text.encode()).hexdigest()
