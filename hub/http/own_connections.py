"""Requests of the hub to its own server over connections in memory, in the name of the client that it serves just then.

They go the way of every request: routes, limits, log and the bounds of what a client may hold are those of the address
that is given. No socket is opened, so nothing between can read or answer them.
"""

from __future__ import annotations

import asyncio
import http.client
import io
from collections.abc import Mapping
from typing import Any, Final

from attrs import define, field, frozen

from hub.http.connection import ConnectionFactory

MOST_BYTES: Final = 1024 * 1024
"""How long an answer may be, with its head."""


class NoOwnAnswer(Exception):
    """The server gave no whole answer; the text is a sentence."""


@frozen
class OwnAnswer:
    """What the server answered."""

    status: int
    body: bytes


@define(eq=False)
class OwnConnections:
    """Makes connections to the server of this process, once it listens."""

    factory: ConnectionFactory | None = None

    async def ask(
        self, client: str, method: str, target: str, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> OwnAnswer:
        """Send a request as if `client` (an address) had; raise `NoOwnAnswer` without an answer in time.

        `target` is a path with its query, percent-encoded; no header may hold a line break (`ValueError`).
        """
        if self.factory is None:
            raise NoOwnAnswer("This process does not serve yet.")
        wire, protocol = _Wire(client), self.factory()
        wire.set_protocol(protocol)
        protocol.connection_made(wire)
        try:
            async with asyncio.timeout(seconds):
                if not wire.is_closing():
                    protocol.data_received(_head(method, target, headers, len(body)) + body)
                await wire.ended.wait()
        except TimeoutError:
            raise NoOwnAnswer("The answer did not come in time.") from None
        finally:
            wire.abort()
        return _read(method, bytes(wire.written))


def _head(method: str, target: str, headers: Mapping[str, str], length: int) -> bytes:
    lines = {"Host": "hub", **headers, "Content-Length": str(length), "Connection": "close"}
    fields = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items())]
    if any("\r" in each or "\n" in each for each in fields):
        raise ValueError("a header holds a line break")
    return ("\r\n".join(fields) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def _read(method: str, written: bytes) -> OwnAnswer:
    if not written or len(written) > MOST_BYTES:
        raise NoOwnAnswer("The answer is too long." if written else "The hub has too much to do; try again.")
    source: Any = _Socket(written)  # all that is done with a socket here is to read it
    response = http.client.HTTPResponse(source, method=method)
    try:
        response.begin()
        return OwnAnswer(response.status, response.read())
    except http.client.HTTPException:
        raise NoOwnAnswer("The answer broke off.") from None


@frozen(eq=False)
class _Socket:
    """What `http.client` reads an answer from."""

    written: bytes = field(repr=False)

    def makefile(self, _: str) -> io.BytesIO:
        return io.BytesIO(self.written)


class _Wire(asyncio.Transport):
    """The server's end of a connection: keeps what is written until one side closes it."""

    def __init__(self, client: str) -> None:
        super().__init__({"peername": (client, 0)})
        self.written = bytearray()
        self.ended = asyncio.Event()
        self._protocol: asyncio.BaseProtocol | None = None

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Note whose transport it is."""
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Return whose transport it is."""
        assert self._protocol is not None  # noqa: S101 - set before anybody has the transport
        return self._protocol

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep the bytes; end the connection once they are too many."""
        if self.is_closing():
            return
        self.written += data
        if len(self.written) > MOST_BYTES:
            self.close()

    def get_write_buffer_size(self) -> int:
        """Return 0: whoever asks reads at once."""
        return 0

    def is_reading(self) -> bool:
        """Return True."""
        return True

    def pause_reading(self) -> None:
        """Do nothing: all that is asked is there already."""

    def resume_reading(self) -> None:
        """Do nothing, too."""

    def is_closing(self) -> bool:
        """Return whether either side has closed it."""
        return self.ended.is_set()

    def close(self) -> None:
        """End the connection, and say so to its protocol, once."""
        if not self.ended.is_set():
            self.ended.set()
            asyncio.get_running_loop().call_soon(self.get_protocol().connection_lost, None)

    abort = close
