"""The metrics in OpenTelemetry's words (OTLP over HTTP, as JSON), for a collector that fetches nothing.

They are those of `/metrics`, of this process. Each push says all of them as they are when it is sent, so one that is
missed costs a point of a curve, and none has to be kept for later.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any, Final

import orjson
from prometheus_client import Metric

from hub.clock import Clock
from hub.observability.backlog import Backlog
from hub.observability.metrics import Metrics
from hub.observability.otlp import JSON, SCOPE, pairs, resource_of
from hub.observability.sending import Sender
from hub.tasks import end_task

EVERY_SECONDS: Final = 15.0
CUMULATIVE: Final = 2
"""OTLP's word for sums that begin with the process."""


class PushedMetrics:
    """Pushes what `metrics` shows to the collector whose root is `url`; a reading of the backlog goes before."""

    def __init__(self, url: str, metrics: Metrics, backlog: Backlog, clock: Clock, release: str) -> None:
        self.sender: Sender[None] = Sender(f"{url.rstrip('/')}/v1/metrics", JSON, lambda _: self._written())
        self._metrics = metrics
        self._backlog = backlog
        self._clock = clock
        self._began = clock()
        self._resource = resource_of(release)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to push."""
        await self.sender.start()
        self._task = asyncio.create_task(self._serve(), name="pushed metrics")

    async def stop(self) -> None:
        """Push once more, if the collector takes it, and stop."""
        if self._task is not None:
            await end_task(self._task)
            self.sender.add(None)
            await self.sender.stop()

    async def _serve(self) -> None:
        while True:
            await self._backlog.measure()
            self.sender.add(None)
            await asyncio.sleep(EVERY_SECONDS)

    def _written(self) -> bytes:
        """Return the body of a push."""
        times = {"startTimeUnixNano": str(self._began * 1_000_000), "timeUnixNano": str(self._clock() * 1_000_000)}
        metrics = [_metric(family, times) for family in self._metrics.families() if family.samples]
        scope = {"scope": SCOPE, "metrics": metrics}
        return orjson.dumps({"resourceMetrics": [{"resource": self._resource, "scopeMetrics": [scope]}]})


def _metric(family: Metric, times: dict[str, str]) -> dict[str, Any]:
    """Return a family as OTLP writes it: a counter is a sum that only rises, the rest histograms and gauges."""
    named = {"name": family.name, "description": family.documentation}
    if family.type == "histogram":
        points = [{**times, **_histogram(samples)} for samples in _by_labels(family)]
        return {**named, "histogram": {"dataPoints": points, "aggregationTemporality": CUMULATIVE}}
    points = [{**times, "attributes": pairs(each.labels), "asDouble": each.value} for each in family.samples]
    if family.type == "counter":
        return {**named, "sum": {"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": True}}
    return {**named, "gauge": {"dataPoints": points}}


def _by_labels(family: Metric) -> list[list[Any]]:
    """Return the samples of each histogram of a family, which differ by the bound alone."""
    found = defaultdict[tuple[tuple[str, str], ...], list[Any]](list)
    for sample in family.samples:
        found[tuple((name, value) for name, value in sample.labels.items() if name != "le")].append(sample)
    return list(found.values())


def _histogram(samples: list[Any]) -> dict[str, Any]:
    """Return one histogram; Prometheus counts what is up to a bound, OTLP what is between two."""
    buckets = [each for each in samples if each.name.endswith("_bucket")]
    counts = [int(each.value) for each in buckets]
    (total,) = (each.value for each in samples if each.name.endswith("_sum"))
    return {
        "attributes": pairs({name: value for name, value in buckets[0].labels.items() if name != "le"}),
        "count": str(counts[-1]),
        "sum": total,
        "bucketCounts": [str(each - before) for before, each in zip([0, *counts], counts, strict=False)],
        "explicitBounds": [float(each.labels["le"]) for each in buckets[:-1]],
    }
