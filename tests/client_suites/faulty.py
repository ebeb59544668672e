"""A proxy that fails as networks do: what it does is chosen by the beginning of the idempotency key.

`lost-`: the first attempt reaches the hub, and its answer is lost. `busy-`: two attempts are answered with 503.
`limited-`: one is answered with 429; `patience-`: all are, and ask to wait for an hour. `down-`: all are answered with
503. A link of the affiliate `aff_cut` reaches no hub. Each attempt has to be signed anew and to have the body of the
first: otherwise it is answered with 418.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from aiohttp import web
from aiohttp.test_utils import RawTestServer
from attrs import define, field
from yarl import URL

FAILURES: Final[Mapping[str, tuple[int, int]]] = {"busy": (503, 2), "limited": (429, 1), "patience": (429, 1000),
                                                    "down": (503, 1000)}  # fmt: skip
PASSED_ON: Final = ("Content-Type", "Content-Encoding")
CODES: Final = {503: "store_unavailable", 429: "rate_limited", 418: "attempts_differ"}


@define
class Faulty:
    """The proxy: `attempts` counts by idempotency key."""

    hub_url: str
    session: aiohttp.ClientSession
    attempts: defaultdict[str, int] = field(factory=lambda: defaultdict(int))
    nonces: set[str] = field(factory=set)
    bodies: dict[str, bytes] = field(factory=dict)

    async def serve(self, request: web.BaseRequest) -> web.Response:
        if request.path.startswith("/attempts/"):
            return web.json_response(self.attempts[request.path.rpartition("/")[2]])
        raw = await request.read()
        key = request.headers.get("X-Idempotency-Key", "cut" if b"aff_cut" in raw else "")
        if key:
            self.attempts[key] += 1
        nonce = request.headers.get("X-Nonce", "")
        if nonce in self.nonces or self.bodies.setdefault(key or nonce, raw) != raw:
            return refusal(418)
        self.nonces.add(nonce)
        status, times = FAILURES.get(key.partition("-")[0], (0, 0))
        if self.attempts[key] <= times:
            return refusal(status, "3600" if key.startswith("patience-") else "1" if status == 429 else "0")
        if key == "cut":
            return cut(request)
        answer = await self._forwarded(request, raw)
        return cut(request) if key.startswith("lost-") and self.attempts[key] == 1 else answer

    async def _forwarded(self, request: web.BaseRequest, raw: bytes) -> web.Response:
        url = URL(self.hub_url + request.raw_path, encoded=True)
        headers = {name: value for name, value in request.headers.items() if name not in ("Host", "Content-Length")}
        async with self.session.request(request.method, url, headers=headers, data=raw) as answer:
            kept = {name: answer.headers[name] for name in PASSED_ON if name in answer.headers}
            return web.Response(body=await answer.read(), status=answer.status, headers=kept)


def refusal(status: int, pause: str = "0") -> web.Response:
    body = {"statusCode": status, "message": "as a test wants it", "error": "-", "code": CODES[status]}
    return web.json_response(body, status=status, headers={"Retry-After": pause})


def cut(request: web.BaseRequest) -> web.Response:
    """Close the connection; the answer goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


@asynccontextmanager
async def faulty_proxy(hub_url: str) -> AsyncIterator[str]:
    """Serve a proxy to a hub; yield its address."""
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        proxy = Faulty(hub_url, session)
        async with RawTestServer(proxy.serve) as server:
            yield str(server.make_url("")).rstrip("/")
