"""A simulated BigCommerce store, for `hub simulate`.

BigCommerce itself sends only an order's id, and the hub asks for the rest. A simulated order has no API behind it, so
each step delivers what asking would have given, with the topic beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene
from hub_bigcommerce.requests import ORDER

STEP = 10_000
"""Milliseconds between two things that happen to the order."""
AWAITING_PAYMENT, AWAITING_FULFILMENT, COMPLETED, CANCELLED, PARTLY_REFUNDED = 7, 11, 10, 5, 14
GOODS = Decimal("50.00")


def created(play: Play) -> Delivery:
    """Place the order, which waits for its money."""
    return evolve(_delivered(order(play, 0, AWAITING_PAYMENT, "pending")), amount=GOODS)


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _delivered(order(play, 1, AWAITING_FULFILMENT, "captured"))


def delivered(play: Play) -> Delivery:
    """Complete the order."""
    return _delivered(order(play, 2, COMPLETED, "captured"))


def refunded(play: Play) -> Delivery:
    """Give one mug back, with its tax."""
    back = order(play, 3, COMPLETED, "partially refunded", refunds=[refund(play)])
    return evolve(_delivered(back), amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Call the paid order off."""
    return _delivered(order(play, 3, CANCELLED, "captured"))


def edited(play: Play) -> Delivery:
    """Add a spoon to the completed order."""
    spoon = _line(67, 79, "SPOON", 1, "5.0000")
    body = order(play, 4, COMPLETED, "captured")
    news = {"products": [*body["products"], spoon], "total_inc_tax": "72.0000", "total_ex_tax": "60.0000"}
    return evolve(_delivered({**body, **news}), amount=GOODS + 5)


def priced(play: Play) -> Delivery:
    """Place an order with tax, a coupon that takes 3.00 off the mugs, and a gift certificate to give away."""
    mugs = _line(65, 77, "MUG", 2, "15.0000", off="3.00")
    certificate = {**_line(68, 0, "GIFT", 1, "25.0000"), "type": "giftcertificate", "total_tax": "0.0000"}
    body = order(play, 0, AWAITING_PAYMENT, "pending")
    coupon = {"id": 3, "coupon_id": 9, "order_id": _number(play), "code": "SPRING", "amount": "3", "discount": "3.0000"}
    news = {"products": [mugs, _line(66, 78, "LAMP", 1, "20.0000"), certificate], "coupons": [coupon],
            "coupon_discount": "3.0000", "is_tax_inclusive_pricing": True, "total_inc_tax": "88.0000"}  # fmt: skip
    placed = evolve(_delivered({**body, **news}), amount=Decimal("47.50"))
    return evolve(placed, paid_total=Decimal("88.00"), coupon="SPRING", pieces=3)


def order(
    play: Play, step: int, status: int, payment: str, refunds: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """Return an order with its lines, coupons and refunds, as asking for all of them gives it."""
    fields = [] if play.click_id is None else [{"name": "affiliate_click_id", "value": play.click_id}]
    return {
        "id": _number(play),
        "customer_id": 11,
        "date_created": _time(play, 0),
        "date_modified": _time(play, step),
        "date_shipped": _time(play, step) if status == COMPLETED else "",
        "status_id": status,
        "subtotal_ex_tax": "50.0000",
        "subtotal_inc_tax": "60.0000",
        "subtotal_tax": "10.0000",
        "base_shipping_cost": "6.0000",
        "shipping_cost_ex_tax": "5.0000",
        "shipping_cost_inc_tax": "6.0000",
        "total_ex_tax": "55.0000",
        "total_inc_tax": "66.0000",
        "total_tax": "11.0000",
        "is_tax_inclusive_pricing": False,
        "items_total": 3,
        "payment_method": "Credit Card",
        "payment_status": payment,
        "refunded_amount": "0.0000",
        "order_is_digital": False,
        "currency_code": play.currency,
        "default_currency_code": play.currency,
        "staff_notes": "",
        "customer_message": "",
        "discount_amount": "0.0000",
        "coupon_discount": "0.0000",
        "order_source": "www",
        "billing_address": {"first_name": "Jane", "last_name": "Doe", "form_fields": fields},
        "products": [_line(65, 77, "MUG", 2, "15.0000"), _line(66, 78, "LAMP", 1, "20.0000")],
        "coupons": [],
        "refunds": refunds or [],
    }


def refund(play: Play) -> dict[str, Any]:
    """Return the refund of one mug."""
    return {
        "id": _number(play) + 1,
        "order_id": _number(play),
        "created": datetime.fromtimestamp((play.placed_at + 3 * STEP) // 1000, UTC).isoformat(),
        "reason": "",
        "total_amount": 18,
        "total_tax": 3,
        "uses_merchant_override_values": False,
        "items": [{"item_type": "PRODUCT", "item_id": 65, "reason": "", "quantity": 1, "requested_amount": 15}],
        "payments": [{"id": 13, "provider_id": "braintree", "amount": 18, "offline": False, "is_declined": False}],
    }


def _delivered(body: Mapping[str, Any]) -> Delivery:
    return Delivery(ORDER, json.dumps({"scope": ORDER, **body}).encode(), {"content-type": "application/json"})


def _line(line_id: int, product_id: int, sku: str, quantity: int, price: str, off: str = "0.00") -> dict[str, Any]:
    """Return a line of so many pieces at a price without tax; `off` is what a coupon takes off, with its tax."""
    total = Decimal(price) * quantity
    tax = total / 5
    paid = total + tax - Decimal(off)
    return {
        "id": line_id,
        "product_id": product_id,
        "variant_id": product_id + 100,
        "name": sku.capitalize(),
        "sku": sku,
        "type": "physical",
        "base_price": price,
        "price_ex_tax": price,
        "quantity": quantity,
        "total_ex_tax": f"{total:.4f}",
        "total_inc_tax": f"{total + tax:.4f}",
        "total_tax": f"{paid / 6:.4f}",
        "discounted_total_inc_tax": f"{paid:.4f}",
        "quantity_refunded": 0,
        "refund_amount": "0.0000",
        "applied_discounts": [],
        "gift_certificate_id": None,
    }


def _number(play: Play) -> int:
    return int(play.order_id) if play.order_id.isdigit() else int.from_bytes(play.order_id.encode()[:6])


def _time(play: Play, step: int) -> str:
    return format_datetime(datetime.fromtimestamp((play.placed_at + step * STEP) // 1000, UTC))


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced)
}
