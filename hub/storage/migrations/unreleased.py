"""Databases that were made before the first release, whose eight migrations became the one of today.

Their ledger says version 7 or 8, with the checksums of files that are gone. They hold today's tables with today's
columns, so `hub migrate` adopts them in place: it replaces constraints, triggers and the ledger, and touches no row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

import aiosqlite

from hub.storage.errors import MigrationFault
from hub.storage.migrations.files import Migration, split_statements

FIRST = "179b42b3a9ddb46dcd35bafb5466d3547367b4625f105c31bf94d701fea27255"
"""The checksum of the first migration then."""
SEVENTH = {
    "sqlite": "6889370ab9148a8d0f84426a644db6508cc549e3a8eb4dbfef290872337edd0e",
    "postgresql": "b016aae2c7ba2e30eac38b2ff816383c73d96043672e27ce88dec07ed15ebcf1",
}
"""The checksum of the seventh, for each database. The eighth added one function on PostgreSQL and nothing on SQLite."""

POSTGRESQL_ADOPTION = """
DROP TRIGGER products_take_number ON products;
DROP TRIGGER products_drop_record ON products;
DROP FUNCTION take_product_number();
DROP FUNCTION drop_product_record();
ALTER TABLE products ALTER COLUMN number SET NOT NULL;
DROP FUNCTION IF EXISTS require_rows(bigint[], bigint[]);
CREATE FUNCTION require_rows(touched BIGINT[], expected BIGINT[]) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    IF touched <> expected THEN
        RAISE EXCEPTION 'Some of the rows were there before.' USING ERRCODE = 'HB001';
    END IF;
END
$$;
DELETE FROM schema_migrations;
"""

_DROP_TRIGGERS = ("DROP TRIGGER products_take_number", "DROP TRIGGER products_drop_record")
_WITHOUT_NUMBER = "SELECT count(*) FROM products WHERE number IS NULL"
_LAYOUT = """
SELECT t.name, t.strict, t.wr, c.cid, c.name, c.type, c.pk
FROM sqlite_schema AS s JOIN pragma_table_list(s.name) AS t JOIN pragma_table_info(s.name) AS c
WHERE s.type = 'table' AND s.name <> 'schema_migrations' AND s.name NOT LIKE 'sqlite%' AND t.schema = 'main'
ORDER BY t.name, c.cid
"""
_INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
_TABLES = "SELECT sql, name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
_REPLACE_TABLE = "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?"


def is_unreleased(applied: Mapping[int, str]) -> bool:
    """Return whether a database with this ledger (checksums by version) was made before the first release."""
    return applied.get(1) == FIRST


def released_version(applied: Mapping[int, str]) -> int:
    """Return the number of the last migration applied, 0 if there is none or none of them was ever released."""
    return 0 if is_unreleased(applied) else max(applied, default=0)


def refuse_older(applied: Mapping[int, str]) -> None:
    """Raise MigrationFault unless the unreleased database has the last schema before the first release."""
    if max(applied) not in (7, 8) or applied.get(7) not in SEVENTH.values():
        raise MigrationFault(
            f"The database was made by a development version before the first release (schema {max(applied)}), which"
            " this release cannot bring up to date: run `hub migrate` of the last commit that has the file"
            " migrations/0007_check_products_by_equality.sqlite.sql, and then this one."
        )


async def adopt_sqlite(connection: aiosqlite.Connection, step: Migration) -> None:
    """Give the tables of an unreleased file the constraints of the step; raise MigrationFault if they differ in more.

    It is done as SQLite's manual says ("Making Other Kinds Of Table Schema Changes"): the text of a constraint may be
    replaced if no row contradicts it and the columns stay as they are. The other connections read the schema anew
    because the triggers are dropped.
    """
    for statement in _DROP_TRIGGERS:
        await connection.execute(statement)
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in split_statements(step.text):
            fresh.execute(statement)
        for query in (_LAYOUT, _INDEXES):
            if _plain(await connection.execute_fetchall(query)) != _plain(fresh.execute(query)):
                raise MigrationFault("The database has other tables or indexes than the release that made it gave it.")
        tables = fresh.execute(_TABLES).fetchall()
    if _plain(await connection.execute_fetchall(_WITHOUT_NUMBER)) != [(0,)]:
        raise MigrationFault("The database has products without a number.")
    await connection.execute("PRAGMA writable_schema = ON")
    await connection.executemany(_REPLACE_TABLE, tables)
    await connection.execute("PRAGMA writable_schema = RESET")


def _plain(rows: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in rows]
