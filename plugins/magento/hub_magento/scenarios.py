"""A simulated Magento store: the order as the API answers it at each step, since Magento sends nothing by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene
from hub_magento.requests import ORDER

STEP = 10_000
"""Milliseconds between two things that happen to the order."""
GOODS = Decimal("50.00")


def created(play: Play) -> Delivery:
    """Place the order, which waits for its money."""
    return evolve(_answered(order(play, 0, "new", "pending")), amount=GOODS)


def paid(play: Play) -> Delivery:
    """Its money arrived: the order was invoiced."""
    return _answered(order(play, 1, "processing", "processing"))


def delivered(play: Play) -> Delivery:
    """Ship all of it, whereupon Magento calls it complete."""
    return _answered(order(play, 2, "complete", "complete"))


def refunded(play: Play) -> Delivery:
    """Give one mug back by a credit memo."""
    back = order(play, 3, "complete", "complete", [credit_memo(play, 9, 3)])
    return evolve(_answered(back), amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Call the order off after it was paid online, as a payment that is voided does."""
    return _answered(order(play, 3, "canceled", "canceled", total_paid=66.0, total_due=0))


def priced(play: Play) -> Delivery:
    """Place an order of a configurable product and a lamp, with a code that takes a tenth off prices with their tax."""
    mugs = {**line(11, "MUG-RED", 2, 30.0), "product_type": "configurable", "discount_amount": 3.6, "tax_amount": 5.4,
            "discount_tax_compensation_amount": 0.6}  # fmt: skip
    chosen = {**line(12, "MUG-RED", 2, 0.0), "product_type": "simple", "parent_item_id": 11}
    lamp = {**line(13, "LAMP", 1, 20.0), "discount_amount": 2.4, "tax_amount": 3.6,
            "discount_tax_compensation_amount": 0.4}  # fmt: skip
    news: dict[str, Any] = {"items": [mugs, chosen, lamp], "coupon_code": "SPRING", "discount_amount": -6.0,
                            "grand_total": 60.0, "total_due": 60.0, "tax_amount": 10.0}  # fmt: skip
    placed = evolve(_answered(order(play, 0, "new", "pending", **news)), amount=Decimal("45.00"))
    return evolve(placed, paid_total=Decimal("60.0"), coupon="SPRING", pieces=3)


def order(
    play: Play, step: int, state: str, status: str, memos: list[dict[str, Any]] | None = None, **news: Any
) -> dict[str, Any]:
    """Return an order with its credit memos, as asking for both gives it."""
    is_paid = state in ("processing", "complete")
    comment = [] if play.click_id is None else [{"comment": f"affiliate_click_id={play.click_id}", "status": "pending"}]
    return {
        "base_currency_code": play.currency,
        "base_grand_total": 66.0,
        "coupon_code": None,
        "created_at": _time(play, 0),
        "customer_email": "jane@buyer.example",
        "customer_is_guest": 1,
        "customer_note": None,
        "discount_amount": 0,
        "entity_id": _number(play),
        "grand_total": 66.0,
        "increment_id": f"{_number(play):09d}",
        "order_currency_code": play.currency,
        "protect_code": f"{_number(play):032x}",
        "shipping_amount": 5.0,
        "shipping_incl_tax": 6.0,
        "shipping_tax_amount": 1.0,
        "state": state,
        "status": status,
        "store_name": "Main Website\nMain Website Store\nDefault Store View",
        "subtotal": 50.0,
        "subtotal_incl_tax": 60.0,
        "tax_amount": 11.0,
        "total_due": 0 if is_paid else 66.0,
        "total_paid": 66.0 if is_paid else 0,
        "total_item_count": 2,
        "total_qty_ordered": 3,
        "updated_at": _time(play, step),
        "items": [line(11, "MUG", 2, 30.0), line(13, "LAMP", 1, 20.0)],
        "payment": {"method": "checkmo"},
        "status_histories": comment,
        "creditmemos": memos or [],
        **news,
    }


def credit_memo(play: Play, number: int, step: int) -> dict[str, Any]:
    """Return a credit memo of one mug with its tax."""
    return {
        "entity_id": number,
        "increment_id": f"{number:09d}",
        "order_id": _number(play),
        "state": 2,
        "created_at": _time(play, step),
        "grand_total": 18.0,
        "subtotal": 15.0,
        "tax_amount": 3.0,
        "adjustment_positive": 0,
        "adjustment_negative": 0,
        "shipping_amount": 0,
        "shipping_incl_tax": 0,
        "items": [{"entity_id": number, "order_item_id": 11, "product_id": 111, "sku": "MUG", "qty": 1,
                   "row_total": 15.0, "row_total_incl_tax": 18.0, "tax_amount": 3.0}],
    }  # fmt: skip


def line(item_id: int, sku: str, quantity: int, total: float) -> dict[str, Any]:
    """Return a line of an order; its tax is a fifth."""
    return {
        "item_id": item_id,
        "parent_item_id": None,
        "product_id": 100 + item_id,
        "product_type": "simple",
        "sku": sku,
        "name": sku.capitalize(),
        "qty_ordered": quantity,
        "qty_refunded": 0,
        "price": total / quantity,
        "row_total": total,
        "row_total_incl_tax": total * 1.2,
        "tax_amount": total / 5,
        "discount_amount": 0,
        "discount_tax_compensation_amount": 0,
    }


def _answered(body: Mapping[str, Any]) -> Delivery:
    return Delivery(ORDER, json.dumps(body).encode(), {"content-type": "application/json"})


def _number(play: Play) -> int:
    return int(play.order_id) if play.order_id.isdigit() else int.from_bytes(play.order_id.encode()[:6])


def _time(play: Play, step: int) -> str:
    return datetime.fromtimestamp((play.placed_at + step * STEP) // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, priced)
}
