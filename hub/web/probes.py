"""The operator's probes: alive, ready, and in numbers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import orjson
from aiohttp import web
from attrs import frozen

from hub.clock import Clock
from hub.intake.desk import Desk
from hub.storage import Store, StoreUnavailable
from hub.web.fellows import Fellows
from hub.web.metrics import Metrics

PATIENCE_SECONDS = 2.0
BACKLOG_COUNTED = 100_000

Check = Callable[[], str | None]
"""Says why the hub is not ready, or None."""


@frozen(eq=False)
class Probes:
    """Serves /healthz, /readyz and /metrics; `checks` are asked beside the store, `fellows` for their metrics."""

    store: Store
    desk: Desk
    metrics: Metrics
    clock: Clock
    schema_version: int
    checks: Sequence[Check] = ()
    fellows: Fellows | None = None

    async def health(self, _: web.Request) -> web.Response:
        """The process is alive and its loop turns."""
        return _json(200, {"status": "ok"})

    async def readiness(self, _: web.Request) -> web.Response:
        """200 while requests can be served, else 503 with the reasons."""
        reasons = [*await self._store_faults(), *(said for check in self.checks if (said := check()) is not None)]
        return _json(503, {"status": "unavailable", "reasons": reasons}) if reasons else _json(200, {"status": "ok"})

    async def exposition(self, _: web.Request) -> web.Response:
        """Everything that is counted, with what only the store knows read now."""
        await self._measure()
        others = [] if self.fellows is None else await self.fellows.ask()
        return web.Response(body=self.metrics.exposition(others), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def _store_faults(self) -> list[str]:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                version = await self.store.schema_version()
        except TimeoutError:
            return [f"The store did not answer within {PATIENCE_SECONDS:g} seconds."]
        except StoreUnavailable as fault:
            return [f"The store does not answer: {fault}"]
        if version == self.schema_version:
            return []
        return [f"The schema is at version {version} and this hub was started on {self.schema_version}; restart it."]

    async def _measure(self) -> None:
        self.metrics.desk_waiting.set(self.desk.waiting)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), self.store.read() as tx:
                backlog = await tx.one("events_backlog", limit=BACKLOG_COUNTED)
                oldest = await tx.one("oldest_due_event")
        except (StoreUnavailable, TimeoutError):
            self.metrics.store_up.set(0)
            return
        self.metrics.store_up.set(1)
        self.metrics.events_waiting.set(backlog["waiting"] if backlog else 0)
        age = 0 if oldest is None else self.clock() - oldest["due_at"]
        self.metrics.oldest_waiting.set(max(0, age) / 1000)


def _json(status: int, value: object) -> web.Response:
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return web.Response(status=status, body=orjson.dumps(value), headers=headers)
