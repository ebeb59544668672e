"""From an order's snapshot to all that it states: that it exists, its payment, parcels, end, return and refunds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderGone,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    OrderSnapshot,
    OrderUnclear,
    Unmappable,
    status_key,
)
from hub_shopify.clicks import click_of, coupon_of, customer_of
from hub_shopify.goods import goods_of
from hub_shopify.options import options_of
from hub_shopify.parcels import delivered_of
from hub_shopify.payloads import read_line
from hub_shopify.refunds import edited_away, money_back, pieces_of, refund_fact
from hub_shopify.values import ZERO, currency, identity, instant, own_id, records, shop_currency, shop_money, text, word

PAID = frozenset({"paid", "partially_refunded", "refunded"})
"""Financial statuses of an order whose whole price has been paid at some time."""

BY_HAND = ("cash on delivery", "manual", "bank deposit", "bank transfer", "money order")
"""Ways to pay that a person in the shop ticks off, long after the order."""

OF_CONTRACT = "subscription_contract"
"""The `source_name` of an order that Shopify made by a subscription's contract, without the buyer."""
RENEWAL_TAG = "subscription recurring order"


def of_order(body: Body, context: Context) -> Iterator[Fact]:
    """Give every fact of an order's snapshot, whatever topic brought it."""
    order_id = own_id(body, "order")
    created = _created(body, order_id, context)
    yield created
    yield from _snapshot(body, created)
    if word(body.get("financial_status")) in PAID:
        yield OrderPaid(status_key("paid", None), order_id, _paid_at(body), None, None)
    yield from delivered_of(body, order_id, context)
    if body.get("cancelled_at") is not None:
        at, why = instant(body["cancelled_at"]), text(body.get("cancel_reason"))
        yield OrderCancelled(status_key("cancelled", None), order_id, at, why, None)
    yield from _returned(body, order_id, context)
    yield from _refunds(body, order_id, context)


def of_deleted_order(body: Body, _: Context) -> Iterator[Fact]:
    """Give the end of an order that the shop deleted; the body has nothing but its id."""
    order_id = own_id(body, "order")
    yield OrderGone(status_key("gone", None), order_id, None, "the order was deleted", None)


def _snapshot(body: Body, created: OrderCreated) -> Iterator[OrderSnapshot]:
    """Give what the order is by now; a body without `updated_at` cannot be ordered among others.

    Shopify never takes a cancellation back, so no snapshot says that an order stands again.
    """
    version = instant(body.get("updated_at"))
    if version is not None:
        yield OrderSnapshot(
            SNAPSHOT_KEY, created.order_id, version, created.amount, created.currency, created.lines, created.paid_total
        )


def _created(body: Body, order_id: str, context: Context) -> OrderCreated:
    gone = edited_away(body)
    amount, lines = _goods(body, gone, context)
    click_id, place = click_of(body)
    told = {
        "orderName": text(body.get("name")),
        "source": text(body.get("source_name")),
        "clickIdFrom": place,
        "renewal": True if _renews(body) else None,
    }
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=amount,
        currency=shop_currency(body, "total_price") or currency(body.get("currency")),
        click_id=click_id,
        coupon_code=coupon_of(body),
        lines=lines,
        ordered_at=instant(body.get("created_at")) or instant(body.get("processed_at")),
        paid_total=_paid_total(body, bool(gone)),
        metadata={name: value for name, value in told.items() if value is not None} or None,
        born=f"gid://shopify/Order/{order_id}",  # REST and GraphQL say it alike, and it never comes again
        customer=customer_of(body),
    )


def _goods(body: Body, gone: Mapping[str, int], context: Context) -> tuple[Decimal, tuple[Line, ...]]:
    options = options_of(context)
    if isinstance(body.get("line_items"), list):
        goods = goods_of(body, gone, options)
        return goods.amount, goods.lines
    amount = shop_money(body, "subtotal_price")
    if amount is None:
        raise Unmappable("the order has neither `line_items` nor `subtotal_price`, so nothing says what it is worth")
    tax = shop_money(body, "total_tax") or ZERO
    if body.get("taxes_included") is True and options.tax == "excluded":
        amount -= tax
    return max(amount, ZERO), ()


def _paid_total(body: Body, edited: bool) -> Decimal | None:
    """Return the price as placed, which refunds do not change, or the present one if an edit made it another."""
    placed, now = shop_money(body, "total_price"), shop_money(body, "current_total_price")
    if placed is None or now is None:
        return None if placed is None else max(placed, ZERO)
    return max(now if edited else max(placed, now), ZERO)


def _paid_at(body: Body) -> int | None:
    """When the money came: no field says so.

    A checkout charges at once, at a time that every snapshot repeats; what is paid by hand was paid at the latest when
    the snapshot was taken.
    """
    names = body.get("payment_gateway_names")
    known = names if isinstance(names, list) else [body.get("gateway")]
    by_hand = any(way in name for name in map(_lower, known) for way in BY_HAND)
    placed = instant(body.get("processed_at")) or instant(body.get("created_at"))
    return (instant(body.get("updated_at")) or placed) if by_hand else placed


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def _returned(body: Body, order_id: str, context: Context) -> Iterator[OrderReturned]:
    """Return the return of the whole order: every piece is gone, and at least one came back from the buyer."""
    refunds = records(body.get("refunds"))
    if options_of(context).returned_on == "never" or not +pieces_of(refunds, "return"):
        return
    gone = pieces_of(refunds)
    lines = [line for line in map(read_line, records(body.get("line_items"))) if not line.gift_card and not line.tip]
    if lines and all(gone[line.id or ""] >= line.quantity for line in lines):
        at = max((instant(each.get("created_at")) or 0 for each in refunds), default=0) or None
        yield OrderReturned(status_key("returned", None), order_id, at, None, None)


def _refunds(body: Body, order_id: str, context: Context) -> Iterator[OrderRefunded | OrderUnclear]:
    """Give each refund; a status "refunded" with less money back contradicts itself, and a person is asked to look."""
    back = sum((money_back(refund) for refund in records(body.get("refunds"))), ZERO)
    paid, left = shop_money(body, "total_price"), shop_money(body, "current_total_price")
    if word(body.get("financial_status")) == "refunded" and paid is not None and back < paid and left != ZERO:
        reason = f"the order is called refunded, but {back} of {paid} went back"
        yield OrderUnclear("refunded_in_part", order_id, reason)
    by_id = {identity(refund.get("id")): refund for refund in records(body.get("refunds"))}
    for name, refund in by_id.items():
        if name is not None and (fact := refund_fact(refund, order_id, context)) is not None:
            yield fact


def _renews(body: Body) -> bool:
    """Return whether an order renews a subscription: made by its contract, or tagged so by an app that keeps its own.

    Neither says which subscription; it is the one that the click of the order began.
    """
    tags = _lower(body.get("tags")).split(",")
    return text(body.get("source_name")) == OF_CONTRACT or RENEWAL_TAG in [each.strip() for each in tags]
