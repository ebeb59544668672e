"""What the hub counts and measures, for Prometheus; every hub has a registry of its own."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

# A second series for each, that says when it began, is of no use here.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the library left it untyped


class Metrics:
    """The hub's metrics; children are looked up by label once and kept."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "hub_requests", "Requests by route and status.", ["route", "status"], registry=self.registry
        )
        self._latency = Histogram(
            "hub_request_seconds", "Time to answer by route.", ["route"], buckets=LATENCIES, registry=self.registry
        )
        self._desk_batch = Histogram(
            "hub_desk_batch_size", "Requests committed together.", buckets=BATCHES, registry=self.registry
        )
        self._events = Counter("hub_events", "Events decided, by outcome.", ["outcome"], registry=self.registry)
        self._clicks = Counter(
            "hub_clicks", "Visits to tracking links, by outcome.", ["outcome"], registry=self.registry
        )
        self._upload_rows = Counter(
            "hub_upload_rows", "Rows of uploads applied, by verdict.", ["kind", "verdict"], registry=self.registry
        )
        self.log_dropped = Counter(
            "hub_request_log_dropped",
            "Request log rows given up because the store was away too long.",
            registry=self.registry,
        )
        self.desk_waiting = Gauge("hub_desk_waiting", "Requests that wait for the desk.", registry=self.registry)
        self.events_waiting = Gauge(
            "hub_events_waiting",
            "Accepted events that are not processed yet (counted up to 100,000).",
            registry=self.registry,
        )
        self.oldest_waiting = Gauge(
            "hub_oldest_waiting_event_seconds", "How long the oldest due event has been due.", registry=self.registry
        )
        self.store_up = Gauge("hub_store_up", "Whether the store answered the last scrape.", registry=self.registry)
        self._request_children: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Counts a finished request; `route` is a template, so that the number of series stays bounded."""
        children = self._request_children.get((route, status))
        if children is None:
            children = self._requests.labels(route, str(status)), self._latency.labels(route)
            self._request_children[route, status] = children
        children[0].inc()
        children[1].observe(seconds)

    def note_batch(self, size: int) -> None:
        """Notes how many requests the desk committed together."""
        self._desk_batch.observe(size)

    def note_outcomes(self, outcomes: Sequence[str]) -> None:
        """Counts decided events by their status."""
        for outcome, count in Tally(outcomes).items():
            self._events.labels(outcome).inc(count)

    def note_click(self, outcome: str) -> None:
        """Counts a visit to a link: recorded, bot, quiet (HEAD, prefetch), dark (campaign not live), lost, unknown."""
        self._clicks.labels(outcome).inc()

    def note_upload_rows(self, kind: str, verdicts: Mapping[str, int]) -> None:
        """Counts rows of uploads by what they came to: created, updated, duplicate, failed."""
        for verdict, count in verdicts.items():
            self._upload_rows.labels(kind, verdict).inc(count)

    def exposition(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)
