"""From a generic body to the hub's facts, one function for each webhook kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

import attrs

from hub.api import (
    CREATED_KEY,
    Body,
    Context,
    Fact,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderReturned,
    ProductStockUpdated,
    ProductUpdated,
    Unmappable,
    refund_key,
    status_key,
)
from hub_generic import values
from hub_generic.payloads import (
    LinePayload,
    NewsPayload,
    OrderPayload,
    ProductPayload,
    RefundPayload,
    StockPayload,
    camel,
    given_value,
    read_payload,
)

News = type[OrderPaid] | type[OrderDelivered] | type[OrderCancelled] | type[OrderReturned]
OF_REFUNDS = frozenset(each for field in attrs.fields(RefundPayload) for each in (field.name, camel(field.name)))
PARTIAL = ("refund_amount", "refundAmount", "refund_id", "refundId", "lines")
"""The fields that make a refund one of a part of the order."""
ALIKE = 0.85
UNSTATED = 0
"""The quantity of a refund's line that names none."""


def translate(kind: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Give the one fact that a body of this kind states; raises `Unmappable`."""
    if kind not in TRANSLATIONS:
        raise Unmappable(f"{kind} is no kind of webhook that the generic connector knows")
    return (TRANSLATIONS[kind](body, context),)


def _created(body: Body, _: Context) -> OrderCreated:
    order = read_payload(OrderPayload, body)
    lines = tuple(_bought(line, place) for place, line in enumerate(order.lines))
    if not lines and order.external_product_id is not None:
        lines = (Line(order.external_product_id, 1, order.order_amount),)
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order.external_order_id,
        amount=order.order_amount,
        currency=order.currency,
        click_id=order.click_id,
        coupon_code=order.coupon_code,
        lines=lines,
        ordered_at=order.ordered_at,
        paid_total=None,
        metadata=order.metadata,
        customer=order.customer,
    )


def _bought(line: LinePayload, place: int) -> Line:
    if line.amount is None:
        raise Unmappable(f"`lines[{place}].amount` is missing")
    return Line(line.external_product_id, 1 if line.quantity is None else line.quantity, line.amount)


def _news(fact: News, body: Body, _: Context) -> Fact:
    news = read_payload(NewsPayload, body)
    key = status_key(fact.status, news.occurred_at)
    return fact(key, news.external_order_id, news.occurred_at, news.reason, news.click_id)


def _refunded(body: Body, context: Context) -> OrderRefunded:
    news = read_payload(RefundPayload, body)
    lines = tuple(
        Line(line.external_product_id, UNSTATED if line.quantity is None else line.quantity, line.amount)
        for line in news.lines
    )
    if news.refund_amount is None and not lines:
        _require_whole(news, body)
    return OrderRefunded(
        key=refund_key(news.refund_id, context.delivery_id),
        order_id=news.external_order_id,
        occurred_at=news.occurred_at,
        reason=news.reason,
        click_id=news.click_id,
        refund_id=news.refund_id,
        amount=news.refund_amount,
        lines=lines,
        whole=news.refund_amount is None and not lines,
    )


def _require_whole(news: RefundPayload, body: Body) -> None:
    """Raise `Unmappable` if a refund that states neither amount nor lines may have meant a part of the order."""
    if news.refund_id is not None:
        raise Unmappable("`refund_amount` is missing, and so is `lines`: a refund with an id must say what it was for")
    for name in sorted(body.keys() - OF_REFUNDS):
        meant = get_close_matches(name, PARTIAL, n=1, cutoff=ALIKE)
        if meant:
            raise Unmappable(
                f"`{name}` is unknown and looks like `{meant[0]}`: without any such field the whole order is refunded"
            )


def _product(body: Body, context: Context) -> ProductUpdated:
    product = read_payload(ProductPayload, body)
    faults = []
    fields: dict[str, str | None] = {}
    for name, read in PRODUCT_FIELDS.items():
        if name not in body and camel(name) not in body:
            continue
        try:
            value = _field(name, read, given_value(body, name))
        except (TypeError, ValueError) as fault:
            faults.append(f"`{name}` {fault}")
            continue
        if value is not None or name not in NEVER_EMPTY:
            fields[camel(name)] = value
    if faults:
        raise Unmappable("; ".join(faults))
    key = _moment_key("updated", product.updated_at, context)
    return ProductUpdated(key, product.external_product_id, fields, product.updated_at)


def _field(name: str, read: Callable[[Any], str], value: Any) -> str | None:
    """Clear the field for a null, and for an empty text if the field may be empty."""
    if value is None or (name not in NEVER_EMPTY and isinstance(value, str) and not value.strip()):
        return None
    return read(value)


def _stock(body: Body, context: Context) -> ProductStockUpdated:
    stock = read_payload(StockPayload, body)
    if stock.stock_status is None and stock.quantity is None:
        raise Unmappable("`stock_status` is missing, and so is `quantity`: one of them must say what the stock is")
    key = _moment_key("stock", stock.updated_at, context)
    return ProductStockUpdated(key, stock.external_product_id, stock.stock_status, stock.quantity, stock.updated_at)


def _moment_key(word: str, moment: int | None, context: Context) -> str:
    return f"{word}@{context.delivery_id}" if moment is None else f"{word}:{moment}"


def _price(value: Any) -> str:
    """Keep a text as it was sent, so that the hub's own rules judge its form."""
    return values.required_text(40)(value) if isinstance(value, str) else format(values.money(value), "f")


PRODUCT_FIELDS: Mapping[str, Callable[[Any], str]] = {
    "name": values.required_text(255),
    "description": values.required_text(20_000),
    "product_url": values.required_text(2_048),
    "image_url": values.required_text(2_048),
    "category": values.required_text(255),
    "brand": values.required_text(255),
    "price": _price,
    "discount_price": _price,
    "currency": values.currency,
    "stock_status": values.required_text(40),
    "commission_type": values.required_text(40),
    "commission_value": _price,
    "campaign_id": values.required_text(64),
}
"""The product input's fields; all of them arrive as text, and the hub's own rules judge what they say."""

NEVER_EMPTY = frozenset({"name", "product_url", "price", "currency"})
"""Fields that a product always has: a null in them says nothing."""

TRANSLATIONS: Mapping[str, Callable[[Body, Context], Fact]] = {
    "order-created": _created,
    "order-paid": partial(_news, OrderPaid),
    "order-delivered": partial(_news, OrderDelivered),
    "order-cancelled": partial(_news, OrderCancelled),
    "order-returned": partial(_news, OrderReturned),
    "order-refunded": _refunded,
    "product-updated": _product,
    "product-stock-updated": _stock,
}
"""The eight webhook kinds."""
