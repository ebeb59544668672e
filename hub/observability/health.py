"""The operator's probes: alive, ready, and in numbers. None of them waits for the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import orjson
from aiohttp import web
from attrs import frozen

from hub.http.router import Route, get
from hub.observability.backlog import Backlog
from hub.observability.heartbeat import Heartbeat
from hub.observability.metrics import Metrics
from hub.observability.worker_metrics import SiblingMetrics

Check = Callable[[], str | None]
"""Returns why the hub is not ready, in a sentence that anybody may read; None if it is."""


@frozen(eq=False)
class HealthEndpoints:
    """Serves /healthz, /readyz and /metrics.

    `checks` are asked beside the heartbeat, `siblings` for their metrics, and `note_gauges` sets those metrics that are
    read when somebody asks. `notices` returns sentences that an operator should read although the hub is ready, and
    `plugins` what is loaded of them; `troubles` is what needs an operator, with its facts.
    """

    heartbeat: Heartbeat
    backlog: Backlog
    metrics: Metrics
    note_gauges: Callable[[], None]
    clock_jump_ms: Callable[[], int]
    checks: Sequence[Check] = ()
    siblings: SiblingMetrics | None = None
    notices: Callable[[], Sequence[str]] = tuple
    plugins: Callable[[], object] = lambda: None
    troubles: Callable[[], object] = lambda: None

    def public_routes(self) -> list[Route]:
        """Return the probe that says nothing but that the process lives."""
        return get("/healthz", self.health)

    def operations_routes(self, *, detailed: bool) -> list[Route]:
        """Return readiness and metrics; `detailed` readiness says more, for an address that only operators reach."""
        return [*get("/readyz", self.details if detailed else self.readiness), *get("/metrics", self.exposition)]

    async def health(self, _: web.BaseRequest) -> web.Response:
        """Answer 200: the process is alive and its event loop runs."""
        return _json(200, {"status": "ok"})

    async def readiness(self, _: web.BaseRequest) -> web.Response:
        """Answer 200 while requests can be served, else 503 with the reasons."""
        status, answer = self._judge()
        return _json(status, answer)

    async def details(self, _: web.BaseRequest) -> web.Response:
        """Answer the same, with what the store said, the age of the last write, the clock's jump and the plugins."""
        status, answer = self._judge()
        details = {
            "store": self.heartbeat.detail,
            "lastWriteSeconds": round(self.heartbeat.age_seconds, 3),
            "clockJumpSeconds": self.clock_jump_ms() / 1000,
            "plugins": self.plugins(),
            "troubles": self.troubles(),
        }
        return _json(status, {**answer, "details": details})

    async def exposition(self, _: web.BaseRequest) -> web.Response:
        """Answer with all metrics in Prometheus' text format; those of the store are at most five seconds old."""
        self.note_gauges()
        self.metrics.last_write_age.set(self.heartbeat.age_seconds)
        self.metrics.clock_jump.set(self.clock_jump_ms() / 1000)
        await self.backlog.measure()
        others = [] if self.siblings is None else await self.siblings.expositions()
        return web.Response(
            body=self.metrics.exposition(others), headers={"Content-Type": "text/plain; version=0.0.4", "Server": "hub"}
        )

    def _judge(self) -> tuple[int, dict[str, object]]:
        found = (check() for check in (lambda: self.heartbeat.fault, *self.checks))
        reasons = [reason for reason in found if reason is not None]
        if reasons:
            return 503, {"status": "unavailable", "reasons": reasons}
        notices = list(self.notices())
        return 200, {"status": "ok", "notices": notices} if notices else {"status": "ok"}


def _json(status: int, value: object) -> web.Response:
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "Server": "hub"}
    return web.Response(status=status, body=orjson.dumps(value), headers=headers)
