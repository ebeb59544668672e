"""Indexes that are built beside those who write: after their step, again after a kill, and over partitions."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from hub.clock import system_clock
from hub.storage import MigrationFault, Store, StoreBusy
from hub.storage.migrations.files import Migration, load_migrations, migration_folder
from hub.storage.migrations.indexes import read_index, wanted_indexes
from hub.storage.migrations.outcome import schema_text
from hub.storage.migrations.plan import plan_of
from hub.storage.postgresql.partitioning import partition_tables
from tests.polling import until

NEXT = """
ALTER TABLE merchants ADD COLUMN shelf TEXT;
-- Found by status.
CREATE INDEX {concurrently} request_log_by_status ON request_log (status, logged_at) WHERE status >= 500;
"""
NAME = "request_log_by_status"


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The migrations of a release with one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migration_folder(), folder)
    number = len({file.name[:4] for file in folder.glob("0*.sql")}) + 1
    (folder / f"{number:04}_find_by_status.sql").write_text(NEXT)
    return folder


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Any]:
    """A connection to the database, past the hub."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


async def is_valid(database: Any, name: str = NAME) -> bool | None:
    """Return whether an index is one that PostgreSQL uses; None if there is none."""
    query = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"
    found: bool | None = await database.fetchval(query, name)
    return found


async def is_building(url: str) -> bool:
    """Ask, past the hub, whether an index is being built."""
    connection = await asyncpg.connect(url)
    try:
        waiting = "SELECT count(*) FROM pg_stat_progress_create_index WHERE index_relid <> 0"
        return bool(await connection.fetchval(waiting))
    finally:
        await connection.close()


async def test_the_step_commits_first_and_writers_go_on(postgres_url: str, later: Path, database: Any) -> None:
    """While the index is built a transaction that began before still writes: a step's own index would wait for it."""
    _, touched = await plan_of(postgres_url, later)
    assert touched[-1].lock.what == "gets an index afterwards, while others read and write"
    told: list[str] = []
    async with await Store.open(postgres_url, migrate=True, migrations=later) as store:
        assert store.migrated[0].endswith("_find_by_status.sql")
        assert await is_valid(database) is None
        async with database.transaction():
            await database.execute("UPDATE request_log SET status = 200")
            building = asyncio.create_task(store.build_indexes(told.append, later))
            # It waits for the transaction, which may not know it; meanwhile that one writes on.
            await until(partial(is_building, postgres_url))
            await database.execute("INSERT INTO signatures VALUES ('acc', 2, 's')")
            await database.execute("UPDATE request_log SET status = 500")
            with pytest.raises(StoreBusy, match="Another command is building"):
                await store.build_indexes(told.append, later)
        assert await building == [NAME]
        assert await is_valid(database)
        assert await store.build_indexes(told.append, later) == []
    assert told[0] == f"Building the index {NAME} on request_log, while others read and write."


async def test_what_a_kill_left_is_built_anew(postgres_url: str, later: Path, database: Any) -> None:
    async with await Store.open(postgres_url, migrate=True, migrations=later) as store:
        await database.execute("CREATE INDEX request_log_by_status ON request_log (status)")
        await database.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'request_log_by_status'::regclass"
        )
        assert await store.build_indexes(print, later) == [NAME]
        assert await is_valid(database)
        made = await database.fetchval("SELECT pg_get_indexdef('request_log_by_status'::regclass)")
        assert "WHERE (status >= 500)" in made


async def test_a_partitioned_table_gets_it_one_partition_at_a_time(
    postgres_url: str, later: Path, database: Any
) -> None:
    await partition_tables(postgres_url, system_clock())
    async with await Store.open(postgres_url, migrate=True, migrations=later) as store:
        assert await store.build_indexes(print, later) == [NAME]
        assert await is_valid(database)
        parts = await database.fetchval("SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass($1)", NAME)
        assert parts == 2


async def test_a_new_database_has_it_from_the_start(empty_url: str, later: Path) -> None:
    """SQLite, too, and nothing is left to build; the text for readers has it as any other."""
    async with await Store.open(empty_url, migrate=True, migrations=later) as store:
        assert await store.build_indexes(print, later) == []
    assert "\nCREATE INDEX request_log_by_status ON request_log" in schema_text(later)


def test_only_a_plain_index_may_be_late() -> None:
    """The hub would be wrong without a unique one."""
    with pytest.raises(MigrationFault, match="Only a plain index"):
        read_index("CREATE UNIQUE INDEX a ON b (c);")


def test_what_a_later_step_drops_is_not_wanted() -> None:
    first = Migration(1, "0001_a.sql", "", "", "", ("CREATE INDEX a ON t (c);", "CREATE INDEX b ON u (c);"))
    assert [each.name for each in wanted_indexes([first])] == ["a", "b"]
    assert [each.name for each in wanted_indexes([first, Migration(2, "0002_b.sql", "", "", "DROP INDEX a;")])] == ["b"]
    assert wanted_indexes([first, Migration(2, "0002_b.sql", "", "", "DROP INDEX a; DROP TABLE u;")]) == []
    assert wanted_indexes(load_migrations("postgresql")) == []
