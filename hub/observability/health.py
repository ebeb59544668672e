"""The operator's endpoints: liveness, readiness and metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import orjson
from aiohttp import web
from attrs import frozen

from hub.clock import Clock
from hub.http.router import Route, get
from hub.intake.submission_batcher import SubmissionBatcher
from hub.observability.metrics import Metrics
from hub.observability.worker_metrics import SiblingMetrics
from hub.storage import Store, StoreUnavailable

STORE_TIMEOUT_SECONDS = 2.0
"""How long a probe waits for the store."""
MOST_BACKLOG = 100_000
"""Waiting events are counted up to here, so that a scrape stays cheap."""

Check = Callable[[], str | None]
"""Returns the reason why the hub is not ready, None if it is."""


@frozen(eq=False)
class HealthEndpoints:
    """Serves /healthz, /readyz and /metrics.

    `checks` are made beside that of the store; the metrics of `siblings` are added to this process's own.
    """

    store: Store
    submissions: SubmissionBatcher
    metrics: Metrics
    clock: Clock
    schema_version: int
    checks: Sequence[Check] = ()
    siblings: SiblingMetrics | None = None
    store_timeout_seconds: float = STORE_TIMEOUT_SECONDS

    def routes(self) -> list[Route]:
        """Return the routes of the three."""
        return [*get("/healthz", self.health), *get("/readyz", self.readiness), *get("/metrics", self.exposition)]

    async def health(self, _: web.BaseRequest) -> web.Response:
        """Answer 200: the process is alive and its event loop runs."""
        return _json(200, {"status": "ok"})

    async def readiness(self, _: web.BaseRequest) -> web.Response:
        """Answer 200 while requests can be served, else 503 with the reasons."""
        reasons = [*await self._store_faults(), *(fault for check in self.checks if (fault := check()) is not None)]
        return _json(503, {"status": "unavailable", "reasons": reasons}) if reasons else _json(200, {"status": "ok"})

    async def exposition(self, _: web.BaseRequest) -> web.Response:
        """Answer with all metrics in Prometheus' text format; those of the store are measured now."""
        await self._measure()
        others = [] if self.siblings is None else await self.siblings.expositions()
        return web.Response(body=self.metrics.exposition(others), headers={"Content-Type": "text/plain; version=0.0.4"})

    async def _store_faults(self) -> list[str]:
        try:
            async with asyncio.timeout(self.store_timeout_seconds):
                version = await self.store.schema_version()
        except TimeoutError:
            return [f"The store did not answer within {self.store_timeout_seconds:g} seconds."]
        except StoreUnavailable as fault:
            return [f"The store does not answer: {fault}"]
        if version == self.schema_version:
            return []
        return [f"The schema is at version {version} and this hub was started on {self.schema_version}; restart it."]

    async def _measure(self) -> None:
        self.metrics.submissions_waiting.set(self.submissions.waiting)
        try:
            async with asyncio.timeout(self.store_timeout_seconds), self.store.read() as tx:
                backlog = await tx.one("events_backlog", limit=MOST_BACKLOG)
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
