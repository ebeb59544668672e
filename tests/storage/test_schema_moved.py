"""A schema that is changed beneath a server: from that moment on the server writes nothing, on either database."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing

import asyncpg
import pytest

from hub.storage import InsertAll, SchemaMoved, Store
from hub.storage.migrations.files import Migration, load_migrations
from hub.storage.migrations.postgresql import PostgresSchema
from hub.storage.migrations.run import run_migrations
from hub.storage.postgresql.connection import connect_alone
from hub.storage.postgresql.driver import PostgresDriver
from hub.storage.sqlite.driver import SqliteDriver
from hub.testing.store_steps import SUITE_FOLDERS, names, put
from tests.storage.test_account_locks import one_waits

MOVE = "INSERT INTO schema_migrations SELECT max(version) + 1, 'a newer step', 'c', 0 FROM schema_migrations"


async def move_schema(database_url: str) -> None:
    """Note one more migration, past the store."""
    if database_url.startswith("sqlite"):
        with closing(sqlite3.connect(database_url.removeprefix("sqlite:///"))) as newer, newer:
            newer.execute(MOVE)
        return
    connection = await asyncpg.connect(database_url)
    await connection.execute(MOVE)
    await connection.close()


async def in_a_block(store: Store, name: str) -> None:
    async with store.write() as tx:
        await put(tx, name)


async def in_short(store: Store, name: str) -> None:
    await store.transact(lambda tx: put(tx, name))


async def in_one_statement(store: Store, name: str) -> None:
    await store.transact(InsertAll([("suite_copy_leases", {"leases": [(name, "x", 1)]})]))


WAYS = {"a block": in_a_block, "a short transaction": in_short, "one statement": in_one_statement}


@pytest.mark.parametrize("write", WAYS.values(), ids=WAYS)
async def test_nothing_is_written_to_a_schema_that_moved(
    store: Store, database_url: str, write: Callable[[Store, str], Awaitable[None]]
) -> None:
    await write(store, "before")
    await move_schema(database_url)
    with pytest.raises(SchemaMoved, match=r"The schema is at version \d+ now, which this process was not started on"):
        await write(store, "after")
    assert await names(store) == ["before"]


@pytest.mark.parametrize("write", WAYS.values(), ids=WAYS)
async def test_a_store_that_does_not_look_would_write_on(
    database_url: str, write: Callable[[Store, str], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the same writes, by a store that was not told which schema it was opened on."""
    for driver in (SqliteDriver, PostgresDriver):
        monkeypatch.setattr(driver, "require_schema", lambda *_: None)
    async with await Store.open(database_url, query_folders=SUITE_FOLDERS) as heedless:
        await move_schema(database_url)
        await write(heedless, "after")
        assert await names(heedless) == ["after"]


async def add_a_step(database_url: str) -> None:
    """Migrate as a newer release does, whose one step more changes nothing."""
    steps = load_migrations("postgresql")
    steps = [*steps, Migration(len(steps) + 1, "9999_newer.sql", "c", "SELECT 1", "SELECT 1")]
    connection = await connect_alone(database_url)
    assert await run_migrations(PostgresSchema(connection), steps) == ["9999_newer.sql"]
    await connection.close()


async def test_a_migration_waits_for_what_is_being_written(postgres_store: Store, postgres_url: str) -> None:
    """So no transaction that began on the schema before commits to the one after."""
    async with postgres_store.write() as tx:
        await put(tx, "before")
        moving = asyncio.create_task(add_a_step(postgres_url))
        await one_waits(tx)
    await moving
    with pytest.raises(SchemaMoved):
        await in_a_block(postgres_store, "after")
    assert await names(postgres_store) == ["before"]
