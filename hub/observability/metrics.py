"""The hub's metrics for Prometheus; every hub has a registry of its own.

What is noted at every request and click is plain numbers, which become metrics when somebody scrapes them: a counter of
the library's takes a lock and looks through its buckets one by one, at each request. All of it is on the event loop, so
nothing is locked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from operator import add
from typing import Final

from attrs import define, field
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from hub.domain.words import TROUBLE_KINDS, TroubleKind
from hub.http.admission import Admission
from hub.observability.traces import Traces
from hub.observability.worker_metrics import merged_expositions
from hub.storage.disk_reserve import DiskReserve

BATCHES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LATENCIES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BOUNDS: Final = (*map(str, LATENCIES), "+Inf")

# A second series for each metric, with its start time, is of no use here.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library left it untyped


class Metrics:
    """The hub's metrics.

    If several workers share a port, `worker` is the number of this one and labels its series; metrics of the store have
    no such label.
    """

    def __init__(self, worker: int | None = None) -> None:
        self.traces: Traces | None = None
        self.registry = CollectorRegistry()
        self._store_registry = CollectorRegistry()
        self._exposed = self.registry if worker is None else _labelled(self.registry, str(worker))
        self._requests = Requests()
        self._clicks = Clicks()
        self.registry.register(self._requests)
        self._submission_batch = Histogram(
            "hub_submission_batch_size", "Requests committed together.", buckets=BATCHES, registry=self.registry
        )
        self._events = Counter("hub_events", "Events decided, by outcome.", ["outcome"], registry=self.registry)
        self.registry.register(self._clicks)
        self._upload_rows = Counter(
            "hub_upload_rows", "Rows of uploads applied, by verdict.", ["kind", "verdict"], registry=self.registry
        )
        self._refused = Counter(
            "hub_refused",
            "What strangers wanted beyond a bound: a connection, memory for a request, or more time.",
            ["reason"],
            registry=self.registry,
        )
        self._connections = Gauge("hub_connections", "Open connections.", registry=self.registry)
        self._buffered = Gauge(
            "hub_buffered_bytes", "Bytes of requests under way that are in memory.", registry=self.registry
        )
        self._make_log_counters()
        self._make_gauges()

    def _make_log_counters(self) -> None:
        self.log_dropped = Counter(
            "hub_request_log_dropped",
            "Request log rows given up because the store was away too long.",
            registry=self.registry,
        )
        self._log_sampled = Counter(
            "hub_request_log_sampled",
            "Refused requests without a row in the request log, by the limit: address, strangers or key.",
            ["limit"],
            registry=self.registry,
        )

    def _make_gauges(self) -> None:
        self.submissions_waiting = Gauge(
            "hub_submissions_waiting", "Requests that wait for their batch.", registry=self.registry
        )
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
        self.last_write_age = Gauge(
            "hub_last_write_age_seconds",
            "How long ago the store last took this process's heartbeat.",
            registry=self.registry,
        )
        self.clock_jump = Gauge(
            "hub_clock_jump_seconds",
            "By how much the clock jumped and is not trusted yet; 0 if it is trusted.",
            registry=self.registry,
        )
        self.sqlite_release = Gauge(
            "hub_sqlite_release",
            "1 for the release of SQLite in use, labelled with whether it has the WAL-reset fault.",
            ["version", "wal_reset_fault"],
            registry=self._store_registry,
        )
        self._troubles = Gauge(
            "hub_trouble",
            "Troubles that last, by kind: what each is, docs/troubles.md says.",
            ["kind"],
            registry=self._store_registry,
        )
        self.store_up = Gauge(
            "hub_store_up", "Whether the store answered the last scrape.", registry=self._store_registry
        )

    def note_troubles(self, kinds: Iterable[TroubleKind]) -> None:
        """Show how many troubles of each kind last; 0 for every other kind, which is not the same as unknown."""
        tally = Counts(kinds)
        for kind in TROUBLE_KINDS:
            self._troubles.labels(kind).set(tally[kind])

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Count a finished request; `route` is a template, so that the number of series stays bounded."""
        answered = self._requests.answered[route, status]
        answered.counts[bisect_left(LATENCIES, seconds)] += 1
        answered.seconds += seconds

    def note_batch(self, size: int) -> None:
        """Note how many requests were committed together."""
        self._submission_batch.observe(size)

    def note_results(self, outcomes: Iterable[str]) -> None:
        """Count decided events by their status."""
        for outcome, count in Counts(outcomes).items():
            self._events.labels(outcome).inc(count)

    def note_click(self, outcome: str) -> None:
        """Count a visit to a link: recorded, bot, quiet (HEAD, prefetch), dark (campaign not live), lost, unknown.

        Those beyond the limits of an address are `limited`; `disk` counts those for which there is no room.
        """
        self._clicks.counts[outcome] += 1

    def note_refused(self, reason: str) -> None:
        """Count a refusal: connections, buffered (both also _per_address), headers_timeout or write_timeout."""
        self._refused.labels(reason).inc()

    def note_log_sampled(self, limit: str) -> None:
        """Count a refused request that has no row in the request log: by address, strangers, key or disk."""
        self._log_sampled.labels(limit).inc()

    def show_disk(self, disk: DiskReserve) -> None:
        """Show the volume and the file of an SQLite database in every exposition from here on."""
        shown: dict[tuple[str, str], Callable[[], float]] = {
            ("hub_disk_free_bytes", "Free bytes of the volume of the SQLite database."): lambda: disk.free or 0,
            ("hub_database_bytes", "Size of the SQLite database file."): lambda: disk.database_bytes,
            ("hub_database_wal_bytes", "Size of the SQLite write-ahead log."): lambda: disk.wal_bytes,
            ("hub_disk_short", "1 while less than the reserve of the volume is free."): lambda: disk.is_short,
        }
        for (name, meaning), measure in shown.items():
            Gauge(name, meaning, registry=self._store_registry).set_function(measure)

    def show_admission(self, admission: Admission) -> None:
        """Show what is held now in every exposition from here on."""
        self._connections.set_function(lambda: admission.connections)
        self._buffered.set_function(lambda: admission.buffered)

    def note_upload_rows(self, kind: str, verdicts: Mapping[str, int]) -> None:
        """Count rows of uploads by their verdict: created, updated, duplicate, failed."""
        for verdict, count in verdicts.items():
            self._upload_rows.labels(kind, verdict).inc(count)

    def families(self) -> Iterator[Metric]:
        """Yield this process's own metrics, and those of the store."""
        yield from self._exposed.collect()
        yield from self._store_registry.collect()

    def own_exposition(self) -> bytes:
        """Return this process's own metrics in Prometheus' text format."""
        return generate_latest(self._exposed)

    def exposition(self, others: Iterable[bytes] = ()) -> bytes:
        """Return all metrics in Prometheus' text format, with the expositions of other workers."""
        return merged_expositions([self.own_exposition(), *others]) + generate_latest(self._store_registry)


