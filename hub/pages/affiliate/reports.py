"""/affiliate/reports: clicks, orders and money, compared with the period before, by day, link, campaign or sub-id."""

from __future__ import annotations

import csv
import io
from functools import partial
from typing import Final

from aiohttp import web

from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.figures.affiliate_figures import GROUPS, MOST_FIGURES, Counted, Report, report, sums_by_day
from hub.operations.figures.figure_age import figures_until
from hub.operations.figures.figures import Sums, day_date
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import Shown, shown_mode
from hub.pages.figure_queries import Asked, asked_of
from hub.pages.figure_views import overview_of
from hub.pages.rendering import csv_file
from hub.pages.route_table import RouteTable
from hub.storage import Store

OWN_METRICS: Final = {
    "commission": "Earned",
    "orders": "Orders",
    "clicks": "Clicks",
    "epc": "Earned per click",
    "revenue": "Revenue of the shops",
    "refunds": "Refunds",
}
TOTALS: Final = ("clicks", "orders", "commission", "epc")
_Found = tuple[list[Sums], list[Sums], Report, int | None]
MOST_LINES: Final = 200
"""A report on a page has at most this many lines; its CSV has all."""
PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate/reports")
async def show_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Show the totals, a chart by day and a table."""
    shown = await shown_mode(visit)
    clock, asked = visit.services.clock, _asked(visit, shown)
    read = await visit.services.replica.read(partial(_found, asked, visit.affiliate_id, shown.mode, clock()))
    now, before, found, until = read.found
    return visit.page(
        "affiliate/reports.html",
        shown=shown,
        groups=GROUPS,
        metrics=OWN_METRICS,
        view=overview_of(
            asked, now, before, clock(), metrics=OWN_METRICS, totals=TOTALS, until=until, as_of=read.as_of
        ),
        report=found,
        lines=found.lines[:MOST_LINES],
        most=MOST_FIGURES,
    )


async def _found(asked: Asked, affiliate_id: str, mode: str, moment: int, store: Store) -> _Found:
    """Read the sums of days of the period and of the one before, the report, and until when they are counted."""
    return (
        await sums_by_day(store, affiliate_id, mode, asked.period),
        await sums_by_day(store, affiliate_id, mode, asked.period.before),
        await report(store, affiliate_id, mode, asked.by, asked.period),
        await figures_until(store, mode, moment),
    )


@PAGES.get("/affiliate/reports.csv")
async def download_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Return the same report as CSV, an amount a line if there are several currencies."""
    shown = await shown_mode(visit)
    asked, affiliate_id = _asked(visit, shown), visit.affiliate_id
    read = await visit.services.replica.read(
        lambda store: report(store, affiliate_id, shown.mode, asked.by, asked.period)
    )
    found = read.found
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([asked.by, "clicks", "orders", "rejected", "earned", "currency"])
    for line in found.lines:
        writer.writerows(_csv_rows(line, asked.by))
    name = f"report-{asked.by}-{day_date(asked.period.first)}-{day_date(asked.period.last)}.csv"
    return csv_file(name, written.getvalue(), read.as_of)


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
