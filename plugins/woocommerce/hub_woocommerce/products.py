"""From products and variations, which both arrive in a product's shape, to the catalogue's news."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from html import unescape

from hub.api import CURRENCIES, Body, Context, Fact, ProductStockUpdated, ProductUpdated, Uninteresting, Unmappable
from hub_woocommerce.options import WooOptions, options_of
from hub_woocommerce.values import identity, instant, money, number_or_text, own_id, records, stock, text, word

IN_STOCK, OUT_OF_STOCK = "IN_STOCK", "OUT_OF_STOCK"
OLD_VERSION = (
    "the product is written in WooCommerce's REST API v1; set the webhook's API version to `WP REST API Integration v3`"
)
WORDS = {"instock": IN_STOCK, "onbackorder": IN_STOCK, "outofstock": OUT_OF_STOCK}


def of_product(body: Body, context: Context) -> Iterator[Fact]:
    """Give a product's fields and its stock; one that is not published is sold out."""
    own_id(body, "product")
    options = options_of(context)
    if "date_modified_gmt" not in body and "date_modified" in body:
        raise Unmappable(OLD_VERSION)
    at = instant(body.get("date_modified_gmt"))
    if word(body.get("type")) == "variation" and options.product_key == "id":
        yield _parents_stock(body, at)
        return
    product_id = _name(body, options)
    if word(body.get("status")) not in {"publish", None}:
        yield ProductStockUpdated(_key("stock", at, {"status": OUT_OF_STOCK}), product_id, OUT_OF_STOCK, None, at)
        return
    fields = _fields(body, context)
    if fields:
        yield ProductUpdated(_key("updated", at, fields), product_id, fields, at)
    status, count = _stock(body)
    if status is not None or count is not None:
        yield ProductStockUpdated(_key("stock", at, {"status": status, "count": count}), product_id, status, count, at)


def of_deleted_product(body: Body, context: Context) -> Iterator[Fact]:
    """Give the end of a product as its being sold out: the hub keeps it for the orders that name it."""
    if options_of(context).product_key == "sku":
        raise Uninteresting("a deleted product does not name its SKU, by which this shop's catalogue is kept")
    yield ProductStockUpdated("deleted", own_id(body, "product"), OUT_OF_STOCK, 0, None)


def _parents_stock(body: Body, at: int | None) -> ProductStockUpdated:
    """Keep to a shared stock: a variation's own price and stock say nothing about its product's others."""
    parent = identity(body.get("parent_id"))
    if parent is None:
        raise Unmappable("the variation does not name its product: `parent_id` is missing")
    status, count = _stock(body)
    if body.get("manage_stock") != "parent" or (status is None and count is None):
        raise Uninteresting("one variation changed, which says nothing about its product's others")
    return ProductStockUpdated(_key("stock", at, {"status": status, "count": count}), parent, status, count, at)


def _name(body: Body, options: WooOptions) -> str:
    if options.product_key == "sku":
        sku = number_or_text(body.get("sku"))
        if sku is None or len(sku) > 120:
            raise Uninteresting("the product has no SKU, by which this shop's catalogue is kept")
        return sku
    if options.product_key == "variation" and word(body.get("type")) == "variable":
        raise Uninteresting("this shop's catalogue is kept by variations, and this is their parent")
    return own_id(body, "product")


def _fields(body: Body, context: Context) -> Mapping[str, str | None]:
    images = [*records(body.get("images")), *records([body.get("image")])]
    fields = {
        "name": _unescaped(body.get("name")),
        "brand": next((_unescaped(each.get("name")) for each in records(body.get("brands"))), None),
        "category": next((_unescaped(each.get("name")) for each in records(body.get("categories"))), None),
        "imageUrl": next((text(image.get("src"), 2_048) for image in images), None),
        "productUrl": text(body.get("permalink"), 2_048),
    }
    told: dict[str, str | None] = {name: value for name, value in fields.items() if value is not None}
    return told | _prices(body, context)


def _unescaped(value: object) -> str | None:
    """Return a name, whose `&` WordPress may write as `&amp;`."""
    found = text(value)
    return None if found is None else text(unescape(found))


def _prices(body: Body, context: Context) -> dict[str, str | None]:
    """Return a sale's former price with the sale's as discount; a variable product has its lowest only."""
    price, former = money(body.get("price"), "price"), money(body.get("regular_price"), "regular_price")
    if price is None or price < 0:
        return {}
    if former is not None and former > price:
        return {"price": _written(former, context), "discountPrice": _written(price, context)}
    return {"price": _written(price, context), "discountPrice": None}


def _written(amount: Decimal, context: Context) -> str:
    unit = Decimal(1).scaleb(-CURRENCIES.get(context.currency, 2))
    return format(amount.quantize(unit, ROUND_HALF_UP), "f")


def _stock(body: Body) -> tuple[str | None, int | None]:
    """Return the stock as a word and, if it is counted, a number, negative if the shop owes backorders."""
    managed = body.get("manage_stock")
    count = stock(body.get("stock_quantity")) if managed is True or managed == "parent" else None
    return WORDS.get(word(body.get("stock_status")) or ""), count


def _key(what: str, at: int | None, said: Mapping[str, object]) -> str:
    """Return the key of stock; it holds what is stated, since a sale does not touch the product's time."""
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
    return f"{what}:{0 if at is None else at}:{digest}"
