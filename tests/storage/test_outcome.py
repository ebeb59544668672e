"""`migrations/schema.sql`: a reader sees in it what the migrations make, on both databases."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hub.storage import Store
from hub.storage.migrations.files import SUMMARY, load_migrations, migration_folder
from hub.storage.migrations.outcome import schema_text
from tests.storage.test_schema import ask

POSTGRESQL = """
SELECT 'table' AS kind, relname::text AS name, relkind::text || relpersistence::text AS meaning FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i'
UNION ALL SELECT 'column', a.attrelid::regclass || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v') AND a.attnum > 0
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'view', viewname, definition FROM pg_views WHERE schemaname = 'public'
UNION ALL SELECT 'function', oid::regprocedure::text, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
"""
SQLITE = "SELECT type AS kind, name, sql AS meaning FROM sqlite_schema"
LATER = """
ALTER TABLE merchants ADD COLUMN tagline TEXT CHECK (tagline IN ('a', 'b'));

-- Whom a merchant thanks.
CREATE TABLE thanks (account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id)) {clustered};
DROP INDEX links_by_age;
"""


async def objects_of(url: str, folder: Path) -> dict[tuple[str, str], Any]:
    """Return everything that the migrations of the folder make in an empty database: {(kind, name): meaning}."""
    async with await Store.open(url, migrate=True, migrations=folder) as store:
        rows = await ask(store, SQLITE if store.dialect == "sqlite" else POSTGRESQL)
    return {(row["kind"], row["name"]): row["meaning"] for row in rows}


def as_one_migration(folder: Path, place: Path) -> Path:
    """Return a folder with one migration: the text for readers, and what each database alone needs."""
    place.mkdir()
    (place / "0001_all.sql").write_text(schema_text(folder), "utf-8")
    for dialect in ("sqlite", "postgresql"):
        alone = [path.read_text("utf-8") for path in sorted(folder.glob(f"*.{dialect}.sql"))]
        (place / f"0001_all.{dialect}.sql").write_text("".join(alone), "utf-8")
    return place


def test_the_file_is_what_the_migrations_make() -> None:
    """It is written by a command, and nobody forgets to."""
    written = (migration_folder() / SUMMARY).read_text("utf-8")
    assert written == schema_text(), f"migrations/{SUMMARY} is behind the migrations: run `make generate`."


@pytest.mark.parametrize("later", ["", LATER])
async def test_the_text_makes_the_same_database(postgres_url: str, empty_url: str, tmp_path: Path, later: str) -> None:
    """Run as if it were a migration itself, it makes each table, column, key, index and view; after an ALTER too."""
    folder = Path(shutil.copytree(migration_folder(), tmp_path / "migrations"))
    if later:
        (folder / f"{len(load_migrations('sqlite')) + 1:04}_later.sql").write_text(later, "utf-8")
    same_kind = f"sqlite:///{tmp_path / 'same.db'}" if empty_url.startswith("sqlite") else postgres_url
    found = await objects_of(empty_url, as_one_migration(folder, tmp_path / "one"))
    assert found == await objects_of(same_kind, folder)
    assert (("table", "thanks") in found) is bool(later)


def test_what_came_later_stands_where_a_reader_looks(tmp_path: Path) -> None:
    """A column is in its table, a table has the comment above it, and what was dropped is gone."""
    folder = Path(shutil.copytree(migration_folder(), tmp_path / "migrations"))
    (folder / f"{len(load_migrations('sqlite')) + 1:04}_later.sql").write_text(LATER, "utf-8")
    text = schema_text(folder)
    merchants = text[text.index("CREATE TABLE merchants") : text.index("CREATE TABLE accounts")]
    assert "tagline TEXT CHECK (tagline IN ('a', 'b'))" in merchants
    assert "-- Whom a merchant thanks.\nCREATE TABLE thanks (" in text
    assert "links_by_age" in schema_text()
    assert "links_by_age" not in text
