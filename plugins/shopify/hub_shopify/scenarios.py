"""A simulated Shopify store, for `hub simulate`: what Shopify sends at each step of an order, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene

STEP = 10_000
"""Milliseconds between two things that happen to the order."""
MUGS = {"id": 13501, "product_id": 7001, "variant_id": 8001, "sku": "MUG", "title": "Mug", "quantity": 2,
        "price": "18.00", "tax": "6.00"}  # fmt: skip
LAMP = {"id": 13502, "product_id": 7002, "variant_id": 8002, "sku": "LAMP-OAK", "title": "Lamp & shade",
        "quantity": 1, "price": "24.00", "tax": "4.00"}  # fmt: skip
SPOON = {"id": 13503, "product_id": 7003, "variant_id": 8003, "sku": "SPOON", "title": "Spoon", "quantity": 1,
         "price": "6.00", "tax": "1.00"}  # fmt: skip
SHIPPING, TOTAL = "6.00", "66.00"
GOODS = Decimal("50.00")
"""Two mugs and the lamp, without their tax."""
TEST_ORDER = 820982911946154508
ESCAPES = (
    ("/", "\\/"),
    ("&", "\\u0026"),
    ("<", "\\u003c"),
    (">", "\\u003e"),
    ("\u2028", "\\u2028"),
    ("\u2029", "\\u2029"),
)


def created(play: Play) -> Delivery:
    """Place the order; its payment is on the way."""
    return evolve(_order("orders/create", play, 0), amount=GOODS)


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _order("orders/paid", play, 1, financial_status="paid")


def delivered(play: Play) -> Delivery:
    """Deliver the parcel."""
    body = {
        "id": _number(play) + 3,
        "fulfillment_id": _number(play) + 2,
        "status": "delivered",
        "message": None,
        "happened_at": _time(play, 3),
        "created_at": _time(play, 3),
        "updated_at": _time(play, 3),
        "order_id": _number(play),
        "admin_graphql_api_id": f"gid://shopify/FulfillmentEvent/{_number(play) + 3}",
    }
    return _posted("fulfillment_events/create", body)


def refunded(play: Play) -> Delivery:
    """One mug went back."""
    line = {
        "id": _number(play) + 6,
        "line_item_id": MUGS["id"],
        "quantity": 1,
        "restock_type": "return",
        "subtotal": 18.0,
        "total_tax": 3.0,
        "line_item": _line(MUGS),
    }
    transaction: dict[str, Any] = {"id": _number(play) + 5, "kind": "refund", "status": "success", "amount": "18.00",
                   "currency": play.currency, "test": False}  # fmt: skip
    body = {
        "id": _number(play) + 4,
        "order_id": _number(play),
        "created_at": _time(play, 4),
        "processed_at": _time(play, 4),
        "note": None,
        "refund_line_items": [line],
        "transactions": [transaction],
        "order_adjustments": [],
        "admin_graphql_api_id": f"gid://shopify/Refund/{_number(play) + 4}",
    }
    return evolve(_posted("refunds/create", body), amount=Decimal(transaction["amount"]))


def cancelled(play: Play) -> Delivery:
    """Call the order off."""
    news = {"financial_status": "paid", "cancelled_at": _time(play, 2), "cancel_reason": "customer"}
    return _order("orders/cancelled", play, 2, **news)


def edited(play: Play) -> Delivery:
    """Add a spoon to the order, which its buyer pays."""
    news = {"line_items": [_line(MUGS), _line(LAMP), _line(SPOON)], "total_price": "72.00",
            "current_total_price": "72.00", "subtotal_price": "66.00", "total_tax": "12.00"}  # fmt: skip
    return evolve(_order("orders/updated", play, 4, financial_status="paid", **news), amount=GOODS + 5)


def priced(play: Play) -> Delivery:
    """Place an order with a code that takes 3.00 off the mugs, and a gift card to give away, which has no tax."""
    off = {"amount": "3.00", "discount_application_index": 0}
    mugs = {**_line({**MUGS, "tax": "5.50"}), "discount_allocations": [off]}
    code = {"type": "discount_code", "code": "SPRING", "value": "3.0", "target_type": "line_item"}
    news = {"line_items": [mugs, _line(LAMP), GIFT_CARD], "discount_applications": [code], "total_tax": "10.50",
            "discount_codes": [{"code": "SPRING", "amount": "3.00", "type": "fixed_amount"}], "total_price": "88.00",
            "subtotal_price": "82.00", "total_discounts": "3.00"}  # fmt: skip
    order = evolve(_order("orders/create", play, 0, **news), amount=Decimal("47.50"))
    return evolve(order, paid_total=Decimal("88.00"), coupon="SPRING", pieces=3)


def test(play: Play) -> Delivery:
    """The button "Send test notification": an order that looks real, save for its id and `test`."""
    news = {"id": TEST_ORDER, "admin_graphql_api_id": f"gid://shopify/Order/{TEST_ORDER}", "name": "#9999",
            "test": True, "financial_status": "voided", "cancelled_at": _time(play, 0)}  # fmt: skip
    order = _order("orders/create", play, 0, **news)
    return Delivery(order.topic, order.body, {**order.headers, "x-shopify-test": "true"})


def wire(value: Any) -> bytes:
    """JSON as Shopify writes it: compact, in UTF-8, with slashes and what HTML minds escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for plain, escaped in ESCAPES:
        text = text.replace(plain, escaped)
    return text.encode()


