"""What is counted at each request reads, when it is scraped, as the library's own counters would say it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from hub.observability.request_metrics import LATENCIES, RequestSeconds, Tally

ROUTES = st.sampled_from(["GET /v1/products/{id}", 'POST /v1/"conversions"', "* /*"])
SECONDS = st.one_of(st.sampled_from(LATENCIES), st.floats(0, 20))


@given(st.lists(st.tuples(ROUTES, st.sampled_from(["200", "404"]), SECONDS), max_size=20))
def test_a_scrape_reads_as_the_library_writes_it(requests: list[tuple[str, str, float]]) -> None:
    theirs, ours = CollectorRegistry(), CollectorRegistry()
    counter = Counter("hub_requests", "Requests.", ["route", "status"], registry=theirs)
    histogram = Histogram("hub_request_seconds", "Time.", ["route"], buckets=LATENCIES, registry=theirs)
    tally, seconds_of = (
        Tally("hub_requests", "Requests.", ("route", "status")),
        RequestSeconds("hub_request_seconds", "Time."),
    )
    ours.register(tally)
    ours.register(seconds_of)
    for route, status, seconds in requests:
        counter.labels(route, status).inc()
        histogram.labels(route).observe(seconds)
        tally.counts[route, status] += 1
        seconds_of.note(route, seconds)
    assert generate_latest(ours) == generate_latest(theirs)
