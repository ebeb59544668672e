"""`/mcp`: the tools over streamable HTTP, to whoever has a token of a merchant, an affiliate or an operator.

Each message is a request of its own: no session is kept, so none can be stolen, none fills memory, and any process of
the hub answers. A token proves itself with each message, before its body is read, and a tool asks the hub's own API
with that same token, from the client's address: its scopes, addresses, limits and trail are those of every request.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web
from attrs import define, field, frozen
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from multidict import CIMultiDictProxy

from hub.agents.asgi import Asked
from hub.agents.desk import API_ROOTS, Desk, Refused, answer_of, request_of
from hub.agents.server import Context, server_of
from hub.agents.words import Words
from hub.http.errors import ApiError, overloaded
from hub.http.own_connections import NoOwnAnswer, OwnConnections
from hub.http.request import ReceivedBody, check_encoding, check_type, read_body
from hub.http.response import Reply
from hub.http.router import PathValues, Route
from hub.merchant_api.bearer import is_in_address
from hub.merchant_api.error_references import with_reference
from hub.merchant_api.exchange import Exchange, OutageLog, conclude, open_exchange, reply_of
from hub.merchant_api.services import Services
from hub.operations.users.api_tokens import TokenHolder
from hub.token_api.holders import authenticated, count, token_of, unauthorized

PATH: Final = "/mcp"
LARGEST_MESSAGE: Final = 65_536
ANSWER_SECONDS: Final = 30.0
"""How long a tool may ask the API in all."""
AT_ONCE: Final = 64
"""Messages that a process works on at the same time."""
AT_ONCE_BY_TOKEN: Final = 8
DESK: Final = "desk"
PASSED_ON: Final = ("accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name")
"""The headers that the SDK reads, beside those that begin with `mcp-param-`; the token is not among them."""


@frozen
class OwnApi:
    """One of this hub's APIs, asked in memory with a token from the address that the token came from."""

    own: OwnConnections
    root: str
    client: str
    token: str = field(repr=False)

    async def __call__(
        self, method: str, path: str, query: Mapping[str, str] = {}, body: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the answer's JSON; raise `Refused` in the hub's words."""
        target, headers, raw = request_of(self.token, self.root + path, query, body)
        try:
            answer = await self.own.ask(self.client, method, target, headers, raw, ANSWER_SECONDS)
        except NoOwnAnswer as fault:
            raise Refused(str(fault)) from None
        return answer_of(answer.status, answer.body)


@define(eq=False)
class Agents:
    """Serves the messages; `origin` is the hub's own, the only one whose pages may send any; empty: none may."""

    services: Services
    origin: str
    own: OwnConnections = field(init=False, factory=OwnConnections)
    _manager: StreamableHTTPSessionManager = field(init=False)
    _words: Words = field(init=False)
    _under_way: Counter[str] = field(init=False, factory=Counter)
    _outages: OutageLog = field(init=False, factory=OutageLog)
    _stop: asyncio.Event = field(init=False, factory=asyncio.Event)
    _running: asyncio.Task[None] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._words = Words(self.services.clock)
        self._manager = StreamableHTTPSessionManager(
            server_of(_desk_of), json_response=True, stateless=True, max_request_body_size=LARGEST_MESSAGE
        )

    def routes(self) -> list[Route]:
        """Return the route: there is no stream to be had by GET, and no session to be ended by DELETE."""
        return [Route("POST", PATH, self.serve)]

    async def start(self) -> None:
        """Start what the SDK runs its handlers in: a task of its own, because that must end where it began."""
        ready = asyncio.Event()
        self._running = asyncio.create_task(self._run(ready), name="agents")
        await ready.wait()

    async def stop(self) -> None:
        """End it."""
        self._stop.set()
        if self._running is not None:
            await self._running

    async def _run(self, ready: asyncio.Event) -> None:
        async with self._manager.run():
            ready.set()
            await self._stop.wait()

    async def serve(self, request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
        """Answer a message; every refusal before the SDK has it is the API's error body."""
        exchange = open_exchange(f"POST {PATH}", self.services, request)
        reply = await reply_of(exchange, request, self._answer(exchange, request), self._outages)
        if reply.code is not None:
            reply = with_reference(reply, exchange.request_id, self.services.docs_url, request)
        return await conclude(exchange, request, reply, logged=False)

    async def _answer(self, exchange: Exchange, request: web.BaseRequest) -> Reply:
        _check_origin(exchange.headers, self.origin)
        check_encoding(exchange.headers)
        check_type(exchange.headers)
        if is_in_address(request.raw_path):
            raise unauthorized("token_in_address")
        holder = await authenticated(exchange)
        await count(exchange, holder)
        async with self._admitted(holder):
            body = ReceivedBody(self.services.admission, exchange.client)
            raw = await read_body(request, LARGEST_MESSAGE, self.services.body_timeout, body)
            return await self._dispatched(exchange, holder, raw)

    async def _dispatched(self, exchange: Exchange, holder: TokenHolder, raw: bytes) -> Reply:
        token = token_of(exchange)
        api = OwnApi(self.own, API_ROOTS[holder.holder], exchange.client, token)
        desk = Desk(api, holder.holder, token, self._words)
        asked = Asked("POST", PATH, _passed_on(exchange.headers), raw, exchange.client, {DESK: desk})
        return await asked.of(self._manager.handle_request)

    @asynccontextmanager
    async def _admitted(self, holder: TokenHolder) -> AsyncIterator[None]:
        """Count a message that is worked on; raise the 503 of one too many."""
        named = holder.token_id
        if self._under_way.total() >= AT_ONCE or self._under_way[named] >= AT_ONCE_BY_TOKEN:
            raise overloaded()
        self._under_way[named] += 1
        try:
            yield
        finally:
            self._under_way[named] -= 1
            if not self._under_way[named]:
                del self._under_way[named]


def _desk_of(context: Context) -> Desk:
    desk: Desk = context.request.state.desk  # type: ignore[union-attr]  # the bridge puts it beside every request
    return desk


def _passed_on(headers: CIMultiDictProxy[str]) -> list[tuple[bytes, bytes]]:
    found = [(name.lower(), value) for name, value in headers.items()]
    return [
        (name.encode("latin-1"), value.encode("utf-8", "surrogateescape"))
        for name, value in found
        if name in PASSED_ON or name.startswith("mcp-param-")
    ]


def _check_origin(headers: CIMultiDictProxy[str], own: str) -> None:
    """Raise the 403 of a page of another site: browsers say whose page sends a request, programs say nothing."""
    if any(value != own for value in headers.getall("Origin", ())):
        raise ApiError(403, "Pages of other sites may not use the tools.", "origin_not_allowed", close=True)


def origin_of(public_url: str) -> str:
    """Return the origin of an address, as browsers write it."""
    parts = urlsplit(public_url)
    return f"{parts.scheme}://{parts.netloc}".lower()
