"""Long work rests while requests come in, so that they do not wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

BUSY_SECONDS = 0.1
"""Requests are being served if the last one came this short a time ago."""
RESTS = 3
"""While they are, long work rests this many times as long as it worked, so that it takes a quarter of the processor."""
LONGEST_REST_SECONDS = 0.25

Pause = Callable[[float], Awaitable[None]]
"""Called after some milliseconds of work with their number in seconds; returns when the work may go on."""


class TrafficSource(Protocol):
    """A place where requests come in that somebody waits for."""

    @property
    def last_submitted(self) -> float:
        """When the last one came, by `time.monotonic`."""


class Throttle:
    """Decides when long work rests."""

    def __init__(self, *sources: TrafficSource) -> None:
        self._sources = sources

    @property
    def busy(self) -> bool:
        """Whether requests come in that somebody waits for."""
        return monotonic() - max(source.last_submitted for source in self._sources) < BUSY_SECONDS

    async def pause(self, worked: float) -> None:
        """Rest after `worked` seconds of work, if only for a turn of the event loop."""
        await asyncio.sleep(min(worked * RESTS, LONGEST_REST_SECONDS) if self.busy else 0)
