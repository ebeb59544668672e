"""What a page of figures shows: totals compared with the period before, a chart by day, states and a breakdown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen
from markupsafe import Markup

from hub.domain.orders.figures import day_of
from hub.domain.words import COMMISSION_STATES
from hub.operations.figures.figures import Period, Sums
from hub.pages.charts import Figure, lines, ticks_of, top_of
from hub.pages.figure_queries import METRICS, Asked
from hub.pages.markup import count, day_words, money

OF_MONEY: Final = ("revenue", "commission", "refunds", "epc")
STATES: Final = tuple(state.lower() for state in COMMISSION_STATES)


@frozen
class Total:
    """One of the totals, now and in the period before; `change` in words is empty if there are several amounts."""

    name: str
    now: Sequence[Markup]
    before: Sequence[Markup]
    change: str


@frozen
class State:
    """The commissions in a state: the amounts by currency, and how long its bar is, in per cent of the longest."""

    name: str
    amounts: Sequence[Markup]
    share: int


@frozen
class Line:
    """What one campaign, affiliate or merchant brought: amounts by currency, `per_click` only if there were clicks.

    `share` is the part of the largest revenue in the currency that is shown, in per cent, `before` the orders of the
    period before, None if it is too long to be compared.
    """

    id: str
    name: str
    clicks: int
    orders: int
    high: int
    sums: Sequence[Sums]
    share: int
    before: int | None

    @property
    def per_click(self) -> list[Markup]:
        """What was earned per click, in each currency."""
        clicks = self.clicks
        return [money(_part(each.commission_minor, clicks), each.currency) for each in self.sums] if clicks else []


@frozen
class Overview:
    """The figures of a period beside those of the period before.

    `currencies` are those of its orders, first `currency`, whose amounts the chart and the bars show; it is empty if
    there are no orders. Orders are missing that came or changed since the moment `until` (ms UTC), unless it is None;
    `as_of` is the moment of the replica that was read, None for the database itself.
    """

    asked: Asked
    currencies: Sequence[str]
    totals: Sequence[Total]
    states: Sequence[State]
    figure: Figure
    until: int | None = None
    as_of: int | None = None

    @property
    def currency(self) -> str:
        """The currency whose amounts are drawn."""
        return self.currencies[0] if self.currencies else ""


def overview_of(
    asked: Asked,
    now: Sequence[Sums],
    before: Sequence[Sums],
    moment: int,
    *,
    metrics: Mapping[str, str] = METRICS,
    totals: Sequence[str] = ("clicks", "orders", "revenue", "commission"),
    until: int | None = None,
    as_of: int | None = None,
) -> Overview:
    """Return the view of the sums of days of a period and the one before; `moment` (ms UTC) is today.

    `until` and `as_of` are as in the view.
    """
    currencies = _currencies([*now, *before], asked.currency)
    return Overview(
        asked,
        currencies,
        [_total(name, metrics[name], now, before, currencies) for name in totals],
        _states(now, currencies),
        _figure(asked, metrics[asked.metric], now, before, currencies, day_of(moment)),
        until,
        as_of,
    )


def lines_of(found: Sequence[Sums], before: Sequence[Sums] | None, currency: str) -> list[Line]:
    """Return a line for each campaign, affiliate or merchant, in the order of the first sums of each.

    Amounts in different currencies cannot be compared, so shares are those of the revenue in `currency`.
    """
    by_id: dict[str, list[Sums]] = {}
    for each in found:
        by_id.setdefault(each.id, []).append(each)
    earlier: dict[str, int] = defaultdict(int)
    for each in before or ():
        earlier[each.id] += each.orders
    most = max((each.revenue_minor for each in found if each.currency == currency), default=0)
    return [
        Line(
            key,
            sums[0].name,
            sum(each.clicks for each in sums),
            sum(each.orders for each in sums),
            sum(each.high for each in sums),
            [each for each in sums if each.currency],
            _part(100 * sum(each.revenue_minor for each in sums if each.currency == currency), most),
            None if before is None else earlier[key],
        )
        for key, sums in by_id.items()
    ]


def _currencies(sums: Sequence[Sums], chosen: str) -> list[str]:
    """Return the currencies of the orders: first the chosen one if it is among them, then by their orders."""
    orders: dict[str, int] = defaultdict(int)
    for each in sums:
        if each.currency:
            orders[each.currency] += each.orders
    return sorted(orders, key=lambda currency: (currency != chosen, -orders[currency], currency))


def _total(metric: str, name: str, now: Sequence[Sums], before: Sequence[Sums], currencies: Sequence[str]) -> Total:
    def amounts(sums: Sequence[Sums]) -> list[Markup]:
        if metric == "epc":
            clicks = sum(each.clicks for each in sums)
            return [money(_part(_sum(sums, "commission", c), clicks), c) for c in currencies] if clicks else []
        if metric in OF_MONEY:
            return [money(_sum(sums, metric, c), c) for c in currencies]
        return [count(sum(_value(each, metric) for each in sums))]

    change = ""
    if metric != "epc" and (metric not in OF_MONEY or len(currencies) == 1):
        change = _change(*(sum(_value(each, metric) for each in sums) for sums in (now, before)))
    return Total(
        name, amounts(now) or [Markup("0")], amounts(before), change.removeprefix(", ").removesuffix(" than before")
    )


def _sum(sums: Sequence[Sums], metric: str, currency: str) -> int:
    return sum(_value(each, metric) for each in sums if each.currency == currency)


def _states(now: Sequence[Sums], currencies: Sequence[str]) -> list[State]:
    """Return the commissions of the period by state, in each currency; the bars are of the main one."""
    found = {
        state: [sum(getattr(each, f"{state}_minor") for each in now if each.currency == c) for c in currencies]
        for state in STATES
    }
    most = max((sums[0] for sums in found.values() if sums), default=0)
    return [
        State(
            state.upper(),
            [money(minor, currency) for minor, currency in zip(sums, currencies, strict=True)],
            _part(100 * sums[0], most) if sums else 0,
        )
        for state, sums in found.items()
    ]


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


def _figure(
    asked: Asked, words: str, now: Sequence[Sums], before: Sequence[Sums], currencies: Sequence[str], today: int
) -> Figure:
    period, metric = asked.period, asked.metric
    currency = currencies[0] if currencies else ""
    values = _by_day(now, period, metric, currency)
    earlier = _by_day(before, period.before, metric, currency)
    shown = [day_words(day) for day in range(period.first, period.last + 1)]
    name = words + (f", {currency}" if metric in OF_MONEY and currency else "")
    so_far, top = period.last == today, top_of(max((*values, *earlier)))
    return Figure(
        name=f"{name} by day",
        caption=_caption(name, values, earlier, metric, currency, so_far=so_far),
        of="Day (UTC)",
        series=("In this period", "In the period before"),
        rows=[
            (label, (_shown(value, metric, currency), _shown(old, metric, currency)))
            for label, value, old in zip(shown, values, earlier, strict=True)
        ],
        ticks=ticks_of([label.rpartition(" ")[0] for label in shown]),
        scale=[_shown(value, metric, currency) for value in (top, top // 2, 0)],
        paths=lines(values, earlier, unfinished=so_far),
    )


def _caption(
    name: str, now: Sequence[int], before: Sequence[int], metric: str, currency: str, *, so_far: bool
) -> Markup:
    end = " The broken part is today, which is not over yet." if so_far else ""
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
