"""What the address of a page of figures asks for: period, breakdown, metric and currency, all kept by its links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlencode

from attrs import field, frozen

from hub.domain.orders.figures import day_of
from hub.operations.figures.figures import Period, chosen_period, day_date

SPANS: Final = (7, 30, 90, 365)
USUAL_SPAN: Final = 30
CURRENCY: Final = re.compile("[A-Z]{3}")
METRICS: Final = {
    "revenue": "Revenue",
    "commission": "Commissions",
    "orders": "Orders",
    "clicks": "Clicks",
    "high": "Certain orders",
    "refunds": "Refunds",
    "epc": "Earned per click",
}


@frozen
class Asked:
    """What the address asks for: `span` is 0 if two days were named; `more` is what else the address keeps.

    `currency` is the one whose amounts are drawn, empty for the one with the most orders.
    """

    path: str
    period: Period
    span: int
    by: str
    metric: str
    currency: str = ""
    more: Mapping[str, str] = field(factory=dict)

    def address(self, path: str | None = None, **changed: str) -> str:
        """Return the address of this view with something changed."""
        given = {**self.more, "by": self.by, "show": self.metric}
        if self.currency:
            given["currency"] = self.currency
        if self.span:
            given["days"] = str(self.span)
        else:
            given |= {"from": str(day_date(self.period.first)), "to": str(day_date(self.period.last))}
        if "days" in changed:
            given = {name: value for name, value in given.items() if name not in ("from", "to")}
        return f"{path or self.path}?{urlencode({**given, **changed})}"


def asked_of(
    query: Mapping[str, str],
    now: int,
    path: str,
    dimensions: Sequence[str],
    metrics: Mapping[str, str] = METRICS,
    more: Mapping[str, str] | None = None,
) -> Asked:
    """Read what an address asks for; what it lacks is 30 days, the first dimension and the first metric."""
    given = query.get("days", "")
    ends = query.get("from", ""), query.get("to", "")
    span = int(given) if given in map(str, SPANS) else 0 if any(ends) else USUAL_SPAN
    first, last = ("", "") if span else _both(*ends, day_of(now))
    by, metric = query.get("by", ""), query.get("show", "")
    return Asked(
        path,
        chosen_period(first, last, span or USUAL_SPAN, now),
        span,
        by if by in dimensions else dimensions[0],
        metric if metric in metrics else next(iter(metrics)),
        query.get("currency", "") if CURRENCY.fullmatch(query.get("currency", "")) else "",
        more or {},
    )


def _both(first: str, last: str, today: int) -> tuple[str, str]:
    """Return both ends of a period of which one may be missing: it goes on until today, or has the usual days."""
    try:
        if first and not last:
            return first, max(first, str(day_date(today)))
        if last and not first:
            return str(date.fromisoformat(last) - timedelta(USUAL_SPAN - 1)), last
    except (ValueError, OverflowError):
        return "", ""
    return first, last
