"""Migrations: once, in order, whole or not at all, on either database."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from hub.storage import MigrationFault, SchemaTooNew, SchemaTooOld, Store, StoreBusy
from hub.storage.migrations.files import load_migrations, split_statements
from hub.storage.named_queries.query import Dialect

FIRST = "-- One; two.\nCREATE TABLE first (id BIGINT NOT NULL PRIMARY KEY, note TEXT);\n"
SECOND = """
CREATE TABLE second (a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (a, b)) {clustered};
INSERT INTO first VALUES (1, 'a;b');
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one migration."""
    place = tmp_path / "migrations"
    place.mkdir()
    (place / "0001_create_first.sql").write_text(FIRST, "utf-8")
    return place


async def migrate(url: str, folder: Path | None = None, *, serve: bool = False) -> tuple[str, ...]:
    """Migrate and return what was applied; what `serve`s has the lock of an SQLite file."""
    async with await Store.open(url, migrate=True, serve=serve, migrations=folder) as store:
        return store.migrated


def copies(folder: Path) -> list[str]:
    """The copies of a database that were kept before a migration."""
    return sorted(file.name for file in folder.glob("hub.db.before*"))


async def numbers(url: str, sql: str) -> list[int]:
    """Ask the database itself, past the store."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
            return [row[0] for row in raw.execute(sql)]
    connection = await asyncpg.connect(url)
    try:
        return [row[0] for row in await connection.fetch(sql)]
    finally:
        await connection.close()


async def test_four_nodes_at_once_apply_each_file_once(empty_url: str) -> None:
    """Whichever node comes first applies a step; the others wait and find it done."""
    done = await asyncio.gather(*(migrate(empty_url) for _ in range(4)))
    dialect: Dialect = "sqlite" if empty_url.startswith("sqlite") else "postgresql"
    files = [step.file for step in load_migrations(dialect)]
    assert sorted(name for names in done for name in names) == files
    assert len(await numbers(empty_url, "SELECT version FROM schema_migrations")) == len(files)


async def test_a_second_run_does_nothing(empty_url: str, folder: Path) -> None:
    """Migrating what is migrated changes nothing and waits for nobody."""
    assert await migrate(empty_url, folder) == ("0001_create_first.sql",)
    before = await numbers(empty_url, "SELECT applied_at FROM schema_migrations")
    assert await migrate(empty_url, folder) == ()
    assert await numbers(empty_url, "SELECT applied_at FROM schema_migrations") == before
    assert before[0] > 1_700_000_000_000


async def test_a_new_file_is_applied_to_what_is_there(empty_url: str, folder: Path) -> None:
    """Steps come one after the other, over rows that stay."""
    await migrate(empty_url, folder)
    (folder / "0002_create_second.sql").write_text(SECOND, "utf-8")
    assert await migrate(empty_url, folder, serve=True) == ("0002_create_second.sql",)
    assert await numbers(empty_url, "SELECT id FROM first WHERE note = 'a;b'") == [1]


async def test_what_is_there_is_changed_only_under_the_servers_lock_and_after_a_copy(
    folder: Path, tmp_path: Path
) -> None:
    """A command beside a server that was started on the old schema leaves it as it is."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    await migrate(url, folder)
    (folder / "0002_create_second.sql").write_text(SECOND, "utf-8")
    with pytest.raises(SchemaTooOld, match="stop the servers, then run `hub migrate`"):
        await migrate(url, folder)
    assert await numbers(url, "SELECT version FROM schema_migrations") == [1]
    assert copies(tmp_path) == []
    assert await migrate(url, folder, serve=True) == ("0002_create_second.sql",)
    kept = f"sqlite:///{tmp_path / 'hub.db.before-2'}"
    assert await numbers(kept, "SELECT version FROM schema_migrations") == [1]
    assert await migrate(url, folder, serve=True) == ()
    assert copies(tmp_path) == ["hub.db.before-2"]


async def test_a_copy_of_an_earlier_try_is_kept(folder: Path, tmp_path: Path) -> None:
    """It may be the only one from before: the migration behind it may have failed half-way of several steps."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    await migrate(url, folder)
    (folder / "0002_break.sql").write_text("INSERT INTO nowhere VALUES (1);", "utf-8")
    for _ in range(2):
        with pytest.raises(MigrationFault, match="nothing of it was applied"):
            await migrate(url, folder, serve=True)
    assert copies(tmp_path) == ["hub.db.before-2", "hub.db.before-2.2"]
    assert await numbers(url, "SELECT version FROM schema_migrations") == [1]


