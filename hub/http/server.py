"""The HTTP server: aiohttp's low-level server, which passes every request to one handler, under our own router.

An exception of a handler never reaches the client: the server responds with the API's error body and a request id.

To stop, the server closes its sockets and the idle connections, lets requests under way finish for a while, and then
ends whatever is left; no client can make that last longer than `GRACE_SECONDS` + 2 * `ABORT_SECONDS`.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, Final

import structlog
from aiohttp import HttpVersion10, HttpVersion11, web
from multidict import istr

from hub.http.admission import Admission
from hub.http.connection import Connection, ConnectionFactory, Timeouts
from hub.http.descriptors import throttle_accept_faults
from hub.http.errors import error_response
from hub.http.request import request_id_of
from hub.http.response import Sent, finish_response
from hub.http.router import NO_VALUES, Handler, Router

EXPECT: Final = istr("Expect")
TRANSFER_ENCODING: Final = istr("Transfer-Encoding")
UPGRADE: Final = istr("Upgrade")
BACKLOG: Final = 128
LINGERING_SECONDS: Final = 2.0
"""How long the rest of a refused body is read and thrown away, so that its sender gets to read the refusal."""
SWEEP_SECONDS: Final = 1.0
SWEPT_AT_ONCE: Final = 500
"""Connections that are looked at before requests get their turn again: half a millisecond."""
GRACE_SECONDS: Final = 5.0
"""How long requests under way may take to finish once the server is to stop."""
ABORT_SECONDS: Final = 0.5
"""How long handlers may take to notice that their connection is gone, before they are cancelled."""
POLL_SECONDS: Final = 0.02

log = structlog.get_logger(__name__)


class HttpServer:
    """Serves the routes of a router; `not_found` serves requests that no route matches."""

    def __init__(
        self,
        router: Router,
        not_found: Handler,
        admission: Admission,
        timeouts: Timeouts,
        *,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._router = router
        self._not_found = not_found
        self._admission = admission
        self._timeouts = timeouts
        self._grace_seconds = grace_seconds
        self._options: dict[str, Any] = {
            "access_log": None,
            "auto_decompress": False,  # a signature covers the bytes as they were sent
            "keepalive_timeout": timeouts.idle,
            "lingering_time": LINGERING_SECONDS,
        }
        self._factory: ConnectionFactory | None = None
        self._listener: asyncio.AbstractServer | None = None
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int, *, reuse_port: bool) -> int:
        """Listen; return the port that was bound. Raises OSError."""
        loop = asyncio.get_running_loop()
        throttle_accept_faults(loop)
        self._factory = self.connections()
        listener = await loop.create_server(
            self._factory, host, port, backlog=BACKLOG, reuse_port=reuse_port or None
        )  # fmt: skip
        self._listener = listener
        self._sweeper = asyncio.create_task(self._sweep(self._factory), name="connection sweeper")
        bound: int = listener.sockets[0].getsockname()[1]
        return bound

    def connections(self) -> ConnectionFactory:
        """Return what makes the protocol of a client's connection, whatever its bytes come by."""
        return ConnectionFactory(self._handle, self._admission, self._timeouts, self._options)

    async def stop(self) -> None:
        """Stop accepting, let requests under way finish, and end every connection."""
        if self._listener is None or self._factory is None or self._sweeper is None:
            return
        factory, by = self._factory, monotonic() + self._grace_seconds
        self._listener.close()
        factory.stopping = True
        try:
            while factory.open and monotonic() < by:
                await asyncio.sleep(POLL_SECONDS)  # what has arrived whole begins to be served meanwhile
                for connection in list(factory.open):
                    connection.close_if_idle()
        finally:
            self._sweeper.cancel()
            await self._end(factory)

    async def _end(self, factory: ConnectionFactory) -> None:
        for connection in list(factory.open):
            connection.abort()
        await factory.shutdown(ABORT_SECONDS)  # for handlers that notice it; it waits twice, and cancels the others

    async def _sweep(self, factory: ConnectionFactory) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._cut_off_overdue(factory, monotonic())
            except Exception:
                log.exception("late connections could not be looked for")

    async def _cut_off_overdue(self, factory: ConnectionFactory, now: float) -> None:
        for place, connection in enumerate(list(factory.open), 1):
            if place % SWEPT_AT_ONCE == 0:
                await asyncio.sleep(0)
            reason = connection.overdue(now)
            if reason is not None:
                self._admission.on_refused(reason)
                connection.abort()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Serve a request and write its response whole."""
        connection: Connection = request.protocol  # type: ignore[assignment]  # the factory makes no other
        connection.begin(request)
        try:
            found = self._router.find(request.method, request.rel_url.raw_path)
            handler, values = found or (self._not_found, NO_VALUES)
            headers, response = request.headers, None
            if (
                UPGRADE in headers
                or TRANSFER_ENCODING in headers
                or EXPECT in headers
                or request.version < HttpVersion11
            ):
                response = _refusal(request, connection)
            if response is None:
                response = await handler(request, values)
            if not isinstance(response, Sent):
                await finish_response(request, response)
            return response
        finally:
            connection.finish()


def _refusal(request: web.BaseRequest, connection: Connection) -> web.StreamResponse | None:
    """Return the response to a request whose framing or expectation is not supported, else None.

    aiohttp takes a body of any transfer coding that ends in "chunked" for a chunked one, serves a request line without
    a version, and does not read on behind a request to upgrade.
    """
    headers = request.headers
    if UPGRADE in headers:
        connection.close()  # after this response: the client sends what follows on another connection
    if request.version < HttpVersion10:
        return error_response(400, "The request is not valid HTTP.", request_id_of(headers))
    if TRANSFER_ENCODING in headers and headers[TRANSFER_ENCODING].strip().lower() != "chunked":
        message = "The only transfer coding that is supported is chunked."
        return error_response(501, message, request_id_of(headers))
    return meet_expectation(request) if EXPECT in headers else None


def meet_expectation(request: web.BaseRequest) -> web.StreamResponse | None:
    """Write a 100 if the client waits for one before it sends the body; return a 417 for any other expectation."""
    if request.version < HttpVersion11:
        return None  # to HTTP/1.0 the header means nothing
    if request.headers.get(EXPECT, "").lower() != "100-continue":
        return error_response(417, "The only expectation that is met is 100-continue.", request_id_of(request.headers))
    if request.transport is not None:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return None
