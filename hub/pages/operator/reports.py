"""/operator/reports: what the network clicked, ordered and earned, by day, merchant, campaign, affiliate, product."""

from __future__ import annotations

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
from hub.pages.figure_views import COMPARED_DAYS, lines_of, overview_of
from hub.pages.operator.parts import operator_page
from hub.pages.rendering import csv_file
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/reports"
ADDRESSES: Final = {
    "merchant": "/operator/merchants/",
    "campaign": "/operator/campaigns/",
    "affiliate": "/operator/affiliates/",
}


def report_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", HERE, show_reports),
        operator_page("GET", f"{HERE}.csv", download_reports),
    ]


async def show_reports(visit: Visit) -> web.StreamResponse:
    """Show the figures of all merchants, beside those of the period before."""
    store, clock, asked, mode = visit.services.store, visit.services.clock, _asked(visit), _mode(visit)
    now = await network_days(store, mode, asked.period)
    before = await network_days(store, mode, asked.period.before)
    of_products = asked.by == "product"
    lines = [] if of_products else await network_breakdown(store, mode, asked.period, asked.by)
    compared = lines and asked.period.days <= COMPARED_DAYS
    earlier = await network_breakdown(store, mode, asked.period.before, asked.by) if compared else None
    view = overview_of(asked, now, before, clock(), until=await figures_until(store, mode, clock()))
    return visit.page(
        "operator/reports.html",
        view=view,
        metrics=METRICS,
        dimensions=NETWORK_DIMENSIONS,
        lines=lines_of(lines, earlier, view.currency),
        products=await network_products(store, mode, asked.period) if of_products else [],
        addresses=ADDRESSES,
        mode=mode,
        files=f"{HERE}.csv",
    )


async def download_reports(visit: Visit) -> web.StreamResponse:
    """Download the figures of the view as CSV."""
    asked, by = _asked(visit), visit.query.get("by", "")
    dimension = by if by == "day" else asked.by
    text = await network_csv(visit.services.store, _mode(visit), asked.period, dimension)
    return csv_file(f"network-{day_date(asked.period.first)}-{day_date(asked.period.last)}.csv", text)


def _mode(visit: Visit) -> str:
    asked = visit.query.get("mode", "")
    return asked if asked in LIVE_FIRST else LIVE_FIRST[0]


def _asked(visit: Visit) -> Asked:
    more = {"mode": _mode(visit)}
    return asked_of(visit.query, visit.services.clock(), HERE, NETWORK_DIMENSIONS, more=more)
