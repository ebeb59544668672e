"""/affiliate/reports: clicks, orders and money by day, link, campaign or sub-id."""

from __future__ import annotations

import csv
import io
from typing import Final

from aiohttp import web

from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.affiliates.affiliate_figures import GROUPS, MOST_FIGURES, Counted, Report, report
from hub.operations.orders.figures import Period, chosen_period, day_date
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import Shown, shown_mode
from hub.pages.rendering import HEADERS
from hub.pages.visit import Page

USUAL_DAYS: Final = 30
MOST_LINES: Final = 200
"""A report on a page has at most this many lines; its CSV has all."""


def report_pages() -> list[Page]:
    """Return the pages."""
    return [
        affiliate_page("GET", "/affiliate/reports", show_report),
        affiliate_page("GET", "/affiliate/reports.csv", download_report),
    ]


async def show_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Show a report as a table."""
    shown, by, period = await shown_mode(visit), _by(visit), period_of(visit)
    found = await _found(visit, shown, by, period)
    return visit.page(
        "affiliate/reports.html",
        shown=shown,
        by=by,
        groups=GROUPS,
        first=day_date(period.first),
        last=day_date(period.last),
        report=found,
        lines=found.lines[:MOST_LINES],
        most=MOST_FIGURES,
    )


async def download_report(visit: AffiliateVisit) -> web.StreamResponse:
    """Return the same report as CSV, an amount a line if there are several currencies."""
    shown, by, period = await shown_mode(visit), _by(visit), period_of(visit)
    found = await _found(visit, shown, by, period)
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow([by, "clicks", "orders", "rejected", "earned", "currency"])
    for line in found.lines:
        writer.writerows(_csv_rows(line, by))
    name = f"report-{by}-{day_date(period.first)}-{day_date(period.last)}.csv"
    headers = {
        **HEADERS,
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return web.Response(body=written.getvalue().encode(), headers=headers)


def period_of(visit: AffiliateVisit) -> Period:
    """Return the period of the address: `from` and `to` as dates; the last 30 days without them."""
    return chosen_period(visit.query.get("from", ""), visit.query.get("to", ""), USUAL_DAYS, visit.services.clock())


async def _found(visit: AffiliateVisit, shown: Shown, by: str, period: Period) -> Report:
    return await report(visit.services.store, visit.affiliate_id, shown.mode, by, period)


def _by(visit: AffiliateVisit) -> str:
    asked = visit.query.get("by", "day")
    return asked if asked in GROUPS else "day"


def _csv_rows(line: Counted, by: str) -> list[list[str]]:
    name = str(day_date(int(line.key))) if by == "day" else defused(line.name)
    counts = [name, str(line.clicks), str(line.orders), str(line.rejected)]
    earned = [[format_money(amount, currency), currency] for currency, amount in sorted(line.earned.items())]
    return [[*counts, *money] if n == 0 else [name, "0", "0", "0", *money] for n, money in enumerate(earned)] or [
        [*counts, "", ""]
    ]
