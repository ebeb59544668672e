"""/merchant: what needs attention, and what was clicked, ordered and earned, compared with the period before."""

from __future__ import annotations

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
from hub.pages.figure_views import COMPARED_DAYS, lines_of, overview_of
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.attention import shown_attention
from hub.pages.navigation import SET_UP
from hub.pages.rendering import csv_file, see_other
from hub.pages.visit import Page

BREAKDOWNS: Final = DIMENSIONS[1:]
DONE: Final = {
    "aside": "It is set aside until it changes.",
    "taken-up": "It counts again.",
}


def overview_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", "/merchant", show_overview),
        merchant_page("GET", "/merchant/figures.csv", download_figures),
    ]


async def show_overview(visit: MerchantVisit) -> web.StreamResponse:
    """Show the overview."""
    store, clock, account_id, asked = visit.services.store, visit.services.clock, visit.account_id, _asked(visit)
    now = await daily_sums(store, account_id, asked.period)
    before = await daily_sums(store, account_id, asked.period.before)
    of_products = asked.by == "product"
    lines = [] if of_products else await breakdown(store, account_id, asked.period, asked.by)
    compared = lines and asked.period.days <= COMPARED_DAYS
    earlier = await breakdown(store, account_id, asked.period.before, asked.by) if compared else None
    if visit.sets_up and not now and not before and not visit.query:
        return see_other(SET_UP)  # nobody begins with a page of zeros
    until = await figures_until(store, visit.mode, clock(), account_id)
    view = overview_of(asked, now, before, clock(), until=until)
    return visit.page(
        "merchant/overview.html",
        attention=await shown_attention(visit),
        done=DONE.get(visit.query.get("done", "")),
        view=view,
        metrics=METRICS,
        dimensions=BREAKDOWNS,
        lines=lines_of(lines, earlier, view.currency),
        products=await product_sums(store, account_id, asked.period) if of_products else [],
    )


async def download_figures(visit: MerchantVisit) -> web.StreamResponse:
    """Download the figures of the view as CSV."""
    asked = _asked(visit)
    by = visit.query.get("by", "")
    text = await figures_csv(visit.services.store, visit.account_id, asked.period, by if by in DIMENSIONS else asked.by)
    return csv_file(f"figures-{day_date(asked.period.first)}-{day_date(asked.period.last)}.csv", text)


def _asked(visit: MerchantVisit) -> Asked:
    return asked_of(visit.query, visit.services.clock(), "/merchant", BREAKDOWNS)
