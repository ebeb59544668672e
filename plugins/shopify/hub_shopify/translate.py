"""Which body of Shopify's goes to which translation: by its topic, or in a free-form v1 webhook by its shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from hub.api import Body, Context, Erasure, Fact, Headers, Topic, Uninteresting, Unmappable
from hub_shopify.graphql_bodies import ORDER_FIELD, PRODUCT_FIELD, as_webhook, of_asked_order, of_asked_product
from hub_shopify.orders import of_deleted_order, of_order
from hub_shopify.parcels import of_fulfillment, of_fulfillment_event, of_return
from hub_shopify.products import (
    of_deleted_product,
    of_disconnected_level,
    of_level,
    of_product,
    of_sold_out_variant,
    of_stocked_variant,
)
from hub_shopify.refunds import refund_fact, refund_order
from hub_shopify.values import identity, record, records

Translate = Callable[[Body, Context], Iterable[Fact]]

CANNED_ORDER = "820982911946154508"
"""The order of every test notification; its product has an id like it."""
CANNED_PRODUCT = "788032119674292922"
GID = "gid://shopify/"
ORDER_SIGNS = frozenset({
    "financial_status", "fulfillment_status", "note_attributes", "landing_site", "total_line_items_price",
    "discount_applications", "taxes_included", "checkout_token", "source_name", "total_price_set",
})  # fmt: skip
PRODUCT_SIGNS = frozenset({"handle", "vendor", "product_type", "body_html", "published_at", "options"})


def of_refund(body: Body, context: Context) -> Iterator[Fact]:
    """Give a refund; the body has no order beside its id, so that is all it can state."""
    fact = refund_fact(body, refund_order(body), context)
    if fact is None:
        raise Uninteresting("no money has gone back with this refund")
    yield fact


def nothing(what: str, _: Body, __: Context) -> Iterable[Fact]:
    """Refuse a body that states nothing the hub counts."""
    raise Uninteresting(what)


ORDER_TOPICS = ("create", "paid", "updated", "cancelled", "fulfilled", "partially_fulfilled")
RETURN_TOPICS = ("request", "approve", "decline", "close", "cancel", "reopen", "process", "update")
TRANSLATIONS: Mapping[str, Translate] = {
    **{f"orders/{name}": of_order for name in ORDER_TOPICS},
    "order": of_asked_order,
    "product": of_asked_product,
    "orders/edited": partial(nothing, "the differences of an edit; orders/updated tells what became of the order"),
    "orders/delete": of_deleted_order,
    "refunds/create": of_refund,
    "fulfillments/create": of_fulfillment,
    "fulfillments/update": of_fulfillment,
    "fulfillment_events/create": of_fulfillment_event,
    **{f"returns/{name}": of_return for name in RETURN_TOPICS},
    "products/create": of_product,
    "products/update": of_product,
    "products/delete": of_deleted_product,
    "inventory_levels/update": of_level,
    "inventory_levels/connect": of_level,
    "inventory_levels/disconnect": of_disconnected_level,
    "variants/in_stock": of_stocked_variant,
    "variants/out_of_stock": of_sold_out_variant,
    "customers/data_request": partial(nothing, "a customer's request for data"),
    "customers/redact": partial(nothing, "a request to erase a customer"),
    "shop/redact": partial(nothing, "a request to erase a shop"),
    "app/uninstalled": partial(nothing, "the app was uninstalled: nothing more will come over this connection"),
}
"""Every topic that a store may subscribe to for the hub. Privacy requests are obeyed before they get here."""

SHAPES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...] | None]] = {
    "order": (("id", ORDER_FIELD), None),
    "product": (("id", PRODUCT_FIELD), None),
    "orders/delete": (("id",), ("id",)),
    "products/delete": (("id",), ("id",)),
    "inventory_levels/disconnect": (("inventory_item_id", "location_id"), ("inventory_item_id", "location_id")),
    "variants/out_of_stock": (("product_id", "inventory_quantity"), None),
    "customers/data_request": (("shop_id", "shop_domain", "orders_requested"), None),
    "customers/redact": (("shop_id", "shop_domain", "customer", "orders_to_redact"), None),
    "shop/redact": (("shop_id", "shop_domain"), ("shop_id", "shop_domain")),
}
"""The fields that a body must have, and the only ones that it may have: Shopify does not sign the topic."""

FAMILIES: Mapping[str, str] = {
    **{f"orders/{name}": "orders" for name in ORDER_TOPICS},
    "order": "orders",
    "refunds/create": "refunds",
    "fulfillments/create": "parcels",
    "fulfillments/update": "parcels",
    "fulfillment_events/create": "parcel events",
    **{f"returns/{name}": "returns" for name in RETURN_TOPICS},
    "orders/delete": "deletions",
    "products/delete": "deletions",
}
"""Topics that read a body alike, or that end something for good: the same bytes count once in each family."""

TOPICS = tuple(
    Topic(name, dict, translation, *SHAPES.get(name, ((), None)), family=FAMILIES.get(name))
    for name, translation in TRANSLATIONS.items()
)


def of_webhook(kind: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Give the facts of a Shopify body that came as a free-form v1 webhook; raises `Unmappable`."""
    inner = unwrapped(body)
    translation = _by_shape(inner) or _BY_KIND.get(kind)
    if translation is None:
        raise Unmappable(f"{kind} is no kind of webhook that the Shopify connector knows")
    try:
        return tuple(translation(inner, context))
    except Uninteresting as reason:
        raise Unmappable(str(reason)) from None


