"""From an order as the Orders API answers it to all that it states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    Headers,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    Unmappable,
    as_currency,
    as_id,
    as_lines,
    as_moment,
    as_money,
    as_quantity,
    as_record,
    as_records,
    as_text,
    id_or_none,
    refund_so_far_key,
    status_key,
)
from hub_squarespace.options import SquarespaceOptions, options_of
from hub_squarespace.requests import ORDER

ZERO: Final = Decimal(0)
FINE: Final = Decimal("0.000001")
GIFT_CARD: Final = "GIFT_CARD"
CANCELED: Final = "CANCELED"
FULFILLED: Final = "FULFILLED"
STANDING: Final = frozenset({"PENDING", FULFILLED})
STATUSES: Final = STANDING | {CANCELED}
PAID: Final = frozenset({"PAID", "REFUNDED", "REFUND_PENDING", "REFUND_FAILED"})
"""States of a payment whose money has come at some time; an order without a state was paid as it was placed."""
OF_SHIPPING: Final = re.compile("ship|deliver|postage", re.IGNORECASE)
IN_NOTE: Final = re.compile(r"affiliate_click_id\s*[=:]\s*([A-Za-z0-9_-]{1,128})(?![A-Za-z0-9_-])", re.IGNORECASE)


def of_order(order: Body, context: Context) -> Iterator[Fact]:
    """Yield every fact of an order."""
    order_id, options = as_id(order.get("id"), "the order"), options_of(context)
    status = as_text(order.get("fulfillmentStatus"))
    if status is None:
        raise Unmappable("the order has no `fulfillmentStatus`")
    placed_at = as_moment(order.get("createdOn"), "createdOn")
    changed_at = as_moment(order.get("modifiedOn"), "modifiedOn")
    created = _created(order, order_id, placed_at, options)
    yield created
    if changed_at is not None:
        yield OrderSnapshot(
            SNAPSHOT_KEY, order_id, changed_at, created.amount, created.currency, created.lines, created.paid_total,
            stands_at=changed_at if status in STANDING else None,
        )  # fmt: skip
    if status not in STATUSES:
        yield OrderStateUnknown(status_key("unknown_state", changed_at), order_id, changed_at, None, None, status)
    elif order.get("paymentState") is None or as_text(order.get("paymentState")) in PAID:
        yield OrderPaid(status_key("paid", None), order_id, placed_at, None, None)
    if status == FULFILLED:
        at = as_moment(order.get("fulfilledOn"), "fulfilledOn")
        yield OrderDelivered(status_key("delivered", None), order_id, at, None, None)
    if status == CANCELED:
        yield OrderCancelled(status_key("cancelled", changed_at), order_id, changed_at, None, None)
    yield from _refunded(order, order_id, changed_at)


def of_webhook(_: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a free-form v1 webhook, which must hold the whole order."""
    return tuple(of_order(body, context))


def recognises(body: Body) -> bool:
    """Recognise an order by what only Squarespace's have."""
    return {"fulfillmentStatus", "refundedTotal", "grandTotal", "lineItems", "createdOn"} <= body.keys()


def is_test(body: Body, _: Headers) -> bool:
    """Return whether an order was paid in test mode."""
    return body.get("testmode") is True


def order_of(topic: str, body: Body) -> str | None:
    """Return the id of the order that a body is, or names."""
    return id_or_none(body.get("id") if topic == ORDER else as_record(body.get("data")).get("orderId"))


def _created(order: Body, order_id: str, placed_at: int | None, options: SquarespaceOptions) -> OrderCreated:
    lines = _goods(order, options)
    click_id, place = _click(order, options)
    number = as_text(order.get("orderNumber"))
    told = {"orderNumber": number, "source": as_text(order.get("channelName") or order.get("channel")),
            "clickIdFrom": place}  # fmt: skip
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=sum((line.amount or ZERO for line in lines), ZERO),
        currency=as_currency(as_text(as_record(order.get("grandTotal")).get("currency"))),
        click_id=click_id,
        coupon_code=_coupon(order),
        lines=lines,
        ordered_at=placed_at,
        paid_total=_money(order, "grandTotal"),
        metadata={name: value for name, value in told.items() if value is not None} or None,
        born=order_id,  # an id of Squarespace's database, which never comes again
        customer=as_text(order.get("customerEmail"), 320),
    )


