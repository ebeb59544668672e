"""Why a commission is what it is, in sentences: its state, its rule, its sum, its hold, and what would change it.

It says nothing of the buyer and of no other affiliate, so that the affiliate may read it. The sums are those of
`hub/domain`, from the terms that were frozen when the commission was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from hub.domain.commission import Level, TermLine, settle
from hub.domain.lifecycle import FactResult, Life, StatusFact
from hub.operations.orders.conversions import ConversionDetails
from hub.processing.ledger_rows import Commission

STEPS: Final = ("PENDING", "HOLD", "PAYABLE", "PAID")
LEVELS: Final = {
    "PRODUCT": "the product",
    "CAMPAIGN": "the campaign",
    "MERCHANT": "the merchant",
    "PLATFORM": "the hub",
}
LOST: Final = {
    "no_product": "the order names no product of the catalogue",
    "no_rule": "has no rule of its own",
    "currency_differs": "its fixed sum is in another currency than the order",
}
STATUSES: Final = {
    "pending": "The order was placed.",
    "confirmed": "The shop confirmed the order.",
    "paid": "The buyer paid.",
    "delivered": "The order was delivered.",
    "cancelled": "The order was cancelled.",
    "returned": "The order was returned.",
    "refunded": "The buyer got money back.",
    "commission_approved": "The merchant approved the commission.",
    "commission_rejected": "The merchant rejected the commission.",
}
REVERSING: Final = ("cancelled", "returned", "refunded", "commission_rejected")


@frozen
class Step:
    """A state on the way to the payment: whether it is behind, and whether the commission is there now."""

    state: str
    is_past: bool
    is_now: bool


@frozen
class RuleTried:
    """A level that was asked for its rule: what it said, and whether it won."""

    level: str
    product: str | None
    won: bool
    words: str


@frozen
class SumLine:
    """A part of the order: what it was worth and pays now; minor units. `before` is what it paid before refunds."""

    product: str | None
    base_minor: int
    quantity: int
    rule: str
    amount_minor: int
    before_minor: int


@frozen
class Happening:
    """News of the order, and what it did; `why_not` says why it did nothing, `reason` is what the merchant gave."""

    at: int
    words: str
    applied: bool
    why_not: str | None
    reason: str | None


@frozen
class Story:
    """The explanation of one commission."""

    steps: list[Step]
    rules: list[RuleTried]
    lines: list[SumLine]
    happenings: list[Happening]
    rejected_by: Happening | None
    changes: list[str]


def story_of(details: ConversionDetails, commission: Commission, reasons: Mapping[str, str], now: int) -> Story:
    """Return the story of a commission at `now` (ms UTC); `reasons` are what the merchant gave, by event id."""
    life = details.life(now)
    happenings = _happenings(details.facts, life, reasons)
    left = settle(commission.terms, details.conversion.paid_minor, details.conversion.lines, life.refunds)
    parts = zip(commission.terms.lines, left.lines, strict=True)
    return Story(
        steps=_steps(life.state),
        rules=[_tried(level) for level in commission.terms.levels],
        lines=[_line(before, after, commission.currency) for before, after in parts],
        happenings=list(reversed(happenings)),
        rejected_by=_rejected_by(details.facts, life, happenings),
        changes=_changes(life.state),
    )


def rule_text(kind: str, value: str, currency: str) -> str:
    """Return a rule in words: "12 %", "5.00 EUR for each piece" is for the caller to complete."""
    return f"{value} %" if kind == "PERCENTAGE" else f"{value} {currency}"


def _steps(state: str) -> list[Step]:
    if state == "REJECTED":
        return []
    at = STEPS.index("HOLD" if state == "APPROVED" else state)
    return [Step(state if n == at else each, n < at, n == at) for n, each in enumerate(STEPS)]


def _tried(level: Level) -> RuleTried:
    rule = "" if level.type is None else (f"{level.value} %" if level.type == "PERCENTAGE" else f"{level.value} fixed")
    won = level.outcome == "won"
    words = f"{rule}: this rule counts" if won else LOST[level.outcome]
    return RuleTried(LEVELS[level.level], level.external_product_id, won, words)


def _line(before: TermLine, left: TermLine, currency: str) -> SumLine:
    rule = rule_text(before.type, before.value, currency)
    if before.type == "FIXED" and before.source == "PRODUCT":
        rule = f"{rule} for each of {before.quantity}" if before.quantity > 1 else f"{rule} for each piece"
    return SumLine(
        before.external_product_id, left.base_minor, before.quantity, rule, left.amount_minor, before.amount_minor
    )


def _happenings(facts: Sequence[StatusFact], life: Life, reasons: Mapping[str, str]) -> list[Happening]:
    by_key = {fact.key: fact for fact in facts}
    return [_happening(by_key[result.key], result, reasons) for result in life.results]


def _happening(fact: StatusFact, result: FactResult, reasons: Mapping[str, str]) -> Happening:
    part = fact.status == "refunded" and fact.refund is not None
    words = "The buyer got part of the money back." if part else STATUSES.get(fact.status, fact.status)
    return Happening(
        at=min(fact.happened_at, fact.received_at),
        words=words,
        applied=result.applied,
        why_not=None if result.skip_reason is None else _why_not(result.skip_reason),
        reason=reasons.get(fact.sequence) if fact.status.startswith("commission_") else None,
    )


def _why_not(reason: str) -> str:
    if reason == "commission_paid":
        return "it came after the payment"
    return f"a commission that is {reason.removeprefix('not_allowed_from_')} is not changed by it"


def _rejected_by(facts: Sequence[StatusFact], life: Life, happenings: Sequence[Happening]) -> Happening | None:
    """Return the news that rejected the commission: the last that did anything and takes back."""
    if life.state != "REJECTED":
        return None
    reversing = {fact.key for fact in facts if fact.status in REVERSING}
    pairs = zip(life.results, happenings, strict=True)
    return next((news for result, news in reversed(list(pairs)) if result.applied and result.key in reversing), None)


def _changes(state: str) -> list[str]:
    """Return what would still change a commission in this state."""
    if state == "PAID":
        return ["Nothing of the order changes it any more: it is paid."]
    if state == "REJECTED":
        return ["Only the merchant could still approve it. A delivery or another status of the order does not."]
    found = ["A cancellation, a return or a full refund takes all of it back; a partial refund takes its share."]
    if state == "PENDING":
        found.append("It begins its hold once the shop confirms the order, or says that it is paid or delivered.")
    elif state in ("HOLD", "APPROVED"):
        found.append("The end of the hold makes it payable. News of a delivery begins the hold anew.")
    found.append("A later click, and rates that the campaign changes to later, do not change it.")
    return found
