"""What an affiliate sees of its own: sums, commissions and links. Never another's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.orders.campaigns import effective_status
from hub.domain.words import COMMISSION_STATES
from hub.operations.affiliates.link_lists import LINKS
from hub.operations.errors import unknown
from hub.operations.lists import Page, Wanted, read
from hub.operations.money.payouts.payouts import COMMISSIONS
from hub.operations.orders.conversions import ConversionDetails, assemble
from hub.records.links import OwnLink, sub_ids_of
from hub.records.rows import read_row
from hub.storage import Row, Store

HELD: Final = ("HOLD", "APPROVED")


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
    credited_at: int
    """When the commission was made: after the order came, and later still if a person attributed it."""


async def sums_of_affiliate(store: Store, affiliate_id: str) -> dict[str, list[Sum]]:
    """Return what an affiliate has earned, by mode, from the figures that the worker keeps: at most seconds old."""
    async with store.read() as tx:
        rows = await tx.all("figures_of_affiliate", affiliate_id=affiliate_id)
        holds = any(row["hold"] or row["approved"] for row in rows)
        held = await tx.one("next_hold_of_affiliate", affiliate_id=affiliate_id) if holds else None
    found: dict[str, list[Sum]] = {"test": [], "live": []}
    for row in rows:
        mode, currency = row["mode"], row["currency"]
        ends = None if held is None or (held["mode"], held["currency"]) != (mode, currency) else held["hold_until"]
        for state in COMMISSION_STATES:
            counted = int(row[state.lower()])
            if counted:
                amount = int(row[f"{state.lower()}_minor"])
                found[mode].append(Sum(state, currency, counted, amount, ends if state in HELD else None))
    return found


async def own_commissions(store: Store, affiliate_id: str, mode: str, wanted: Wanted) -> Page[OwnCommission]:
    """Return a part of an affiliate's commissions in a mode by `state`, `merchant_id` and `code`, that of a link.

    Raise `CursorFault` for a cursor of anything else.
    """
    return (await read(store, COMMISSIONS, wanted, {"affiliate_id": affiliate_id, "mode": mode})).of(_commission)


async def own_commissions_of_order(store: Store, affiliate_id: str, mode: str, order: str) -> Page[OwnCommission]:
    """Return an affiliate's commissions of an order number in a mode: one for each merchant who has such an order."""
    async with store.read() as tx:
        rows = await tx.all(
            "commissions_of_affiliates_order", external_order_id=order, affiliate_id=affiliate_id, mode=mode
        )
    return Page([_commission(row) for row in rows])


async def show_own_commission(store: Store, affiliate_id: str, commission_id: str) -> ConversionDetails:
    """Return the order of one of an affiliate's commissions; raise `OperatorFault` if it has no such commission."""
    async with store.read() as tx:
        key = await tx.one("commission_of_affiliate", affiliate_id=affiliate_id, commission_id=commission_id)
        row = None if key is None else await tx.one("conversion_anywhere", conversion_id=key["conversion_id"])
        if row is None:
            raise unknown("commission", commission_id, "It may belong to someone else.")
        return (await assemble(tx, [row]))[0]


async def list_own_links(store: Store, clock: Clock, affiliate_id: str, mode: str, wanted: Wanted) -> Page[OwnLink]:
    """Return a part of an affiliate's links in a mode; raise `CursorFault`."""
    found = await read(store, LINKS, wanted, within={"affiliate_id": affiliate_id, "mode": mode})
    return found.of(lambda row: _link(row, clock()))


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
        credited_at=row["created_at"],
    )


def _link(row: Row, now: int) -> OwnLink:
    return read_row(OwnLink, row, sub_ids=sub_ids_of(row), stopped=_why_stopped(row, now))


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
