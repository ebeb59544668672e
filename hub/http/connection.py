"""One client's connection: what it may hold, and for how long it may keep the hub waiting.

A connection is idle, or one request of it is being served: from `begin`, when its headers are complete, to `finish`,
when its response is written. The server looks at every connection once a second (`overdue`), so that no request pays
for a timer:

- Headers: from the first byte of a request (as the next look sees it), or from the connection's own beginning, to
  `begin`.
- Responses: while the client reads nothing of what is written for it. aiohttp waits for as long as the transport's
  buffer is full, and a transport that is closed waits until its buffer is empty; neither has a timer of its own.

Bytes that no handler has seen yet (headers, pipelined requests) are counted against the bounds as they arrive, once
they are more than a usual request has. Those of a body under way are counted by whoever reads it
(`hub.http.request`), and until then held back by flow control.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any, cast

import structlog
from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from attrs import frozen

from hub.http.admission import AddressShare, Admission
from hub.http.errors import error_response
from hub.ids import new_id

INTERNAL_ERROR = "Something went wrong on our side; the request id tells us what."

UNCOUNTED_BYTES = 8 * 1024
"""What a connection may send unseen before it is counted: about as much as the connection itself takes."""

log = structlog.get_logger(__name__)


@frozen
class Timeouts:
    """How many seconds a client may take; `idle` between requests, `write` without reading anything of a response."""

    idle: float = 75.0
    headers: float = 15.0
    write: float = 30.0


class ConnectionFactory(web.Server):
    """Makes the connections of a server, and knows those that are open."""

    def __init__(
        self,
        handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        admission: Admission,
        timeouts: Timeouts,
        options: dict[str, Any],
    ) -> None:
        super().__init__(handler, request_factory=self.make_request)
        self._loop_of_requests = asyncio.get_running_loop()
        self.admission = admission
        self.timeouts = timeouts
        self.options = options
        self.open: set[Connection] = set()
        self.stopping = False

    def make_request(
        self,
        message: Any,
        payload: StreamReader,
        protocol: web.RequestHandler,
        writer: AbstractStreamWriter,
        task: asyncio.Task[None],
    ) -> web.BaseRequest:
        """Return a request that has arrived; while the hub drains, one whose response ends the connection."""
        if self.admission.draining:
            message = message._replace(should_close=True)
        return web.BaseRequest(message, payload, protocol, writer, task, self._loop_of_requests)

    def __call__(self) -> Connection:
        """Return the protocol of a new connection."""
        return Connection(self, asyncio.get_running_loop())


class Connection(web.RequestHandler):
    """One client's connection."""

    __slots__ = (
        "body", "factory", "headers_since", "progressed", "reserved", "seen_buffer", "share", "stalled_since",
        "unseen", "wire",
    )  # fmt: skip

    def __init__(self, factory: ConnectionFactory, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(factory, loop=loop, **factory.options)
        self.factory = factory
        self.wire: asyncio.Transport | None = None
        self.share: AddressShare | None = None
        self.body: StreamReader | None = None  # of the request that is being served
        self.unseen = 0
        self.reserved = 0
        self.headers_since = 0.0
        self.stalled_since = 0.0
        self.seen_buffer = 0
        self.progressed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in, or end it at once if it is one too many or the server stops."""
        self.wire = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        share = self.factory.admission.share_of(peer[0] if peer else "")
        if self.factory.stopping or not self.factory.admission.connect(share):
            self.wire.abort()
            return
        self.share = share
        self.headers_since = monotonic()
        self.factory.open.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Give back what the connection held."""
        self.factory.open.discard(self)
        share, self.share = self.share, None
        if share is not None:
            self.factory.admission.release(share, self.reserved)
            self.factory.admission.disconnect(share)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what no handler has seen yet, and end the connection if that is too much."""
        if self.body is None or self.body.is_eof():
            self.unseen += len(data)
            if self.unseen > UNCOUNTED_BYTES and not self._reserve(len(data)):
                self.abort()
                return
        super().data_received(data)

    def _reserve(self, size: int) -> bool:
        if self.share is None or not self.factory.admission.reserve(self.share, size):
            return False
        self.reserved += size
        return True

    def resume_writing(self) -> None:
        """Note that the client has read something."""
        self.progressed = True
        super().resume_writing()

    def begin(self, request: web.BaseRequest) -> None:
        """Note that the headers of a request are complete and its handler starts."""
        self.body = request.content
        self.headers_since = 0.0
        self.unseen = 0
        if self.reserved and self.share is not None:
            self.factory.admission.release(self.share, self.reserved)
            self.reserved = 0

    def finish(self) -> None:
        """Note that the response is written."""
        self.body = None
        if self.factory.stopping:
            self.close()

    def abort(self) -> None:
        """End the connection without waiting for anything that is still to be written."""
        if self.wire is not None:
            self.wire.abort()

    def close_if_idle(self) -> None:
        """End the connection once everything is written, unless a request is being served."""
        if self.body is None and self.wire is not None:
            self.wire.close()

    def overdue(self, now: float) -> str | None:
        """Return which timeout has run out at `now` (seconds of `time.monotonic`); None if none has.

        To be called about once a second: whether the client reads is seen from one call to the next.
        """
        buffered = 0 if self.wire is None else self.wire.get_write_buffer_size()
        if buffered:
            reading = self.progressed or buffered < self.seen_buffer
            self.seen_buffer, self.progressed = buffered, False
            if reading or not self.stalled_since:
                self.stalled_since = now
            return "write_timeout" if now - self.stalled_since >= self.factory.timeouts.write else None
        self.seen_buffer, self.stalled_since = 0, 0.0
        if self.body is None and self.unseen and not self.headers_since:
            self.headers_since = now
        late = self.headers_since and now - self.headers_since >= self.factory.timeouts.headers
        return "headers_timeout" if late and self.body is None else None

    def handle_error(
        self,
        request: web.BaseRequest,  # noqa: ARG002 - aiohttp's signature
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,  # noqa: ARG002 - aiohttp's own texts echo the client's bytes
    ) -> web.StreamResponse:
        """Respond to an exception of a handler, with one line in the log, and to invalid HTTP, without one.

        Raises a `ConnectionError` again: the client has left, and aiohttp ends the connection.
        """
        if isinstance(exc, ConnectionError):
            raise exc
        request_id = new_id("req")
        if status < 500:
            return error_response(status, "The request is not valid HTTP.", request_id)
        log.error("a request failed outside its handler", request_id=request_id, exc_info=exc)
        return error_response(500, INTERNAL_ERROR, request_id)
