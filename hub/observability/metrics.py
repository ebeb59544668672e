"""What the hub counts and measures, for Prometheus; every hub has a registry of its own."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from hub.observability.worker_metrics import joined

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

# A second series for each, that says when it began, is of no use here.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library left it untyped


class Metrics:
    """The hub's metrics; children are looked up by label once and kept.

    Where several workers share a port, the series of each carry its number; what the store knows is told once.
    """

    def __init__(self, worker: int | None = None) -> None:
        self.registry = CollectorRegistry()
        self._store_registry = CollectorRegistry()
        self._told = self.registry if worker is None else _labelled(self.registry, str(worker))
        self._requests = _Requests()
        self.registry.register(self._requests)
        self._submission_batch = Histogram(
            "hub_desk_batch_size", "Requests committed together.", buckets=BATCHES, registry=self.registry
        )
        self._events = Counter("hub_events", "Events decided, by outcome.", ["outcome"], registry=self.registry)
        clicks = Counter("hub_clicks", "Visits to tracking links, by outcome.", ["outcome"], registry=self.registry)
        self._clicks_of = cache(clicks.labels)
        self._upload_rows = Counter(
            "hub_upload_rows", "Rows of uploads applied, by verdict.", ["kind", "verdict"], registry=self.registry
        )
        self.log_dropped = Counter(
            "hub_request_log_dropped",
            "Request log rows given up because the store was away too long.",
            registry=self.registry,
        )
        self.submissions_waiting = Gauge("hub_desk_waiting", "Requests that wait for the desk.", registry=self.registry)
        self.events_waiting = Gauge(
            "hub_events_waiting",
            "Accepted events that are not processed yet (counted up to 100,000).",
            registry=self._store_registry,
        )
        self.oldest_waiting = Gauge(
            "hub_oldest_waiting_event_seconds",
            "How long the oldest due event has been due.",
            registry=self._store_registry,
        )
        self.store_up = Gauge(
            "hub_store_up", "Whether the store answered the last scrape.", registry=self._store_registry
        )

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Counts a finished request; `route` is a template, so that the number of series stays bounded."""
        self._requests.note((route, status), seconds)

    def note_batch(self, size: int) -> None:
        """Notes how many requests the desk committed together."""
        self._submission_batch.observe(size)

    def note_results(self, outcomes: Sequence[str]) -> None:
        """Counts decided events by their status."""
        for outcome, count in Tally(outcomes).items():
            self._events.labels(outcome).inc(count)

    def note_click(self, outcome: str) -> None:
        """Counts a visit to a link: recorded, bot, quiet (HEAD, prefetch), dark (campaign not live), lost, unknown."""
        self._clicks_of(outcome).inc()

    def note_upload_rows(self, kind: str, verdicts: Mapping[str, int]) -> None:
        """Counts rows of uploads by what they came to: created, updated, duplicate, failed."""
        for verdict, count in verdicts.items():
            self._upload_rows.labels(kind, verdict).inc(count)

    def own_exposition(self) -> bytes:
        """What this process counted, in Prometheus' text format."""
        return generate_latest(self._told)

    def exposition(self, others: Iterable[bytes] = ()) -> bytes:
        """Everything in Prometheus' text format, with what other workers counted."""
        return joined([self.own_exposition(), *others]) + generate_latest(self._store_registry)


class _Requests(Collector):
    """Requests by route and status with their times, counted in plain numbers: each request passes here.

    The library's own series take a lock and a walk over the buckets for each; these are made when they are told.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], tuple[list[int], list[float]]] = {}

    def note(self, kind: tuple[str, int], seconds: float) -> None:
        """Counts a request of this route and status."""
        seen = self._seen.get(kind)
        if seen is None:
            seen = self._seen[kind] = [0] * (len(LATENCIES) + 1), [0.0]
        buckets, total = seen
        buckets[bisect_left(LATENCIES, seconds)] += 1
        total[0] += seconds

    def collect(self) -> Iterator[Metric]:
        """The counts by route and status, and the times by route."""
        counts = CounterMetricFamily("hub_requests", "Requests by route and status.", labels=["route", "status"])
        times = HistogramMetricFamily("hub_request_seconds", "Time to answer by route.", labels=["route"])
        for (route, status), (buckets, _) in self._seen.items():
            counts.add_metric([route, str(status)], sum(buckets))
        for route in dict.fromkeys(route for route, _ in self._seen):
            of_route = [seen for (whose, _), seen in self._seen.items() if whose == route]
            reached = accumulate(map(sum, zip(*(buckets for buckets, _ in of_route), strict=True)))
            edges = [*map(floatToGoString, LATENCIES), "+Inf"]
            times.add_metric([route], list(zip(edges, reached, strict=True)), sum(total[0] for _, total in of_route))
        yield counts
        yield times


class _Labelled(Collector):
    """The families of a registry with a worker's number on every sample."""

    def __init__(self, registry: CollectorRegistry, worker: str) -> None:
        self._registry = registry
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        """Adds the label to each sample as it is told; counting knows nothing of it."""
        for family in self._registry.collect():
            family.samples = [
                sample._replace(labels={"worker": self._worker, **sample.labels}) for sample in family.samples
            ]
            yield family


def _labelled(registry: CollectorRegistry, worker: str) -> CollectorRegistry:
    told = CollectorRegistry()
    told.register(_Labelled(registry, worker))
    return told
