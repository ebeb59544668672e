"""What an affiliate's clicks and orders add up to in a period: by day, campaign, link or sub-id. Never another's.

All of it comes from the figures that the worker keeps (hub/processing/figures.py), so they are at most seconds old.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import define, field, frozen

from hub.domain.orders.figures import CAMPAIGN, LINK
from hub.domain.orders.sub_ids import SUB_NAMES
from hub.operations.figures.figures import Period, Sums
from hub.storage import Store

GROUPS: Final = ("day", LINK, CAMPAIGN, *SUB_NAMES)
"""By what a report counts."""
MOST_FIGURES: Final = 20_000
"""A report adds up at most this many figures, each of a day and a link, campaign or sub-id."""


@define
class Counted:
    """A line of a report; `earned` are the amounts that were not rejected, in minor units by currency.

    `key` is the day since 1970, the link's code or the campaign's id, and `name` what to show for it.
    """

    key: str
    name: str
    clicks: int = 0
    orders: int = 0
    rejected: int = 0
    earned: dict[str, int] = field(factory=dict)


@frozen
class Report:
    """Clicks and orders of a period. If there were too many figures, `is_cut`: the line without a key has the rest."""

    lines: list[Counted]
    total: Counted
    is_cut: bool


async def sums_by_day(store: Store, affiliate_id: str, mode: str, period: Period) -> list[Sums]:
    """Return the sums of each day that has any, by currency; `id` is the day since 1970."""
    asked = {"affiliate_id": affiliate_id, "mode": mode, "first": period.first, "last": period.last}
    async with store.read() as tx:
        return await tx.records(Sums, "figures_of_affiliate_by_day", **asked)


async def report(store: Store, affiliate_id: str, mode: str, by: str, period: Period) -> Report:
    """Count an affiliate's clicks and orders in a period by one of `GROUPS`.

    The line without a key has what belongs to none: clicks on links without a campaign, or without that sub-id.
    """
    days = await sums_by_day(store, affiliate_id, mode, period)
    total = Counted("", "")
    if by == "day":
        lines: dict[str, Counted] = {}
        for each in days:
            _add(lines.setdefault(each.id, Counted(each.id, each.id)), each)
        ordered = sorted(lines.values(), key=lambda line: -int(line.key))
        return Report(ordered, _total(ordered), is_cut=False)
    for each in days:
        _add(total, each)
    found, is_cut = await _by_place(store, affiliate_id, mode, by, period)
    rest = _rest(total, found)
    ordered = sorted(found, key=lambda line: (-line.orders, -line.clicks, line.key))
    return Report([*ordered, rest] if rest.clicks or rest.orders else ordered, total, is_cut)


async def _by_place(
    store: Store, affiliate_id: str, mode: str, place: str, period: Period
) -> tuple[list[Counted], bool]:
    asked = {"affiliate_id": affiliate_id, "mode": mode, "first": period.first, "last": period.last}
    async with store.read() as tx:
        rows = await tx.all("figures_of_places", place=place, limit=MOST_FIGURES, **asked)
        titles = await tx.all("campaigns_by_id", affiliate_id=affiliate_id) if place == CAMPAIGN else ()
    names, lines = {row["campaign_id"]: str(row["title"]) for row in titles}, dict[str, Counted]()
    for row in rows:
        key = row["name"]
        line = lines.setdefault(key, Counted(key, names.get(key, key)))
        line.clicks += int(row["clicks"])
        line.orders += int(row["orders"])
        line.rejected += int(row["rejected"])
        if row["currency"]:
            line.earned[row["currency"]] = int(row["earned_minor"])
    return list(lines.values()), sum(int(row["figures"]) for row in rows) >= MOST_FIGURES


def _add(line: Counted, sums: Sums) -> None:
    line.clicks += sums.clicks
    line.orders += sums.orders
    line.rejected += sums.rejections
    if sums.currency:
        line.earned[sums.currency] = line.earned.get(sums.currency, 0) + sums.commission_minor


def _rest(total: Counted, lines: Sequence[Counted]) -> Counted:
    """Return what the lines leave of the total."""
    named = _total(lines)
    earned = {currency: amount - named.earned.get(currency, 0) for currency, amount in total.earned.items()}
    return Counted(
        "",
        "",
        total.clicks - named.clicks,
        total.orders - named.orders,
        total.rejected - named.rejected,
        {currency: amount for currency, amount in earned.items() if amount},
    )


def _total(lines: Iterable[Counted]) -> Counted:
    total, earned = Counted("", ""), defaultdict[str, int](int)
    for line in lines:
        total.clicks += line.clicks
        total.orders += line.orders
        total.rejected += line.rejected
        for currency, amount in line.earned.items():
            earned[currency] += amount
    total.earned = dict(sorted(earned.items()))
    return total
