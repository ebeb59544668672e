"""A receiver of webhooks on a real socket, which behaves as a test asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define, field

from hub.records.messages import MESSAGE_KINDS
from hub.records.record import members_of


@define
class Receiver:
    """What arrived, and how to answer: a status, or "hang", "endless" or "redirect"."""

    url: str = ""
    answer: int | str = 200
    requests: list[tuple[Mapping[str, str], bytes, str]] = field(factory=list)

    @property
    def messages(self) -> list[Any]:
        """The bodies that arrived."""
        return [json.loads(body) for _, body, _ in self.requests]

    @property
    def types(self) -> list[str]:
        """The types of the messages that arrived."""
        return [each["type"] for each in self.messages]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Note a request, and answer it."""
        self.requests.append((request.headers.copy(), await request.read(), request.path_qs))
        if self.answer == "hang":
            await asyncio.sleep(3_600)
        if self.answer == "redirect":
            raise web.HTTPFound(str(request.url.with_path("/elsewhere")))
        if self.answer == "endless":
            response = web.StreamResponse()
            await response.prepare(request)
            while True:
                await response.write(b"x" * 65_536)
        return web.Response(status=int(self.answer), text="noted")


@asynccontextmanager
async def receiving(answer: int | str = 200) -> AsyncIterator[Receiver]:
    """Serve a receiver."""
    receiver = Receiver(answer=answer)
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", receiver.handle)
    async with TestServer(app, host="127.0.0.1") as server:
        receiver.url = str(server.make_url("/hook"))
        yield receiver
    for _, body, _ in receiver.requests:
        if body:
            assert_in_catalogue(json.loads(body))


def assert_in_catalogue(message: Any) -> None:
    """Fail unless a message has the members that the catalogue names for its type, and no others."""
    members = members_of(MESSAGE_KINDS[message["type"]].data)
    needed, known = {each.wire for each in members if not each.optional}, {each.wire for each in members}
    assert needed <= set(message["data"]) <= known, (message, needed - set(message["data"]))
    assert set(message) == {"type", "timestamp", "data"}
