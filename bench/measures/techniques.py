"""Each speed technique, measured by leaving it out: the hub as it is, then without it, in turn (A B A B)."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from attrs import frozen
from rich.table import Table

from bench.measures.clicks import visited
from bench.measures.conversions import accepted, decided
from bench.measures.reads import event_reads, product_pages
from bench.options import TECHNIQUES as CHOSEN
from bench.plan import Figures, Findings, Measure, Side
from bench.report import compared, comparison
from bench.workbench import Workbench


class Load(Protocol):
    """One run of a measure on a database, with a technique left out if it is named."""

    def __call__(self, bench: Workbench, dialect: str, *, without: str | None) -> Figures:
        """Run it; "perSecond" of the figures is what is compared."""


@frozen
class Technique:
    """A technique by the name that `bench.plain` leaves it out by, its file, and the load on which it should show."""

    name: str
    file: str
    load: Load
    counted: str
    dialect: str = "sqlite"

    def run(self, without: str | None, bench: Workbench) -> Figures:
        """Run the load once, without the technique if it is named."""
        return self.load(bench, self.dialect, without=without)


TECHNIQUES = (
    Technique("intake-batches", "hub/intake/submission_batcher.py", accepted, "accepted"),
    Technique("group-commit", "hub/storage/sqlite/group_commit.py", decided, "decided"),
    Technique("statements-on-the-loop", "hub/storage/sqlite/sessions.py", decided, "decided"),
    Technique("reads-on-the-loop", "hub/storage/sqlite/driver.py", event_reads, "events read"),
    Technique("values-chunks", "hub/storage/named_queries/query.py", accepted, "accepted"),
    Technique("single-insert", "hub/storage/postgresql/driver.py", accepted, "accepted", "postgresql"),
    Technique("combined-statements", "hub/storage/postgresql/combined_statements.py", decided, "decided", "postgresql"),
    Technique("stored-json", "hub/catalog/product_json.py", product_pages, "product pages"),
    Technique("raw-response", "hub/http/response.py", visited, "clicks"),
    Technique("collector-settings", "hub/app.py", decided, "decided"),
    Technique("uvloop", "hub/cli/serve.py", accepted, "accepted"),
)

PAIRS = {
    each: (
        Side(f"with {each.name}", partial(each.run, None)),
        Side(f"without {each.name}", partial(each.run, each.name)),
    )
    for each in TECHNIQUES
    if each.name in CHOSEN or not CHOSEN
}


def _gains(findings: Findings) -> Table:
    labels = ("technique", "file", "a second", "database")
    table = comparison("What each technique gains", labels, ("without", "with"))
    for each, (used, left_out) in PAIRS.items():
        rates = [[run["perSecond"] for run in findings.runs[side.name]] for side in (left_out, used)]
        if all(rates):
            table.add_row(each.name, each.file, each.counted, each.dialect, *compared(*rates))
    return table


MEASURE = Measure(
    "techniques",
    "each speed technique by leaving it out (BENCH_TECHNIQUES names some)",
    tuple(side for pair in PAIRS.values() for side in pair),
    standard=False,
    summary=_gains,
)
