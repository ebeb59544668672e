"""How long work gives way to requests: while they come, it rests longer than it works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

BUSY_SECONDS = 0.1
"""A door that took a request this short a time ago is busy."""
RESTS = 3
"""While it is, long work rests this many times as long as it worked, so that it takes a quarter of the processor."""
LONGEST_REST_SECONDS = 0.25

GiveWay = Callable[[float], Awaitable[None]]
"""Called after some milliseconds of work with their number in seconds; returns when it may go on."""


class Door(Protocol):
    """Where requests come in that somebody waits for."""

    last_taken: float
    """When the last one came, by `time.monotonic`."""


class Pace:
    """Tells long work when to rest."""

    def __init__(self, *doors: Door) -> None:
        self._doors = doors

    @property
    def busy(self) -> bool:
        """Whether requests come in that somebody waits for."""
        return monotonic() - max(door.last_taken for door in self._doors) < BUSY_SECONDS

    async def give_way(self, worked: float) -> None:
        """Rests after `worked` seconds of work, if only for a turn of the event loop."""
        await asyncio.sleep(min(worked * RESTS, LONGEST_REST_SECONDS) if self.busy else 0)
