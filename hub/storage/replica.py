"""Reads that may lag, from a replica of the database: as of which moment it is, and what happens where it is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

import structlog
from attrs import frozen

from hub.clock import Clock
from hub.storage.errors import StoreError, StoreUnavailable
from hub.storage.store import Store

T = TypeVar("T")
OPEN_SECONDS: Final = 3.0
"""How long a replica may take to answer at first."""
AWAY_MS: Final = 15_000
"""For how long one that was away, or far behind, is left alone."""

log = structlog.get_logger(__name__)


@frozen
class Lagging(Generic[T]):
    """What was read, and the moment (ms UTC) that it is as of: None for the database itself."""

    found: T
    as_of: int | None


class Replica:
    """A replica of the database, for what may be some seconds old; without an address the database is read.

    As of when it is, it says itself: by the newest sign of life that it has of a process of the hub, which each writes
    every second. So it makes no difference how the replica gets its data.
    """

    def __init__(self, store: Store, url: str, most_behind: int, clock: Clock) -> None:
        self._store = store
        self._url = url
        self._most_behind = most_behind
        self._clock = clock
        self._replica: Store | None = None
        self._away_until = 0
        self._opening = asyncio.Lock()

    async def read(self, act: Callable[[Store], Awaitable[T]]) -> Lagging[T]:
        """Run an act that only reads over the replica; over the database where it is away, far behind or fails."""
        replica, as_of = await self._state()
        if replica is not None:
            try:
                return Lagging(await act(replica), as_of)
            except StoreUnavailable as fault:
                self._leave(str(fault))
        return Lagging(await act(self._store), None)

    async def close(self) -> None:
        """Close the connections to it."""
        if self._replica is not None:
            await self._replica.close()
            self._replica = None

    async def _state(self) -> tuple[Store | None, int | None]:
        """Return the replica and the moment (ms UTC) that it is as of; None while it is left alone."""
        now = self._clock()
        if not self._url or now < self._away_until:
            return None, None
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                replica = await self._opened()
                row = await replica.fetch_one("newest_heartbeat")
        except (StoreError, TimeoutError) as fault:
            self._leave(str(fault) or "it did not answer in time")
            return None, None
        as_of = None if row is None else row["seen_at"]
        if as_of is None or now - as_of > self._most_behind:
            self._leave("it is too far behind")
            return None, None
        return replica, min(as_of, now)

    async def _opened(self) -> Store:
        async with self._opening:
            if self._replica is None:
                self._replica = await Store.open(self._url)
            return self._replica

    def _leave(self, fault: str) -> None:
        self._away_until = self._clock() + AWAY_MS
        log.warning("the replica is not read, the database is", fault=fault)
