"""Webhooks between the worker and the plugin host: what is given out to be translated, and what comes back as facts."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import orjson
from attrs import evolve, frozen

from hub.domain.orders.coupons import tidy_coupon
from hub.domain.orders.facts import (
    Fact,
    FetchOrder,
    FetchProduct,
    OrderCreated,
    OrderSnapshot,
    OrderStateUnknown,
    OrderUnclear,
    ToFetch,
)
from hub.domain.orders.undone import UNKNOWN_STATE
from hub.intake.stored_body import raw_body
from hub.plugin_host.translation import Job, Translation
from hub.processing.events import Event, EventFacts
from hub.processing.ledger_rows import Merchant

TEST_DELIVERY = "test_delivery"


@frozen
class Connection:
    """What the worker needs of a connection: its connector's name, its options as typed, and whether money is real."""

    connector: str
    options: Mapping[str, str]
    live: bool


def job_of(event: Event, body: str, merchant: Merchant, connection: Connection | None) -> Job:
    """Return what is asked of the plugin host for an event, whose `body` is as it is stored.

    A v1 webhook has a kind and no connection; the merchant's currency is for bodies that name none.
    """
    if connection is None:
        return Job(
            raw=body.encode(),
            connector=None,
            kind=event.kind or "",
            topic=None,
            delivery_id=event.external_event_id or event.event_id,
            received_at=event.received_at,
            currency=merchant.currency,
            live=merchant.live,
        )
    raw = raw_body(body)
    return Job(
        raw=raw,
        connector=connection.connector,
        kind=None,
        topic=event.topic,
        delivery_id=delivery_digest(raw),
        received_at=event.received_at,
        currency=merchant.currency,
        live=connection.live,
        options=connection.options,
        headers={} if event.headers is None else orjson.loads(event.headers),
    )


def delivery_digest(raw: bytes) -> str:
    """Return the name of a delivery: it follows from the signed bytes alone, whatever the headers say."""
    return sha256(raw).hexdigest()[:32]


def facts_in(event: Event, found: Translation) -> EventFacts:
    """Return what an event states, as it was translated."""
    if found.erasure is not None:
        return EventFacts(event, erasure=found.erasure)
    if found.is_test:
        return EventFacts(event, skip=TEST_DELIVERY)
    if found.uninteresting is not None:
        return EventFacts(event, skip=f"uninteresting: {found.uninteresting}")
    if found.unmappable is not None:
        named = event if found.order is None else event._replace(external_order_id=found.order)
        return EventFacts(named, fault=f"unmappable: {found.unmappable}")
    wanted = next((fact for fact in found.facts if isinstance(fact, FetchOrder | FetchProduct)), None)
    if wanted is not None:
        return _to_fetch(event, wanted)
    off = None if found.shown_at is None else found.shown_at - event.received_at
    return _facts_of(event, found.facts, off)


def _to_fetch(event: Event, named: ToFetch) -> EventFacts:
    """Return what a delivery states that only names an order or a product."""
    if event.connection_id is None:
        return EventFacts(event, fault="unmappable: it names only what to ask for, and no connection to ask by")
    if isinstance(named, FetchOrder):
        named_event = event._replace(external_order_id=named.order_id)
        return EventFacts(named_event, skip=f"fetching: order {named.order_id}", to_fetch=("order", named.order_id))
    product = named.external_product_id
    return EventFacts(event, skip=f"fetching: product {product}", to_fetch=("product", product))


def _tidied(order: OrderCreated) -> OrderCreated:
    """Return an order whose coupon is written as its owner knows it."""
    coupon = order.coupon_code
    return order if coupon is None else evolve(order, coupon_code=tidy_coupon(coupon))


def _question(fact: OrderUnclear | OrderStateUnknown) -> OrderUnclear:
    """Return what a person is asked; about an unknown state once, however often it is stated."""
    if isinstance(fact, OrderUnclear):
        return fact
    why = f"the order is in the state {fact.state!r}, which its connector does not know: the commission waits"
    return OrderUnclear(f"{UNKNOWN_STATE}:{fact.state}", fact.order_id, why)


def _facts_of(event: Event, facts: tuple[Fact, ...], clock_off: int | None) -> EventFacts:
    """Return what an event states, given its connector's facts, which are all about one order or one product."""
    orders = [_tidied(fact) for fact in facts if isinstance(fact, OrderCreated)]
    snapshots = [fact for fact in facts if isinstance(fact, OrderSnapshot)]
    unclear = tuple([_question(fact) for fact in facts if isinstance(fact, OrderUnclear | OrderStateUnknown)])
    other = OrderCreated | OrderSnapshot | OrderUnclear | FetchOrder | FetchProduct
    news = tuple([fact for fact in facts if not isinstance(fact, other)])
    return EventFacts(
        event, getattr(facts[0], "order_id", None), orders[0] if orders else None, news,
        snapshot=max(snapshots, key=lambda each: each.version, default=None), unclear=unclear,
        clock_off=clock_off,
    )  # fmt: skip
