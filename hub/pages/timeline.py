"""What happened to an order, in the order of time: each entry with the state and the sum that it led from and to.

The states between are found by folding the order's facts up to each of them, by the rules that decided the commission.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from hub.domain.orders.lifecycle import FactResult, Life, StatusFact, in_order
from hub.domain.orders.refunds import settle
from hub.operations.orders.conversions import ConversionDetails
from hub.operations.orders.order_explanations import Correction
from hub.processing.ledger_rows import Commission

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
NOTHING: Final[Mapping[str, int]] = {}
MOST_FOLDED: Final = 50
"""How many facts are folded one by one; an order with more shows their effect without the states between."""


@frozen
class Standing:
    """Where a commission was at one moment: its state, and its sum in minor units."""

    state: str
    amount_minor: int


@frozen
class TimelineEntry:
    """Something that happened at `at` (ms UTC), or will.

    `before` and `after` are None where nothing is known to change. `why_not` says why news changed nothing, `reason` is
    what the merchant gave, `event_id` the message that brought it, `refund_minor` the money of a partial refund,
    `correction_minor` what a correction of a later payout makes of news that came after the payment.
    """

    at: int
    words: str
    applied: bool = True
    is_ahead: bool = False
    why_not: str | None = None
    reason: str | None = None
    before: Standing | None = None
    after: Standing | None = None
    refund_minor: int | None = None
    event_id: str | None = None
    correction_minor: int | None = None

    @property
    def changes_state(self) -> bool:
        """Whether the state before and after is known and differs."""
        return self.before is not None and self.after is not None and self.before.state != self.after.state

    @property
    def changes_sum(self) -> bool:
        """Whether the sum before and after is known and differs."""
        return (
            self.before is not None and self.after is not None and self.before.amount_minor != self.after.amount_minor
        )


def news_of(
    details: ConversionDetails, life: Life, reasons: Mapping[str, str], corrections: Mapping[str, int] = NOTHING
) -> list[TimelineEntry]:
    """Return what was reported of the order, oldest first; `reasons` are what the merchant gave, by event id.

    `corrections` are what news after the payment took back or gave, in minor units, by the news' key.
    """
    facts = in_order(details.facts)
    standings: Sequence[tuple[Standing | None, Standing | None]] = [(None, None)] * len(facts)
    if details.commission is not None and len(facts) <= MOST_FOLDED:
        standings = list(_standings(details, details.commission, facts))
    return [
        evolve(_news(fact, result, reasons, *around), correction_minor=corrections.get(fact.key))
        for fact, result, around in zip(facts, life.results, standings, strict=True)
    ]


def by_hand(corrections: Iterable[Correction]) -> list[TimelineEntry]:
    """Return the corrections that a person made, as entries of their own."""
    return [
        TimelineEntry(each.created_at, "The network corrected the balance.", correction_minor=each.amount_minor)
        for each in corrections
        if each.fact_key is None
    ]


def timeline_of(commission: Commission, life: Life, news: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return everything that happened to a commission and what is still ahead, newest first."""
    entries = [*news, *_own_entries(commission, life)]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)


def rejection_in(details: ConversionDetails, life: Life, news: Sequence[TimelineEntry]) -> TimelineEntry | None:
    """Return the news that rejected the commission: the last that did anything and takes back."""
    if life.state != "REJECTED":
        return None
    reversing = {fact.key for fact in details.facts if fact.status in REVERSING}
    pairs = zip(life.results, news, strict=True)
    return next((entry for result, entry in reversed(list(pairs)) if result.applied and result.key in reversing), None)


def _own_entries(commission: Commission, life: Life) -> Iterator[TimelineEntry]:
    """Yield what the hub itself did: the decision, the hold's end and the payment."""
    amount = commission.amount_minor
    yield TimelineEntry(commission.created_at, "The hub created the commission by the rules in force at that moment.")
    if life.hold_until is not None and life.state in ("HOLD", "APPROVED"):
        yield TimelineEntry(life.hold_until, "The hold ends, and the commission becomes payable.", is_ahead=True)
    elif life.hold_until is not None and (commission.paid_at is None or commission.paid_at >= life.hold_until):
        ended = Standing("HOLD", amount), Standing("PAYABLE", amount)
        yield TimelineEntry(life.hold_until, "The hold ended.", before=ended[0], after=ended[1])
    if commission.paid_at is not None:
        reference = f", reference {commission.payout_reference}" if commission.payout_reference else ""
        yield TimelineEntry(
            commission.paid_at,
            f"The commission was paid{reference}.",
            before=Standing("PAYABLE", amount),
            after=Standing("PAID", amount),
        )


def _standings(
    details: ConversionDetails, commission: Commission, facts: Sequence[StatusFact]
) -> Iterator[tuple[Standing, Standing]]:
    for number, fact in enumerate(facts):
        at = min(fact.happened_at, fact.received_at)
        yield (
            _standing(details, commission, facts[:number], at),
            _standing(details, commission, facts[: number + 1], at),
        )


def _standing(details: ConversionDetails, commission: Commission, facts: Sequence[StatusFact], at: int) -> Standing:
    """Fold some of an order's facts at a moment, as if nothing was paid yet."""
    conversion = details.conversion
    life = details._replace(commission=commission._replace(paid_at=None), facts=tuple(facts)).life(at)
    left = settle(commission.terms, conversion.paid_minor, conversion.lines, life.refunds)
    return Standing(life.state, left.amount_minor)


def _news(
    fact: StatusFact,
    result: FactResult,
    reasons: Mapping[str, str],
    before: Standing | None,
    after: Standing | None,
) -> TimelineEntry:
    part = fact.status == "refunded" and fact.refund is not None
    words = "The buyer got part of the money back." if part else STATUSES.get(fact.status, fact.status)
    return TimelineEntry(
        at=min(fact.happened_at, fact.received_at),
        words=words,
        applied=result.applied,
        why_not=None if result.skip_reason is None else _why_not(result.skip_reason),
        reason=reasons.get(fact.sequence) if fact.status.startswith("commission_") else None,
        before=before if result.applied else None,
        after=after if result.applied else None,
        refund_minor=None if fact.refund is None else fact.refund.money_minor,
        event_id=fact.sequence,
    )


def _why_not(reason: str) -> str:
    if reason == "commission_paid":
        return "it came after the payment"
    if reason == "taken_back":
        return "the shop later reported that the order stands"
    return f"a commission that is {reason.removeprefix('not_allowed_from_')} no longer changes"
