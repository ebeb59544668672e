"""Reports of an account by day, from the figures that are kept with the facts."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from attrs import frozen

from hub.domain.money import format_money
from hub.http.errors import invalid
from hub.http.response import Reply
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.reading import page
from hub.operations.orders.account_lists import Listed
from hub.operations.orders.figures import Sums, chosen_period, daily_sums, day_date
from hub.validation.constraints import Text

USUAL_DAYS = 30

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
    query: ReportQuery = call.query
    faults = [f"`{name}` must be a day like 2026-11-20" for name, day in (("from", query.from_), ("to", query.to))
              if day is not None and not _is_day(day)]  # fmt: skip
    if (query.from_ is None) != (query.to is None):
        faults.append("`from` and `to` come together or not at all")
    if faults:
        raise invalid(faults)
    period = chosen_period(query.from_ or "", query.to or "", USUAL_DAYS, call.services.clock())
    sums = await daily_sums(call.services.store, call.caller.account_id, period)
    return page(call, Listed([_line(each) for each in sums], None))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _line(sums: Sums) -> dict[str, Any]:
    """Return a line of the report; clicks have no currency, so their line has no money."""
    currency = sums.currency

    def money(minor: int) -> str | None:
        return format_money(minor, currency) if currency else None

    return {
        "day": day_date(int(sums.id)).isoformat(),
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
