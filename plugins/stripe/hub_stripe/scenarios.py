"""A simulated Stripe account, for `hub simulate`: the event of each step, byte for byte as Stripe sends it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene

STEP = 10
"""Seconds between two things that happen to the order."""
API = "2025-02-24.acacia"


def created(play: Play) -> Delivery:
    """Complete the checkout by a bank debit, whose money is on the way."""
    return evolve(_session(play, "checkout.session.completed", 1, payment_status="unpaid"), amount=Decimal("50.00"))


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _session(play, "checkout.session.async_payment_succeeded", 2, payment_status="paid")


def refunded(play: Play) -> Delivery:
    """Give a part of the charge back."""
    charge = {
        "id": f"ch_{play.order_id}",
        "object": "charge",
        "amount": 6600,
        "amount_captured": 6600,
        "amount_refunded": 1800,
        "currency": play.currency.lower(),
        "created": _at(play, 1),
        "description": None,
        "invoice": None,
        "paid": True,
        "payment_intent": play.order_id,
        "refunded": False,
        "status": "succeeded",
    }
    return evolve(_event(play, "charge.refunded", 4, charge), amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Have the bank debit fail after all."""
    return _session(play, "checkout.session.async_payment_failed", 3, payment_status="unpaid")


def priced(play: Play) -> Delivery:
    """Complete a checkout with included tax, shipping and a promotion code; a session has no lines."""
    news = {
        "amount_subtotal": 6000,
        "amount_total": 6000,
        "total_details": {"amount_discount": 600, "amount_shipping": 600, "amount_tax": 1000},
        "discounts": [{"coupon": None, "promotion_code": "promo_1"}],
    }
    order = _session(play, "checkout.session.completed", 1, payment_status="paid", **news)
    return evolve(order, amount=Decimal("45.00"), paid_total=Decimal("60.00"), pieces=0)


def _session(play: Play, kind: str, step: int, **news: Any) -> Delivery:
    session = {
        "id": f"cs_test_{play.order_id}",
        "object": "checkout.session",
        "amount_subtotal": 6000,
        "amount_total": 6600,
        "client_reference_id": play.click_id,
        "created": _at(play, 0),
        "currency": play.currency.lower(),
        "customer_details": {"email": "buyer@shop.example", "name": "Ada B."},
        "invoice": None,
        "livemode": True,
        "metadata": {},
        "mode": "payment",
        "payment_intent": play.order_id,
        "shipping_cost": {"amount_subtotal": 500, "amount_tax": 100, "amount_total": 600, "shipping_rate": "shr_1"},
        "status": "complete",
        "subscription": None,
        "total_details": {"amount_discount": 0, "amount_shipping": 600, "amount_tax": 1100},
        **news,
    }
    return _event(play, kind, step, session)


def _event(play: Play, kind: str, step: int, thing: Mapping[str, Any]) -> Delivery:
    body = {
        "id": f"evt_{play.order_id}{step}",
        "object": "event",
        "api_version": API,
        "created": _at(play, step),
        "data": {"object": thing},
        "livemode": True,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": kind,
    }
    return Delivery(kind, json.dumps(body, indent=2).encode(), {"content-type": "application/json; charset=utf-8"})


def _at(play: Play, step: int) -> int:
    return play.placed_at // 1000 + step * STEP


SCENES: Mapping[str, Scene] = {scene.__name__: scene for scene in (created, paid, refunded, cancelled, priced)}
