"""The HTTP server: aiohttp's low-level server, which passes every request to one handler, under our own router.

An exception of a handler never reaches the client: the server responds with the API's error body and a request id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from aiohttp import HttpVersion11, web
from multidict import istr

from hub.http.errors import error_body
from hub.http.request_headers import request_id_of
from hub.http.response import JSON
from hub.http.router import NO_VALUES, Handler, PathValues, Router
from hub.ids import new_id

EXPECT: Final = istr("Expect")
LINGERING_SECONDS: Final = 2.0
"""How long the rest of a refused body is read and thrown away, so that its sender gets to read the refusal."""
INTERNAL_ERROR: Final = "Something went wrong on our side; the request id tells us what."

log = structlog.get_logger(__name__)


class HttpServer:
    """Serves the routes of a router; `not_found` serves requests that no route matches."""

    def __init__(
        self, router: Router, not_found: Handler, *, keepalive_seconds: float, shutdown_seconds: float
    ) -> None:
        self._router = router
        self._not_found = not_found
        self._options: dict[str, Any] = {
            "access_log": None,
            "auto_decompress": False,  # a signature covers the bytes as they were sent
            "keepalive_timeout": keepalive_seconds,
            "lingering_time": LINGERING_SECONDS,
        }
        self._shutdown_seconds = shutdown_seconds
        self._runner: web.ServerRunner | None = None

    async def start(self, host: str, port: int, *, reuse_port: bool) -> int:
        """Listen; return the port that was bound. Raises OSError."""
        server = _Server(self._handle, self._options)
        self._runner = web.ServerRunner(server, shutdown_timeout=self._shutdown_seconds)
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port, reuse_port=reuse_port or None).start()
        bound: int = self._runner.addresses[0][1]
        return bound

    async def stop(self) -> None:
        """Stop accepting, let requests under way finish, and close every connection."""
        if self._runner is not None:
            await self._runner.cleanup()

    def _handle(self, request: web.BaseRequest) -> Awaitable[web.StreamResponse]:
        found = self._router.find(request.method, request.rel_url.raw_path)
        handler, values = found or (self._not_found, NO_VALUES)
        if EXPECT in request.headers:
            return _after_expectation(handler, request, values)
        return handler(request, values)


class _Server(web.Server):
    """Makes connections that respond to invalid HTTP with the API's error body."""

    def __init__(self, handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]], options: Any) -> None:
        super().__init__(handler)
        self.options = options

    def __call__(self) -> Connection:
        """Return the protocol of a new connection."""
        return Connection(self, loop=asyncio.get_running_loop(), **self.options)


class Connection(web.RequestHandler):
    """One client's connection."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,  # noqa: ARG002 - aiohttp's signature
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's own texts echo the client's bytes
    ) -> web.StreamResponse:
        """Respond to an exception of a handler, with one line in the log, and to invalid HTTP, without one."""
        request_id = new_id("req")
        if status < 500:
            return error_response(status, "The request is not valid HTTP.", request_id)
        log.error("a request failed outside its handler", request_id=request_id, exc_info=exc)
        return error_response(500, INTERNAL_ERROR, request_id)


async def _after_expectation(handler: Handler, request: web.BaseRequest, values: PathValues) -> web.StreamResponse:
    return meet_expectation(request) or await handler(request, values)


def meet_expectation(request: web.BaseRequest) -> web.StreamResponse | None:
    """Write a 100 if the client waits for one before it sends the body; return a 417 for any other expectation."""
    if request.version < HttpVersion11:
        return None  # to HTTP/1.0 the header means nothing
    if request.headers.get(EXPECT, "").lower() != "100-continue":
        return error_response(417, "The only expectation that is met is 100-continue.", request_id_of(request.headers))
    if request.transport is not None:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return None


def error_response(status: int, message: str, request_id: str) -> web.StreamResponse:
    """Return an error outside the pipeline with the error body of the API; the connection closes after it."""
    headers = {"Content-Type": JSON, "X-Request-ID": request_id, "Cache-Control": "no-store", "Server": "hub"}
    response = web.Response(status=status, headers=headers, body=error_body(status, message))
    response.force_close()
    return response