@define(eq=False)
class Latencies:
    """How long requests took: how many up to each bound, and the sum of the seconds."""

    counts: list[int] = field(factory=lambda: [0] * len(BOUNDS))
    """Those above the bound before, and up to the bound itself."""
    seconds: float = 0.0

    def add(self, other: Latencies) -> None:
        """Add what others took."""
        self.counts = list(map(add, self.counts, other.counts))
        self.seconds += other.seconds


class Requests(Collector):
    """How many requests were answered, by route and status, and a histogram of the seconds they took, by route."""

    def __init__(self) -> None:
        self.answered: defaultdict[tuple[str, int], Latencies] = defaultdict(Latencies)
        """By route and status."""

    def collect(self) -> Iterator[Metric]:
        """Yield the counter, and the histogram, whose buckets hold all that took no longer than their bound."""
        labels = ("route", "status")
        requests = CounterMetricFamily("hub_requests", "Requests by route and status.", labels=labels)
        of_route: defaultdict[str, Latencies] = defaultdict(Latencies)
        for (route, status), latencies in self.answered.items():
            requests.add_metric((route, str(status)), sum(latencies.counts))
            of_route[route].add(latencies)
        yield requests
        seconds = HistogramMetricFamily("hub_request_seconds", "Time to answer by route.", labels=("route",))
        for route, latencies in of_route.items():
            buckets = list(zip(BOUNDS, map(float, accumulate(latencies.counts)), strict=True))
            seconds.add_metric([route], buckets, latencies.seconds)
        yield seconds


class Clicks(Collector):
    """How many visits to tracking links there were, by outcome."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, int] = defaultdict(int)

    def collect(self) -> Iterator[Metric]:
        """Yield the counter."""
        clicks = CounterMetricFamily("hub_clicks", "Visits to tracking links, by outcome.", labels=("outcome",))
        for outcome, count in self.counts.items():
            clicks.add_metric((outcome,), count)
        yield clicks


class _Labelled(Collector):
    """The metric families of a registry, with a worker's number as a label of every sample."""

    def __init__(self, registry: CollectorRegistry, worker: str) -> None:
        self._registry = registry
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        """Yield the families with the label on each sample; the counters themselves do not carry it."""
        for family in self._registry.collect():
            family.samples = [
                sample._replace(labels={"worker": self._worker, **sample.labels}) for sample in family.samples
            ]
            yield family


def _labelled(registry: CollectorRegistry, worker: str) -> CollectorRegistry:
    labelled = CollectorRegistry()
    labelled.register(_Labelled(registry, worker))
    return labelled
