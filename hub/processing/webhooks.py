"""Webhooks read as facts by the connector that recognises their body, and the checks of such facts."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import parse_body
from hub.domain.connector import Context, Uninteresting, Unmappable
from hub.domain.facts import FACTS_OF_KIND, Fact, OrderCreated, OrderRefunded, lines_fault
from hub.domain.money import MoneyError, to_minor
from hub.plugin_host.registry import Registry
from hub.processing.events import EXPIRED, Event, EventFacts

TEST_DELIVERY = "test_delivery"


def read_webhook(event: Event, registry: Registry, currency: str, *, live: bool) -> EventFacts:
    """Read a webhook; `currency` is the merchant's, for bodies that name none; `live` ones take no test orders."""
    if event.body is None:
        return EventFacts(event, fault=EXPIRED)
    kind = event.kind or ""
    try:
        body = parse_body(event.body.encode())
        connector = registry.for_webhook(body)
        if live and connector.is_test(body, {}):
            return EventFacts(event, skip=TEST_DELIVERY)
        delivery_id = event.external_event_id or event.event_id
        context = Context(delivery_id, event.received_at, currency, connector.options())
        facts = tuple(f for f in connector.translate_webhook(kind, body, context) if isinstance(f, FACTS_OF_KIND[kind]))
        check_money(facts, currency)
        _check_subject(kind, facts)
        return facts_of(event, facts)
    except Uninteresting as reason:
        return EventFacts(event, skip=f"uninteresting: {reason}")
    except (Unmappable, MoneyError, ValueError) as fault:
        return EventFacts(event, fault=f"unmappable: {fault}")


def facts_of(event: Event, facts: tuple[Fact, ...]) -> EventFacts:
    """Return what an event states, given its connector's facts, which are all about one order or one product."""
    orders = [fact for fact in facts if isinstance(fact, OrderCreated)]
    news = tuple([fact for fact in facts if not isinstance(fact, OrderCreated)])
    return EventFacts(event, getattr(facts[0], "order_id", None), orders[0] if orders else None, news)


def check_money(facts: Iterable[Fact], currency: str) -> None:
    """Raise `MoneyError` for amounts that the hub could not keep, before anything is claimed for the event.

    Raise `Unmappable` for a refund that does not say how much went back, and for too many lines.
    """
    facts = tuple(facts)
    if (fault := lines_fault(facts)) is not None:
        raise Unmappable(fault)
    for fact in facts:
        if isinstance(fact, OrderRefunded) and not fact.says_how_much:
            raise Unmappable("the refund says neither how much money went back nor for which lines")
        amounts = [getattr(fact, "amount", None), getattr(fact, "paid_total", None)]
        amounts += [line.amount for line in getattr(fact, "lines", ())]
        for amount in amounts:
            if amount is not None:
                to_minor(amount, getattr(fact, "currency", None) or currency)


def _check_subject(kind: str, facts: tuple[Fact, ...]) -> None:
    """Raise `Unmappable` unless the facts are about exactly one order or product."""
    if not facts:
        raise Unmappable(f"the body states nothing that a {kind} webhook may say")
    subjects = {getattr(f, "order_id", None) or getattr(f, "external_product_id", None) for f in facts}
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