def _goods(order: Body, options: SquarespaceOptions) -> tuple[Line, ...]:
    """Return the lines with their part of the discounts and of the tax, both of which the order has as a whole only.

    The tax is that of goods and shipping together, so it is spread over both.
    """
    items = [item for item in as_lines(order.get("lineItems"), "lineItems") if item.get("lineItemType") != GIFT_CARD]
    prices, free = [_price(item) for item in items], _free_shipping(order)
    left = _spread(prices, sum(prices, ZERO) - (_money(order, "discountTotal") - free))
    goods, shipping, tax = sum(left, ZERO), _money(order, "shippingTotal") - free, _money(order, "taxTotal")
    own = tax * goods / (goods + shipping) if goods + shipping else ZERO
    has_tax = order.get("priceTaxInterpretation") == "INCLUSIVE"
    if has_tax and options.tax == "excluded":
        left = _spread(left, goods - own)
    elif not has_tax and options.tax == "included":
        left = _spread(left, goods + own)
    return tuple(
        Line(_product(item, options), max(as_quantity(item.get("quantity"), 1), 1), amount)
        for item, amount in zip(items, left, strict=True)
    )


def _free_shipping(order: Body) -> Decimal:
    """Return what a discount took off the shipping: one of all that it costs, whose name says what it is for."""
    shipping = _money(order, "shippingTotal")
    for line in as_records(order.get("discountLines")):
        names = (as_text(line.get(name)) or "" for name in ("name", "promoCode"))
        if _money(line, "amount") == shipping and OF_SHIPPING.search(" ".join(names)):
            return shipping
    return ZERO


def _price(item: Body) -> Decimal:
    paid = as_money(as_record(item.get("unitPricePaid")).get("value"), "unitPricePaid")
    if paid is None:
        raise Unmappable("a line has no `unitPricePaid`")
    return paid * as_quantity(item.get("quantity"), 1)


def _spread(parts: Sequence[Decimal], total: Decimal) -> list[Decimal]:
    """Return parts that add up to a total, each as large as before beside the others."""
    before = sum(parts, ZERO)
    return [(part * max(total, ZERO) / before).quantize(FINE) if before else ZERO for part in parts]


def _refunded(order: Body, order_id: str, changed_at: int | None) -> Iterator[OrderRefunded]:
    """Yield how much went back so far, which is all that Squarespace says."""
    back = _money(order, "refundedTotal")
    if not back or changed_at is None:
        return
    key = refund_so_far_key(changed_at)
    yield OrderRefunded(key, order_id, changed_at, None, None, None, back, (), as_of=changed_at)


def _click(order: Body, options: SquarespaceOptions) -> tuple[str | None, str | None]:
    """Return the click's id and where it stood: a field of the checkout's form, or a note of the shop's."""
    for field in as_records(order.get("formSubmission")):
        label, value = as_text(field.get("label")), as_text(field.get("value"), 128)
        if label is not None and value is not None and label.lower() == options.field.lower():
            return value, "formSubmission"
    for note in as_records(order.get("internalNotes")):
        if (found := IN_NOTE.search(as_text(note.get("content"), 10_000) or "")) is not None:
            return found[1], "internalNotes"
    return None, None


def _coupon(order: Body) -> str | None:
    codes = (as_text(line.get("promoCode"), 120) for line in as_records(order.get("discountLines")))
    return next((code for code in codes if code is not None), None)


def _product(item: Body, options: SquarespaceOptions) -> str | None:
    names = {"id": "productId", "sku": "sku", "variant": "variantId"}
    return as_text(item.get(names[options.product_key])) or as_text(item.get("productId"))


def _money(order: Body, name: str) -> Decimal:
    return as_money(as_record(order.get(name)).get("value"), name) or ZERO
