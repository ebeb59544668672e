"""Counts of what is noted at every request and click: plain numbers, which become metrics when somebody scrapes them.

A counter of the library's takes a lock and looks through its buckets one by one, at each request; a scrape is seldom.
All of it is on the event loop, so nothing is locked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from attrs import define, field
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

LATENCIES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BOUNDS: Final = (*map(str, LATENCIES), "+Inf")


@define(eq=False)
class Latencies:
    """How long the requests of one route took: how many up to each bound, and the sum of the seconds."""

    counts: list[int] = field(factory=lambda: [0] * len(BOUNDS))
    """Those above the bound before, and up to the bound itself."""
    seconds: float = 0.0


class Tally(Collector):
    """A counter by the values of its labels."""

    def __init__(self, name: str, meaning: str, labels: tuple[str, ...]) -> None:
        self._described = name, meaning, labels
        self.counts: defaultdict[tuple[str, ...], int] = defaultdict(int)

    def collect(self) -> Iterator[Metric]:
        """Yield the counter with a sample for each combination of labels."""
        name, meaning, labels = self._described
        family = CounterMetricFamily(name, meaning, labels=labels)
        for values, count in self.counts.items():
            family.add_metric(values, count)
        yield family


class RequestSeconds(Collector):
    """A histogram of the seconds that requests took, by route."""

    def __init__(self, name: str, meaning: str) -> None:
        self._described = name, meaning
        self._of_route: defaultdict[str, Latencies] = defaultdict(Latencies)

    def note(self, route: str, seconds: float) -> None:
        """Count a request."""
        latencies = self._of_route[route]
        latencies.counts[bisect_left(LATENCIES, seconds)] += 1
        latencies.seconds += seconds

    def collect(self) -> Iterator[Metric]:
        """Yield the histogram, whose buckets hold all that took no longer than their bound."""
        name, meaning = self._described
        family = HistogramMetricFamily(name, meaning, labels=("route",))
        for route, latencies in self._of_route.items():
            buckets = list(zip(BOUNDS, map(float, accumulate(latencies.counts)), strict=True))
            family.add_metric([route], buckets, latencies.seconds)
        yield family
