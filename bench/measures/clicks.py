"""Tracking links: a durable click before each redirect."""

from __future__ import annotations

from bench import traffic, wrk
from bench.ledger import audited_hub
from bench.measures import limit
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.workbench import Workbench


def visited(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure redirects, each after its click is durable."""
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=True, acknowledged=kept, without=without) as (stage, server):
        visits = [traffic.BROWSER % stage.link.encode()] * 2
        answers = wrk.load(server, traffic.write(bench.folder / "clicks", visits, repeats=True))
        kept += answers.acknowledged
    return answers.figures()


SQLITE = Side("clicks, SQLite", visited)
POSTGRES = Side("clicks, PostgreSQL", lambda bench: visited(bench, "postgresql"))

MEASURE = Measure(
    "clicks",
    "GET /t/{code} with a durable click",
    (limit.VISITS, SQLITE, POSTGRES),
    (
        Requirement("clicks / bare aiohttp", Value(SQLITE, of=limit.VISITS), least=0.45),
        Requirement("clicks on PostgreSQL / bare aiohttp", Value(POSTGRES, of=limit.VISITS)),
    ),
)
