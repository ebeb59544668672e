"""Reports of an account by day, campaign, affiliate and product, and what it owes, from the figures kept with facts."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from attrs import frozen

from hub.domain.money import format_money
from hub.http.errors import invalid
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.reading import whole
from hub.operations.figures.figures import (
    Period,
    balances_of,
    breakdown,
    chosen_period,
    daily_sums,
    day_date,
    figures_document,
    link_sums,
    product_sums,
)
from hub.operations.money.invoices.merchant_months import owed_months
from hub.records.figures import FiguresOfLink, FiguresOfProduct
from hub.records.rows import shared_values
from hub.validation.constraints import Text

USUAL_DAYS = 30
MOST_LINES = 5_000
"""A report has at most this many lines; what is left out is at its end, where the least is."""

FirstDay = Annotated[
    str, Text(10, blank_is_absent=True, description="The first day, UTC; with `to`.", example="2026-11-01")
]
LastDay = Annotated[
    str,
    Text(10, blank_is_absent=True, description="The last day, UTC, at most 800 days later.", example="2026-11-30"),
]


@frozen(kw_only=True, slots=False)
class ReportQuery:
    """The query of GET /v1/reports/daily; without both days, the last 30."""

    from_: FirstDay | None = None
    to: LastDay | None = None


async def daily_report(call: Call) -> Reply:
    """Return the figures of each day of a period that has any, by currency."""
    sums = await daily_sums(call.services.store, call.caller.account_id, _period(call))
    return whole(call, [{"day": day_date(int(each.id)).isoformat(), **figures_document(each)} for each in sums])


async def campaign_report(call: Call) -> Reply:
    """Return the figures of each campaign of a period, the most revenue first."""
    return await _breakdown(call, "campaign")


async def affiliate_report(call: Call) -> Reply:
    """Return the figures of each affiliate of a period, the most revenue first."""
    return await _breakdown(call, "affiliate")


async def product_report(call: Call) -> Reply:
    """Return what was sold of each product in a period, the most revenue first."""
    sums = await product_sums(call.services.store, call.caller.account_id, _period(call), MOST_LINES)
    lines = [
        FiguresOfProduct(
            external_product_id=each.id or None,
            name=each.name or None,
            currency=each.currency,
            orders=each.orders,
            units=each.units,
            revenue=format_money(each.revenue_minor, each.currency),
        )
        for each in sums
    ]
    return whole(call, lines)


async def link_report(call: Call) -> Reply:
    """Return the clicks, orders and commissions of each link of a period, the most clicks first."""
    sums = await link_sums(call.services.store, call.caller.account_id, _period(call), MOST_LINES)
    lines = [
        FiguresOfLink(
            **(shared_values(FiguresOfLink, each) | {"currency": each.currency or None}),
            commission=format_money(each.commission_minor, each.currency) if each.currency else None,
        )
        for each in sums
    ]
    return whole(call, lines)


async def balances(call: Call) -> Reply:
    """Return what the commissions of all days come to, by currency."""
    services = call.services
    async with services.store.read() as tx:
        return whole(call, await balances_of(tx, call.caller.account_id, services.clock()))


async def statements(call: Call) -> Reply:
    """Return what the account owes, month by month, newest first."""
    services, caller = call.services, call.caller
    months = await owed_months(services.store, caller.merchant_id, caller.mode, services.clock())
    return whole(call, months)


async def _breakdown(call: Call, dimension: str) -> Reply:
    sums = await breakdown(call.services.store, call.caller.account_id, _period(call), dimension, MOST_LINES)
    lines = [{"id": each.id or None, "name": each.name or None, **figures_document(each)} for each in sums]
    return whole(call, lines)


def _period(call: Call) -> Period:
    """Return the period that a query asks for; raise the 400 of days that are none."""
    query: ReportQuery = call.query
    faults = [f"`{name}` must be a day like 2026-11-20" for name, day in (("from", query.from_), ("to", query.to))
              if day is not None and not _is_day(day)]  # fmt: skip
    if (query.from_ is None) != (query.to is None):
        faults.append("`from` and `to` come together or not at all")
    if faults:
        raise invalid(faults)
    return chosen_period(query.from_ or "", query.to or "", USUAL_DAYS, call.services.clock())


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
