"""Accepted events as the worker claims them, what they state, and how that is stored: in its units, on its clock.

REST bodies are read here, webhooks in webhooks.py, the platforms' own deliveries in deliveries.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import orjson

from hub.domain.connectors.connector import Erasure
from hub.domain.instants import parse_instant
from hub.domain.money import to_minor
from hub.domain.orders.attribution import Attribution
from hub.domain.orders.commission import OrderLine, Refund
from hub.domain.orders.coupons import tidy_coupon
from hub.domain.orders.facts import (
    CREATED_KEY,
    Fact,
    Line,
    OrderCreated,
    OrderGone,
    OrderNews,
    OrderRefunded,
    OrderSnapshot,
    OrderStatus,
    OrderUnclear,
    ProductNews,
    status_key,
)
from hub.domain.orders.lifecycle import StatusFact
from hub.processing.ledger_rows import Conversion, lines_to_json

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
    stated = body.get("orderedAt")
    ordered_at = None if stated is None else parse_instant(stated)
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
    stated = body.get("statusUpdatedAt")
    happened_at = None if stated is None else parse_instant(stated)
    if status == GONE:
        return OrderGone(status_key(GONE, happened_at), order_id, happened_at, body.get("reason"), None)
    key = status_key(status, happened_at)
    return OrderStatus(key, order_id, status, happened_at, body.get("reason"), body.get("clickId") or None)


def status_fact(event: Event, fact: Fact, currency: str, ordered_at: int, *, late: bool) -> StatusFact:
    """Return a piece of order news as the fold takes it: what happened, when, and what was refunded.

    It happened at the latest when it was received, and no earlier than its order (`ordered_at`, ms UTC).
    """
    occurred_at = getattr(fact, "occurred_at", None)
    happened_at = event.received_at if occurred_at is None else min(occurred_at, event.received_at)
    happened_at = max(happened_at, ordered_at)
    refund = _refund(fact, currency) if isinstance(fact, OrderRefunded) else None
    status: str = fact.status  # type: ignore[union-attr]  # order news all have one
    return StatusFact(fact.key, status, happened_at, event.received_at, refund, late, event.event_id)


def order_lines(fact: OrderCreated | OrderSnapshot, order_minor: int, currency: str) -> tuple[OrderLine, ...]:
    """Return the order's lines; a single one that states no amount is the whole order."""
    if len(fact.lines) == 1:
        (line,) = fact.lines
        whole = line.amount is None or line.amount is fact.amount
        amount = order_minor if whole or line.amount is None else to_minor(line.amount, currency)
        return (OrderLine(line.external_product_id, line.quantity, amount),)
    return tuple([
        OrderLine(x.external_product_id, x.quantity, 0 if x.amount is None else to_minor(x.amount, currency))
        for x in fact.lines
    ])  # fmt: skip


def new_conversion(
    ids: tuple[str, str, str], event: Event, order: OrderCreated, attribution: Attribution, candidate: str | None,
    currency: str, order_minor: int, lines: Sequence[OrderLine], ordered_at: int, now: int,
) -> Conversion:  # fmt: skip
    """Return the conversion of an order that its event states; times are milliseconds UTC.

    `ids` are (account id, external order id, conversion id). Without a certain click it waits for a review, which is
    shown whose it may be: `candidate`, the coupon's owner or else the click's affiliate.
    """
    account_id, order_id, conversion_id = ids
    high = attribution.confidence == "HIGH"
    paid_minor = order_minor if order.paid_total is None else to_minor(order.paid_total, currency)
    metadata = None if order.metadata is None else orjson.dumps(order.metadata, default=str).decode()
    affiliate_id, candidate_id, review = (attribution.affiliate_id, None, None) if high else (None, candidate, "OPEN")
    return Conversion(
        account_id, conversion_id, event.event_id, order_id, order_minor, paid_minor, currency,
        lines_to_json(lines), order.click_id, order.coupon_code, metadata, ordered_at, event.received_at,
        attribution.confidence, attribution.reason, affiliate_id, attribution.campaign_id, candidate_id, review,
        now, born=order.born,
    )  # fmt: skip


def _refund(fact: OrderRefunded, currency: str) -> Refund | None:
    """Return the money of a partial refund; None if neither amount nor lines are stated: a full one."""
    if fact.amount is None and not fact.lines:
        return None
    return Refund(
        None if fact.amount is None else to_minor(fact.amount, currency),
        tuple(
            (x.external_product_id, x.quantity, None if x.amount is None else to_minor(x.amount, currency))
            for x in fact.lines
        ),
        0 if fact.beside_goods is None else to_minor(fact.beside_goods, currency),
        fact.as_of,
    )
