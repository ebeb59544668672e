"""A simulated WooCommerce shop, for `hub simulate`: each delivery byte for byte as WordPress writes and sends it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene

STEP = 1_000
"""Milliseconds between two things that happen to the order."""
SOURCE = "https://shop.example/"
AGENT = "WooCommerce/10.2.1 Hookshot (WordPress/6.8.1)"


def created(play: Play) -> Delivery:
    """Place the order, which waits for its money."""
    return evolve(_order(play, "order.created", "pending", 0), amount=Decimal("50.00"))


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _order(play, "order.updated", "processing", 1, paid=1)


def delivered(play: Play) -> Delivery:
    """Complete the order, the nearest that WooCommerce has to a delivery."""
    return _order(play, "order.updated", "completed", 2, paid=1, completed=2)


def refunded(play: Play) -> Delivery:
    """Give a part of the money back; the core's payload says how much, not for what."""
    refund = {"id": _number(play) + 1, "reason": "", "total": "-15.00"}
    order = _order(play, "order.updated", "completed", 3, paid=1, completed=2, refunds=[refund])
    return evolve(order, amount=Decimal("15.00"))


def cancelled(play: Play) -> Delivery:
    """Call the paid order off."""
    return _order(play, "order.updated", "cancelled", 3, paid=1)


def edited(play: Play) -> Delivery:
    """Take a mug off the order, as its owner does in the admin."""
    lines = [_line(71, 501, "MUG", 1, "15.00", "1.50"), LAMP]
    news = {"line_items": lines, "cart_tax": "3.50", "total_tax": "3.50", "total": "43.40"}
    order = _order(play, "order.updated", "completed", 4, paid=1, completed=2, news=news)
    return evolve(order, amount=Decimal("35.00"))


def priced(play: Play) -> Delivery:
    """Place an order whose prices have their tax inside, with a coupon: WooCommerce writes lines without both."""
    lines = [_line(71, 501, "MUG", 2, "27.00", "2.70"), _line(72, 502, "LAMP", 1, "18.00", "1.80")]
    coupon = {"id": 74, "code": "spring", "discount": "5.00", "discount_tax": "0.50"}
    news = {"prices_include_tax": True, "line_items": lines, "coupon_lines": [coupon], "discount_total": "5.00",
            "cart_tax": "4.50", "total_tax": "4.50", "total": "54.40"}  # fmt: skip
    order = evolve(_order(play, "order.created", "pending", 0, news=news), amount=Decimal("45.00"))
    return evolve(order, paid_total=Decimal("54.40"), coupon="spring", pieces=3)


def ping(_: Play) -> Delivery:
    """Send what WordPress sends when the webhook is saved: a form field, no signature, no headers of its own."""
    headers = {"user-agent": AGENT, "content-type": "application/x-www-form-urlencoded"}
    return Delivery("", b"webhook_id=7", headers, signed=False)


def _order(
    play: Play, topic: str, status: str, modified: int, *, paid: int | None = None, completed: int | None = None,
    refunds: list[dict[str, Any]] | None = None, news: Mapping[str, Any] | None = None,
) -> Delivery:  # fmt: skip
    body = {
        "id": _number(play),
        "status": status,
        "currency": play.currency,
        "version": "10.2.1",
        "prices_include_tax": False,
        **_dates(play, "created", 0),
        **_dates(play, "modified", modified),
        "discount_total": "0.00",
        "shipping_total": "4.90",
        "shipping_tax": "0.00",
        "cart_tax": "5.00",
        "total": "59.90",
        "total_tax": "5.00",
        "customer_id": 0,
        "created_via": "checkout",
        **_dates(play, "completed", completed),
        **_dates(play, "paid", paid),
        "order_key": f"wc_order_{play.order_id}",
        "number": play.order_id,
        "meta_data": _meta(play),
        "line_items": [_line(71, 501, "MUG", 2, "30.00", "3.00"), LAMP],
        "shipping_lines": [{"id": 73, "method_title": "Parcel", "method_id": "flat_rate", "total": "4.90"}],
        "fee_lines": [],
        "coupon_lines": [],
        "refunds": refunds or [],
        "payment_url": f"{SOURCE}checkout/order-pay/{_number(play)}/",
        **(news or {}),
    }
    return Delivery(topic, php_json(body), _headers(topic))


def _headers(topic: str) -> dict[str, str]:
    return {
        "user-agent": AGENT,
        "content-type": "application/json",
        "x-wc-webhook-source": SOURCE,
        "x-wc-webhook-resource": "order",
        "x-wc-webhook-event": topic.partition(".")[2],
        "x-wc-webhook-id": "7",
    }


def php_json(value: Any) -> bytes:
    """JSON as PHP writes it: compact, ASCII only, with every slash escaped."""
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/").encode()


def _line(line_id: int, product_id: int, sku: str, quantity: int, total: str, tax: str) -> dict[str, Any]:
    return {
        "id": line_id,
        "name": sku.capitalize(),
        "product_id": product_id,
        "variation_id": 0,
        "quantity": quantity,
        "subtotal": total,
        "subtotal_tax": tax,
        "total": total,
        "total_tax": tax,
        "meta_data": [],
        "sku": sku,
    }


LAMP = _line(72, 502, "LAMP", 1, "20.00", "2.00")


def _meta(play: Play) -> list[dict[str, Any]]:
    if play.click_id is None:
        return []
    return [{"id": 9001, "key": "affiliate_click_id", "value": play.click_id}]


def _dates(play: Play, name: str, step: int | None) -> dict[str, str | None]:
    """Return a date in the shop's own time, which here is UTC, and in UTC; neither has an offset."""
    said = None
    if step is not None:
        said = datetime.fromtimestamp((play.placed_at + step * STEP) // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return {f"date_{name}": said, f"date_{name}_gmt": said}


def _number(play: Play) -> int:
    """WordPress numbers its orders; a name that is no number becomes one."""
    return int(play.order_id) if play.order_id.isdigit() else sum(play.order_id.encode())


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced, ping)
}
