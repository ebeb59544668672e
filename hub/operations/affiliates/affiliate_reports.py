"""What an affiliate sees of its own: sums, commissions, links, and clicks and orders by place. Never another's."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import define, field, frozen

from hub.clock import Clock
from hub.domain.campaigns import effective_status
from hub.domain.durations import DAY
from hub.domain.sub_ids import SUB_NAMES
from hub.operations.errors import unknown
from hub.operations.orders.conversions import ConversionDetails, assemble
from hub.storage import Row, Store

GROUPS: Final = ("day", "link", "campaign", *SUB_NAMES)
"""By what a report counts."""
MOST_COUNTED: Final = 5_000
"""A report by link or sub-id counts at most this many clicks and as many orders, the newest of its period."""
STATES: Final = ("PENDING", "HOLD", "APPROVED", "PAYABLE", "PAID", "REJECTED")
HELD: Final = ("HOLD", "APPROVED")
LAST_DAY: Final = 10_000_000
LAST: Final = "~"
"""Sorts after every id."""


@frozen
class Sum:
    """What an affiliate has in one state and currency; `amount_minor` is in minor units, times are ms UTC."""

    state: str
    currency: str
    commissions: int
    amount_minor: int
    next_hold_until: int | None


@frozen
class OwnCommission:
    """A commission in its affiliate's list; amounts in minor units of `currency`, times in milliseconds UTC."""

    commission_id: str
    state: str
    amount_minor: int
    currency: str
    hold_until: int | None
    external_order_id: str
    ordered_at: int
    merchant_id: str
    merchant_name: str
    campaign_title: str | None
    code: str | None
    sub_ids: Mapping[str, str]


@frozen
class CommissionFilter:
    """Which of an affiliate's commissions are asked for; None is no condition, `before` an id of the list."""

    mode: str
    state: str | None = None
    merchant_id: str | None = None
    code: str | None = None
    external_order_id: str | None = None
    before: str | None = None


@frozen
class OwnLink:
    """A link in its affiliate's list; `stopped` says in words why it earns nothing, None if it earns."""

    code: str
    destination: str
    merchant_id: str
    merchant_name: str
    campaign_id: str | None
    campaign_title: str | None
    sub_ids: Mapping[str, str]
    created_at: int
    disabled_at: int | None
    is_own_switch: bool
    stopped: str | None


@define
class Counted:
    """A line of a report; `earned` are the amounts that were not rejected, in minor units by currency."""

    name: str
    clicks: int = 0
    orders: int = 0
    rejected: int = 0
    earned: dict[str, int] = field(factory=dict)


@frozen
class Report:
    """Clicks and orders of a period; `is_cut` if there were more than are counted."""

    lines: list[Counted]
    total: Counted
    is_cut: bool


async def sums_of_affiliate(store: Store, affiliate_id: str) -> dict[str, list[Sum]]:
    """Return what an affiliate has earned, by mode, from the figures that the worker keeps: at most seconds old."""
    async with store.read() as tx:
        rows = await tx.all("figures_of_affiliate", affiliate_id=affiliate_id, by="", first=0, last=LAST_DAY)
        holds = any(row["hold"] or row["approved"] for row in rows)
        held = await tx.one("next_hold_of_affiliate", affiliate_id=affiliate_id) if holds else None
    found: dict[str, list[Sum]] = {"test": [], "live": []}
    for row in rows:
        mode, currency = row["mode"], row["currency"]
        ends = None if held is None or (held["mode"], held["currency"]) != (mode, currency) else held["hold_until"]
        for state in STATES:
            counted = int(row[state.lower()])
            if counted:
                amount = int(row[f"{state.lower()}_minor"])
                found[mode].append(Sum(state, currency, counted, amount, ends if state in HELD else None))
    return found


async def list_own_commissions(
    store: Store, affiliate_id: str, wanted: CommissionFilter, *, limit: int
) -> list[OwnCommission]:
    """Return at most `limit` commissions of an affiliate, newest first; an order number goes before other filters."""
    asked = {"affiliate_id": affiliate_id, "mode": wanted.mode, "limit": limit}
    async with store.read() as tx:
        if wanted.external_order_id is not None:
            order = wanted.external_order_id
            rows = await tx.all("commissions_of_affiliates_order", external_order_id=order, **asked)
        else:
            rows = await tx.all(
                "commissions_of_affiliate",
                state=wanted.state,
                merchant_id=wanted.merchant_id,
                code=wanted.code,
                before=wanted.before or LAST,
                **asked,
            )
    return [_commission(row) for row in rows]


async def show_own_commission(store: Store, affiliate_id: str, commission_id: str) -> ConversionDetails:
    """Return the order of one of an affiliate's commissions; raise `OperatorFault` if it has no such commission."""
    async with store.read() as tx:
        key = await tx.one("commission_of_affiliate", affiliate_id=affiliate_id, commission_id=commission_id)
        row = None if key is None else await tx.one("conversion_anywhere", conversion_id=key["conversion_id"])
        if row is None:
            raise unknown("commission", commission_id, "It may belong to somebody else.")
        return (await assemble(tx, [row]))[0]


async def list_own_links(
    store: Store, clock: Clock, affiliate_id: str, mode: str, *, limit: int, before: tuple[int, str] | None = None
) -> list[OwnLink]:
    """Return at most `limit` links of an affiliate, newest first, those after one that was made at `before`."""
    made_at, code = before or (2**62, "")
    async with store.read() as tx:
        rows = await tx.all(
            "links_of_affiliate", affiliate_id=affiliate_id, mode=mode, before=made_at, after_code=code, limit=limit
        )
    return [_link(row, clock()) for row in rows]


