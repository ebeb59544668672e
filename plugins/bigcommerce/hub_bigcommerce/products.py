"""From a product as the V3 catalogue gives it to the hub's: its fields, its price, its stock."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal

from hub.api import (
    CURRENCIES,
    Body,
    Context,
    Fact,
    ProductStockUpdated,
    ProductUpdated,
    Uninteresting,
    as_record,
    as_text,
)
from hub_bigcommerce.options import BigCommerceOptions, options_of
from hub_bigcommerce.values import ZERO, identity, moment, money, own_id

IN_STOCK, OUT_OF_STOCK = "IN_STOCK", "OUT_OF_STOCK"
COUNTED = frozenset({"product", "variant", "simple", "sku"})


def of_product(product: Body, context: Context) -> Iterator[Fact]:
    """Yield a product's fields and its stock; one that is hidden or disabled is sold out."""
    own_id(product, "product")
    options = options_of(context)
    name, at = _name(product, options), moment(product.get("date_modified"))
    if product.get("is_visible") is False or as_text(product.get("availability")) == "disabled":
        yield ProductStockUpdated(_key(at, OUT_OF_STOCK, None), name, OUT_OF_STOCK, None, at)
        return
    fields = _fields(product, options, context)
    if fields:
        yield ProductUpdated(f"updated:{at or 0}:{_digest(fields)}", name, fields, at)
    if as_text(product.get("inventory_tracking")) not in COUNTED:
        yield ProductStockUpdated(_key(at, IN_STOCK, None), name, IN_STOCK, None, at)
        return
    level = product.get("inventory_level")
    if isinstance(level, int) and not isinstance(level, bool):
        word = IN_STOCK if level > 0 else OUT_OF_STOCK
        yield ProductStockUpdated(_key(at, word, level), name, word, level, at)


def of_deleted_product(product_id: str | None, context: Context) -> Iterator[Fact]:
    """Yield the end of a product as its being sold out: the hub keeps it for the orders that name it."""
    if options_of(context).product_key != "id" or product_id is None:
        raise Uninteresting("a deleted product is named only by its id, by which this catalogue is not kept")
    yield ProductStockUpdated("deleted", product_id, OUT_OF_STOCK, 0, None)


def _name(product: Body, options: BigCommerceOptions) -> str:
    if options.product_key == "variant":
        raise Uninteresting("this store's catalogue is kept by variants, of which this is the product")
    name = as_text(product.get("sku"), 120) if options.product_key == "sku" else identity(product.get("id"))
    if name is None:
        raise Uninteresting("the product has no SKU, by which this store's catalogue is kept")
    return name


def _fields(product: Body, options: BigCommerceOptions, context: Context) -> dict[str, str | None]:
    path = as_text(as_record(product.get("custom_url")).get("url"), 2_000)
    fields = {
        "name": as_text(product.get("name")),
        "imageUrl": as_text(as_record(product.get("primary_image")).get("url_standard"), 2_048),
        "productUrl": f"{options.shop_url.rstrip('/')}{path}" if options.shop_url and path else None,
    }
    stated: dict[str, str | None] = {name: value for name, value in fields.items() if value is not None}
    return stated | _prices(product, context)


def _prices(product: Body, context: Context) -> dict[str, str | None]:
    """Return the price, and a sale's as discount; `sale_price` 0 says that there is none."""
    price, sale = money(product.get("price"), "price"), money(product.get("sale_price"), "sale_price")
    if product.get("price") is None or price < ZERO:
        return {}
    lower = _written(sale, context) if ZERO < sale < price else None
    return {"price": _written(price, context), "discountPrice": lower}


def _written(amount: Decimal, context: Context) -> str:
    unit = Decimal(1).scaleb(-CURRENCIES.get(context.currency, 2))
    return format(amount.quantize(unit, ROUND_HALF_UP), "f")


def _key(at: int | None, word: str, count: int | None) -> str:
    """Return the key of stock; it holds what is stated, since an order does not touch the product's time."""
    return f"stock:{at or 0}:{_digest({'status': word, 'count': count})}"


def _digest(said: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
