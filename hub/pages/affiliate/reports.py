"""/affiliate/reports: clicks, orders and money, compared with the period before, by day, link, campaign or sub-id."""

from __future__ import annotations

import csv
import io
from typing import Final

from aiohttp import web

from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.figures.affiliate_figures import GROUPS, MOST_FIGURES, Counted, report, sums_by_day
from hub.operations.figures.figure_age import figures_until
from hub.operations.figures.figures import day_date
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import Shown, shown_mode
from hub.pages.figure_queries import Asked, asked_of
from hub.pages.figure_views import overview_of
from hub.pages.rendering import csv_file
from hub.pages.visit import Page

OWN_METRICS: Final = {
    "commission": "Earned",
    "orders": "Orders",
    "clicks": "Clicks",
    "epc": "Earned per click",
    "revenue": "Revenue of the shops",
    "refunds": "Refunds",
}
TOTALS: Final = ("clicks", "orders", "commission", "epc")
MOST_LINES: Final = 200
"""A report on a page has at most this many lines; its CSV has all."""


def report_pages() -> list[Page]:
    """Return the pages."""
    return [
        affiliate_page("GET", "/affiliate/reports", show_report),
        affiliate_page("GET", "/affiliate/reports.csv", download_report),
    ]


async def show_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Show the totals, a chart by day and a table."""
    shown = await shown_mode(visit)
    store, clock, asked = visit.services.store, visit.services.clock, _asked(visit, shown)
    now = await sums_by_day(store, visit.affiliate_id, shown.mode, asked.period)
    before = await sums_by_day(store, visit.affiliate_id, shown.mode, asked.period.before)
    found = await report(store, visit.affiliate_id, shown.mode, asked.by, asked.period)
    until = await figures_until(store, shown.mode, clock())
    return visit.page(
        "affiliate/reports.html",
        shown=shown,
        groups=GROUPS,
        metrics=OWN_METRICS,
        view=overview_of(asked, now, before, clock(), metrics=OWN_METRICS, totals=TOTALS, until=until),
        report=found,
        lines=found.lines[:MOST_LINES],
        most=MOST_FIGURES,
    )


async def download_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Return the same report as CSV, an amount a line if there are several currencies."""
    shown = await shown_mode(visit)
    asked = _asked(visit, shown)
    found = await report(visit.services.store, visit.affiliate_id, shown.mode, asked.by, asked.period)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([asked.by, "clicks", "orders", "rejected", "earned", "currency"])
    for line in found.lines:
        writer.writerows(_csv_rows(line, asked.by))
    name = f"report-{asked.by}-{day_date(asked.period.first)}-{day_date(asked.period.last)}.csv"
    return csv_file(name, written.getvalue())


def _asked(visit: AffiliateVisit, shown: Shown) -> Asked:
    more = {"mode": shown.mode}
    return asked_of(visit.query, visit.services.clock(), "/affiliate/reports", GROUPS, OWN_METRICS, more)


def _csv_rows(line: Counted, by: str) -> list[list[str]]:
    name = str(day_date(int(line.key))) if by == "day" else defused(line.name)
    counts = [name, str(line.clicks), str(line.orders), str(line.rejected)]
    earned = [[format_money(amount, currency), currency] for currency, amount in sorted(line.earned.items())]
    return [[*counts, *money] if n == 0 else [name, "0", "0", "0", *money] for n, money in enumerate(earned)] or [
        [*counts, "", ""]
    ]
