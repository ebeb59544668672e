"""A platform that does not exist, with a connector that uses every part of the record."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from hashlib import sha256
from hmac import digest
from typing import Any, Literal

from attrs import frozen

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Challenge,
    Connector,
    Context,
    Erasure,
    Fact,
    FetchOrder,
    FetchProduct,
    FieldPlace,
    HeaderPlace,
    Headers,
    HmacHeader,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    OrderUnclear,
    PackageContext,
    ProductStockUpdated,
    ProductUpdated,
    Topic,
    Uninteresting,
    refund_key,
    refund_so_far_key,
    status_key,
)
from hub.domain.connectors.connector import SecretHeader
from hub.plugin_host.registry import Registry, load_registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.acme_requests import ACME_REQUESTS

SIGNATURE, TOPIC, DELIVERY = "X-Acme-Signature", "X-Acme-Topic", "X-Acme-Delivery"


@frozen
class AcmeOptions:
    """What a store owner may set."""

    click_field: str = "click"
    base: Literal["net", "gross"] = "net"
    days: int = 0
    words: tuple[str, ...] = ()
    quiet: bool = False


@frozen
class AcmeLine:
    product: str
    amount: Decimal
    quantity: int = 1


@frozen
class AcmeRefund:
    id: str
    amount: Decimal
    at: int


@frozen
class AcmeOrder:
    number: str
    total: Decimal
    paid: bool = False
    lines: tuple[AcmeLine, ...] = ()
    refund: str | None = None
    buyer: str | None = None
    extra: dict[str, Any] | None = None
    currency: str | None = None
    placed: int | None = None
    version: int | None = None
    cancelled: bool = False
    unclear: str | None = None
    state: str | None = None
    key: str | None = None
    refunds: tuple[AcmeRefund, ...] | None = None
    back_so_far: Decimal | None = None


@frozen
class AcmeProduct:
    id: str
    name: str
    items: tuple[str, ...] = ()


@frozen
class AcmeLevel:
    item: str
    place: str
    quantity: int | None
    at: int | None = None


def order_facts(order: AcmeOrder, context: Context) -> Iterable[Fact]:
    """A snapshot states everything it shows."""
    click = (order.extra or {}).get(context.options.click_field)
    lines = tuple(Line(line.product, line.quantity, line.amount) for line in order.lines)
    metadata = None if order.buyer is None else {"buyer": order.buyer}
    yield OrderCreated(
        CREATED_KEY, order.number, order.total, order.currency, click, None, lines, order.placed, None, metadata,
        order.key, order.buyer,
    )  # fmt: skip
    if order.version is not None:
        stands_at = None if order.cancelled or order.state else order.version
        yield OrderSnapshot(
            SNAPSHOT_KEY, order.number, order.version, order.total, order.currency, lines, None, stands_at,
            None if order.refunds is None else tuple(each.id for each in order.refunds),
        )  # fmt: skip
    if order.cancelled:
        yield OrderCancelled(status_key("cancelled", order.version), order.number, order.version, None, None)
    if order.state is not None:
        key = status_key("unknown_state", order.version)
        yield OrderStateUnknown(key, order.number, order.version, None, None, order.state)
    if order.unclear is not None:
        yield OrderUnclear("unclear", order.number, order.unclear)
    if order.paid:
        yield OrderPaid("paid", order.number, None, None, None)
    for each in order.refunds or ():
        key = refund_key(each.id, context.delivery_id)
        yield OrderRefunded(key, order.number, each.at, None, None, each.id, each.amount, ())
    if order.back_so_far is not None and order.version is not None:
        yield OrderRefunded(
            refund_so_far_key(order.version), order.number, order.version, None, None, None, order.back_so_far, (),
            as_of=order.version,
        )  # fmt: skip
    if order.refund is not None:
        key = refund_key(None, context.delivery_id)
        yield OrderRefunded(key, order.number, None, None, None, None, Decimal(order.refund), ())


def product_facts(product: AcmeProduct, _: Context) -> Iterable[Fact]:
    fields = {"name": product.name, "productUrl": "https://shop.example/p", "price": "10.00"}
    yield ProductUpdated("p", product.id, fields, None, product.items)


def stock_facts(level: AcmeLevel, _: Context) -> Iterable[Fact]:
    yield ProductStockUpdated("s", "", None, level.quantity, level.at, level.item, level.place)


def named_order(body: Body, _: Context) -> Iterable[Fact]:
    yield FetchOrder("fetch", str(body["order"]))


def named_product(body: Body, _: Context) -> Iterable[Fact]:
    yield FetchProduct("fetch", str(body["product"]))


def visit_facts(_: Body, __: Context) -> Iterable[Fact]:
    raise Uninteresting("a visit")


def erasure(topic: str, body: Body) -> Erasure | None:
    if topic == "privacy/report":
        return Erasure("report", tuple(body["orders"]), "a buyer")
    if topic == "privacy/redact":
        return Erasure("redact", tuple(body["orders"]), "a buyer")
    return Erasure("redact", None, "the shop") if topic == "privacy/shop" else None


def handshake(headers: Headers, raw: bytes) -> bool:
    if raw == b"raise":
        raise RuntimeError("a plugin's slip")
    return raw.startswith(b"webhook_id=") and SIGNATURE.lower() not in headers


def is_test(body: Body, headers: Headers) -> bool:
    return body.get("test") is True or headers.get("x-acme-test") == "true"


def package(context: PackageContext) -> tuple[str, bytes]:
    return "acme.txt", f"{context.url} {context.secret} {context.capture_url}".encode()


ACME = Connector(
    name="acme",
    title="Acme",
    translate_webhook=lambda kind, body, context: (),
    recognises=lambda body: False,
    rank=5,
    auth=HmacHeader(SIGNATURE),
    topic=HeaderPlace(TOPIC),
    delivery_id=HeaderPlace(DELIVERY),
    source=HeaderPlace("X-Acme-Site"),
    requests=ACME_REQUESTS,
    clock=FieldPlace("extra.clock"),
    order_of=lambda topic, body: str(body["number"]) if topic == "order" and "number" in body else None,
    topics=(
        Topic("order", AcmeOrder, order_facts),
        Topic("product", AcmeProduct, product_facts),
        Topic("stock", AcmeLevel, stock_facts),
        Topic("visit", dict, visit_facts),
        Topic("order/thin", dict, named_order, required=("order",), is_thin=True),
        Topic("product/thin", dict, named_product, required=("product",), is_thin=True),
        Topic("privacy/report", dict, visit_facts, required=("orders",), allowed=("orders",)),
        Topic("privacy/redact", dict, visit_facts, required=("orders", "email")),
        Topic("privacy/shop", dict, visit_facts, required=("shop",), allowed=("shop",)),
    ),
    options=AcmeOptions,
    handshake=handshake,
    is_test=is_test,
    erasure=erasure,
    issues_secret=True,
    steps=("Open the admin and paste {url}.", "Paste the secret {secret}."),
    package=package,
    challenge=Challenge(("shop",), "X-Acme-Challenge", "{shop}!", (("proof", "{digest}"), ("url", "{url}"))),
)
PLAIN = Connector(
    name="plain",
    title="Plain",
    translate_webhook=lambda kind, body, context: (),
    recognises=lambda body: False,
    rank=6,
    auth=SecretHeader("X-Plain-Secret"),
    topic=HeaderPlace("X-Plain-Topic"),
    topics=(Topic("order", AcmeOrder, order_facts),),
    options=AcmeOptions,
)


@cache
def acme_registry() -> Registry:
    """The installed plugins and these two."""
    installed = load_registry()
    return Registry((ACME, PLAIN, *installed.connectors), installed.origins)


def acme_plugins(*_: object, **__: object) -> InProcessPlugins:
    """These connectors without a process of their own, whatever the settings say: what they do is no test's subject."""
    return InProcessPlugins(acme_registry())


def signature(secret: str, raw: bytes) -> str:
    """The base64 HMAC-SHA256 that Acme sends."""
    return b64encode(digest(secret.encode(), raw, sha256)).decode()
