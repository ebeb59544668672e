"""Frames to and from a process: those that it sent before it died are still given out.

The answers that a process sent before it died are not to be lost, or the body that it died of could not be told from
those before it. asyncio loses them in two ways. A stream reader raises the connection's error before it gives out what
had arrived, so `FrameStream` keeps its own frames. And a transport whose write fails is closed with what it has yet to
read, so requests and answers have a socket each (`FrameChannel`): a request to a dead process costs no answer.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from typing import Any, Self, cast

from hub.plugin_host.frames import LENGTHS, FrameFault, head_of, lengths_in

Frame = tuple[dict[str, Any], bytes]


class FrameStream(asyncio.Protocol):
    """The reading end of a socket that carries frames; reads no further while a frame waits to be taken."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._bytes = bytearray()
        self._frames: deque[Frame] = deque()
        self._fault: Exception | None = None
        self._changed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note what to pause."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take the next bytes apart."""
        self._bytes += data
        try:
            while (frame := self._next_frame()) is not None:
                self._frames.append(frame)
        except FrameFault as fault:
            self._lose(fault)
        if self._frames:
            self._changed.set()
            if self._transport is not None and not self._transport.is_closing():
                self._transport.pause_reading()

    def eof_received(self) -> None:
        """Note that the other end has closed; what is incomplete stays so."""
        self._lose(ConnectionError("the channel was closed"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that nothing more will come."""
        self._lose(exc or ConnectionError("the channel was closed"))

    async def receive(self) -> Frame:
        """Return the next frame; raise ConnectionError or FrameFault once there is none and none will come."""
        while not self._frames:
            if self._fault is not None:
                raise self._fault
            self._changed.clear()
            if self._transport is not None and not self._transport.is_closing():
                self._transport.resume_reading()
            await self._changed.wait()
        return self._frames.popleft()

    def close(self) -> None:
        """Close this end."""
        if self._transport is not None:
            self._transport.close()

    def _next_frame(self) -> Frame | None:
        if len(self._bytes) < LENGTHS.size:
            return None
        head, body = lengths_in(bytes(self._bytes[: LENGTHS.size]))
        start, end = LENGTHS.size + head, LENGTHS.size + head + body
        if len(self._bytes) < end:
            return None
        frame = head_of(bytes(self._bytes[LENGTHS.size : start])), bytes(self._bytes[start:end])
        del self._bytes[:end]
        return frame

    def _lose(self, fault: Exception) -> None:
        self._fault = self._fault or fault
        self._changed.set()


class FrameChannel:
    """The hub's end of two sockets: requests go out by one, answers come in by the other."""

    def __init__(self, requests: asyncio.Transport, answers: FrameStream) -> None:
        self._requests = requests
        self._answers = answers

    @classmethod
    async def over(cls, requests: socket.socket, answers: socket.socket) -> Self:
        """Return the channel over two connected sockets, which are its own from now on."""
        loop = asyncio.get_running_loop()
        _, stream = await loop.create_connection(FrameStream, sock=answers)
        try:
            writer, _ = await loop.create_connection(asyncio.Protocol, sock=requests)
        except BaseException:
            stream.close()
            raise
        return cls(writer, stream)

    def send(self, frame: bytes) -> None:
        """Send a frame; if the process is gone, `receive` says so."""
        if not self._requests.is_closing():
            self._requests.write(frame)

    async def receive(self) -> Frame:
        """Return the next frame; raise ConnectionError or FrameFault once there is none and none will come."""
        return await self._answers.receive()

    def close(self) -> None:
        """Close both sockets."""
        self._requests.close()
        self._answers.close()
