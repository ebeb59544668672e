"""Databases of before the first release: another schema, and a ledger of other migrations."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import asyncpg

from hub.storage import Store

FORMER = 41
"""How many migrations they were before they became the nine of today."""
# Tables and columns that are no more, one that is new, and rows in both kinds.
CHANGES = """
CREATE TABLE wishes (account_id TEXT NOT NULL PRIMARY KEY, wish TEXT);
CREATE TABLE empty_wishes (account_id TEXT NOT NULL PRIMARY KEY);
ALTER TABLE merchants ADD COLUMN motto TEXT;
ALTER TABLE merchants ADD COLUMN crest TEXT;
ALTER TABLE merchants DROP COLUMN live_reason;
DROP TABLE audit_runs;
INSERT INTO merchants (merchant_id, name, email, domains, currency, status, motto, created_at, updated_at)
VALUES ('m', 'n', 'e', '[]', 'USD', 'APPROVED', 'onward', 1, 2), ('o', 'n', 'e', '[]', 'USD', 'PENDING', NULL, 3, 4);
INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('a', 'm', 'test'), ('b', 'm', 'live');
INSERT INTO wishes (account_id, wish) VALUES ('a', 'more'), ('b', NULL);
"""


async def make_former(url: str) -> None:
    """Make of an empty database one that a commit before the first release left behind."""
    await (await Store.open(url, migrate=True)).close()
    ledger = ", ".join(f"({n}, '{n:04}_create_hub.sql', 'of a former file', 0)" for n in range(1, FORMER + 1))
    await run_script(url, f"{CHANGES} DELETE FROM schema_migrations; INSERT INTO schema_migrations VALUES {ledger};")


async def run_script(url: str, script: str) -> None:
    """Run statements on the database itself, past the store."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as raw:
            raw.executescript(script)
        return
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(script)
    finally:
        await connection.close()


async def rows_of(url: str, sql: str) -> list[tuple[Any, ...]]:
    """Return rows of the database itself, past the store."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
            return raw.execute(sql).fetchall()
    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql)]
    finally:
        await connection.close()
