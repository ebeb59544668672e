"""Connections that lie ready: who gets them, in what state, and how many there are."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from hub.storage import StoreUnavailable
from hub.storage.postgresql.connection_pool import ConnectionPool


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[ConnectionPool]:
    """At most two connections, of which one lies ready."""
    pool = await ConnectionPool.open(postgres_url, 1, 2)
    yield pool
    await asyncio.wait_for(pool.close(), 5)


async def answer(connection: Any) -> Any:
    return await connection.fetchval("SELECT 42")


async def test_a_released_connection_is_lent_at_once(pool: ConnectionPool) -> None:
    """No turn of the event loop passes: a coroutine that does not wait ends at its first step."""
    first = await pool.acquire()
    await pool.release(first)
    acquiring = pool.acquire()
    with pytest.raises(StopIteration) as end:
        acquiring.send(None)
    assert end.value.value is first
    await pool.release(first)


async def test_a_waiting_caller_comes_before_the_idle_list(pool: ConnectionPool) -> None:
    """All are lent: the third is served by the first that comes back."""
    lent = [await pool.acquire(), await pool.acquire()]
    waiting = asyncio.create_task(pool.acquire())
    await asyncio.sleep(0.02)
    assert not waiting.done()
    await pool.release(lent.pop())
    third = await asyncio.wait_for(waiting, 5)
    assert await answer(third) == 42
    for connection in (third, *lent):
        await pool.release(connection)


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
        assert again is connection
        assert await answer(again) == 42
        await pool.release(again)


async def test_a_connection_that_died_idle_is_replaced(pool: ConnectionPool) -> None:
    connection = await pool.acquire()
    await pool.release(connection)
    connection.terminate()
    fresh = await pool.acquire()
    assert await answer(fresh) == 42
    await pool.release(fresh)


async def test_a_closed_pool_lends_nothing(postgres_url: str) -> None:
    """What is lent meanwhile is waited for."""
    pool = await ConnectionPool.open(postgres_url, 1, 2)
    connection = await pool.acquire()
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0.02)
    assert not closing.done()
    assert await answer(connection) == 42
    await pool.release(connection)
    await asyncio.wait_for(closing, 5)
    with pytest.raises(StoreUnavailable):
        await pool.acquire()
