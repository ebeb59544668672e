"""Accepted events as the worker claims them, and what they state; REST bodies are read here.

Webhooks are read in webhooks.py, the platforms' own deliveries in deliveries.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from hub.domain.connectors.connector import Erasure
from hub.domain.instants import parse_instant
from hub.domain.orders.coupons import tidy_coupon
from hub.domain.orders.facts import (
    CREATED_KEY,
    Line,
    OrderCreated,
    OrderGone,
    OrderNews,
    OrderSnapshot,
    OrderStatus,
    OrderUnclear,
    ProductNews,
    status_key,
)

EXPIRED = "unmappable: the stored body has expired"
GONE = "gone"
"""The status that the hub itself reports of an order that its platform has no longer; no shop may."""


class Event(NamedTuple):
    """An accepted submission: a row of `claim_due_events`. Times are milliseconds UTC, `headers` a JSON object."""

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


class EventFacts(NamedTuple):
    """What an event states, all about one order or one product: that an order exists (`order`), and its `news`.

    `snapshot` is what the order is by now, `unclear` what of it a person must look at.
    `to_fetch` is the kind ("order" or "product") and the id of what the event only names. `clock_off` is by how many ms
    the shop's clock is ahead, negative if it is behind, None if the event does not show it.

    Otherwise it is a privacy request (`erasure`), cannot be read (`fault` says why), or does not concern the hub
    (`skip` says why). `order_id` is the external order id; None for products and for what cannot be read.
    """

    event: Event
    order_id: str | None = None
    order: OrderCreated | None = None
    news: tuple[OrderNews | ProductNews, ...] = ()
    fault: str | None = None
    skip: str | None = None
    erasure: Erasure | None = None
    snapshot: OrderSnapshot | None = None
    unclear: tuple[OrderUnclear, ...] = ()
    to_fetch: tuple[str, str] | None = None
    clock_off: int | None = None


class EventResult(NamedTuple):
    """What became of an event; `explanation` is that of the API's event lookup."""

    event: Event
    status: str
    external_order_id: str | None
    conversion_id: str | None
    explanation: Mapping[str, object]


def read_report(event: Event) -> EventFacts:
    """Read a conversion or an order status, whose body intake has validated."""
    if event.body is None:
        return EventFacts(event, fault=EXPIRED)
    body = orjson.loads(event.body)
    order_id = body["externalOrderId"]
    if event.type != "conversion":
        return EventFacts(event, order_id, news=(_order_status(order_id, body),))
    ordered_at = _instant(body.get("orderedAt"))
    status = body.get("orderStatus")
    news = () if status is None else (OrderStatus(f"order:{status}", order_id, status, ordered_at, None, None),)
    return EventFacts(event, order_id, _order(order_id, ordered_at, body), news)


def rank_in_batch(facts: EventFacts, owners: Mapping[str, str]) -> int:
    """Return the place of an event in a batch: the order itself comes before its news, which need not be parked."""
    if facts.event.event_id in owners:
        return 0
    return 2 if facts.order is None else 1


def _order(order_id: str, ordered_at: int | None, body: dict[str, Any]) -> OrderCreated:
    amount = Decimal(body["orderAmount"])
    product = body.get("externalProductId")
    return OrderCreated(
        CREATED_KEY,
        order_id,
        amount,
        body.get("currency"),
        body.get("clickId") or None,
        tidy_coupon(body.get("couponCode")),
        lines=() if product is None else (Line(product, 1, amount),),
        ordered_at=ordered_at,
        paid_total=None,
        metadata=body.get("metadata"),
        customer=body.get("customer"),
    )


def _order_status(order_id: str, body: dict[str, Any]) -> OrderStatus | OrderGone:
    status = body["status"]
    happened_at = _instant(body.get("statusUpdatedAt"))
    if status == GONE:
        return OrderGone(status_key(GONE, happened_at), order_id, happened_at, body.get("reason"), None)
    key = status_key(status, happened_at)
    return OrderStatus(key, order_id, status, happened_at, body.get("reason"), body.get("clickId") or None)


def _instant(text: str | None) -> int | None:
    return None if text is None else parse_instant(text)
