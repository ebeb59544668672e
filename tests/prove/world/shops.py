"""Shops of every kind: what they sell and send, and their own books of what each order should earn."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from attrs import define, evolve, field, frozen
from hub_woocommerce.scenarios import php_json

from hub.domain.connectors.scenarios import wire
from hub.domain.connectors.scenes import Play
from hub.domain.instants import format_instant
from hub.plugin_host.registry import Registry, load_registry
from hub.testing.in_process_plugins import InProcessPlugins

PLATFORMS: Final = ("shopify", "woocommerce", "bigcommerce", "prestashop", "shopware")
OWN: Final = ("api", "webhook", "csv")
DIGITS: Final = {"EUR": 2, "USD": 2, "JPY": 0}
RATE: Final = 7
"""Percent that every merchant pays."""
GOODS: Final = 5_000
"""What the goods of a platform's simulated order cost without tax, in minor units."""
LEFT: Final = {"shopify": 3_500, "bigcommerce": 3_500, "prestashop": 3_500}
"""What of these goods is left after the simulated refund of one mug of 15.00."""
MONEY_BACK: Final = {"woocommerce": (1_500, 5_990), "shopware": (1_800, 6_600)}
"""Where a platform says the refund's money alone: that, and what the buyer paid of which it is a part."""
MINUTE: Final = 60_000

Body = dict[str, Any]
REGISTRY: Final[Registry] = load_registry()
PLUGINS: Final = InProcessPlugins(REGISTRY)


@frozen
class Message:
    """One request: `key` names the order it is about; of one order those of a higher `rank` are sent later."""

    path: str
    body: bytes
    headers: Mapping[str, str]
    signed: bool = True
    """Signed by the shop's key as it is sent, and not by a platform's secret already."""


@define
class Order:
    """An order as the shop knows it, in minor units; nobody's if it came without a click."""

    number: str
    minor: int
    placed_at: int
    click: str | None
    affiliate: str | None
    left: tuple[int, int] = (1, 1)
    """What refunds left of the goods, as a fraction."""
    refunded: int = 0
    cancelled: bool = False
    edited: bool = False
    """No more is told of one that was: the simulated deliveries would be older than its edit."""
    steps: int = 0

    def earns(self) -> int:
        """What the affiliate should have for it in the end, rounded once, halves up."""
        if self.affiliate is None or self.cancelled:
            return 0
        kept = max(0, self.minor - self.refunded)
        top, bottom = kept * RATE * self.left[0], 100 * self.left[1]
        return (2 * top + bottom) // (2 * bottom)


