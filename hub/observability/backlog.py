"""The number of events that wait in the store, measured seldom enough that frequent scrapes cost nothing."""

from __future__ import annotations

import asyncio
from time import monotonic

from hub.clock import Clock
from hub.observability.metrics import Metrics
from hub.storage import Store, StoreUnavailable

MEASURED_SECONDS = 5.0
"""A measurement serves everybody who asks for this long."""
PATIENCE_SECONDS = 2.0
"""How long an asker waits for a measurement under way."""
BACKLOG_COUNTED = 100_000


class Backlog:
    """Measures the events that wait, and sets the metrics of them; one measurement runs at a time."""

    def __init__(self, store: Store, metrics: Metrics, clock: Clock) -> None:
        self._store = store
        self._metrics = metrics
        self._clock = clock
        self._measured_at = -MEASURED_SECONDS
        self._measuring: asyncio.Task[None] | None = None

    async def measure(self) -> None:
        """Return once the metrics are fresh; after PATIENCE_SECONDS say that the store is away, and return."""
        if monotonic() - self._measured_at < MEASURED_SECONDS:
            return
        if self._measuring is None or self._measuring.done():
            self._measuring = asyncio.create_task(self._measure(), name="backlog")
        done, _ = await asyncio.wait({self._measuring}, timeout=PATIENCE_SECONDS)
        if not done:
            self._metrics.store_up.set(0)

    async def stop(self) -> None:
        """Break off a measurement under way, which may wait for the store."""
        if self._measuring is not None:
            self._measuring.cancel()
            await asyncio.gather(self._measuring, return_exceptions=True)

    async def _measure(self) -> None:
        try:
            async with self._store.read() as tx:
                backlog = await tx.one("events_backlog", limit=BACKLOG_COUNTED)
                oldest = await tx.one("oldest_due_event")
        except StoreUnavailable:
            self._metrics.store_up.set(0)
            return
        self._metrics.store_up.set(1)
        self._metrics.events_waiting.set(backlog["waiting"] if backlog else 0)
        age = 0 if oldest is None else self._clock() - oldest["due_at"]
        self._metrics.oldest_waiting.set(max(0, age) / 1000)
        self._measured_at = monotonic()
