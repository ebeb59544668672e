"""Whoever is cancelled over a process of the plugin host leaves none behind, nor a descriptor of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NoReturn

import pytest

from hub.plugin_host.frame_stream import FrameChannel
from hub.plugin_host.limits import Limits
from hub.plugin_host.pool import ProcessPool
from hub.plugin_host.process import PluginProcess
from hub.plugin_host.translation import HostUnavailable
from tests.polling import until

SECONDS = 60.0


@pytest.fixture
async def started(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[PluginProcess]]:
    """Every process that was started in this test; what a fault of the pool leaves is ended afterwards."""
    processes: list[PluginProcess] = []
    start = PluginProcess.start

    async def noted(limits: Limits) -> PluginProcess:
        processes.append(await start(limits))
        return processes[-1]

    monkeypatch.setattr(PluginProcess, "start", noted)
    yield processes
    for each in processes:
        await each.close()


async def test_a_reload_that_is_cancelled_while_it_waits_for_a_seat_ends_what_it_started(
    started: list[PluginProcess],
) -> None:
    pool = ProcessPool(Limits(), 1, 0.0)
    async with pool.seat():
        reload = asyncio.create_task(pool.reload())
        await until(lambda: pool.catalog is not None)
        assert [each.alive for each in started] == [True]
        reload.cancel()
        await asyncio.gather(reload, return_exceptions=True)
        assert [each.alive for each in started] == [False]
    await pool.close()


async def test_a_reload_that_outlives_its_pool_ends_what_it_started(started: list[PluginProcess]) -> None:
    pool = ProcessPool(Limits(), 1, 0.0)
    async with pool.seat():
        reload = asyncio.create_task(pool.reload())
        await until(lambda: pool.catalog is not None)
        await pool.close()
    with pytest.raises(HostUnavailable, match="is closed"):
        await reload
    assert [each.alive for each in started] == [False]


async def test_a_start_that_is_cancelled_half_way_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[asyncio.subprocess.Process] = []
    reached = asyncio.Event()
    execute = asyncio.create_subprocess_exec

    async def noted(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        made.append(await execute(*arguments, **options))
        return made[-1]

    async def endless(*_: object) -> NoReturn:
        reached.set()
        await asyncio.sleep(SECONDS)
        raise AssertionError("nobody cancelled it")

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    monkeypatch.setattr(FrameChannel, "over", endless)
    starting = asyncio.create_task(PluginProcess.start(Limits()))
    await reached.wait()
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    (process,) = made
    assert await asyncio.wait_for(process.wait(), SECONDS) < 0


async def test_a_close_that_is_cancelled_gives_back_what_it_holds(started: list[PluginProcess]) -> None:
    """A descriptor that stays open is a warning at best, and the server's end at worst."""
    process = await PluginProcess.start(Limits())
    closing = asyncio.create_task(process.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    assert [each.pid for each in started] == [process.pid]
    await until(lambda: not process.alive)
