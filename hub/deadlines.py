"""Deadlines of callers that wait for a result: one timer looks after all of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

R = TypeVar("R")

LOOK_SECONDS = 0.25
"""How often the futures are looked at: a timer for each of them would cost more than what it guards."""


class Deadlines(Generic[R]):
    """Calls `expire(futures)` with the futures that have had no result for `seconds`."""

    def __init__(self, seconds: Callable[[], float], expire: Callable[[list[asyncio.Future[R]]], None]) -> None:
        self._seconds = seconds
        self._expire = expire
        self._watched: deque[tuple[float, asyncio.Future[R]]] = deque()
        """When each future was made, by `time.monotonic`, oldest first; those with a result leave a little later."""
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, future: asyncio.Future[R], now: float) -> None:
        """Watch a future that was made just now (`time.monotonic`)."""
        self._watched.append((now, future))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        late: list[asyncio.Future[R]] = []
        before = monotonic() - self._seconds()
        while self._watched and (self._watched[0][1].done() or self._watched[0][0] <= before):
            _, future = self._watched.popleft()
            if not future.done():
                late.append(future)
        if late:
            self._expire(late)
        self._timer = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look) if self._watched else None
