"""The figures of an account in a period, by day, campaign, affiliate or product; and what needs attention."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple, TypeVar

from attrs import frozen

from hub.domain.durations import DAY
from hub.domain.money import format_money
from hub.domain.orders.figures import day_of
from hub.domain.spreadsheets import defused
from hub.domain.words import COMMISSION_STATES
from hub.records.statements import BalanceRecord
from hub.storage import Store, Tx

DIMENSIONS: Final = ("day", "campaign", "affiliate", "product")
QUERIES: Final = {"campaign": "figures_by_campaign", "affiliate": "figures_by_affiliate"}
MOST_LINES: Final = 200
"""A breakdown on a page has at most this many lines, the largest first; its CSV has all."""
ALL_LINES: Final = 1_000_000
LONGEST_DAYS: Final = 800


@frozen
class Period:
    """Days since 1970 (UTC), the first and the last of which are in it."""

    first: int
    last: int

    @property
    def days(self) -> int:
        """How many days it has."""
        return self.last - self.first + 1

    @property
    def before(self) -> Period:
        """The period of the same length that ends where this one begins."""
        return Period(self.first - self.days, self.first - 1)


class Sums(NamedTuple):
    """The figures of one line; amounts in minor units of its currency. Clicks have no currency: theirs is empty."""

    id: str
    name: str
    currency: str
    clicks: int
    orders: int
    high: int
    rejections: int
    revenue_minor: int
    refunds_minor: int
    pending_minor: int
    hold_minor: int
    approved_minor: int
    payable_minor: int
    paid_minor: int
    rejected_minor: int

    @property
    def commission_minor(self) -> int:
        """The commissions that were not rejected."""
        return self.pending_minor + self.hold_minor + self.approved_minor + self.payable_minor + self.paid_minor


class ProductSums(NamedTuple):
    """What was sold of a product; `id` is the merchant's own and empty for what is not in the catalogue."""

    id: str
    name: str
    currency: str
    orders: int
    units: int
    revenue_minor: int


class LinkSums(NamedTuple):
    """What a link brought in one currency; clicks are a line of their own, whose currency is empty."""

    code: str
    affiliate_id: str
    campaign_id: str | None
    destination: str
    currency: str
    clicks: int
    orders: int
    rejections: int
    commission_minor: int


Line = TypeVar("Line", Sums, ProductSums, LinkSums)


def day_date(day: int) -> date:
    """Return a day since 1970 as a date."""
    return datetime.fromtimestamp(day * DAY // 1000, UTC).date()


def date_day(day: date) -> int:
    """Return a date as days since 1970."""
    return (day - date(1970, 1, 1)).days


def chosen_period(first: str, last: str, days: int, now: int) -> Period:
    """Return the period between two ISO dates, or of the last `days` before `now` (ms UTC) if they are none.

    It has at most `LONGEST_DAYS` days.
    """
    today = day_of(now)
    try:
        begins, ends = date_day(date.fromisoformat(first)), date_day(date.fromisoformat(last))
    except ValueError:
        begins, ends = today - days + 1, today
    begins, ends = min(begins, ends), max(begins, ends)
    return Period(max(begins, ends - LONGEST_DAYS + 1), ends)


async def sums_in(store: Store, kind: type[Line], query: str, period: Period, **of: str | int) -> list[Line]:
    """Return the lines of a query of figures in a period."""
    async with store.read() as tx:
        return await tx.records(kind, query, first=period.first, last=period.last, **of)


async def daily_sums(store: Store, account_id: str, period: Period) -> list[Sums]:
    """Return the sums of each day that has any, by currency; `id` is the day since 1970."""
    return await sums_in(store, Sums, "figures_by_day", period, account_id=account_id)


async def breakdown(
    store: Store, account_id: str, period: Period, dimension: str, limit: int = MOST_LINES
) -> list[Sums]:
    """Return the sums by "campaign" or "affiliate", the most revenue first; raise KeyError for anything else."""
    return await sums_in(store, Sums, QUERIES[dimension], period, account_id=account_id, limit=limit)


async def product_sums(store: Store, account_id: str, period: Period, limit: int = MOST_LINES) -> list[ProductSums]:
    """Return the sums by product, the most revenue first."""
    return await sums_in(store, ProductSums, "figures_by_product", period, account_id=account_id, limit=limit)


async def link_sums(store: Store, account_id: str, period: Period, limit: int) -> list[LinkSums]:
    """Return the sums by link, the most clicks first."""
    return await sums_in(store, LinkSums, "figures_by_link", period, account_id=account_id, limit=limit)


def figures_document(sums: Sums) -> dict[str, Any]:
    """Return the figures of a line as APIs have them; clicks have no currency, so their line has no money."""
    currency = sums.currency

    def money(minor: int) -> str | None:
        return format_money(minor, currency) if currency else None

    return {
        "currency": currency or None,
        "clicks": sums.clicks,
        "orders": sums.orders,
        "attributed": sums.high,
        "revenue": money(sums.revenue_minor),
        "refunds": money(sums.refunds_minor),
        "commission": money(sums.commission_minor),
        "pending": money(sums.pending_minor),
        "hold": money(sums.hold_minor),
        "approved": money(sums.approved_minor),
        "payable": money(sums.payable_minor),
        "paid": money(sums.paid_minor),
        "rejected": money(sums.rejected_minor),
    }


async def figures_csv(store: Store, account_id: str, period: Period, dimension: str) -> str:
    """Return the figures as CSV, amounts as decimal text with their currency beside them."""
    if dimension == "product":
        return products_csv(await product_sums(store, account_id, period, ALL_LINES))
    if dimension == "day":
        return sums_csv(dimension, await daily_sums(store, account_id, period))
    return sums_csv(dimension, await breakdown(store, account_id, period, dimension, ALL_LINES))


def products_csv(sold: Iterable[ProductSums]) -> str:
    """Return the sums of products as CSV."""
    header = ("product", "name", "currency", "orders", "units", "revenue")
    return _csv(header, [(*each[:5], format_money(each.revenue_minor, each.currency)) for each in sold])


def sums_csv(dimension: str, found: Iterable[Sums]) -> str:
    """Return sums as CSV; those of days have the date as their id."""
    if dimension == "day":
        found = [each._replace(id=str(day_date(int(each.id))), name="") for each in found]
    return _csv((dimension, *Sums._fields[1:]), [_cells(each) for each in found])


def _cells(sums: Sums) -> list[object]:
    amounts = [format_money(minor, sums.currency) if sums.currency else "" for minor in sums[7:]]
    return [*sums[:7], *amounts]


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([name.removesuffix("_minor") for name in header])
    writer.writerows([[defused(cell) if isinstance(cell, str) else cell for cell in row] for row in rows])
    return text.getvalue()


async def balances_of(tx: Tx, account_id: str, now: int) -> list[BalanceRecord]:
    """Return the balance of each currency at `now` (ms UTC)."""
    sums: dict[str, dict[str, int]] = {}
    for each in await tx.records(Sums, "figures_by_day", account_id=account_id, first=0, last=now // DAY):
        if each.currency:
            line = sums.setdefault(each.currency, dict.fromkeys(COMMISSION_STATES, 0))
            for state in COMMISSION_STATES:
                line[state] += getattr(each, f"{state.lower()}_minor")
    return [
        BalanceRecord(currency=currency, **{s.lower(): format_money(minor, currency) for s, minor in line.items()})
        for currency, line in sorted(sums.items())
    ]
