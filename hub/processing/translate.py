"""An accepted submission read as facts: REST bodies here, webhook bodies by the connector that recognises them."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from hub.api import parse_body
from hub.domain.connector import Context, Erasure, Uninteresting, Unmappable
from hub.domain.facts import (
    CREATED_KEY,
    FACTS_OF_KIND,
    Fact,
    Line,
    OrderCreated,
    OrderNews,
    OrderStatus,
    ProductNews,
    ProductStockUpdated,
    ProductUpdated,
)
from hub.domain.instants import parse_instant
from hub.domain.money import MoneyError, to_minor
from hub.domain.records import record
from hub.registry import Registry

TEST_DELIVERY = "test_delivery"
EXPIRED = "unmappable: the stored body has expired"

ProductFact = ProductUpdated | ProductStockUpdated


class Event(NamedTuple):
    """An accepted submission as the worker claims it: a row of `claim_due_events`; times in milliseconds UTC."""

    account_id: str
    event_id: str
    type: str
    kind: str | None
    external_event_id: str | None
    external_order_id: str | None
    conversion_id: str | None
    received_at: int
    attempts: int
    body: str | None
    connection_id: str | None = None
    topic: str | None = None
    headers: str | None = None
    """JSON {name: value}, of deliveries to a connection."""


@record
class Statement:
    """What an event states, all about one order or one product: that an order exists (`order`), and its `news`.

    Or a privacy request (`erasure`), or why it cannot be read (`fault`), or why it is none of the hub's business
    (`skip`). `order_id` is the external order id; None for products and for what cannot be read.
    """

    event: Event
    order_id: str | None = None
    order: OrderCreated | None = None
    news: tuple[OrderNews | ProductNews, ...] = ()
    fault: str | None = None
    skip: str | None = None
    erasure: Erasure | None = None


def translate(event: Event) -> Statement:
    """Reads a conversion or an order status."""
    if event.body is None:
        return Statement(event, fault=EXPIRED)
    body = orjson.loads(event.body)
    order_id = body["externalOrderId"]
    if event.type != "conversion":
        return Statement(event, order_id, None, (_order_status(order_id, body),))
    ordered_at = _instant(body.get("orderedAt"))
    status = body.get("orderStatus")
    news = () if status is None else (OrderStatus(f"order:{status}", order_id, status, ordered_at, None, None),)
    return Statement(event, order_id, _order(order_id, ordered_at, body), news)


def statement_of(event: Event, facts: tuple[Fact, ...]) -> Statement:
    """What a connector's facts state, which are all about one order or one product."""
    orders = [fact for fact in facts if isinstance(fact, OrderCreated)]
    news = tuple([fact for fact in facts if not isinstance(fact, OrderCreated)])
    return Statement(event, getattr(facts[0], "order_id", None), orders[0] if orders else None, news)


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


def _about_one_thing(kind: str, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    if not facts:
        raise Unmappable(f"the body states nothing that a {kind} webhook may say")
    subjects = {getattr(f, "order_id", None) or getattr(f, "external_product_id", None) for f in facts}
    if len(subjects) > 1:
        raise Unmappable("the body speaks of several orders or products")
    return facts


def check_money(facts: Iterable[Fact], currency: str) -> None:
    """Raises `MoneyError` for amounts that the hub could not keep, before anything is claimed for the event."""
    for fact in facts:
        amounts = [getattr(fact, "amount", None), getattr(fact, "paid_total", None)]
        amounts += [line.amount for line in getattr(fact, "lines", ())]
        for amount in amounts:
            if amount is not None:
                to_minor(amount, getattr(fact, "currency", None) or currency)


def _order(order_id: str, ordered_at: int | None, body: dict[str, Any]) -> OrderCreated:
    amount = Decimal(body["orderAmount"])
    product = body.get("externalProductId")
    return OrderCreated(
        CREATED_KEY,
        order_id,
        amount,
        body.get("currency"),
        body.get("clickId") or None,
        body.get("couponCode") or None,
        lines=() if product is None else (Line(product, 1, amount),),
        ordered_at=ordered_at,
        paid_total=None,
        metadata=body.get("metadata"),
    )


def _order_status(order_id: str, body: dict[str, Any]) -> OrderStatus:
    status = body["status"]
    happened_at = _instant(body.get("statusUpdatedAt"))
    key = status if happened_at is None else f"{status}:{happened_at}"
    return OrderStatus(key, order_id, status, happened_at, body.get("reason"), body.get("clickId") or None)


def _instant(text: str | None) -> int | None:
    return None if text is None else parse_instant(text)