async def test_postgresql_is_not_migrated_beneath_those_who_serve(empty_url: str, folder: Path) -> None:
    """They are named; --anyway is for whoever knows that they will stop."""
    if empty_url.startswith("sqlite"):
        pytest.skip("SQLite has the server's lock")
    (folder / "0001_create_first.sql").write_text(
        "CREATE TABLE first (id BIGINT PRIMARY KEY, note TEXT); CREATE TABLE nodes (node_id TEXT, seen_at BIGINT);"
        "INSERT INTO nodes VALUES ('here-1', CAST(extract(epoch FROM now()) * 1000 AS BIGINT)), ('gone-2', 1);",
        "utf-8",
    )
    await migrate(empty_url, folder)
    (folder / "0002_create_second.sql").write_text(SECOND, "utf-8")
    with pytest.raises(StoreBusy, match=r"These processes serve the database.*: here-1\. Stop them first"):
        await migrate(empty_url, folder)
    assert await numbers(empty_url, "SELECT version FROM schema_migrations") == [1]
    async with await Store.open(empty_url, migrate=True, beside_servers=True, migrations=folder) as store:
        assert store.migrated == ("0002_create_second.sql",)


async def test_an_edited_file_is_refused(empty_url: str, folder: Path) -> None:
    """What was applied is history; line ends alone are no edit."""
    await migrate(empty_url, folder)
    file = folder / "0001_create_first.sql"
    file.write_bytes(FIRST.replace("\n", "\r\n").encode())
    assert await migrate(empty_url, folder) == ()
    file.write_text(FIRST + "-- a word more\n", "utf-8")
    for ask in (True, False):
        with pytest.raises(MigrationFault, match=r"0001_create_first.sql differs: .* or restore the file if"):
            await Store.open(empty_url, migrate=ask, migrations=folder)


async def test_a_broken_file_leaves_nothing_behind(empty_url: str, folder: Path) -> None:
    """The step before stays, of the broken one not even its first statement."""
    await migrate(empty_url, folder)
    broken = folder / "0002_break.sql"
    broken.write_text("CREATE TABLE half (id BIGINT PRIMARY KEY);\nINSERT INTO nowhere VALUES (1);\n", "utf-8")
    with pytest.raises(MigrationFault, match=r"0002_break.sql does not run.*nowhere"):
        await migrate(empty_url, folder, serve=True)
    assert await numbers(empty_url, "SELECT version FROM schema_migrations") == [1]
    broken.write_text("CREATE TABLE half (id BIGINT PRIMARY KEY);", "utf-8")
    assert await migrate(empty_url, folder, serve=True) == ("0002_break.sql",)


async def test_a_new_database_is_made_as_a_whole(empty_url: str, folder: Path) -> None:
    """Whoever opens it meanwhile, or after a fault, finds all of it or nothing."""
    (folder / "0002_break.sql").write_text("INSERT INTO nowhere VALUES (1);", "utf-8")
    with pytest.raises(MigrationFault, match=r"0002_break.sql does not run"):
        await migrate(empty_url, folder)
    (folder / "0002_break.sql").unlink()
    assert await migrate(empty_url, folder) == ("0001_create_first.sql",)


async def test_an_older_schema_asks_for_the_migration(empty_url: str, folder: Path) -> None:
    """A release that needs more than the database has does not start; it says what to do."""
    with pytest.raises(SchemaTooOld, match="run `hub migrate`"):
        await Store.open(empty_url, migrations=folder)
    await migrate(empty_url, folder)
    (folder / "0002_create_second.sql").write_text(SECOND, "utf-8")
    with pytest.raises(SchemaTooOld, match="version 1, this release needs 2: stop the servers, then run `hub migrate`"):
        await Store.open(empty_url, migrations=folder)


async def test_a_newer_schema_asks_for_the_release(empty_url: str, folder: Path) -> None:
    """An older release touches nothing of a newer database, asked to migrate or not."""
    (folder / "0002_create_second.sql").write_text(SECOND, "utf-8")
    await migrate(empty_url, folder)
    (folder / "0002_create_second.sql").unlink()
    for ask in (True, False):
        with pytest.raises(SchemaTooNew, match="version 2, this release knows only 1"):
            await Store.open(empty_url, migrate=ask, migrations=folder)


async def test_each_database_reads_its_own_variant(empty_url: str, folder: Path) -> None:
    """Where the two truly differ, a step has a file for each."""
    (folder / "0002_note.sqlite.sql").write_text("INSERT INTO first VALUES (1, 'sqlite');", "utf-8")
    (folder / "0002_note.postgresql.sql").write_text("INSERT INTO first VALUES (2, 'postgresql');", "utf-8")
    dialect = empty_url.partition(":")[0]
    assert await migrate(empty_url, folder) == ("0001_create_first.sql", f"0002_note.{dialect}.sql")
    assert await numbers(empty_url, "SELECT id FROM first") == [1 if dialect == "sqlite" else 2]


