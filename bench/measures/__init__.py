"""The measures, in the order in which they run and are shown."""

from __future__ import annotations

from bench.measures import (
    backlog,
    clicks,
    conversions,
    costs,
    csv_files,
    history,
    instructions,
    latency,
    ledger,
    list_filters,
    memory,
    neighbours,
    nodes,
    order,
    others,
    pages,
    pages_html,
    pages_people,
    partitions,
    payouts,
    payouts_beside,
    plugin_host,
    products,
    reads,
    start,
    steps,
    techniques,
    year,
)
from bench.plan import Measure

MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        order.MEASURE, conversions.MEASURE, backlog.MEASURE, conversions.POSTGRES_MEASURE, others.MEASURE,
        clicks.MEASURE, latency.MEASURE, products.MEASURE, reads.MEASURE, nodes.MEASURE, start.MEASURE,
        csv_files.MEASURE, costs.MEASURE, instructions.MEASURE, pages.MEASURE, steps.MEASURE, history.MEASURE,
        history.POSTGRES_MEASURE, memory.MEASURE, plugin_host.MEASURE, pages_html.MEASURE, pages_people.MEASURE,
        list_filters.MEASURE, partitions.MEASURE, neighbours.MEASURE, techniques.MEASURE, year.MEASURE, ledger.MEASURE,
        payouts.MEASURE, payouts_beside.MEASURE,
    )
}  # fmt: skip
