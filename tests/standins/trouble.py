"""What stand-in platforms share: troubles that requests have in turn, and deliveries that may be lost."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any, Final, Literal

from aiohttp import web
from attrs import define, field

Trouble = Literal["401", "429", "503", "slow", "endless", "no json", "broken off"]
MEBIBYTE: Final = b" " * 1024**2


@define
class Troubles:
    """Troubles that the next requests have, each request one; `seen` counts those that happened."""

    next: deque[Trouble] = field(factory=deque)
    seen: int = 0

    async def have(self, request: web.Request, pause: Mapping[str, str]) -> web.StreamResponse | None:
        """Answer with the next trouble, None if there is none; `pause` are the headers of a 429."""
        if not self.next:
            return None
        trouble = self.next.popleft()
        self.seen += 1
        if trouble == "429":
            return web.json_response({"errors": "Too many requests"}, status=429, headers=pause)
        if trouble in {"401", "503"}:
            return web.json_response({"errors": "No"}, status=int(trouble))
        if trouble == "no json":
            return web.Response(text="<html>Maintenance</html>", content_type="text/html")
        if trouble == "slow":
            await asyncio.sleep(3_600)
        answer = web.StreamResponse(headers={"Content-Type": "application/json"})
        await answer.prepare(request)
        if trouble == "broken off":
            await answer.write(b'[{"id"')
            assert request.transport is not None
            request.transport.abort()
            return answer
        while True:
            await answer.write(MEBIBYTE)


@define
class Sent:
    """A delivery as the platform sends it."""

    topic: str
    url: str
    body: bytes
    headers: dict[str, str]


Record = dict[str, Any]
