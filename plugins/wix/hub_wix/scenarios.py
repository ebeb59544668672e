"""A simulated Wix store: the order as the API answers it at each step, since Wix's own messages only name it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene
from hub_wix.requests import ORDER

STEP = 10_000
"""Milliseconds between two things that happen to the order."""
GOODS = Decimal("50.00")


def created(play: Play) -> Delivery:
    """Place the order, to be paid in cash."""
    return evolve(_answered(order(play, 0, "NOT_PAID")), amount=GOODS)


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _answered(order(play, 1))


def delivered(play: Play) -> Delivery:
    """Fulfil the order, the nearest that Wix has to a delivery."""
    return _answered(order(play, 2, fulfillmentStatus="FULFILLED"))


def refunded(play: Play) -> Delivery:
    """Give one mug back, with its tax."""
    back = order(play, 3, "PARTIALLY_REFUNDED", [refund(play, 1, 3)], fulfillmentStatus="FULFILLED")
    return evolve(_answered(back), amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Call the paid order off."""
    return _answered(order(play, 3, status="CANCELED"))


def edited(play: Play) -> Delivery:
    """Add a spoon to the fulfilled order."""
    body = order(play, 4, fulfillmentStatus="FULFILLED")
    lines = [*body["lineItems"], line(3, "SPOON", 1, "5.00")]
    return evolve(_answered({**body, "lineItems": lines, "priceSummary": summary("55.00", "72.00")}), amount=GOODS + 5)


def priced(play: Play) -> Delivery:
    """Place an order of prices with their tax, with a coupon that takes a tenth off, and a gift card to give away."""
    card = {**line(4, "GIFT", 1, "25.00"), "itemType": {"preset": "GIFT_CARD"}}
    lines = [
        line(1, "MUG", 2, "15.00", off="3.60"),
        line(2, "LAMP", 1, "20.00", off="2.40"),
        {**card, "totalPriceAfterTax": money("25.00")},
    ]
    coupon = {"discountType": "GLOBAL", "coupon": {"code": "SPRING", "name": "Spring", "amount": money("6.00")}}
    placed = order(play, 0, "NOT_PAID", lineItems=lines, appliedDiscounts=[coupon], taxIncludedInPrices=True,
                   priceSummary=summary("75.00", "85.00", "6.00"))  # fmt: skip
    delivery = evolve(_answered(placed), amount=Decimal("45.00"))
    return evolve(delivery, paid_total=Decimal("85.00"), coupon="SPRING", pieces=3)


def order(
    play: Play, step: int, payment: str = "PAID", refunds: list[dict[str, Any]] | None = None, **news: Any
) -> dict[str, Any]:
    """Return an order with its transactions, as asking for both gives it."""
    fields = [] if play.click_id is None else [{"title": "affiliate_click_id", "value": play.click_id}]
    body = {
        "id": play.order_id,
        "number": play.order_id,
        "createdDate": time(play, 0),
        "updatedDate": time(play, step),
        "purchasedDate": time(play, 0),
        "lineItems": [line(1, "MUG", 2, "15.00"), line(2, "LAMP", 1, "20.00")],
        "buyerInfo": {"contactId": "c0a6c2c4-43a1-4b5e-b4d4-3f2a9d0c1e77", "email": "jane@buyer.example"},
        "paymentStatus": payment,
        "fulfillmentStatus": "NOT_FULFILLED",
        "buyerLanguage": "en",
        "weightUnit": "KG",
        "currency": play.currency,
        "taxIncludedInPrices": False,
        "siteLanguage": "en",
        "priceSummary": summary("50.00", "66.00"),
        "status": "APPROVED",
        "archived": False,
        "appliedDiscounts": [],
        "channelInfo": {"type": "WEB"},
        "customFields": fields,
        "additionalFees": [],
        "transactions": {"orderId": play.order_id, "payments": [], "refunds": refunds or []},
        **news,
    }
    return {**body, "activities": _activities(play, body)}


def refund(play: Play, number: int, step: int) -> dict[str, Any]:
    """Return a refund of one mug with its tax."""
    return {
        "id": f"{number:08x}-7294-4c69-86d5-ddbf4b0e6f00",
        "transactions": [
            {"paymentId": "62fdfea7-896d-438d-9b88-4d7c1a4674ac", "amount": money("18.00"),
             "refundStatus": "SUCCEEDED", "externalRefund": False}
        ],
        "details": {"items": [{"lineItemId": line_name(1), "quantity": 1}], "shippingIncluded": False},
        "createdDate": time(play, step),
    }  # fmt: skip


def line(number: int, sku: str, quantity: int, price: str, off: str = "0") -> dict[str, Any]:
    """Return a line of an order; its tax is a fifth, `off` what discounts took off it with their tax."""
    after = quantity * Decimal(price) * Decimal("1.2") - Decimal(off)
    return {
        "id": line_name(number),
        "productName": {"original": sku.capitalize(), "translated": sku.capitalize()},
        "catalogReference": {
            "catalogItemId": f"{number:08x}-b92e-efa9-e4a1-f4f480aa0d3a",
            "appId": "215238eb-22a5-4c36-9e7b-e7c08025e04e",
        },
        "quantity": quantity,
        "totalDiscount": money(off),
        "physicalProperties": {"sku": sku, "shippable": True},
        "itemType": {"preset": "PHYSICAL"},
        "price": money(price),
        "totalPriceBeforeTax": money(f"{after / Decimal('1.2'):.2f}"),
        "totalPriceAfterTax": money(f"{after:.2f}"),
    }


def summary(subtotal: str, total: str, discount: str = "0") -> dict[str, Any]:
    """Return the sums of an order; its shipping is 5.00."""
    return {"subtotal": money(subtotal), "shipping": money("5.00"), "tax": money("11.00"), "discount": money(discount),
            "total": money(total)}  # fmt: skip


def money(amount: str) -> dict[str, str]:
    """Return an amount as Wix writes it."""
    return {"amount": amount, "formattedAmount": f"${amount}"}


def line_name(number: int) -> str:
    """Return the id of a line."""
    return f"00000000-0000-0000-0000-{number:012d}"


def time(play: Play, step: int) -> str:
    """Return the moment of a step."""
    moment = datetime.fromtimestamp((play.placed_at + step * STEP) / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _activities(play: Play, body: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the log that an order in this state has."""
    said = [("ORDER_PLACED", 0, True), ("ORDER_PAID", 1, body["paymentStatus"] != "NOT_PAID"),
            ("ORDER_FULFILLED", 2, body["fulfillmentStatus"] == "FULFILLED"),
            ("ORDER_CANCELED", 3, body["status"] == "CANCELED")]  # fmt: skip
    return [
        {"id": f"{step:08x}-4437-4dbf-b0f7-8b5f3c0b8a41", "createdDate": time(play, step), "type": kind}
        for kind, step, happened in said
        if happened
    ]


def _answered(body: Mapping[str, Any]) -> Delivery:
    return Delivery(ORDER, json.dumps(body).encode(), {"content-type": "application/json"})


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced)
}
