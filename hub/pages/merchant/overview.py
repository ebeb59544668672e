"""/merchant: what needs attention, and what was clicked, ordered and earned, compared with the period before."""

from __future__ import annotations

from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.figures.figure_age import figures_until
from hub.operations.figures.figures import (
    DIMENSIONS,
    breakdown,
    daily_sums,
    day_date,
    figures_csv,
    product_sums,
)
from hub.pages.figure_queries import METRICS, Asked, asked_of
from hub.pages.figure_reads import Found, Reads
from hub.pages.figure_views import lines_of, overview_of
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.attention import shown_attention
from hub.pages.navigation import SET_UP
from hub.pages.rendering import csv_file, see_other
from hub.pages.route_table import RouteTable
from hub.storage import Store

BREAKDOWNS: Final = DIMENSIONS[1:]
READS: Final = Reads(daily_sums, breakdown, product_sums)
DONE: Final = {
    "aside": "It is set aside until it changes.",
    "taken-up": "It is no longer set aside.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get("/merchant")
async def show_overview(visit: MerchantVisit) -> web.StreamResponse:
    """Show the overview."""
    clock, asked = visit.services.clock, _asked(visit)
    read = await visit.services.replica.read(partial(_found, asked, visit.account_id, visit.mode, clock()))
    found = read.found
    attention = await shown_attention(visit)
    nothing = not (found.now or found.before or attention["open"])
    if visit.sets_up and nothing and visit.query.keys() <= {"mode"}:
        return see_other(f"{SET_UP}?mode={visit.mode}")  # nobody begins with a page of zeros
    view = overview_of(asked, found.now, found.before, clock(), until=found.until, as_of=read.as_of)
    return visit.page(
        "merchant/overview.html",
        attention=attention,
        done=DONE.get(visit.query.get("done", "")),
        view=view,
        metrics=METRICS,
        dimensions=BREAKDOWNS,
        lines=lines_of(found.lines, found.earlier, view.currency),
        products=found.products,
    )


async def _found(asked: Asked, account_id: str, mode: str, moment: int, store: Store) -> Found:
    """Read the figures that an address asks for; `moment` is in ms UTC."""
    return await READS.found(asked, account_id, await figures_until(store, mode, moment, account_id), store)


@PAGES.get("/merchant/figures.csv")
async def download_figures(visit: MerchantVisit) -> web.StreamResponse:
    """Download the figures of the view as CSV."""
    asked, account_id, by = _asked(visit), visit.account_id, visit.query.get("by", "")
    dimension = by if by in DIMENSIONS else asked.by
    read = await visit.services.replica.read(lambda store: figures_csv(store, account_id, asked.period, dimension))
    days = f"{day_date(asked.period.first)}-{day_date(asked.period.last)}"
    return csv_file(f"figures-{days}.csv", read.found, read.as_of)


def _asked(visit: MerchantVisit) -> Asked:
    return asked_of(visit.query, visit.services.clock(), "/merchant", BREAKDOWNS)
