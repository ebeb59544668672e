"""/affiliate/reports: clicks, orders and money by day, link, campaign or sub-id."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from typing import Final

from aiohttp import web
from attrs import frozen

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.affiliates.affiliate_reports import GROUPS, MOST_COUNTED, Counted, Report, day_start, report
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.modes import Shown, shown_mode
from hub.pages.rendering import HEADERS
from hub.pages.visit import Page

USUAL_DAYS: Final = 30
MOST_DAYS: Final = 366
DAY_MS: Final = 86_400_000


@frozen
class Period:
    """Whole days in UTC, both included."""

    first: date
    last: date

    @property
    def first_ms(self) -> int:
        """The beginning in ms UTC."""
        return _midnight_ms(self.first)

    @property
    def last_ms(self) -> int:
        """The end in ms UTC, excluded."""
        return _midnight_ms(self.last) + DAY_MS


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
        period=period,
        report=found,
        most=MOST_COUNTED,
        day_start=day_start,
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
    name = f"report-{by}-{period.first}-{period.last}.csv"
    headers = {
        **HEADERS,
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    return web.Response(body=written.getvalue().encode(), headers=headers)


def period_of(visit: AffiliateVisit) -> Period:
    """Return the period of the address: `from` and `to` as dates; the last 30 days without them."""
    today = datetime.fromtimestamp(visit.services.clock() / 1000, UTC).date()
    last = _date(visit.query.get("to", "")) or today
    first = _date(visit.query.get("from", "")) or last - timedelta(days=USUAL_DAYS - 1)
    earliest = last - timedelta(days=MOST_DAYS - 1)
    return Period(min(max(first, earliest), last), last)


async def _found(visit: AffiliateVisit, shown: Shown, by: str, period: Period) -> Report:
    return await report(visit.services.store, visit.affiliate_id, shown.mode, by, period.first_ms, period.last_ms)


def _by(visit: AffiliateVisit) -> str:
    asked = visit.query.get("by", "day")
    return asked if asked in GROUPS else "day"


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if 1971 <= found.year <= 9998 else None


def _midnight_ms(day: date) -> int:
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)


def _csv_rows(line: Counted, by: str) -> list[list[str]]:
    name = format_instant(day_start(line.name))[:10] if by == "day" else defused(line.name)
    counts = [name, str(line.clicks), str(line.orders), str(line.rejected)]
    earned = [[format_money(amount, currency), currency] for currency, amount in sorted(line.earned.items())]
    return [[*counts, *money] if n == 0 else [name, "0", "0", "0", *money] for n, money in enumerate(earned)] or [
        [*counts, "", ""]
    ]
