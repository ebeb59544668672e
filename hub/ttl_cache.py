"""A bounded cache whose entries are never older than two seconds, so that changes of other processes are seen soon.

Each load is a task that all callers of its key share. A caller that is cancelled leaves it running for the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from hub.clock import Clock
from hub.storage import bounded

V = TypeVar("V")

STALE_MS = 2_000
"""From this age on an entry is not returned any more."""
REFRESH_MS = 1_000
"""From this age on an entry is loaded again in the background, so that frequent callers never wait for it."""
ENTRIES = 10_000


class TtlCache(Generic[V]):
    """Caches what `load` returns for a key, None included; runs one load at a time for each key."""

    def __init__(self, load: Callable[[str], Awaitable[V | None]], clock: Clock) -> None:
        self._load = load
        self._clock = clock
        self._entries: dict[str, tuple[int, V | None]] = {}
        self._loading: dict[str, asyncio.Task[V | None]] = {}

    async def get(self, key: str, now: int) -> V | None:
        """Return the value as the store had it at most two seconds before `now` (ms UTC); raise what `load` raises.

        Raises StoreUnavailable if the store does not answer in time.
        """
        entry = self._entries.get(key)
        if entry is not None:
            age = now - entry[0]
            if 0 <= age < REFRESH_MS:
                return entry[1]
            if 0 <= age < STALE_MS:
                _ = self._refresh(key)  # the next caller has its result
                return entry[1]
        return await bounded(asyncio.shield(self._refresh(key)))

    def forget(self) -> None:
        """Load everything again for those who ask from now on, also what is being loaded at this moment."""
        self._entries, self._loading = {}, {}

    def _refresh(self, key: str) -> asyncio.Task[V | None]:
        task = self._loading.get(key)
        if task is None:
            # A load that was forgotten meanwhile ends in the dictionaries in which it began.
            task = self._loading[key] = asyncio.create_task(self._read(key, self._entries, self._loading))
            task.add_done_callback(_retrieve)
        return task

    async def _read(
        self, key: str, entries: dict[str, tuple[int, V | None]], loading: dict[str, asyncio.Task[V | None]]
    ) -> V | None:
        started = self._clock()
        try:
            value = await self._load(key)
        finally:
            del loading[key]
        entries.pop(key, None)
        if len(entries) >= ENTRIES:
            del entries[next(iter(entries))]
        entries[key] = (started, value)
        return value


def _retrieve(task: asyncio.Task[V | None]) -> None:
    """Mark the error of a background load as seen: its callers get it, and without any the next load fails, too."""
    if not task.cancelled():
        task.exception()
