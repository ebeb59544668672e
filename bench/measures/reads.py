"""Signed reads: pages of 50 products, orders and changes, and one event with its explanation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench import steady, traffic, wrk
from bench.ledger import audited_hub
from bench.measures import limit
from bench.measures.products import ITEMS, fill
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.settling import settle
from bench.workbench import Workbench
from hub.operations.changes.feed import cursor_of
from hub.operations.lists import Wanted
from hub.operations.orders.conversions import CONVERSIONS

PAGES = ITEMS // 50
EVENTS = 2_000
MOST = 200_000
"""How many reads are prepared for a run."""


def product_pages(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure reads of a page of 50 products."""
    with audited_hub(bench, dialect, worker=True, acknowledged=[], without=without) as (stage, server):
        fill(stage, server)
        targets = [f"/api/v1/products?page={page}" for page in range(1, PAGES + 1)]
        targets += [f"/api/v1/products?page={page}&pageSize=50" for page in range(1, PAGES + 1)]
        reads = traffic.reads(stage.credentials, targets, most=MOST)
        return wrk.load(server, traffic.write(bench.folder / "pages", reads)).figures()


def event_reads(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure reads of a decided event with its explanation."""
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=True, acknowledged=kept, without=without) as (stage, server):
        orders = traffic.conversions(stage.credentials, stage.clicks, how_many=EVENTS)
        sent = traffic.write(bench.folder / "orders", orders, threads=1)
        kept += steady.load(server.base_url, sent, rate=EVENTS / 2, seconds=2).acknowledged
        settle(stage)
        targets = [f"/api/v1/events/{event_id}" for event_id in kept]
        reads = traffic.reads(stage.credentials, targets, most=MOST)
        return wrk.load(server, traffic.write(bench.folder / "events", reads)).figures()


def order_pages(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure reads of a page of 50 orders with their commissions, each behind another order."""
    return _behind(bench, dialect, without, "SELECT conversion_id FROM conversions", _orders_behind)


def change_pages(bench: Workbench, dialect: str = "sqlite", *, without: str | None = None) -> Figures:
    """Measure reads of 50 entries of the change feed, each behind another change."""
    query = "SELECT number, record_type, record_id FROM changes WHERE record_type = 'conversion'"
    return _behind(bench, dialect, without, query, _changes_behind)


def _behind(
    bench: Workbench, dialect: str, without: str | None, query: str, target: Callable[[Sequence[object]], str]
) -> Figures:
    """Measure reads of lists of decided orders, each from another place on."""
    kept: list[str] = []
    with audited_hub(bench, dialect, worker=True, acknowledged=kept, without=without) as (stage, server):
        orders = traffic.conversions(stage.credentials, stage.clicks, how_many=EVENTS)
        sent = traffic.write(bench.folder / "orders", orders, threads=1)
        kept += steady.load(server.base_url, sent, rate=EVENTS / 2, seconds=2).acknowledged
        settle(stage)
        with stage.database.reader() as read:
            targets = [target(row) for row in read(query)]
        reads = traffic.reads(stage.credentials, targets, most=MOST)
        return wrk.load(server, traffic.write(bench.folder / "lists", reads)).figures()


def _orders_behind(row: Sequence[object]) -> str:
    return f"/api/v1/conversions?limit=50&cursor={CONVERSIONS.cursor(Wanted(), 'older', row)}"


def _changes_behind(row: Sequence[object]) -> str:
    number, kind, record_id = row
    return f"/api/v1/changes?limit=50&after={cursor_of((int(str(number)), str(kind), str(record_id), ''))}"


PRODUCT_PAGES = Side("GET /v1/products, page of 50", product_pages)
ORDER_PAGES = Side("GET /v1/conversions, page of 50", order_pages)
CHANGE_PAGES = Side("GET /v1/changes, 50 entries", change_pages)
EVENT = Side("GET /v1/events/{id}", event_reads)

MEASURE = Measure(
    "reads",
    "signed GETs on SQLite, no two alike: a signature reads once",
    (limit.READS, PRODUCT_PAGES, ORDER_PAGES, CHANGE_PAGES, EVENT),
    (
        Requirement("GET /v1/products, page of 50 / bare aiohttp", Value(PRODUCT_PAGES, of=limit.READS), least=0.25),
        Requirement("GET /v1/events/{id} / bare aiohttp", Value(EVENT, of=limit.READS), least=0.40),
    ),
)
