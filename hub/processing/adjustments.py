"""Corrections of what was paid: a refund after the payout is taken back from the affiliate's next one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from hub.domain.books.ledger import Kind, Movement, Place
from hub.domain.orders.commission import Terms, settle
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.undone import standing_refunds
from hub.processing.ledger_rows import Commission, Conversion

REVERSING: Final = frozenset({"cancelled", "returned", "refunded"})
BY_RULE: Final = "rule"
"""Who made and approved a correction that follows from an order's news."""


class Adjustment(NamedTuple):
    """A correction of an affiliate's balance: `amount_minor` is negative if it takes money back. Times are ms UTC.

    `status` is PROPOSED until somebody approves it, then APPROVED, and PAID once a run took it along.
    """

    account_id: str
    adjustment_id: str
    affiliate_id: str
    kind: str
    amount_minor: int
    currency: str
    reason: str
    commission_id: str | None
    external_order_id: str | None
    fact_key: str | None
    paid_reference: str | None
    status: str
    created_by: str
    created_at: int
    decided_by: str | None
    decided_at: int | None
    payout_id: str | None


def due_back(terms: Terms, conversion: Conversion, paid_minor: int, facts: Iterable[StatusFact]) -> int:
    """Return how much of a paid commission its order's news take back in all, at most all of it.

    By line and at the frozen rate, as before the payout; a cancelled or returned order takes back all of it. It is a
    sum over all facts, so their order cannot matter.
    """
    facts = list(facts)
    if any(fact.refund is None and fact.late and fact.status in REVERSING for fact in facts):
        return paid_minor
    refunds = standing_refunds(facts, conversion.last_word)
    if not refunds:
        return 0
    left = settle(terms, conversion.paid_minor, conversion.lines, refunds)
    return min(paid_minor, max(0, paid_minor - left.amount_minor))


def lost_by(paid: Commission, conversion: Conversion, facts: Iterable[StatusFact], news: StatusFact) -> int:
    """Return how much more of a paid commission the order's news take back than without one piece of them."""
    facts = list(facts)
    before = [fact for fact in facts if fact is not news]
    terms, minor = paid.terms, paid.amount_minor
    return due_back(terms, conversion, minor, [*before, news]) - due_back(terms, conversion, minor, before)


def late_adjustment(
    paid: Commission, conversion: Conversion, fact: StatusFact, amount_minor: int, adjustment_id: str, now: int
) -> Adjustment:
    """Return the approved correction that a late fact makes of a paid commission; `now` is milliseconds UTC."""
    reason = f"The order was {fact.status} after its commission was paid."
    return Adjustment(
        paid.account_id, adjustment_id, paid.affiliate_id, "refund", amount_minor, paid.currency, reason,
        paid.commission_id, conversion.external_order_id, fact.key, paid.payout_reference, "APPROVED", BY_RULE, now,
        BY_RULE, now, None,
    )  # fmt: skip


def adjusting(each: Adjustment) -> list[Movement]:
    """Return the ledger's entry of an approved correction: from the merchant to the affiliate, or back.

    A debt that is written off is the network's loss: the merchant had its credit when the order was refunded.
    """
    if each.status != "APPROVED" or not each.amount_minor:
        return []
    kind: Kind = "written_off" if each.kind == "written_off" else "adjusted"
    payer: Place = "losses" if each.kind == "written_off" else "merchant"
    places: tuple[Place, Place] = (payer, "adjustments") if each.amount_minor > 0 else ("adjustments", payer)
    return [
        Movement(kind, *places, abs(each.amount_minor), each.currency, each.affiliate_id, each.commission_id,
                 each.adjustment_id, each.external_order_id, each.fact_key or each.adjustment_id)
    ]  # fmt: skip
