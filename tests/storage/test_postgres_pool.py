"""Pooled connections: who gets them, in what state, and how many there are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable
from time import monotonic
from typing import Any

import asyncpg
import pytest

from hub.storage import StoreUnavailable
from hub.storage.postgresql import connection_pool, driver
from hub.storage.postgresql.address import read_address
from hub.storage.postgresql.connection_pool import ConnectionPool
from hub.storage.postgresql.driver import PostgresDriver
from tests.polling import PATIENCE_SECONDS, until


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[ConnectionPool]:
    """At most two connections, one of them open from the start."""
    pool = await ConnectionPool.open(read_address(postgres_url), 1, 2)
    yield pool
    await asyncio.wait_for(pool.close(), PATIENCE_SECONDS)


async def answer(connection: Any) -> Any:
    return await connection.fetchval("SELECT 42")


async def test_a_waiting_caller_is_served_by_the_first_that_comes_back(pool: ConnectionPool) -> None:
    """All are lent."""
    lent = [await pool.acquire(), await pool.acquire()]
    waiting = asyncio.create_task(pool.acquire())
    await asyncio.sleep(0.02)
    assert not waiting.done()
    await pool.release(lent.pop())
    third = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert await answer(third) == 42
    for connection in (third, *lent):
        await pool.release(connection)


async def test_a_long_wait_for_a_lent_connection_is_noted(
    pool: ConnectionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_pool, "LONG_WAIT_SECONDS", 0.05)
    lent = [await pool.acquire(), await pool.acquire()]
    before = pool.exhausted_at
    assert before is None, "the control: a connection was to be had, however long it took to open"
    began = monotonic()
    waiting = asyncio.create_task(pool.acquire())
    await asyncio.sleep(0.1)
    await pool.release(lent.pop())
    await pool.release(await asyncio.wait_for(waiting, PATIENCE_SECONDS))
    assert pool.exhausted_at is not None
    assert pool.exhausted_at > began
    noted = pool.exhausted_at
    await pool.release(lent.pop())
    await pool.release(await pool.acquire())
    assert pool.exhausted_at == noted, "it is what was lent that counts"


class Full:
    """asyncpg's pool before a server that has no connection to give."""

    async def acquire(self, **_: object) -> Any:
        raise asyncpg.TooManyConnectionsError("sorry, too many clients already")


async def test_a_server_without_connections_is_noted() -> None:
    pool = ConnectionPool(Full(), 2)
    with pytest.raises(StoreUnavailable, match="too many clients"):
        await pool.acquire()
    assert pool.exhausted_at is not None


async def test_a_cancelled_use_leaves_a_connection_for_the_next(pool: ConnectionPool) -> None:
    """Whatever the server still does for the one, the next is answered its own question."""
    for turn in range(20):
        connection = await pool.acquire()
        slow = asyncio.create_task(connection.fetch("SELECT pg_sleep(60)"))
        await asyncio.sleep(0.001 * (turn % 5))
        slow.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await slow
        await pool.release(connection)
        again = await pool.acquire()
        assert await answer(again) == 42
        await pool.release(again)


STUBBORN = """
DO $$ BEGIN
    FOR told IN 1..9 LOOP
        BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
    END LOOP;
END $$
"""
"""Goes on when it is told to end, as a statement does that the server reads after it was told.

More than once: the server tells a process and its group, and on a busy machine the second may come after the first was
heard.
"""


async def given_up(statement: Awaitable[object], ask: ConnectionPool) -> int:
    """Give up a statement once the server is at it; return the process of the server."""
    task = asyncio.ensure_future(statement)
    watcher = await ask.acquire()
    pid = await until(lambda: watcher.fetchval("SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
    await ask.release(watcher)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return int(pid)


class TestAStatementThatGoesOnAlthoughItWasGivenUp:
    """It costs its connection, and nobody waits for its end: else the same connection would come back."""

    @pytest.fixture(autouse=True)
    def patient_but_for_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in (connection_pool, driver):
            monkeypatch.setattr(module, "CONNECT_SECONDS", 10 * PATIENCE_SECONDS)
            monkeypatch.setattr(module, "GIVEN_UP_SECONDS", 0.05)

    async def test_outside_of_a_transaction(self, postgres_url: str, pool: ConnectionPool) -> None:
        lent = await ConnectionPool.open(read_address(postgres_url), 1, 1)
        connection = await lent.acquire()
        pid = await given_up(connection.execute(STUBBORN), pool)
        await lent.release(connection)
        again = await lent.acquire()
        assert (again.get_server_pid() == pid, await answer(again)) == (False, 42)
        await lent.release(again)
        await lent.close()

    async def test_within_a_transaction(self, postgres_url: str, pool: ConnectionPool) -> None:
        opened = await PostgresDriver.open(postgres_url)
        session = await opened.begin(write=True)
        pid = await given_up(session.execute(STUBBORN, []), pool)
        await session.rollback()
        after = await opened.begin(write=True)
        assert (await after.fetch("SELECT pg_backend_pid() AS pid", []))[0]["pid"] != pid
        await after.rollback()
        await opened.close()


async def test_a_connection_that_died_idle_is_replaced(pool: ConnectionPool) -> None:
    connection, other = await pool.acquire(), await pool.acquire()
    dead = connection.get_server_pid()
    await pool.release(connection)
    assert await other.fetchval("SELECT pg_terminate_backend($1, 5000)", dead)
    pid = dead
    while pid == dead:  # until the client has read the server's farewell
        await asyncio.sleep(0.01)
        fresh = await pool.acquire()
        pid = fresh.get_server_pid()
        await pool.release(fresh)
    await pool.release(other)


async def test_a_closed_pool_lends_nothing(postgres_url: str) -> None:
    """What is lent meanwhile is waited for."""
    pool = await ConnectionPool.open(read_address(postgres_url), 1, 2)
    connection = await pool.acquire()
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0.02)
    assert not closing.done()
    assert await answer(connection) == 42
    await pool.release(connection)
    await asyncio.wait_for(closing, PATIENCE_SECONDS)
    with pytest.raises(StoreUnavailable):
        await pool.acquire()
