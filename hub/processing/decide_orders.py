"""Decide what events mean for their orders: attribution, commission and state; pure, from what was loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from hub.domain.books.deposits import until_covered
from hub.domain.connectors.shop_clocks import on_our_clock
from hub.domain.money import to_minor
from hub.domain.orders.commission import OrderLine
from hub.domain.orders.facts import Fact, OrderCreated, OrderGone, OrderSnapshot
from hub.domain.orders.figures import OrderFigures
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.undone import standing_refunds
from hub.processing.adjustments import Adjustment, late_adjustment, lost_by
from hub.processing.attribute_orders import attribute_order, explain_attribution, known_attribution, suspicions
from hub.processing.commissions import advance, explain_commission, life_of, open_with_terms, price
from hub.processing.customers import CustomerOrder, in_turn
from hub.processing.decision_context import DecisionContext, Key
from hub.processing.events import (
    Event,
    EventFacts,
    EventResult,
    new_conversion,
    order_lines,
    rank_in_batch,
    status_fact,
)
from hub.processing.identity import OTHER_ORDER, Namesakes, SetAside, set_aside
from hub.processing.late_clicks import by_late_click
from hub.processing.ledger_rows import Commission, Conversion, OrderReview, review_key
from hub.processing.notifications import Change
from hub.processing.order_figures import figures_of_new
from hub.processing.other_amounts import other_amount
from hub.processing.policy import Policy
from hub.processing.snapshots import ALREADY_KNOWN, AMOUNT_DIFFERS, REFUND_GONE, Restated, first_sight, restate
from hub.processing.subscriptions import SubscriptionOrder

UNKNOWN_ORDER, ORDER_GONE = "unknown_order", "order_gone"


def decide_orders(
    context: DecisionContext, by_order: Mapping[Key, Sequence[EventFacts]], owners: Mapping[str, str], policy: Policy,
    now: int, new_id: Callable[[str], str],
) -> tuple[list[OrderDecision], list[EventResult]]:  # fmt: skip
    """Decide what events state of orders, by what was loaded for them; `now` is milliseconds UTC.

    `owners` maps the events that hold the claim to create their order to the ids of the conversions they create.
    """
    decisions, results = [], []
    is_turned = context.subscriptions.wanted or context.customers.wanted
    for key, facts in in_turn(by_order) if is_turned else by_order.items():
        decision = OrderDecision(key, context, policy, now, new_id)
        results += decision.apply(facts, owners)
        decisions.append(decision)
    return decisions, results


class OrderDecision:
    """One order while a batch decides it: what is stored of it, and what is new."""

    commission: Commission | None = None
    subscription: SubscriptionOrder | None = None
    customer: CustomerOrder | None = None
    cause = ""
    is_new = is_restated = has_late_click = moved = False
    _terms: dict[str, Any] | None = None
    _lines: tuple[OrderLine, ...] | None = None

    def __init__(
        self, key: Key, context: DecisionContext, policy: Policy, now: int, new_id: Callable[[str], str]
    ) -> None:
        self.key = key
        self.conversion = context.conversions.get(key)
        self.facts: dict[str, StatusFact] = {}
        self.namesakes: Namesakes | None = None
        if self.conversion is not None:
            self.commission = context.commissions.get((key[0], self.conversion.conversion_id))
            self.facts = {fact.key: fact for fact in context.facts.get(key, ())}
            self.namesakes = context.namesakes.get(key)
        self.known_commission = self.commission
        self.adjustments: list[Adjustment] = []
        self._adjusted: dict[str, str] = {}
        self.awaited = key in context.awaited
        self.new_facts: list[StatusFact] = []
        self.reviews: list[OrderReview] = []
        self.watched = context.watched
        self.merchant = context.merchants[key[0]]
        self._context = context
        self._policy = policy
        self._now = now
        self._new_id = new_id

    def change(self, conversion: Conversion) -> Change:
        """Return what the batch changed, for the messages about it."""
        asked = tuple([each.reason for each in self.reviews])
        return Change(conversion, self.known_commission, self.commission, self.is_new, bool(self.adjustments), asked)

    def figures(self, conversion: Conversion) -> OrderFigures:
        """Return what a new order adds to the figures."""
        click = self._context.clicks.get((self.key[0], conversion.click_id or ""))
        lines = conversion.lines if self._lines is None or self.is_restated else self._lines
        return figures_of_new(conversion, lines, self.commission, click, self.facts.values())

    def apply(self, facts: Sequence[EventFacts], owners: Mapping[str, str]) -> list[EventResult]:
        """Apply what events state of this order, the order itself first; `owners` as in `decide_orders`."""
        if len(facts) > 1:
            facts = sorted(facts, key=lambda f: (rank_in_batch(f, owners), f.event.received_at, f.event.event_id))
        return [self._apply(each, owners.get(each.event.event_id)) for each in facts]

    def _apply(self, facts: EventFacts, conversion_id: str | None) -> EventResult:
        event, order_id, order, news = facts.event, facts.order_id, facts.order, facts.news
        if self.conversion is None:
            if order is None or conversion_id is None:
                return EventResult(event, "PARKED", order_id, None, self._explain(None, UNKNOWN_ORDER))
            attribution = self._create(facts, order, conversion_id)
            return EventResult(event, "PROCESSED", order_id, conversion_id, self._explain(attribution, None))
        aside = set_aside(self.conversion, facts, self.namesakes, self._now)
        if aside is not None:
            return self._wait(event, aside)
        late = order is not None and self._attribute_late(facts, order)
        restated = None if facts.snapshot is None else self._restate(event, facts.snapshot)
        skips: list[str | None] = [] if order is None else [None if late else ALREADY_KNOWN]
        if restated is not None:
            skips.insert(0, restated.skip_reason)
        skips += [self._add(event, fact) for fact in news]
        skip = None if None in skips else next(iter(skips), ALREADY_KNOWN)
        if facts.unclear:
            self._ask(facts)
        differs = None if order is None or restated is not None else self._other_amount(event, order)
        explanation = self._explain(None if order is None else known_attribution(self.conversion), skip)
        if event.event_id in self._adjusted:
            explanation["adjustmentId"] = self._adjusted[event.event_id]
        if differs is not None:
            explanation["amountDiffers"] = differs
        if restated is not None and restated.change is not None:
            explanation["restated"] = restated.change
        status = "PROCESSED" if skip is None else "SKIPPED"
        return EventResult(event, status, order_id, self.conversion.conversion_id, explanation)

    def _attribute_late(self, facts: EventFacts, order: OrderCreated) -> bool:
        """Attribute an order without a click by one that is stated only now; return whether it was."""
        if self.conversion is None or order.click_id is None or self.conversion.click_id is not None:
            return False
        found = by_late_click(
            self._context, self._policy, self.conversion, order, facts.clock_off, self.facts.values(),
            self._new_id("com"), self._now,
        )  # fmt: skip
        if found is not None:
            self.conversion, opened, self._terms, decided = found
            self.customer = self._context.customers.learn(self._policy.customer_key, self.conversion, order, decided)
            self.commission = self._until_covered(opened)
            self.moved, self.cause, self.has_late_click = True, facts.event.event_id, True
        return found is not None

    def _wait(self, event: Event, aside: SetAside) -> EventResult:
        """Let news of another order under this number wait, and ask whether it is one."""
        self.namesakes = aside.namesakes
        if aside.question is not None:
            self._open_review(event, aside.question[0], OTHER_ORDER, aside.question[1])
        told: dict[str, object] = {"attribution": None, "commission": None, "skipReason": OTHER_ORDER}
        return EventResult(event, "PARKED", aside.number, None, told)

    def _restate(self, event: Event, snapshot: OrderSnapshot) -> Restated | None:
        """Let a newer snapshot restate the order; note a review if it comes too late."""
        if self.conversion is None:
            return None
        found = restate(
            self.conversion, self.commission, snapshot, self.facts.values(),
            lambda stated: price(self._context, self._policy, stated, stated.lines), event.received_at, self._now,
        )  # fmt: skip
        self.is_restated |= found.conversion != self.conversion
        if found.commission is not self.commission:
            self.moved, self.cause = True, event.event_id
        self.conversion, self.commission = found.conversion, self._until_covered(found.commission)
        self._terms = None  # they may be others now
        if found.gone is not None:
            self._open_review(event, review_key(REFUND_GONE, found.gone), REFUND_GONE, found.gone)
        if found.review is not None:
            self._open_review(event, review_key(found.review, found.change), found.review, found.change)
        return found

    def _other_amount(self, event: Event, order: OrderCreated) -> dict[str, object] | None:
        """Return both amounts if an event reports a known order with another one, and ask a person about it."""
        if self.conversion is None:
            return None
        currency = order.currency or self.merchant.currency
        found = other_amount(self.conversion.order_minor, self.conversion.currency, order.amount, currency)
        if found is not None:
            self._open_review(event, review_key(AMOUNT_DIFFERS, found), AMOUNT_DIFFERS, found)
        return found

    def _ask(self, facts: EventFacts) -> None:
        """Note what the event says itself that a person must look at."""
        for each in facts.unclear:
            self._open_review(facts.event, each.key, each.reason, None)

    def _open_review(self, event: Event, key: str, reason: str, details: object) -> None:
        if self.conversion is not None:
            shown = orjson.dumps({} if details is None else details).decode()
            review = OrderReview(
                self.key[0], self.conversion.conversion_id, key, event.event_id, reason, shown, self._now
            )
            self.reviews.append(review)

    def _create(self, facts: EventFacts, order: OrderCreated, conversion_id: str) -> dict[str, object]:
        """Record the order and what its event states of it, and open its commission; explain the attribution."""
        account_id, event = self.key[0], facts.event
        ordered_at = event.received_at if order.ordered_at is None else min(order.ordered_at, event.received_at)
        off = facts.clock_off
        placed_at = ordered_at if off is None else on_our_clock(ordered_at, off, event.received_at)
        decided = attribute_order(self._context, self._policy, account_id, order, placed_at)
        attribution = decided.attribution
        currency = order.currency or self.merchant.currency
        order_minor = to_minor(order.amount, currency)
        lines = order_lines(order, order_minor, currency)
        candidate = self._context.coupon_owners.get((order.coupon_code or "").upper()) or attribution.affiliate_id
        conversion = new_conversion(
            (*self.key, conversion_id), event, order, attribution, candidate, currency, order_minor, lines, ordered_at,
            self._now,
        )  # fmt: skip
        if facts.snapshot is not None:
            conversion = first_sight(conversion, facts.snapshot)
        self.conversion, self._lines, self.is_new = conversion, lines, True
        if order.metadata or self._context.subscriptions.wanted:
            self.subscription = self._context.subscriptions.learn(conversion, order)
        if order.customer:
            self.customer = self._context.customers.learn(self._policy.customer_key, conversion, order, decided)
        if facts.unclear:
            self._ask(facts)
        if self._context.visitor_signs:
            for reason, details in suspicions(self._context, account_id, order, attribution):
                self._open_review(event, reason, reason, details)
        for fact in facts.news:
            self._add(event, fact)
        if attribution.confidence == "HIGH" and attribution.affiliate_id is not None:
            pricing = price(self._context, self._policy, conversion, lines)
            opened, self._terms = open_with_terms(
                conversion, attribution.affiliate_id, pricing, self.facts.values(), self._new_id("com"), self._now
            )
            self.commission = self._until_covered(opened)
            self.moved, self.cause = True, event.event_id
        return explain_attribution(attribution, decided)

    def _explain(self, attribution: dict[str, object] | None, skip_reason: str | None) -> dict[str, object]:
        commission = None
        if self.commission is not None and self.conversion is not None:
            money = [fact for fact in self.facts.values() if fact.refund is not None and not fact.late]
            refunds = standing_refunds(money, self.conversion.last_word) if money else []
            commission = explain_commission(self.commission, self.conversion, refunds, self._terms)
        return {"attribution": attribution, "commission": commission, "skipReason": skip_reason}

    def _add(self, event: Event, fact: Fact) -> str | None:
        """Add one piece of order news; return why it was skipped, None if it was applied."""
        conversion = self.conversion
        if conversion is None:
            return UNKNOWN_ORDER
        click_id = getattr(fact, "click_id", None)
        if click_id is not None and conversion.click_id is not None and click_id != conversion.click_id:
            return UNKNOWN_ORDER
        if fact.key in self.facts:
            return ALREADY_KNOWN
        late = self.commission is not None and self.commission.paid_at is not None
        news = status_fact(event, fact, conversion.currency, conversion.ordered_at, late=late)
        self.facts[news.key] = news
        self.new_facts.append(news)
        if self.commission is None:
            return None
        if isinstance(fact, OrderGone):
            self._open_review(event, ORDER_GONE, ORDER_GONE, {"reason": fact.reason})
        life = life_of(self.commission, conversion, self.facts.values(), self._now)
        moved = advance(self.commission, conversion, life, self._now)
        if moved is not self.commission:
            self.moved, self.cause = True, event.event_id
        self.commission = self._until_covered(moved)
        if late:
            self._correct(event, news)
        return life.skip_reason(news.key)

    def _until_covered(self, commission: Commission | None) -> Commission | None:
        """Return a commission as it is until the end of its hold finds it covered, if the merchant needs a deposit."""
        if commission is None or not (self.merchant.needs_deposit or commission.awaits_platform):
            return commission
        before = None if self.known_commission is None else self.known_commission.state
        state = until_covered(before, commission.state)
        return commission if state == commission.state else commission._replace(state=state)

    def _correct(self, event: Event, news: StatusFact) -> None:
        """Take back by an adjustment what a late cancel, return or refund takes from a commission that was paid."""
        paid, conversion = self.commission, self.conversion
        if paid is None or conversion is None:
            return
        lost = lost_by(paid, conversion, self.facts.values(), news)
        if lost > 0:
            made = late_adjustment(paid, conversion, news, -lost, self._new_id("adj"), self._now)
            self.adjustments.append(made if self._policy.adjust_at_once else made._replace(status="PROPOSED"))
            self._adjusted[event.event_id] = made.adjustment_id
