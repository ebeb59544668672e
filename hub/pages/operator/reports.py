"""/operator/reports: what the network clicked, ordered and earned, by day, merchant, campaign, affiliate, product."""

from __future__ import annotations

from functools import partial
from typing import Final

from aiohttp import web

from hub.domain.words import LIVE_FIRST
from hub.operations.figures.figure_age import figures_until
from hub.operations.figures.figures import day_date
from hub.operations.figures.network_figures import (
    NETWORK_DIMENSIONS,
    network_breakdown,
    network_csv,
    network_days,
    network_products,
)
from hub.pages.figure_queries import METRICS, Asked, asked_of
from hub.pages.figure_reads import Found, Reads
from hub.pages.figure_views import lines_of, overview_of
from hub.pages.operator.parts import operator_page
from hub.pages.rendering import csv_file
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.storage import Store

HERE: Final = "/operator/reports"
READS: Final = Reads(network_days, network_breakdown, network_products)
ADDRESSES: Final = {
    "merchant": "/operator/merchants/",
    "campaign": "/operator/campaigns/",
    "affiliate": "/operator/affiliates/",
}
PAGES: Final = RouteTable(operator_page)


@PAGES.get(HERE)
async def show_reports(visit: Visit) -> web.StreamResponse:
    """Show the figures of all merchants, beside those of the period before."""
    clock, asked, mode = visit.services.clock, _asked(visit), _mode(visit)
    read = await visit.services.replica.read(partial(_found, asked, mode, clock()))
    found = read.found
    view = overview_of(asked, found.now, found.before, clock(), until=found.until, as_of=read.as_of)
    return visit.page(
        "operator/reports.html",
        view=view,
        metrics=METRICS,
        dimensions=NETWORK_DIMENSIONS,
        lines=lines_of(found.lines, found.earlier, view.currency),
        products=found.products,
        addresses=ADDRESSES,
        mode=mode,
        files=f"{HERE}.csv",
    )


async def _found(asked: Asked, mode: str, moment: int, store: Store) -> Found:
    """Read the figures that an address asks for; `moment` is in ms UTC."""
    return await READS.found(asked, mode, await figures_until(store, mode, moment), store)


@PAGES.get(f"{HERE}.csv")
async def download_reports(visit: Visit) -> web.StreamResponse:
    """Download the figures of the view as CSV."""
    asked, mode, by = _asked(visit), _mode(visit), visit.query.get("by", "")
    dimension = by if by == "day" else asked.by
    read = await visit.services.replica.read(lambda store: network_csv(store, mode, asked.period, dimension))
    days = f"{day_date(asked.period.first)}-{day_date(asked.period.last)}"
    return csv_file(f"network-{days}.csv", read.found, read.as_of)


def _mode(visit: Visit) -> str:
    asked = visit.query.get("mode", "")
    return asked if asked in LIVE_FIRST else LIVE_FIRST[0]


def _asked(visit: Visit) -> Asked:
    more = {"mode": _mode(visit)}
    return asked_of(visit.query, visit.services.clock(), HERE, NETWORK_DIMENSIONS, more=more)
