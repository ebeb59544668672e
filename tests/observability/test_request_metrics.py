"""What is counted at each request reads, when it is scraped, as the library's own counters would say it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from hub.observability.metrics import LATENCIES, Metrics

ROUTES = st.sampled_from(["GET /v1/products/{id}", 'POST /v1/"conversions"', "* /*"])
COUNTED = re.compile("hub_request(s|_seconds)")
SECONDS = st.one_of(st.sampled_from(LATENCIES), st.floats(0, 20))


@given(st.lists(st.tuples(ROUTES, st.sampled_from([200, 404]), SECONDS), max_size=20))
def test_a_scrape_reads_as_the_library_writes_it(requests: list[tuple[str, int, float]]) -> None:
    theirs, ours = CollectorRegistry(), Metrics()
    counter = Counter("hub_requests", "Requests by route and status.", ["route", "status"], registry=theirs)
    histogram = Histogram(
        "hub_request_seconds", "Time to answer by route.", ["route"], buckets=LATENCIES, registry=theirs
    )
    for route, status, seconds in requests:
        counter.labels(route, status).inc()
        histogram.labels(route).observe(seconds)
        ours.note_request(route, status, seconds)
    assert told(generate_latest(ours.registry)) == told(generate_latest(theirs))


def told(exposition: bytes) -> list[tuple[str, float]]:
    """What a scrape tells of requests, line by line; a sum of seconds may differ in its last digits."""
    lines = [line.rpartition(" ") for line in exposition.decode().splitlines() if COUNTED.search(line)]
    return [(name, round(float(value), 9) if not name.startswith("#") else 0.0) for name, _, value in lines]
