"""A simulated Shopware 6 store, for `hub simulate`: what the app's webhooks bring at each step, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from attrs import evolve

from hub.api import Delivery, Play, Scene

STEP = 1_000
"""Milliseconds between two things that happen to the order."""
SHOP = {"url": "https://shop.example", "appVersion": "1.0.0", "shopId": "Yt3NfQ8sWq0bR5mD"}


def created(play: Play) -> Delivery:
    """Place the order."""
    return evolve(_event(play, "checkout.order.placed", 0), amount=Decimal("50.00"))


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _event(play, "state_enter.order_transaction.state.paid", 1, payment="paid")


def delivered(play: Play) -> Delivery:
    """Complete the order, the nearest that Shopware has to a delivery."""
    return _event(play, "state_enter.order.state.completed", 2, payment="paid", state="completed")


def refunded(play: Play) -> Delivery:
    """One mug went back; the payment handler keeps how much."""
    refund = {"id": _uuid(play, "refund"), "amount": _price(18.0, 3.0), "stateMachineState": _state("completed")}
    event = "state_enter.order_transaction.state.refunded_partially"
    delivery = _event(play, event, 3, payment="refunded_partially", state="completed", refunds=[refund])
    return evolve(delivery, amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Call the paid order off."""
    return _event(play, "state_enter.order.state.cancelled", 2, payment="paid", state="cancelled")


def edited(play: Play) -> Delivery:
    """Take the lamp off the completed order; Shopware tells of it with the next state."""
    news = {"lineItems": [_line(play, "MUG", 2, 36.0, 6.0)], "amountTotal": 42.0}
    delivery = _event(play, "state_enter.order.state.completed", 4, payment="paid", state="completed", news=news)
    return evolve(delivery, amount=Decimal("30.00"))


def priced(play: Play) -> Delivery:
    """Place an order whose prices have their tax inside, with a coupon that takes 6.00 off."""
    code = {**_line(play, "SPRING", 1, -6.0, -1.0), "type": "promotion", "payload": {"code": "SPRING"}}
    news = {"lineItems": [_line(play, "MUG", 2, 36.0, 6.0), _line(play, "LAMP-OAK", 1, 24.0, 4.0), code],
            "amountTotal": 60.0}  # fmt: skip
    order = evolve(_event(play, "checkout.order.placed", 0, news=news), amount=Decimal("45.00"))
    return evolve(order, paid_total=Decimal("60.0"), coupon="SPRING", pieces=3)


def php_json(value: Any) -> bytes:
    """JSON as PHP writes it: compact, ASCII only, with every slash escaped."""
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/").encode()


def _event(
    play: Play, event: str, step: int, *, payment: str = "open", state: str = "open",
    refunds: list[dict[str, Any]] | None = None, news: Mapping[str, Any] | None = None,
) -> Delivery:  # fmt: skip
    body = {
        "data": {"payload": {"order": order(play, payment, state, refunds, news)}, "event": event},
        "source": {**SHOP, "eventId": _uuid(play, f"{event}{step}")},
        "timestamp": (play.placed_at + step * STEP) // 1000,
    }
    return Delivery(event, php_json(body), {"content-type": "application/json", "sw-version": "6.6.10.0"})


def order(
    play: Play, payment: str, state: str, refunds: list[dict[str, Any]] | None = None,
    news: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return an order with what belongs to it: its lines, its payment in one state, itself in another."""
    return {
        "id": _uuid(play, "order"),
        "orderNumber": play.order_id,
        "orderDateTime": _time(play.placed_at),
        "amountTotal": 66.0,
        "amountNet": 55.0,
        "positionPrice": 60.0,
        "shippingTotal": 6.0,
        "taxStatus": "gross",
        "currency": {"isoCode": play.currency},
        "affiliateCode": None,
        "campaignCode": None,
        "customFields": None if play.click_id is None else {"affiliate_click_id": play.click_id},
        "lineItems": [_line(play, "MUG", 2, 36.0, 6.0), _line(play, "LAMP-OAK", 1, 24.0, 4.0)],
        "transactions": [{"stateMachineState": _state(payment), "captures": [{"refunds": refunds or []}]}],
        "deliveries": [{"stateMachineState": _state("open" if state == "open" else "shipped")}],
        "stateMachineState": _state(state),
        **(news or {}),
    }


def _line(play: Play, number: str, quantity: int, total: float, tax: float) -> dict[str, Any]:
    return {
        "id": _uuid(play, number),
        "parentId": None,
        "type": "product",
        "productId": uuid5(NAMESPACE_URL, number).hex,
        "quantity": quantity,
        "price": _price(total, tax),
        "payload": {"productNumber": number},
    }


def _price(total: float, tax: float) -> dict[str, Any]:
    return {"totalPrice": total, "calculatedTaxes": [{"tax": tax, "taxRate": 20, "price": total}]}


def _state(name: str) -> dict[str, str]:
    return {"technicalName": name}


def _uuid(play: Play, what: str) -> str:
    return uuid5(NAMESPACE_URL, f"{play.order_id}/{what}").hex


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced)
}