async def report(store: Store, affiliate_id: str, mode: str, by: str, first_ms: int, last_ms: int) -> Report:
    """Count an affiliate's clicks and orders in a period (ms UTC, its end excluded) by one of `GROUPS`.

    Days and campaigns come from the figures of whole days. A line without a name is what has none: clicks on links
    without a campaign, or without that sub-id.
    """
    if by in ("day", "campaign"):
        lines = await _from_figures(store, affiliate_id, mode, by, first_ms // DAY, -(-last_ms // DAY))
    else:
        lines = await _counted(store, affiliate_id, mode, by, first_ms, last_ms)
    total = _total(lines.values())
    ordered = sorted(lines.items(), key=(lambda item: -int(item[0])) if by == "day" else _by_weight)
    is_cut = by not in ("day", "campaign") and max(total.clicks, total.orders) >= MOST_COUNTED
    return Report([line for _, line in ordered], total, is_cut)


async def _from_figures(
    store: Store, affiliate_id: str, mode: str, by: str, first: int, last: int
) -> dict[str, Counted]:
    async with store.read() as tx:
        rows = await tx.all("figures_of_affiliate", affiliate_id=affiliate_id, by=by, first=first, last=last)
        titles = await tx.all("campaigns_by_id", affiliate_id=affiliate_id) if by == "campaign" else ()
    names, lines = {row["campaign_id"]: row["title"] for row in titles}, dict[str, Counted]()
    for row in (row for row in rows if row["mode"] == mode):
        line = _line(lines, row["grp"], names)
        line.clicks += int(row["clicks"])
        line.orders += sum(int(row[state.lower()]) for state in STATES)
        line.rejected += int(row["rejected"])
        if row["currency"]:
            earned = sum(int(row[f"{state.lower()}_minor"]) for state in STATES[:-1])
            line.earned[row["currency"]] = line.earned.get(row["currency"], 0) + earned
    return lines


async def _counted(
    store: Store, affiliate_id: str, mode: str, by: str, first_ms: int, last_ms: int
) -> dict[str, Counted]:
    sub = by if by in SUB_NAMES else None
    asked = {"affiliate_id": affiliate_id, "mode": mode, "by": by, "limit": MOST_COUNTED}
    async with store.read() as tx:
        clicks = await tx.all("clicks_counted", first=first_ms, last=last_ms, **asked)
        orders = await tx.all("orders_counted", first=first_ms, last=last_ms, **asked)
    lines: dict[str, Counted] = {}
    for row in clicks:
        _line(lines, _name(row["grp"], sub), {}).clicks += row["clicks"]
    for row in orders:
        line = _line(lines, _name(row["grp"], sub), {})
        line.orders += row["orders"]
        line.rejected += int(row["rejected"])
        line.earned[row["currency"]] = line.earned.get(row["currency"], 0) + int(row["amount_minor"])
    return lines


def day_start(day: str) -> int:
    """Return the milliseconds UTC at which a day of a report begins; `day` counts from 1970."""
    return int(day) * DAY


def _name(grouped: str | None, sub: str | None) -> str:
    if grouped is None or sub is None:
        return grouped or ""
    return str(json.loads(grouped).get(sub, ""))


def _line(lines: dict[str, Counted], key: str, names: Mapping[str, str]) -> Counted:
    return lines.setdefault(key, Counted(names.get(key, key)))


def _by_weight(item: tuple[str, Counted]) -> tuple[int, int, str]:
    return -item[1].orders, -item[1].clicks, item[0]


def _total(lines: Iterable[Counted]) -> Counted:
    total, earned = Counted(""), defaultdict[str, int](int)
    for line in lines:
        total.clicks += line.clicks
        total.orders += line.orders
        total.rejected += line.rejected
        for currency, amount in line.earned.items():
            earned[currency] += amount
    total.earned = dict(sorted(earned.items()))
    return total


def _commission(row: Row) -> OwnCommission:
    return OwnCommission(
        commission_id=row["commission_id"],
        state=row["state"],
        amount_minor=row["amount_minor"],
        currency=row["currency"],
        hold_until=row["hold_until"],
        external_order_id=row["external_order_id"],
        ordered_at=row["ordered_at"],
        merchant_id=row["merchant_id"],
        merchant_name=row["merchant_name"],
        campaign_title=row["campaign_title"],
        code=row["code"],
        sub_ids={} if row["subs"] is None else json.loads(row["subs"]),
    )


def _link(row: Row, now: int) -> OwnLink:
    return OwnLink(
        code=row["code"],
        destination=row["destination"],
        merchant_id=row["merchant_id"],
        merchant_name=row["merchant_name"],
        campaign_id=row["campaign_id"],
        campaign_title=row["campaign_title"],
        sub_ids={} if row["subs"] is None else json.loads(row["subs"]),
        created_at=row["created_at"],
        disabled_at=row["disabled_at"],
        is_own_switch=row["disabled_by"] == row["affiliate_id"],
        stopped=_why_stopped(row, now),
    )


def _why_stopped(row: Row, now: int) -> str | None:
    """Return why a link earns nothing, in words; buyers reach the shop all the same."""
    if row["disabled_at"] is not None:
        return "It is switched off."
    if row["merchant_status"] in ("SUSPENDED", "REJECTED"):
        return "The merchant takes no part at present."
    if row["campaign_status"] is None:
        return None
    status = effective_status(row["campaign_status"], row["end_at"], now)
    if status != "ACTIVE":
        return {"PAUSED": "Its campaign is paused.", "DRAFT": "Its campaign has not begun."}.get(
            status, "Its campaign has ended."
        )
    return "Its campaign has not begun." if row["start_at"] is not None and row["start_at"] > now else None
