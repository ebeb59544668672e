"""A simulated Squarespace store, for `hub simulate`.

Squarespace itself sends an order's id at most, and the hub asks for the rest. A simulated order has no API behind it,
so each step delivers what asking would have given, with the topic beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene
from hub_squarespace.requests import ORDER

STEP = 10_000
"""Milliseconds between two things that happen to the order."""


def created(play: Play) -> Delivery:
    """Place the order, to be paid by bank transfer."""
    return evolve(_answered(order(play, 0, paymentState="UNPAID")), amount=Decimal("50.00"))


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _answered(order(play, 1))


def delivered(play: Play) -> Delivery:
    """Fulfil the order, the nearest that Squarespace has to a delivery."""
    return _answered(order(play, 2, fulfillmentStatus="FULFILLED", fulfilledOn=_time(play, 2)))


def refunded(play: Play) -> Delivery:
    """Give a part of the money back; Squarespace says how much in all, not for what."""
    news = {"fulfillmentStatus": "FULFILLED", "fulfilledOn": _time(play, 2), "refundedTotal": _money(play, "16.50")}
    return evolve(_answered(order(play, 3, **news)), amount=Decimal("16.50"))


def cancelled(play: Play) -> Delivery:
    """Call the paid order off."""
    return _answered(order(play, 3, fulfillmentStatus="CANCELED"))


def priced(play: Play) -> Delivery:
    """Place an order with included tax, a code that takes 5.50 off, and a gift card to give away."""
    card = {**_line(play, "GIFT", 1, "25.00"), "lineItemType": "GIFT_CARD", "sku": None}
    lines = [_line(play, "MUG", 2, "16.50"), _line(play, "LAMP", 1, "22.00"), card]
    code = {"name": "Spring", "amount": _money(play, "5.50"), "promoCode": "SPRING"}
    news = {"lineItems": lines, "discountLines": [code], "discountTotal": _money(play, "5.50"),
            "priceTaxInterpretation": "INCLUSIVE", "taxTotal": _money(play, "5.00"),
            "shippingTotal": _money(play, "5.50"), "grandTotal": _money(play, "80.00")}  # fmt: skip
    placed = evolve(_answered(order(play, 0, paymentState="UNPAID", **news)), amount=Decimal("45.00"))
    return evolve(placed, paid_total=Decimal("80.00"), coupon="SPRING", pieces=3)


def order(play: Play, step: int, **news: Any) -> dict[str, Any]:
    """Return an order as it is after a step; every amount of it is a tenth more with its tax."""
    field = [] if play.click_id is None else [{"label": "affiliate_click_id", "value": play.click_id}]
    return {
        "id": play.order_id,
        "orderNumber": "3",
        "createdOn": _time(play, 0),
        "modifiedOn": _time(play, step),
        "channel": "web",
        "testmode": False,
        "customerEmail": "jane@buyer.example",
        "fulfillmentStatus": "PENDING",
        "paymentState": "PAID",
        "lineItems": [_line(play, "MUG", 2, "15.00"), _line(play, "LAMP", 1, "20.00")],
        "internalNotes": [],
        "shippingLines": [{"method": "Flat rate", "amount": _money(play, "5.00")}],
        "discountLines": [],
        "formSubmission": field,
        "fulfillments": [],
        "subtotal": _money(play, "50.00"),
        "shippingTotal": _money(play, "5.00"),
        "discountTotal": _money(play, "0.00"),
        "taxTotal": _money(play, "5.50"),
        "refundedTotal": _money(play, "0.00"),
        "grandTotal": _money(play, "60.50"),
        "channelName": None,
        "externalOrderReference": None,
        "fulfilledOn": None,
        "priceTaxInterpretation": "EXCLUSIVE",
        **news,
    }


def _answered(body: Mapping[str, Any]) -> Delivery:
    return Delivery(ORDER, json.dumps({"topic": ORDER, **body}).encode(), {"content-type": "application/json"})


def _line(play: Play, sku: str, quantity: int, price: str) -> dict[str, Any]:
    return {
        "id": f"line-{sku.lower()}",
        "variantId": f"variant-{sku.lower()}",
        "sku": sku,
        "productId": f"product-{sku.lower()}",
        "productName": sku.capitalize(),
        "quantity": quantity,
        "unitPricePaid": _money(play, price),
        "variantOptions": [],
        "customizations": None,
        "imageUrl": "https://images.squarespace-cdn.com/mug.jpg",
        "lineItemType": "PHYSICAL_PRODUCT",
    }


def _money(play: Play, amount: str) -> dict[str, str]:
    return {"value": amount, "currency": play.currency}


def _time(play: Play, step: int) -> str:
    moment = datetime.fromtimestamp((play.placed_at + step * STEP) / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, priced)
}
