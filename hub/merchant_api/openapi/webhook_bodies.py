"""The bodies of the eight webhooks in the hub's own form, for the OpenAPI document.

Nothing is refused by them: a body in another form is accepted, read by the plugin that knows it, and kept if none does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from hub.merchant_api.openapi.named import named_constraint, or_null, reference, with_notes
from hub.records.explanations import CLICK
from hub.records.products import ProductRecord
from hub.records.record import attributes_of
from hub.validation import field_types as f
from hub.validation.constraints import Constraint, Money, Schema, Text, Whole, labels
from hub.validation.input_reader import fields_of
from hub.validation.inputs import ProductChange

Field = tuple[str, Constraint]

ORDER_ID: Final = "external_order_id"
PRODUCT_ID: Final = "external_product_id"
LINE: Final = "WebhookLine"


def _typed(name: str, hint: Any) -> Field:
    return name, get_args(hint)[1]


def _product_fields() -> Iterator[Field]:
    """Yield what product-updated may state of a product, in the order in which a product is told."""
    stated = {each.name: each.constraint for each in fields_of(ProductChange)}
    yield from ((name, stated[name]) for name in attributes_of(ProductRecord) if name in stated)


_ORDER: Final = _typed(ORDER_ID, f.ExternalOrderId)
_PRODUCT: Final = _typed(PRODUCT_ID, f.ExternalProductId)
_CLICK: Final = _typed("click_id", f.ClickId)
_OCCURRED: Final = (
    "occurred_at",
    get_args(f.OrderedAt)[1].__class__("When it happened; without it, the time of receipt."),
)
_UPDATED: Final = "updated_at", get_args(f.OrderedAt)[1].__class__("When it changed; older news is skipped.")
_REASON: Final = _typed("reason", f.Reason)
_STOCK: Final = _typed("stock_status", f.StockStatus)
_LINES: Final = "lines"
_NEWS: Final = (_ORDER, _CLICK, _OCCURRED, _REASON)
_LINE_FIELDS: Final = (
    (PRODUCT_ID, Text(120, description="The product; without it, what is not in the catalogue.", example="SKU-1")),
    ("quantity", Whole(1, 10**9, description="How many of it.", example=1)),
    ("amount", Money(description="The line's money, all of its pieces together.", example="49.90")),
)

_FIELDS: Final[Mapping[str, tuple[Field, ...]]] = {
    "order-created": (
        _ORDER,
        _typed("order_amount", f.OrderAmount),
        _CLICK,
        _typed("currency", f.CurrencyCode),
        _typed("coupon_code", f.CouponCode),
        _typed("customer", f.Customer),
        (PRODUCT_ID, Text(120, description="The only product of the order, if it has no lines.", example="SKU-1")),
        _typed("ordered_at", f.OrderedAt),
        _typed("metadata", f.Metadata),
    ),
    "order-refunded": (
        *_NEWS,
        ("refund_id", Text(160, description="Your id of the refund, which counts once.", example="REFUND-7")),
        ("refund_amount", Money(description="The money that went back; without it, all of it.", example="10.00")),
    ),
    "product-updated": (
        *_product_fields(),
        _UPDATED,
    ),
    "product-stock-updated": (
        _PRODUCT,
        _STOCK,
        ("quantity", Whole(-(10**9), 10**9, description="How many are left.", example=0)),
        _UPDATED,
    ),
    **dict.fromkeys(("order-paid", "order-delivered", "order-cancelled", "order-returned"), _NEWS),
}
_WITH_LINES: Final = ("order-created", "order-refunded")
_REQUIRED: Final[Mapping[str, tuple[str, ...]]] = {"order-created": (ORDER_ID, "order_amount")}


def body_name(kind: str) -> str:
    """Return the name of a kind's component: "OrderPaidWebhook"."""
    return "".join(part.title() for part in kind.split("-")) + "Webhook"


def field_names(kind: str) -> tuple[str, ...]:
    """Return the fields that the hub's own form of a kind may have."""
    return (*(name for name, _ in _FIELDS[kind]), *((_LINES,) if kind in _WITH_LINES else ()))


def webhook_components(kinds: Iterable[str]) -> dict[str, Schema]:
    """Return the components of the kinds' bodies, by name."""
    bodies = {body_name(kind): _body(kind) for kind in kinds}
    line = _object("A part of an order or a refund.", _LINE_FIELDS, ())
    return {**bodies, LINE: line} if bodies else {}


def _body(kind: str) -> Schema:
    fields = _FIELDS[kind]
    text = f"The body of {kind} in the hub's own form; further fields are allowed, and so is camelCase."
    schema = _object(text, fields, _REQUIRED.get(kind, (fields[0][0],)))
    if kind in _WITH_LINES:
        schema["properties"][_LINES] = {
            "type": "array",
            "items": reference("schemas", LINE),
            "description": "The parts; without them, the whole.",
        }
    return schema


def _object(text: str, fields: Iterable[Field], required: tuple[str, ...]) -> Schema:
    return {
        "type": "object",
        "description": text,
        "properties": {name: _member(constraint, required=name in required) for name, constraint in fields},
        **({"required": list(required)} if required else {}),
        "additionalProperties": True,
    }


def _member(constraint: Constraint, *, required: bool) -> Schema:
    named = named_constraint(constraint)
    schema = constraint.schema() if named is None else with_notes(named, labels(constraint))
    return schema if required else or_null(schema)


_EXAMPLE_ORDER: Final[dict[str, Any]] = {"external_order_id": "ORDER-1042"}
_EXAMPLE_NEWS: Final[dict[str, Any]] = {
    **_EXAMPLE_ORDER, "occurred_at": "2026-11-20T10:00:00Z", "reason": "As the carrier reports.",
}  # fmt: skip

WEBHOOKS: Final[Mapping[str, dict[str, Any]]] = {
    "order-created": {
        **_EXAMPLE_ORDER,
        "click_id": CLICK,
        "order_amount": "49.90",
        "currency": "USD",
        "coupon_code": "ANNA10",
        "ordered_at": "2026-11-20T10:00:00Z",
        "lines": [{"external_product_id": "SKU-1", "quantity": 1, "amount": "49.90"}],
        "metadata": {"channel": "web"},
    },
    "order-paid": _EXAMPLE_NEWS,
    "order-delivered": _EXAMPLE_NEWS,
    "order-cancelled": _EXAMPLE_NEWS,
    "order-returned": _EXAMPLE_NEWS,
    "order-refunded": {
        **_EXAMPLE_NEWS,
        "refund_id": "REFUND-7",
        "refund_amount": "10.00",
        "lines": [{"external_product_id": "SKU-1", "quantity": 1, "amount": "10.00"}],
    },
    "product-updated": {
        "external_product_id": "SKU-1",
        "name": "Walking shoe",
        "price": "44.90",
        "updated_at": "2026-11-20T10:00:00Z",
    },
    "product-stock-updated": {
        "external_product_id": "SKU-1",
        "stock_status": "OUT_OF_STOCK",
        "quantity": 0,
        "updated_at": "2026-11-20T10:00:00Z",
    },
}
"""An example body of each webhook kind, in the hub's own form."""
