"""Connections that answer in their own task: what a request waits for, who leaves meanwhile, and how it all ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from hub.http import own_task
from hub.http.server import Runner

GET = b"GET %b HTTP/1.1\r\nHost: hub\r\n\r\n"


class Place:
    """A server with a path that answers, one that waits to be released, and one that never ends."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[Any] | None] = []
        self.begun, self.released = asyncio.Event(), asyncio.Event()
        self.ended: list[str] = []
        application = web.Application()
        application.router.add_get("/{how}", self.serve)
        self.runner = Runner(application, keepalive_seconds=5, shutdown_seconds=0.2)

    async def serve(self, request: web.Request) -> web.Response:
        how = request.match_info["how"]
        self.tasks.append(asyncio.current_task())
        self.begun.set()
        try:
            if how == "waits":
                await self.released.wait()
            if how == "hangs":
                await asyncio.sleep(3_600)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        self.ended.append(how)
        return web.Response(text=how)

    async def call(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(*self.runner.addresses[0][:2])


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    place = Place()
    await place.runner.setup()
    await web.TCPSite(place.runner, "127.0.0.1", 0).start()
    yield place
    await place.runner.cleanup()


async def talk(place: Place, *paths: str) -> list[bytes]:
    """The bodies of the answers to these requests, sent in one packet over one connection."""
    reader, writer = await place.call()
    writer.write(b"".join(GET % path.encode() for path in paths))
    bodies = []
    for path in paths:
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
        bodies.append(await reader.readexactly(len(path) - 1))
    writer.close()
    return bodies


@pytest.mark.skipif(not own_task.STARTS_LATE, reason="from Python 3.12 on aiohttp starts tasks at once")
class TestOneTask:
    async def test_requests_of_a_connection_share_it(self, place: Place) -> None:
        assert await talk(place, "/a", "/b", "/c") == [b"a", b"b", b"c"]
        await talk(place, "/a")
        assert [place.tasks.index(task) for task in place.tasks] == [0, 0, 0, 3]

    async def test_control_as_aiohttp_does_it_each_has_its_own(
        self, place: Place, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(own_task, "STARTS_LATE", False)
        assert await talk(place, "/a", "/b") == [b"a", b"b"]
        assert len(set(place.tasks)) == 2


async def test_one_that_waits_does_not_hold_up_other_connections(place: Place) -> None:
    waiting = asyncio.create_task(talk(place, "/waits", "/after"))
    assert await talk(place, "/a") == [b"a"]
    assert not waiting.done()
    place.released.set()
    assert await waiting == [b"waits", b"after"]


async def test_what_was_begun_is_finished_though_its_sender_has_gone(place: Place) -> None:
    """An order may be under way to the store: whoever sent it may leave, the order may not."""
    _, writer = await place.call()
    writer.write(GET % b"/waits")
    await place.begun.wait()
    writer.transport.abort()
    await asyncio.sleep(0.05)
    place.released.set()
    await asyncio.sleep(0.05)
    assert place.ended == ["waits"]


async def test_at_the_end_what_hangs_is_broken_off_after_its_time(place: Place) -> None:
    reader, writer = await place.call()
    writer.write(GET % b"/hangs")
    await place.begun.wait()
    await asyncio.wait_for(place.runner.cleanup(), 5)
    assert place.ended == ["cancelled"]
    assert await reader.read() == b""
    writer.close()