async def test_a_number_may_have_a_common_file_and_one_for_a_dialect(empty_url: str, folder: Path) -> None:
    """Both are one migration: the common file runs first, and an edit of either is noticed."""
    dialect = empty_url.partition(":")[0]
    own = folder / f"0001_create_first.{dialect}.sql"
    own.write_text("INSERT INTO first VALUES (3, 'own');", "utf-8")
    assert await migrate(empty_url, folder) == ("0001_create_first.sql",)
    assert await numbers(empty_url, "SELECT id FROM first") == [3]
    own.write_text("INSERT INTO first VALUES (4, 'own');", "utf-8")
    with pytest.raises(MigrationFault, match="whose 0001_create_first.sql differs"):
        await migrate(empty_url, folder)


def test_sqlite_reads_the_list_of_a_check_as_equalities(folder: Path) -> None:
    """Only in a CHECK: the condition of an index must match that of the queries."""
    (folder / "0001_create_first.sql").write_text(
        "CREATE TABLE a (b TEXT CHECK (b IN ('x', 'y')));\nCREATE INDEX a_b ON a (b) WHERE b IN ('x', 'y');", "utf-8"
    )
    (sqlite,) = load_migrations("sqlite", folder)
    (postgresql,) = load_migrations("postgresql", folder)
    assert "CHECK (b = 'x' OR b = 'y')) STRICT;" in sqlite.text
    assert "WHERE b IN ('x', 'y')" in sqlite.text
    assert "CHECK (b IN ('x', 'y'))" in postgresql.text


async def test_every_table_is_strict_on_sqlite(sqlite_url: str) -> None:
    """No column takes a value of another type; tables of short rows have no rowid, and events are long."""
    loose = (
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND type <> 'view'"
        " AND name NOT LIKE 'sqlite%'"
    )
    assert await numbers(sqlite_url, f"{loose} AND name <> 'schema_migrations'") == []
    clustered = {str(name) for name in await numbers(sqlite_url, "SELECT name FROM pragma_table_list WHERE wr")}
    assert {"claims", "signatures", "order_facts"} <= clustered
    assert "events" not in clustered


async def test_rows_that_refer_to_nothing_stop_a_migration(folder: Path, tmp_path: Path) -> None:
    """Foreign keys are off while SQLite migrates, so that tables can be rebuilt; they are checked before the commit."""
    (folder / "0002_refer.sql").write_text(
        "CREATE TABLE child (id BIGINT PRIMARY KEY, parent BIGINT REFERENCES first (id));"
        "INSERT INTO child VALUES (1, 7);",
        "utf-8",
    )
    with pytest.raises(MigrationFault, match="refer to nothing"):
        await migrate(f"sqlite:///{tmp_path / 'hub.db'}", folder)


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (["0001_a.sql", "0003_b.sql"], "numbered 1, 2, 3"),
        (["0001_a.sql", "0001_b.sql"], "same number"),
        (["0001_a.sql", "0001_b.sqlite.sql"], "same number"),
        (["first.sql"], "named like"),
        (["0001_a.mysql.sql"], "named like"),
        (["0001_a.postgresql.sql", "0002_b.sql"], "numbered 1, 2, 3"),
    ],
)
def test_files_out_of_order_are_named(tmp_path: Path, files: list[str], fault: str) -> None:
    """A gap, a clash or a bad name is found before anything runs."""
    for name in files:
        (tmp_path / name).write_text("SELECT 1;", "utf-8")
    with pytest.raises(MigrationFault, match=fault):
        load_migrations("sqlite", tmp_path)


def test_both_databases_have_the_same_versions() -> None:
    """No variant lacks its twin."""
    versions = {}
    dialects: tuple[Dialect, Dialect] = ("sqlite", "postgresql")
    for dialect in dialects:
        versions[dialect] = [step.version for step in load_migrations(dialect)]
    assert versions["sqlite"] == versions["postgresql"] != []


def test_statements_are_split_where_they_end() -> None:
    """Semicolons in texts, comments and triggers end nothing."""
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END;"
    parts = ["-- x; y\nINSERT INTO a VALUES ('1;2');", f"\n{trigger}", "\n/* ; */ SELECT 1;", "\nSELECT 2"]
    assert list(split_statements("".join(parts) + "\n-- the end")) == [*parts[:3], parts[3] + "\n-- the end"]
