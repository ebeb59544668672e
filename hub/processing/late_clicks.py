"""A click that is stated after the first sight of an order: while the order has none, it is attributed by it; pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from hub.domain.connectors.shop_clocks import on_our_clock
from hub.domain.orders.attribution_policy import PolicyDecision
from hub.domain.orders.facts import OrderCreated
from hub.domain.orders.lifecycle import StatusFact
from hub.processing.attribute_orders import attribute_order
from hub.processing.commissions import open_with_terms, price
from hub.processing.decision_context import DecisionContext
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.policy import Policy


class LateClick(NamedTuple):
    """A row of `attribute_late_clicks`: whose an order is by a click that was stated later."""

    account_id: str
    conversion_id: str
    click_id: str | None
    confidence: str
    reason: str
    affiliate_id: str | None
    campaign_id: str | None

    @classmethod
    def of(cls, conversion: Conversion) -> LateClick:
        """Return the row of an order as it is by now."""
        return cls._make(getattr(conversion, name) for name in cls._fields)


def by_late_click(
    context: DecisionContext, policy: Policy, conversion: Conversion, order: OrderCreated,
    clock_off: int | None, facts: Iterable[StatusFact], commission_id: str, now: int,
) -> tuple[Conversion, Commission, dict[str, Any], PolicyDecision] | None:  # fmt: skip
    """Return an order as a later statement attributes it, at the order's own time: with its commission, terms and why.

    None if it does not: the order must have no click, and its review be open; what somebody decided stays. `now` is
    milliseconds UTC, `clock_off` by how many ms the shop's clock is ahead.
    """
    if order.click_id is None or conversion.click_id is not None or conversion.review != "OPEN":
        return None
    placed_at = on_our_clock(conversion.ordered_at, clock_off, conversion.received_at)
    decided = attribute_order(context, policy, conversion.account_id, order, placed_at)
    found = decided.attribution
    if found.confidence != "HIGH" or found.affiliate_id is None:
        return None
    attributed = conversion._replace(
        click_id=order.click_id, confidence=found.confidence, reason=found.reason, affiliate_id=found.affiliate_id,
        campaign_id=found.campaign_id, candidate_id=None, review=None,
    )  # fmt: skip
    pricing = price(context, policy, attributed, attributed.lines)
    opened, terms = open_with_terms(attributed, found.affiliate_id, pricing, facts, commission_id, now)
    return attributed, opened, terms, decided