def recognises(body: Body) -> bool:
    """Recognise Shopify's bodies, bare or wrapped as its REST API does, by their gid or by their fields."""
    inner = unwrapped(body)
    gid = inner.get("admin_graphql_api_id")
    return (isinstance(gid, str) and gid.startswith(GID)) or _by_shape(inner) is not None


def order_of(topic: str, body: Body) -> str | None:
    """Name the order that a body is about."""
    inner = unwrapped(body)
    return identity(inner.get("order_id")) or (identity(inner.get("id")) if topic.startswith("order") else None)


def is_test(body: Body, headers: Headers) -> bool:
    """Recognise test notifications, test orders and refunds of test payments, none of which is real money."""
    inner = unwrapped(body)
    ids = {identity(inner.get("id")), identity(inner.get("order_id"))}
    return (
        inner.get("test") is True
        or headers.get("x-shopify-test", "").strip().lower() == "true"
        or not ids.isdisjoint({CANNED_ORDER, CANNED_PRODUCT})
        or any(transaction.get("test") is True for transaction in records(inner.get("transactions")))
        or _has_bogus_gateway(inner)
    )


def erasure(topic: str, body: Body) -> Erasure | None:
    """Read one of Shopify's three privacy requests."""
    if topic == "shop/redact":
        return Erasure("redact", None, "the shop's data, since the app was uninstalled")
    if topic == "customers/data_request":
        number = identity(record(body.get("data_request")).get("id")) or "without a number"
        return Erasure("report", _ids(body.get("orders_requested")), f"a customer's data, request {number}")
    if topic == "customers/redact":
        number = identity(record(body.get("customer")).get("id")) or "without a number"
        return Erasure("redact", _ids(body.get("orders_to_redact")), f"the data of the customer {number}")
    return None


def unwrapped(body: Body) -> Body:
    """Return the bare resource in the names of webhooks, also of a body as one of the APIs answers it."""
    for name in ("order", "refund", "product"):
        inner = body.get(name)
        if len(body) == 1 and isinstance(inner, dict):
            return inner
    return as_webhook(body)


def _by_shape(body: Body) -> Translate | None:
    """Return the translation of a body that has the fields of a resource of Shopify's, else None."""
    names = body.keys()
    if isinstance(body.get("order_edit"), dict):
        return TRANSLATIONS["orders/edited"]
    if "refund_line_items" in names and "order_id" in names:
        return of_refund
    if {"fulfillment_id", "happened_at"} <= names:
        return of_fulfillment_event
    if {"inventory_item_id", "location_id"} <= names:
        return of_level
    if "order_id" in names and ("shipment_status" in names or "tracking_numbers" in names):
        return of_fulfillment
    if isinstance(body.get("line_items"), list) and len(ORDER_SIGNS & names) >= 2:
        return of_order
    if isinstance(body.get("variants"), list) and len(PRODUCT_SIGNS & names) >= 2:
        return of_product
    return _BY_GID.get(_gid_kind(body))


def _gid_kind(body: Body) -> str:
    gid = body.get("admin_graphql_api_id")
    return gid.removeprefix(GID).partition("/")[0] if isinstance(gid, str) and gid.startswith(GID) else ""


def _has_bogus_gateway(body: Body) -> bool:
    names = body.get("payment_gateway_names")
    return isinstance(names, list) and any(isinstance(name, str) and name.lower() == "bogus" for name in names)


def _ids(value: object) -> tuple[str, ...]:
    found = (identity(each) for each in value) if isinstance(value, list) else ()
    return tuple(each for each in found if each is not None)


_BY_GID: Mapping[str, Translate] = {
    "Order": of_order,
    "Product": of_product,
    "Fulfillment": of_fulfillment,
    "FulfillmentEvent": of_fulfillment_event,
    "InventoryLevel": of_level,
    "Return": of_return,
    "Refund": of_refund,
}
_BY_KIND: Mapping[str, Translate] = {
    "order-refunded": of_refund,
    "product-updated": of_product,
    "product-stock-updated": of_product,
    **dict.fromkeys(("order-created", "order-paid", "order-delivered", "order-cancelled", "order-returned"), of_order),
}
