"""The fields of the hub's own webhook bodies, so that a misspelt one is named in the request log.

A body that has neither an order nor a product under the hub's own name is a platform's, which only its connector knows.
The connector itself is the plugin `hub-generic`; a test compares these names with what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hub.validation.input_reader import fields_of
from hub.validation.inputs import ProductChange
from hub.validation.validate import shown_names

LINE: Final = frozenset({"external_product_id", "quantity", "amount"})
_NEWS: Final = frozenset({"external_order_id", "click_id", "occurred_at", "reason"})
FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "order-created": frozenset({
        "external_order_id", "order_amount", "click_id", "currency", "coupon_code", "external_product_id",
        "ordered_at", "metadata", "lines", "customer",
    }),
    "order-paid": _NEWS,
    "order-delivered": _NEWS,
    "order-cancelled": _NEWS,
    "order-returned": _NEWS,
    "order-refunded": _NEWS | {"refund_id", "refund_amount", "lines"},
    "product-updated": frozenset({"updated_at", *(each.name for each in fields_of(ProductChange))}),
    "product-stock-updated": frozenset({"external_product_id", "stock_status", "quantity", "updated_at"}),
}  # fmt: skip
SUBJECTS: Final = ("external_order_id", "externalOrderId", "external_product_id", "externalProductId")


def unknown_webhook_fields(kind: str, body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a body's fields that its kind does not have, those of its lines too; at most 50 of them."""
    if not any(name in body for name in SUBJECTS):
        return ()
    return shown_names(_unknown(kind, body))


def _unknown(kind: str, body: Mapping[str, Any]) -> Iterator[str]:
    known = FIELDS.get(kind, frozenset())
    yield from (name for name in body if _snake(name) not in known)
    lines = body.get("lines")
    if "lines" in known and isinstance(lines, list):
        for place, line in enumerate(lines):
            if isinstance(line, dict):
                yield from (f"lines[{place}].{name}" for name in line if _snake(name) not in LINE)


def _snake(name: str) -> str:
    """Return the snake_case spelling of a key: externalOrderId is external_order_id."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
