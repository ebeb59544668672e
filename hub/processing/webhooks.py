"""Webhooks read as facts by the connector that recognises their body, and what such facts state."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import parse_body
from hub.domain.connector import Context, Uninteresting, Unmappable
from hub.domain.facts import FACTS_OF_KIND, Fact, OrderCreated
from hub.domain.money import MoneyError, to_minor
from hub.processing.translate import EXPIRED, Event, Statement
from hub.registry import Registry

TEST_DELIVERY = "test_delivery"


def translate_webhook(event: Event, registry: Registry, currency: str, *, live: bool) -> Statement:
    """Reads a webhook; `currency` is the merchant's, for bodies that name none; `live` ones take no test orders."""
    if event.body is None:
        return Statement(event, fault=EXPIRED)
    kind = event.kind or ""
    try:
        body = parse_body(event.body.encode())
        connector = registry.for_webhook(body)
        if live and connector.is_test(body, {}):
            return Statement(event, skip=TEST_DELIVERY)
        named = event.external_event_id or event.event_id
        context = Context(named, event.received_at, currency, connector.options())
        facts = tuple(f for f in connector.translate_webhook(kind, body, context) if isinstance(f, FACTS_OF_KIND[kind]))
        check_money(facts, currency)
        return statement_of(event, _about_one_thing(kind, facts))
    except Uninteresting as reason:
        return Statement(event, skip=f"uninteresting: {reason}")
    except (Unmappable, MoneyError, ValueError) as fault:
        return Statement(event, fault=f"unmappable: {fault}")


def statement_of(event: Event, facts: tuple[Fact, ...]) -> Statement:
    """What a connector's facts state, which are all about one order or one product."""
    orders = [fact for fact in facts if isinstance(fact, OrderCreated)]
    news = tuple([fact for fact in facts if not isinstance(fact, OrderCreated)])
    return Statement(event, getattr(facts[0], "order_id", None), orders[0] if orders else None, news)


def check_money(facts: Iterable[Fact], currency: str) -> None:
    """Raises `MoneyError` for amounts that the hub could not keep, before anything is claimed for the event."""
    for fact in facts:
        amounts = [getattr(fact, "amount", None), getattr(fact, "paid_total", None)]
        amounts += [line.amount for line in getattr(fact, "lines", ())]
        for amount in amounts:
            if amount is not None:
                to_minor(amount, getattr(fact, "currency", None) or currency)


def _about_one_thing(kind: str, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    if not facts:
        raise Unmappable(f"the body states nothing that a {kind} webhook may say")
    subjects = {getattr(f, "order_id", None) or getattr(f, "external_product_id", None) for f in facts}
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
    return facts
