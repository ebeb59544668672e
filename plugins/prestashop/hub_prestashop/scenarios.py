"""A simulated PrestaShop store, for `hub simulate`: what the module sends at each step, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import md5
from typing import Any

from attrs import evolve

from hub.api import Delivery, Play, Scene

STEP = 1_000
"""Milliseconds between two things that happen to the order."""
ROWS = (
    {"product_id": 21, "product_attribute_id": 0, "reference": "MUG", "quantity": 2,
     "total_tax_excl": "30.000000", "total_tax_incl": "36.000000"},
    {"product_id": 34, "product_attribute_id": 7, "reference": "LAMP-OAK", "quantity": 1,
     "total_tax_excl": "20.000000", "total_tax_incl": "24.000000"},
)  # fmt: skip
PLACED, PAYMENT, SHIPPED, DELIVERED, CANCELLED = (
    {"id": 10, "paid": False, "meaning": None},
    {"id": 2, "paid": True, "meaning": None},
    {"id": 4, "paid": True, "meaning": None},
    {"id": 5, "paid": True, "meaning": "delivered"},
    {"id": 6, "paid": False, "meaning": "cancelled"},
)


def created(play: Play) -> Delivery:
    """Place the order."""
    return evolve(_order(play, [PLACED]), amount=Decimal("50.00"))


def paid(play: Play) -> Delivery:
    """Its money arrived."""
    return _order(play, [PLACED, PAYMENT])


def delivered(play: Play) -> Delivery:
    """Deliver the parcel."""
    return _order(play, [PLACED, PAYMENT, SHIPPED, DELIVERED])


def refunded(play: Play) -> Delivery:
    """One mug went back by a credit slip."""
    row = {**ROWS[0], "quantity": 1, "total_tax_excl": "15.000000", "total_tax_incl": "18.000000"}
    slip = {"id": 3, "date": _time(play.placed_at + 4 * STEP), "amount_tax_incl": "18.000000",
            "shipping_tax_incl": "0.000000", "rows": [row]}  # fmt: skip
    return evolve(_order(play, [PLACED, PAYMENT, SHIPPED, DELIVERED], [slip]), amount=Decimal("18.00"))


def cancelled(play: Play) -> Delivery:
    """Call the order off, whatever happened to it before: the shop's last word is what counts."""
    at = {"date": _time(play.placed_at + 6 * STEP)}
    return _order(play, [PLACED, PAYMENT, {**CANCELLED, **at}], later=4 * STEP)


def edited(play: Play) -> Delivery:
    """Take the lamp off the delivered order."""
    news = {"rows": ROWS[:1], "total_paid_tax_incl": "42.000000"}
    order = _order(play, [PLACED, PAYMENT, SHIPPED, DELIVERED], news=news, later=STEP)
    return evolve(order, amount=Decimal("30.00"))


def priced(play: Play) -> Delivery:
    """Place an order with tax and a voucher that takes 6.00 off all of it."""
    news = {"codes": ["SPRING"], "total_discounts_tax_excl": "5.000000", "total_discounts_tax_incl": "6.000000",
            "total_paid_tax_incl": "60.000000"}  # fmt: skip
    order = evolve(_order(play, [PLACED], news=news), amount=Decimal("45.00"))
    return evolve(order, paid_total=Decimal("60.00"), coupon="SPRING", pieces=3)


def test(play: Play) -> Delivery:
    """The button on the module's page."""
    return _posted("ping", play.placed_at, "ping", {})


def _order(
    play: Play, states: Sequence[Mapping[str, Any]], slips: Sequence[Mapping[str, Any]] = (),
    news: Mapping[str, Any] | None = None, later: int = 0,
) -> Delivery:  # fmt: skip
    history = [{"id": state["id"], "date": _time(play.placed_at + place * STEP), **state}
               for place, state in enumerate(states)]  # fmt: skip
    order = {
        "id": int(play.order_id) if play.order_id.isdigit() else play.order_id,
        "reference": "XKBKNABJK",
        "currency": play.currency,
        "date": _time(play.placed_at),
        "total_paid_tax_incl": "66.000000",
        "total_discounts_tax_excl": "0.000000",
        "total_discounts_tax_incl": "0.000000",
        "click_id": play.click_id,
        "codes": [],
        "rows": ROWS,
        "history": history,
        "slips": slips,
        **(news or {}),
    }
    at = play.placed_at + (len(states) + len(slips)) * STEP + later
    return _posted("order", at, f"{play.order_id}{states}{slips}{news}", {"order": order})


def _posted(topic: str, at: int, seed: str, parts: Mapping[str, Any]) -> Delivery:
    named = md5(f"{seed}{at}".encode(), usedforsecurity=False).hexdigest()
    body = {"platform": "prestashop", "topic": topic, "delivery": named, "sent_at": _time(at),
            "clock": at, **parts}  # fmt: skip
    return Delivery(topic, php_json(body), {"content-type": "application/json"})


def php_json(value: Any) -> bytes:
    """JSON as PHP writes it: compact, ASCII only, with every slash escaped."""
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/").encode()


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene for scene in (created, paid, delivered, refunded, cancelled, edited, priced, test)
}
