"""Campaigns as affiliates see them: the public listing, and the campaigns that an affiliate takes part in.

Only campaigns that were opted in, are active and approved, of approved merchants and in live mode are public (API
specification, Campaign visibility).
"""

from __future__ import annotations

import json
from typing import Final

from attrs import evolve

from hub.clock import Clock
from hub.domain.durations import DAY
from hub.domain.money import format_money, minor_digits
from hub.domain.orders.attribution import SESSION_WINDOW_MS
from hub.domain.orders.attribution_policy import DEFAULT_POLICY, policy_from_json, policy_sentence
from hub.domain.orders.rule_kinds import line_amount
from hub.domain.orders.terms import Rule
from hub.domain.words import RuleSource
from hub.operations.errors import unknown
from hub.operations.lists import List, Page, Wanted, every, read
from hub.processing.policy import Policy
from hub.records.campaigns import Example, Offer, campaign_details
from hub.records.rows import shared_values
from hub.storage import Row, Store

EXAMPLE_MAJOR: Final = 100
"""The order of the example, in whole units of its currency."""
PUBLIC: Final = List("public_offers")
OWN: Final = List("own_offers")


async def public_offers(store: Store, clock: Clock, policy: Policy, wanted: Wanted) -> Page[Offer]:
    """Return a part of the public listing, newest first; raise `CursorFault`."""
    now = clock()
    asked = evolve(wanted, filters={**wanted.filters, "now": now})
    return (await read(store, PUBLIC, asked)).of(lambda row: _offer(row, policy, now))


async def show_public(store: Store, clock: Clock, policy: Policy, campaign_id: str) -> Offer:
    """Return one campaign of the public listing; raise `OperatorFault` if it does not stand there."""
    found = (await public_offers(store, clock, policy, Wanted({"campaign_id": campaign_id}))).entries
    if not found:
        raise unknown("public campaign", campaign_id, "It may be over, or open to invited affiliates only.")
    return found[0]


async def account_offers(store: Store, clock: Clock, policy: Policy, account_id: str, limit: int) -> tuple[Offer, ...]:
    """Return the newest active campaigns of an account, listed or not, at most `limit`."""
    now = clock()
    async with store.read() as tx:
        rows = await tx.all("account_offers", account_id=account_id, now=now, limit=limit)
    return tuple(_offer(row, policy, now) for row in rows)


async def own_offers(store: Store, clock: Clock, policy: Policy, affiliate_id: str, wanted: Wanted) -> Page[Offer]:
    """Return a part of the campaigns that an affiliate applied to, joined or has links to; raise `CursorFault`."""
    return (await read(store, OWN, wanted, {"affiliate_id": affiliate_id})).of(lambda row: _own(row, policy, clock()))


async def every_own_offer(
    store: Store, clock: Clock, policy: Policy, affiliate_id: str, campaign_id: str | None = None
) -> list[Offer]:
    """Return all campaigns of `own_offers`, newest first; only one if it is named."""
    rows = every(store, OWN, Wanted({"campaign_id": campaign_id}), {"affiliate_id": affiliate_id})
    return [_own(row, policy, clock()) async for row in rows]


def _own(row: Row, policy: Policy, now: int) -> Offer:
    rule = None if row["own_type"] is None else Rule(row["own_type"], row["own_value"])
    return evolve(_offer(row, policy, now, own=rule), membership=row["membership"], reason=row["reason"])


def _offer(row: Row, policy: Policy, now: int, *, own: Rule | None = None) -> Offer:
    """Return a campaign with what it pays; `own` is the rule that was agreed with the affiliate who reads it."""
    campaign = campaign_details(row, now)
    rule, level = _rule(row, policy, own)
    days, holds = campaign.cookie_duration_days, (campaign.hold_ms, row["merchant_hold_ms"], policy.hold_ms)
    decides = DEFAULT_POLICY if row["attribution"] is None else policy_from_json(json.loads(row["attribution"]))
    pays = {
        "hold_ms": next(ms for ms in holds if ms is not None),
        "domains": tuple(json.loads(row["domains"])),
        "currency": row["currency"],
        "commission_type": rule.type,
        "commission_value": rule.value,
        "window_ms": policy.default_window_ms if days is None else days * DAY or SESSION_WINDOW_MS,
        "by_approval": campaign.joining == "BY_APPROVAL",
        "who_earns": policy_sentence(decides),
        "level": level,
        "example": _example(rule, level, row["currency"]),
        "has_own_rate": own is not None,
    }
    return Offer(**{**shared_values(Offer, campaign), **pays})


def _rule(row: Row, policy: Policy, own: Rule | None) -> tuple[Rule, RuleSource]:
    if own is not None:
        return own, "CAMPAIGN"
    if row["default_commission_type"] is not None:
        return Rule(row["default_commission_type"], row["default_commission_value"]), "CAMPAIGN"
    if row["commission_type"] is not None:
        return Rule(row["commission_type"], row["commission_value"]), "MERCHANT"
    return policy.platform_rule, "PLATFORM"


def _example(rule: Rule, level: RuleSource, currency: str) -> Example:
    order = EXAMPLE_MAJOR * 10 ** minor_digits(currency)
    pays = line_amount(level, rule.type, rule.value, order, 1, currency)
    return Example(format_money(order, currency), format_money(pays, currency))
