"""Which body goes to which translation: by its shape, and by its topic only where it is a bare id."""

from __future__ import annotations

import re
from functools import partial

from hub.api import Body, Context, Erasure, Fact, Headers, Topic, Uninteresting, Unmappable
from hub_woocommerce import payloads
from hub_woocommerce.orders import of_deleted_order, of_order
from hub_woocommerce.products import of_deleted_product, of_product
from hub_woocommerce.values import identity, text

EVENTS = ("created", "updated", "restored", "deleted")
PING = re.compile(rb"webhook_id=[0-9]{1,19}")
MEND = (
    "the webhook's owner may no longer read what it is about: recreate the webhooks as a user that may manage the "
    "shop (WooCommerce > Settings > Advanced > Webhooks)"
)

GONE = frozenset({
    "woocommerce_rest_shop_order_invalid_id", "woocommerce_rest_product_invalid_id", "woocommerce_rest_invalid_id",
    "woocommerce_rest_order_invalid_id",
})  # fmt: skip
"""Errors of an id that is no longer there; the deletion is a delivery of its own."""


def of_topic(topic: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Give every fact of a delivery."""
    if payloads.is_bare(body):
        if topic == "order.deleted":
            return tuple(of_deleted_order(body, context))
        if topic == "product.deleted":
            return tuple(of_deleted_product(body, context))
        if topic.endswith(".deleted"):
            raise Uninteresting("something was deleted that the hub does not count")
        raise Unmappable("the body is only an `id`, which nothing but a deletion has")
    return of_body(body, context)


def of_webhook(_: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Give every fact of a free-form v1 webhook; the hub keeps those that its kind allows."""
    if payloads.is_bare(body):
        raise Unmappable("the body is only an `id`; send the whole order or product")
    return of_body(body, context)


def of_body(body: Body, context: Context) -> tuple[Fact, ...]:
    """Give every fact of a body by its shape; raises `Unmappable` or `Uninteresting`."""
    if payloads.is_error(body):
        if _code(body) in GONE:
            raise Uninteresting("the shop had deleted it for good before this could be sent")
        raise Unmappable(f"WooCommerce sent the error {_code(body)} instead of the order; {MEND}")
    if payloads.is_legacy(body):
        raise Unmappable(
            "the body is written in WooCommerce's legacy API; set the webhook's API version to "
            "`WP REST API Integration v3`"
        )
    if payloads.is_order(body):
        return tuple(of_order(body, context))
    if payloads.is_product(body):
        return tuple(of_product(body, context))
    for looks, what in (
        (payloads.is_action, "the name of a WordPress hook; order.updated tells what it did"),
        (payloads.is_coupon, "a coupon of the shop"),
        (payloads.is_customer, "a customer of the shop"),
    ):
        if looks(body):
            raise Uninteresting(what)
    raise Unmappable("the body has the shape of no order and no product of WooCommerce")


def order_of(_: str, body: Body) -> str | None:
    """Name the order that a body is about."""
    return identity(body.get("id")) if payloads.is_order(body) else None


def handshake(_: Headers, raw: bytes) -> bool:
    """Recognise the ping that WooCommerce sends unsigned when a webhook is saved."""
    return PING.fullmatch(raw) is not None


def _code(body: Body) -> str:
    try:
        return text(body.get("code"), 80) or "unknown"
    except Unmappable:
        return "unknown"


NAMES = (*(f"{what}.{event}" for what in ("order", "product", "coupon", "customer") for event in EVENTS),
         "product.published")  # fmt: skip
BARE = ("id", "affiliate_hub")
"""The only fields of what was deleted; WooCommerce does not sign the topic."""


def topic(name: str) -> Topic:
    """Declare one topic; a deletion is believed only of a bare id.

    The deletion of a customer has the bytes of the deletion of an order with the same number, so all deletions are one
    family: bytes that came as one of them never count as another. The price is in the README.
    """
    what, _, event = name.partition(".")
    translate = partial(of_topic, name)
    if event == "deleted":
        return Topic(name, dict, translate, ("id",), BARE, "deletions")
    return Topic(name, dict, translate, family="orders" if what == "order" else None)


def _erased(_: Body, __: Context) -> tuple[Fact, ...]:
    """State nothing: the hub obeys a request to erase before it gets here."""
    raise Uninteresting("a request to erase a buyer")


def erasure(name: str, body: Body) -> Erasure | None:
    """Read our WordPress plugin's request to erase what is kept of a buyer's orders."""
    orders = body.get("affiliate_hub_erase")
    if name != ERASE or not isinstance(orders, list):
        return None
    named = tuple(order for order in map(identity, orders) if order is not None)
    return Erasure("redact", named, "a buyer whom the shop has erased")


ERASE = "affiliate_hub.erase"
TOPICS = (
    *map(topic, NAMES),
    Topic(ERASE, dict, _erased, ("affiliate_hub_erase", "as_of"), ("affiliate_hub_erase", "as_of")),
)
