"""Which webhook names what: nothing but ids comes, so each names an order or a product that is then asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from hub.api import (
    Body,
    Context,
    Fact,
    FetchOrder,
    FetchProduct,
    Headers,
    Topic,
    Uninteresting,
    Unmappable,
    as_record,
    as_text,
)
from hub_bigcommerce.orders import of_order
from hub_bigcommerce.products import of_deleted_product, of_product
from hub_bigcommerce.requests import ORDER, ORDER_SCOPES, PRODUCT, PRODUCT_SCOPES
from hub_bigcommerce.values import identity

TEST_GATEWAY: Final = "test payment gateway"
DELETED: Final = "store/product/deleted"
UNINSTALLED: Final = "store/app/uninstalled"
ORDER_SIGNS: Final = frozenset({
    "subtotal_ex_tax", "subtotal_inc_tax", "total_inc_tax", "items_total", "default_currency_code", "order_is_digital",
    "base_shipping_cost", "geoip_country_iso2",
})  # fmt: skip
FEWEST_SIGNS: Final = 4
Fetch = Iterator[FetchOrder | FetchProduct]


def of_order_notice(body: Body, _: Context) -> Fetch:
    """Yield the order to ask for."""
    yield FetchOrder("fetch", _named(body, "order"))


def of_product_notice(body: Body, _: Context) -> Fetch:
    """Yield the product to ask for; news of a variant's stock name its product inside."""
    data = as_record(body.get("data"))
    inside = identity(as_record(data.get("inventory")).get("product_id"))
    yield FetchProduct("fetch", inside or _named(body, "product"))


def of_deleted_notice(body: Body, context: Context) -> Iterator[Fact]:
    """Yield the end of a product: there is nothing left to ask for."""
    return of_deleted_product(_named(body, "product"), context)


def of_uninstalled(_: Body, __: Context) -> Iterable[Fact]:
    """State nothing: the store has left, and its orders stay."""
    raise Uninteresting("the store has removed the API account's app; nothing more will come")


def of_webhook(_: str, body: Body, context: Context) -> Iterable[Fact]:
    """Return the facts of a free-form v1 webhook, which must hold the whole order."""
    if ORDER_SIGNS & body.keys():
        return tuple(of_order(body, context))
    raise Unmappable("the body is not an order as BigCommerce's API gives it")


def recognises(body: Body) -> bool:
    """Whether a v1 webhook of unknown origin holds one of BigCommerce's orders."""
    return "status_id" in body and len(ORDER_SIGNS & body.keys()) >= FEWEST_SIGNS


def is_test(body: Body, _: Headers) -> bool:
    """Whether an order was paid with the test gateway."""
    return (as_text(body.get("payment_method")) or "").lower() == TEST_GATEWAY


def order_of(topic: str, body: Body) -> str | None:
    """Return the id of the order that a body is about."""
    if topic == ORDER:
        return identity(body.get("id"))
    return identity(as_record(body.get("data")).get("id")) if topic.startswith("store/order/") else None


def _named(body: Body, what: str) -> str:
    found = identity(as_record(body.get("data")).get("id"))
    if found is None:
        raise Unmappable(f"the delivery does not name its {what}: `data.id` is missing")
    return found


NOTICE: Final = ("scope", "data")
TOPICS: Final = (
    Topic(ORDER, dict, of_order),
    Topic(PRODUCT, dict, of_product),
    *(Topic(scope, dict, of_order_notice, NOTICE, is_thin=True) for scope in ORDER_SCOPES),
    *(Topic(scope, dict, of_product_notice, NOTICE, is_thin=True) for scope in PRODUCT_SCOPES if scope != DELETED),
    Topic(DELETED, dict, of_deleted_notice, NOTICE),
    Topic(UNINSTALLED, dict, of_uninstalled, ("scope",)),
)
