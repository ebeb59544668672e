"""The hub's explanations in words, for a person who watches the demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from hub.domain.instants import parse_instant
from hub.domain.orders.rule_kinds import kind_named

LOW_REASONS = {
    "click_missing": "The order named no click, so nobody can say for sure who sent the buyer.",
    "click_malformed": "The order named something that is no click id.",
    "click_unknown": "The order named a click that this hub never recorded.",
    "click_after_order": "The click came after the order.",
    "click_outside_window": "The click is older than the campaign's window.",
    "campaign_not_live": "The campaign was not live when the order was placed.",
    "affiliate_inactive": "The affiliate is turned off.",
    "coupon_excluded": "The campaign excludes orders with this coupon.",
    "sub_affiliate_excluded": "The campaign excludes clicks of this sub-affiliate.",
    "customer_not_new": "The campaign pays for new customers, and this buyer was none.",
    "customer_unknown": "The campaign pays for new customers, and the order does not say whether its buyer is new.",
    "renewal_excluded": "It renews a subscription, and the campaign pays for no renewals.",
    "renewals_used_up": "All the renewals that the campaign pays for have earned already.",
}
WAITING = ("RECEIVED", "QUEUED")
"""Statuses of an event that is not decided yet; the API shows an explanation of nulls for it."""
STAGES = ("Reported", "Attributed", "Pending", "On hold", "Payable")
REACHED = {"PENDING": 3, "HOLD": 4, "APPROVED": 4, "PAYABLE": 5, "PAID": 5}
WHY = {
    "PENDING": "The commission exists. It moves on once the order is confirmed, paid or delivered.",
    "APPROVED": "Approved by hand; it becomes payable when its hold ends.",
    "PAYABLE": "The hold has passed without a return. The affiliate can be paid.",
    "PAID": "The affiliate was paid. Nothing changes this commission any more.",
    "REJECTED": "The order came back, so the commission was taken back too.",
}


@frozen
class Step:
    """One step of a commission's life: `look` is "done", "now", "next", "wait" or "stop"."""

    name: str
    look: str


def stages(conversion: Mapping[str, Any] | None) -> list[Step]:
    """Return the steps from the report to the payout, and how far this conversion has come."""
    if conversion is None:
        return [Step(name, "now" if name == STAGES[0] else "next") for name in STAGES]
    commission = conversion["commission"]
    if commission is None:
        return [Step(STAGES[0], "done"), Step("In review", "wait")]
    if commission["state"] == "REJECTED":
        return [*(Step(name, "done") for name in STAGES[:2]), Step("Rejected", "stop")]
    reached = REACHED[commission["state"]]
    looks = ["done" if place < reached else "now" if place == reached else "next" for place in range(1, 6)]
    return [Step(name, look) for name, look in zip(STAGES, looks, strict=True)]


def commission_line(commission: Mapping[str, Any], now: int) -> str:
    """Return why the commission is in its state; a running hold counts down."""
    if commission["state"] == "HOLD":
        left = max(0, -(-(parse_instant(commission["holdUntil"]) - now) // 1000))
        return f"Held in case the buyer returns it. Payable in {left} s."
    return WHY[commission["state"]]


def rule_line(commission: Mapping[str, Any]) -> str:
    """Return which rule pays how much of what."""
    source = str(commission["source"]).lower()
    kind = kind_named(commission["type"] or "")
    if kind is None:
        return "by several rules"
    if kind.is_percentage:
        return f"{commission['value']} % of {commission['base']} {commission['currency']}, by the {source}'s rule"
    return f"{kind.amount(commission['value'], commission['currency'])} fixed, by the {source}'s rule"


def event_lines(event: Mapping[str, Any], earner: str | None = None) -> list[str]:
    """Return an event's explanation as sentences; a waiting event has none yet. `earner` is the affiliate's name."""
    explanation = event.get("explanation")
    if event.get("status") == "PARKED":
        return ["It came before its order. It waits, and counts as soon as the order is here."]
    if explanation is None or event.get("status") in WAITING:
        return ["The hub has it, durably. It is decided in a moment …"]
    lines = []
    attribution, commission = explanation.get("attribution"), explanation.get("commission")
    if attribution is not None:
        lines.append(_attribution_line(attribution, earner))
    if attribution is not None and commission is not None:
        lines.append(_tried(commission["levels"]))
    if commission is not None:
        lines.append(f"Commission then: {commission['amount']} {commission['currency']}, {commission['state']}.")
    if explanation.get("skipReason"):
        lines.append(f"It changed nothing: {explanation['skipReason']}.")
    return lines or ["Noted. There is no commission that it could change."]


def _attribution_line(attribution: Mapping[str, Any], earner: str | None) -> str:
    if attribution["confidence"] == "LOW":
        reason = LOW_REASONS.get(attribution["reason"], attribution["reason"])
        return f"{reason} No commission is made; the order waits for a person's review."
    age, window = attribution["clickAgeSeconds"], attribution["windowSeconds"]
    known = "" if age is None or window is None else f", {age} s before the order and inside {window // 86400} days"
    return f"The click is on record{known}. It belongs to {earner or attribution['affiliateId']}."


def _tried(levels: Sequence[Mapping[str, Any]]) -> str:
    outcomes = {
        "won": "pays",
        "no_rule": "has no rule",
        "no_product": "names none",
        "currency_differs": "other currency",
    }
    tried = [f"{level['level'].lower()} {outcomes.get(level['outcome'], level['outcome'])}" for level in levels]
    return f"Rules tried, most specific first: {', '.join(tried)}."
