"""Tables whose columns change beneath a store that keeps its statements: one answer in vain, and all is as before."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from hub.storage import StoreUnavailable
from hub.storage.postgresql.driver import PostgresDriver

READ = "SELECT said FROM noted"


async def read(driver: PostgresDriver) -> str:
    session = await driver.begin(write=False)
    try:
        (row,) = await session.fetch(READ, [])
        return str(row["said"])
    finally:
        await session.rollback()


async def write(driver: PostgresDriver, sql: str) -> None:
    session = await driver.begin(write=True)
    await session.execute(sql, [])
    await session.commit()


async def test_a_plan_that_ended_costs_one_answer_of_all_connections(postgres_url: str) -> None:
    """Every connection keeps the statement; the first that fails says so to the pool, and no other fails."""
    async with AsyncExitStack() as stack:
        driver = await PostgresDriver.open(postgres_url)
        stack.push_async_callback(driver.close)
        await write(driver, "CREATE TABLE noted (said TEXT NOT NULL)")
        await write(driver, "INSERT INTO noted VALUES ('here')")
        held = [await driver.begin(write=False) for _ in range(4)]
        for session in held:
            assert (await session.fetch(READ, []))[0]["said"] == "here"
        for session in held:
            await session.rollback()
        await write(driver, "ALTER TABLE noted ALTER COLUMN said TYPE VARCHAR")
        with pytest.raises(StoreUnavailable, match="cached statement plan"):
            await read(driver)
        assert [await read(driver) for _ in range(12)] == ["here"] * 12