@define
class Shop:
    """A merchant's shop: `kind` is a platform or one of `OWN`; `secret` is a platform's, with its `connection`."""

    name: str
    merchant: str
    kind: str
    currency: str
    dice: random.Random
    connection: str = ""
    secret: str = ""
    links: dict[str, str] = field(factory=dict)
    """Link codes by affiliate."""
    orders: dict[str, Order] = field(factory=dict)

    def earned(self) -> Counter[str]:
        """What each affiliate should have from this shop, in minor units of its currency."""
        found = Counter[str]()
        for order in self.orders.values():
            if order.affiliate is not None:
                found[order.affiliate] += order.earns()
        return found

    async def sell(self, now: int, click: str | None, affiliate: str | None) -> list[Message]:
        """Take an order, and return what is sent of it: that it was placed, and that it was paid."""
        number = str(int(self.name) * 100_000 + len(self.orders) + 1)
        minor = GOODS if self.kind in PLATFORMS else self.dice.randrange(100, 90_000)
        order = self.orders[number] = Order(number, minor, now - 30 * MINUTE, click, affiliate)
        if self.kind in PLATFORMS:
            return [await self._scene(order, "created"), await self._scene(order, "paid")]
        return [self._created(order), self._status(order, "confirmed", 1)]

    async def news(self, order: Order, what: str, now: int) -> list[Message]:
        """Return what is sent when an order is delivered, partly refunded or cancelled."""
        order.steps += 1
        if what == "cancelled":
            order.cancelled = True
        if self.kind in PLATFORMS:
            if what == "refunded":
                order.left = _left(self.kind)
            return [await self._scene(order, what, changed_at=now)]
        if what == "refunded":
            minor = self.dice.randint(1, max(1, order.minor // 3))
            order.refunded += minor
            return [self._refund(order, minor)]
        return [self._status(order, what, 60 * order.steps)]

    async def edit(self, order: Order) -> list[Message]:
        """Change what was ordered, before anything else happens to it; only WooCommerce's body is edited here."""
        order.edited = True
        order.minor = self.dice.randrange(3_100, 9_000)
        lamp = order.minor - 3_000
        return [await self._scene(order, "paid", lamp=lamp)]

    async def _scene(
        self, order: Order, step: str, *, lamp: int | None = None, changed_at: int | None = None
    ) -> Message:
        connector = REGISTRY.named(self.kind)
        assert connector is not None
        play = Play(order.number, order.click, self.currency, order.placed_at)
        delivery = (await PLUGINS.played(self.kind, play))[step]
        delivery_id = f"{order.number}-{step}{'' if lamp is None else lamp}".rjust(32, "0")
        body = delivery.body if lamp is None else _edited(delivery.body, lamp)
        if changed_at is not None and self.kind == "woocommerce":
            body = _changed(body, changed_at)
        sent = wire(connector, step, evolve(delivery, body=body), self.secret, delivery_id, order.placed_at)
        return Message(f"/connect/{self.connection}", sent.body, sent.headers, signed=False)

    def _created(self, order: Order) -> Message:
        said: Body = {"externalOrderId": order.number, "orderAmount": _text(order.minor, self.currency),
                      "currency": self.currency, "clickId": order.click,
                      "orderedAt": format_instant(order.placed_at)}  # fmt: skip
        said = {name: value for name, value in said.items() if value is not None}
        if self.kind == "csv":
            return _csv("orders", said)
        if self.kind == "api":
            return _json("/v1/conversions", said)
        names = {"externalOrderId": "external_order_id", "orderAmount": "order_amount", "clickId": "click_id",
                 "orderedAt": "ordered_at", "currency": "currency"}  # fmt: skip
        return _webhook("order-created", f"c-{order.number}", {names[name]: value for name, value in said.items()})

    def _status(self, order: Order, status: str, minutes: int) -> Message:
        at = format_instant(order.placed_at + minutes * MINUTE // 10)
        said = {"externalOrderId": order.number, "status": status, "statusUpdatedAt": at}
        return _csv("statuses", said) if self.kind == "csv" else _json("/v1/order-status", said)

    def _refund(self, order: Order, minor: int) -> Message:
        name = f"r-{order.number}-{order.steps}"
        return _webhook("order-refunded", name, {
            "external_order_id": order.number, "refund_id": name, "refund_amount": _text(minor, self.currency),
        })  # fmt: skip


def _left(kind: str) -> tuple[int, int]:
    if kind in LEFT:
        return LEFT[kind], GOODS
    back, paid = MONEY_BACK[kind]
    return paid - back, paid


def _edited(raw: bytes, lamp: int) -> bytes:
    """WooCommerce's order with another lamp, changed half an hour after it was placed."""
    body = json.loads(raw)
    goods = Decimal(lamp) / 100
    body["line_items"][1] |= {"total": f"{goods:.2f}", "subtotal": f"{goods:.2f}"}
    body["total"] = f"{30 + goods + Decimal('4.90') + Decimal('5.00'):.2f}"
    for name in ("date_modified", "date_modified_gmt"):
        body[name] = body[name][:-2] + "59"
    return php_json(body)


def _changed(raw: bytes, at: int) -> bytes:
    """WooCommerce's order as if it had changed at a moment (ms UTC)."""
    said = dt.datetime.fromtimestamp(at // 1000, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return php_json(json.loads(raw) | {"date_modified": said, "date_modified_gmt": said})


def _json(path: str, body: Body) -> Message:
    return Message(path, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _webhook(kind: str, delivery: str, body: Body) -> Message:
    message = _json(f"/v1/webhooks/{kind}", body)
    return Message(message.path, message.body, {**message.headers, "X-External-Event-Id": delivery})


def _csv(kind: str, row: Body) -> Message:
    text = f"{','.join(row)}\n{','.join(row.values())}\n"
    return Message(f"/v1/uploads/{kind}", text.encode(), {"Content-Type": "text/csv"})


def _text(minor: int, currency: str) -> str:
    digits = DIGITS[currency]
    return f"{Decimal(minor).scaleb(-digits):.{digits}f}"


def books_of(shops: Sequence[Shop]) -> Counter[tuple[str, str]]:
    """Return what affiliates should have by all shops' own books."""
    found = Counter[tuple[str, str]]()
    for shop in shops:
        for affiliate, minor in shop.earned().items():
            found[affiliate, shop.currency] += minor
    return found
