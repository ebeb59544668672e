"""/merchant: what needs attention, and what was clicked, ordered and earned, compared with the period before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import frozen
from markupsafe import Markup

from hub.domain.figures import day_of
from hub.operations.orders.figures import (
    DIMENSIONS,
    Period,
    Sums,
    breakdown,
    chosen_period,
    daily_sums,
    day_date,
    figures_csv,
    product_sums,
    troubles,
)
from hub.pages.charts import Figure, lines
from hub.pages.markup import count, money
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.rendering import HEADERS
from hub.pages.visit import Page

SPANS: Final = (7, 30, 90, 365)
METRICS: Final = {
    "revenue": "Revenue",
    "commission": "Commissions",
    "orders": "Orders",
    "clicks": "Clicks",
    "high": "HIGH share",
    "refunds": "Refunds",
    "epc": "Earned per click",
}
OF_MONEY: Final = ("revenue", "commission", "refunds", "epc")


@frozen
class Asked:
    """What the address asks for."""

    period: Period
    span: int
    by: str
    metric: str

    def address(self, path: str = "/merchant", **changed: str) -> str:
        """Return the address of this view with something changed."""
        given = {"by": self.by, "show": self.metric}
        if self.span:
            given["days"] = str(self.span)
        else:
            given |= {"from": str(day_date(self.period.first)), "to": str(day_date(self.period.last))}
        if "days" in changed:
            given = {name: value for name, value in given.items() if name not in ("from", "to")}
        return f"{path}?{urlencode({**given, **changed})}"


@frozen
class Total:
    """One of the totals: its name, what it is now, and what it was in the period before."""

    name: str
    now: Sequence[Markup]
    before: Sequence[Markup]


@frozen
class Line:
    """What one campaign or affiliate brought: amounts by currency, `per_click` only if there were clicks."""

    id: str
    name: str
    clicks: int
    orders: int
    high: int
    sums: Sequence[Sums]

    @property
    def per_click(self) -> list[Markup]:
        """What was earned per click, in each currency."""
        clicks = self.clicks
        return [money(_part(each.commission_minor, clicks), each.currency) for each in self.sums] if clicks else []


def overview_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", "/merchant", show_overview),
        merchant_page("GET", "/merchant/figures.csv", download_figures),
    ]


async def show_overview(visit: MerchantVisit) -> web.StreamResponse:
    """Show the overview."""
    store, account_id, asked = visit.services.store, visit.account_id, _asked(visit)
    now = await daily_sums(store, account_id, asked.period)
    before = await daily_sums(store, account_id, asked.period.before)
    currencies = _currencies([*now, *before])
    return visit.page(
        "merchant/overview.html",
        troubles=await troubles(store, visit.services.clock, account_id),
        asked=asked,
        first=day_date(asked.period.first),
        last=day_date(asked.period.last),
        spans=SPANS,
        metrics=METRICS,
        dimensions=DIMENSIONS[1:],
        totals=_totals(now, before, currencies),
        states=_states(now, currencies),
        figure=_figure(asked, now, before, currencies, day_of(visit.services.clock())),
        lines=_lines(await breakdown(store, account_id, asked.period, asked.by)) if asked.by != "product" else [],
        products=await product_sums(store, account_id, asked.period) if asked.by == "product" else [],
    )


async def download_figures(visit: MerchantVisit) -> web.StreamResponse:
    """Download the figures of the view as CSV."""
    asked = _asked(visit)
    by = visit.query.get("by", "")
    text = await figures_csv(visit.services.store, visit.account_id, asked.period, by if by in DIMENSIONS else asked.by)
    name = f"figures-{day_date(asked.period.first)}-{day_date(asked.period.last)}.csv"
    kind = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(text=text, headers={**HEADERS, **kind})


def _asked(visit: MerchantVisit) -> Asked:
    query = visit.query
    given = query.get("days", "")
    span = int(given) if given in map(str, SPANS) else 0 if query.get("from") else 30
    first, last = (query.get("from", ""), query.get("to", "")) if not span else ("", "")
    by, metric = query.get("by", ""), query.get("show", "")
    return Asked(
        chosen_period(first, last, span or 30, visit.services.clock()),
        span,
        by if by in DIMENSIONS[1:] else "campaign",
        metric if metric in METRICS else "revenue",
    )


def _currencies(sums: Sequence[Sums]) -> list[str]:
    """Return the currencies of the orders, the one with the most orders first."""
    orders: dict[str, int] = defaultdict(int)
    for each in sums:
        if each.currency:
            orders[each.currency] += each.orders
    return sorted(orders, key=lambda currency: (-orders[currency], currency))


def _lines(found: Sequence[Sums]) -> list[Line]:
    """Return a line for each campaign or affiliate, in the order of the first sums of each."""
    by_id: dict[str, list[Sums]] = {}
    for each in found:
        by_id.setdefault(each.id, []).append(each)
    return [
        Line(
            key,
            sums[0].name,
            sum(each.clicks for each in sums),
            sum(each.orders for each in sums),
            sum(each.high for each in sums),
            [each for each in sums if each.currency],
        )
        for key, sums in by_id.items()
    ]


def _totals(now: Sequence[Sums], before: Sequence[Sums], currencies: Sequence[str]) -> list[Total]:
    def amounts(sums: Sequence[Sums], name: str) -> list[Markup]:
        return [money(sum(_value(each, name) for each in sums if each.currency == c), c) for c in currencies]

    def number(sums: Sequence[Sums], name: str) -> list[Markup]:
        return [count(sum(_value(each, name) for each in sums))]

    return [
        Total("Clicks", number(now, "clicks"), number(before, "clicks")),
        Total("Orders", number(now, "orders"), number(before, "orders")),
        Total("Revenue", amounts(now, "revenue") or [Markup("0")], amounts(before, "revenue")),
        Total("Commissions", amounts(now, "commission") or [Markup("0")], amounts(before, "commission")),
    ]


def _states(now: Sequence[Sums], currencies: Sequence[str]) -> list[tuple[str, list[Markup]]]:
    """Return the commissions of the period by state, in each currency."""
    found = []
    for state in ("pending", "hold", "approved", "payable", "paid", "rejected"):
        sums = [sum(getattr(each, f"{state}_minor") for each in now if each.currency == c) for c in currencies]
        found.append((state.upper(), [money(minor, c) for minor, c in zip(sums, currencies, strict=True)]))
    return found


def _value(sums: Sums, metric: str) -> int:
    if metric == "clicks":
        return sums.clicks
    if metric in ("orders", "high"):
        return sums.orders if metric == "orders" else sums.high
    if metric == "refunds":
        return sums.refunds_minor
    return sums.revenue_minor if metric == "revenue" else sums.commission_minor


def _by_day(sums: Sequence[Sums], period: Period, metric: str, currency: str) -> list[int]:
    """Return a value for each day: amounts in minor units, the HIGH share in per cent."""
    values = {name: [0] * period.days for name in ("clicks", "orders", "high", "commission", metric)}
    for each in sums:
        for name, days in values.items():
            if name not in OF_MONEY or each.currency == currency:
                days[int(each.id) - period.first] += _value(each, name) if name != "epc" else 0
    if metric == "high":
        return [_part(100 * high, orders) for high, orders in zip(values["high"], values["orders"], strict=True)]
    if metric == "epc":
        return [_part(minor, clicks) for minor, clicks in zip(values["commission"], values["clicks"], strict=True)]
    return values[metric]


def _part(share: int, whole: int) -> int:
    return round(share / whole) if whole else 0


def _figure(asked: Asked, now: Sequence[Sums], before: Sequence[Sums], currencies: Sequence[str], today: int) -> Figure:
    period, metric = asked.period, asked.metric
    currency = currencies[0] if currencies else ""
    values = _by_day(now, period, metric, currency)
    earlier = _by_day(before, period.before, metric, currency)
    days = [day_date(day) for day in range(period.first, period.last + 1)]
    shown = [f"{day.day} {day:%b %Y}" for day in days]
    name = METRICS[metric] + (f", {currency}" if metric in OF_MONEY and currency else "")
    so_far = period.last == today
    return Figure(
        name=f"{name} by day",
        caption=_caption(name, values, earlier, metric, currency, so_far=so_far),
        of="Day (UTC)",
        series=("In this period", "In the period before"),
        rows=[
            (label, (_shown(value, metric, currency), _shown(old, metric, currency)))
            for label, value, old in zip(shown, values, earlier, strict=True)
        ],
        labels=(shown[0], shown[-1]),
        most=_shown(max((*values, *earlier)), metric, currency),
        paths=lines(values, earlier, unfinished=so_far),
    )


def _caption(
    name: str, now: Sequence[int], before: Sequence[int], metric: str, currency: str, *, so_far: bool
) -> Markup:
    end = " Today is drawn broken: it is not over." if so_far else ""
    if metric in ("high", "epc"):
        return Markup("{} by day; the dashed line is the period before.{}").format(name, end)
    change = _change(sum(now), sum(before))
    return Markup("{}: {}{}; the dashed line is the period before.{}").format(
        name, _shown(sum(now), metric, currency), change, end
    )


def _change(now: int, before: int) -> str:
    if not before:
        return ""
    percent = round(100 * (now - before) / before)
    return f", {abs(percent)} % {'more' if percent > 0 else 'less'} than before" if percent else ", as before"


def _shown(value: int, metric: str, currency: str) -> Markup:
    if metric == "high":
        return Markup("{} %").format(value)
    if metric not in OF_MONEY:
        return count(value)
    return money(value, currency) if currency else Markup("0")