def _order(topic: str, play: Play, step: int, **news: Any) -> Delivery:
    attributes = [] if play.click_id is None else [{"name": "affiliate_click_id", "value": play.click_id}]
    body = {
        "id": _number(play),
        "admin_graphql_api_id": f"gid://shopify/Order/{_number(play)}",
        "name": f"#{play.order_id}",
        "created_at": _time(play, 0),
        "processed_at": _time(play, 0),
        "updated_at": _time(play, step),
        "cancelled_at": None,
        "cancel_reason": None,
        "currency": play.currency,
        "financial_status": "pending",
        "fulfillment_status": None,
        "landing_site": "/products/mug?utm_source=newsletter&utm_medium=email",
        "note_attributes": attributes,
        "payment_gateway_names": ["shopify_payments"],
        "source_name": "web",
        "taxes_included": True,
        "test": False,
        "total_price": TOTAL,
        "subtotal_price": "60.00",
        "total_tax": "11.00",
        "total_discounts": "0.00",
        "discount_codes": [],
        "discount_applications": [],
        "line_items": [_line(MUGS), _line(LAMP)],
        "shipping_lines": [{"title": "Standard", "price": SHIPPING, "tax_lines": [{"title": "VAT", "price": "1.00"}]}],
        "fulfillments": [],
        "refunds": [],
    }
    return _posted(topic, body | news)


def _line(item: Mapping[str, Any]) -> dict[str, Any]:
    tax = {"title": "VAT", "rate": 0.2, "price": item["tax"]}
    rest = {"total_discount": "0.00", "discount_allocations": [], "properties": [], "gift_card": False}
    return {**{name: value for name, value in item.items() if name != "tax"}, **rest, "tax_lines": [tax]}


def _posted(topic: str, body: Mapping[str, Any]) -> Delivery:
    return Delivery(topic, wire(body), {"content-type": "application/json", "x-shopify-api-version": "2026-10"})


def _number(play: Play) -> int:
    return int(play.order_id) if play.order_id.isdigit() else int.from_bytes(play.order_id.encode()[:6])


def _time(play: Play, step: int) -> str:
    moment = datetime.fromtimestamp((play.placed_at + step * STEP) / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S+00:00")


GIFT_CARD = {"id": 13504, "product_id": 7004, "variant_id": 8004, "sku": "GIFT", "title": "Gift card", "quantity": 1,
             "price": "25.00", "gift_card": True, "total_discount": "0.00", "discount_allocations": [],
             "properties": [], "tax_lines": []}  # fmt: skip

SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced, test)
}
