"""Long work rests while requests come in, so that they do not wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

BUSY_SECONDS = 0.1
"""Requests are being served if the last one came this short a time ago."""
RESTS = 3
"""How many times as long as it worked long work then rests: it takes a quarter of the processor."""
LONGEST_REST_SECONDS = 0.25

Pause = Callable[[float], Awaitable[None]]
"""Called with the seconds that the work has just taken; returns when the work may go on."""


class TrafficSource(Protocol):
    """Something that receives requests whose senders wait for the answer."""

    @property
    def last_submitted(self) -> float:
        """When the last one came, by `time.monotonic`."""


class Throttle:
    """Makes long work rest while requests are being served."""

    def __init__(self, *sources: TrafficSource) -> None:
        self._sources = sources

    @property
    def busy(self) -> bool:
        """Whether requests are being served."""
        return monotonic() - max(source.last_submitted for source in self._sources) < BUSY_SECONDS

    async def pause(self, worked: float) -> None:
        """Rest after `worked` seconds of work, if only for a turn of the event loop."""
        await asyncio.sleep(min(worked * RESTS, LONGEST_REST_SECONDS) if self.busy else 0)
