"""Frames as they arrive: those that came before the other end was lost are still given out.

A reader of asyncio raises the connection's error before it gives out what had arrived. The answers that a process sent
before it died are not to be lost, or the body that it died of could not be told from those before it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, cast

from hub.plugin_host.frames import LENGTHS, FrameFault, head_of, lengths_in

Frame = tuple[dict[str, Any], bytes]


class FrameStream(asyncio.Protocol):
    """One end of a socket that carries frames; reads no further while a frame waits to be taken."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._bytes = bytearray()
        self._frames: deque[Frame] = deque()
        self._fault: Exception | None = None
        self._changed = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note where to write to."""
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

    def send(self, frame: bytes) -> None:
        """Send a frame; if the channel is lost, `receive` says so."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(frame)

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
