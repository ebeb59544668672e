"""The parts of Shopify's bodies that count, read leniently: any field may be missing, null or of an older version."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from attrs import frozen

from hub_shopify.values import (
    ZERO,
    identity,
    instant,
    number_or_text,
    quantity,
    record,
    records,
    shop_money,
    text,
    word,
)


@frozen
class LineItem:
    """A line as ordered; `gross` is price times quantity, `tax` what its tax lines add up to, None without any."""

    id: str | None
    product_id: str | None
    variant_id: str | None
    sku: str | None
    title: str | None
    quantity: int
    current_quantity: int | None
    gross: Decimal
    discount: Decimal
    tax: Decimal | None
    gift_card: bool
    tip: bool


@frozen
class Fulfillment:
    """A parcel: when it was shipped, and what the carrier said last."""

    id: str | None
    status: str | None
    shipment_status: str | None
    created_at: int | None
    updated_at: int | None

    @property
    def counts(self) -> bool:
        """Whether it was not called off."""
        return self.status not in {"cancelled", "error", "failure"}

    @property
    def arrived(self) -> bool:
        """Whether the buyer has it; what waits in the shop is there once it is picked up."""
        return self.shipment_status in ARRIVED


ARRIVED = frozenset({"delivered", "picked_up"})
"""The carrier's words that mean delivered; "carrier_picked_up" is the beginning of the way."""


def read_line(body: dict[str, Any]) -> LineItem:
    """Read one of `line_items`, also the copy that a refund carries; raises `Unmappable` for money that is none."""
    pieces = quantity(body.get("quantity"), 1)
    current = body.get("current_quantity")
    return LineItem(
        id=identity(body.get("id")),
        product_id=identity(body.get("product_id")),
        variant_id=identity(body.get("variant_id")),
        sku=text(body.get("sku"), 120),
        title=text(body.get("title")) or text(body.get("name")),
        quantity=pieces,
        current_quantity=None if current is None else min(quantity(current, pieces), pieces),
        gross=(shop_money(body, "price") or ZERO) * pieces,
        discount=_discount(body),
        tax=_taxes(body),
        gift_card=body.get("gift_card") is True,
        tip=_is_tip(body),
    )


def read_fulfillment(body: dict[str, Any]) -> Fulfillment:
    """Read a parcel, from an order or from a delivery of its own."""
    return Fulfillment(
        id=identity(body.get("id")) or identity(body.get("admin_graphql_api_id")),
        status=word(body.get("status")),
        shipment_status=word(body.get("shipment_status")),
        created_at=instant(body.get("created_at")),
        updated_at=instant(body.get("updated_at")),
    )


def named_values(given: Any) -> Iterator[tuple[str, str]]:
    """Give the names and values of attributes or properties: a list of {name, value}, an object, or nothing."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(given, dict):
        pairs = list(given.items())
    for each in records(given):
        pairs.append((each.get("name", each.get("key")), each.get("value")))
    for name, value in pairs:
        told = number_or_text(value)
        if isinstance(name, str) and told is not None:
            yield name, told


def _discount(body: dict[str, Any]) -> Decimal:
    """Return the discount: the allocations are the truth, and scripts fill the total too, so add no two."""
    allocations = records(body.get("discount_allocations"))
    if not allocations:
        return shop_money(body, "total_discount") or ZERO
    return sum((shop_money(each, "amount") or ZERO for each in allocations), ZERO)


def _taxes(body: dict[str, Any]) -> Decimal | None:
    if not isinstance(body.get("tax_lines"), list):
        return None
    return sum((shop_money(each, "price") or ZERO for each in records(body["tax_lines"])), ZERO)


def _is_tip(body: dict[str, Any]) -> bool:
    if body.get("product_id") is not None or body.get("variant_id") is not None:
        return False
    says = body.get("tip_payment_gateway") or body.get("tip_payment_method") or record(body.get("tip"))
    return bool(says) or word(body.get("title")) == "tip"
