"""From products, variants and inventory levels to the catalogue's news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from hub.api import CURRENCIES, Body, Context, Fact, ProductStockUpdated, ProductUpdated, Uninteresting, Unmappable
from hub_shopify.options import ShopifyOptions, options_of
from hub_shopify.values import identity, instant, money, own_id, record, records, stock, text, word

IN_STOCK, OUT_OF_STOCK = "IN_STOCK", "OUT_OF_STOCK"
FULL_VARIANTS = 100
"""A product's body has so many variants in full; the others are named in `variant_gids` only."""


def of_product(body: Body, context: Context) -> Iterator[Fact]:
    """Give a product's fields, its inventory items, and its stock as far as the body knows it."""
    options = options_of(context)
    variants = records(body.get("variants"))
    product_id = _name(body, variants, options)
    at = instant(body.get("updated_at"))
    version = f"@{context.delivery_id}" if at is None else f":{at}"
    items = dict.fromkeys(identity(variant.get("inventory_item_id")) for variant in variants)
    fields = _fields(body, variants, context)
    yield ProductUpdated(f"updated{version}", product_id, fields, at, tuple(item for item in items if item is not None))
    status, count = _stock(body, variants, options)
    if status is not None or count is not None:
        yield ProductStockUpdated(f"stock{version}", product_id, status, count, at)


def of_deleted_product(body: Body, context: Context) -> Iterator[Fact]:
    """Give the end of a product as its being sold out: the hub keeps it for the orders that name it."""
    if options_of(context).product_key != "id":
        raise Uninteresting("a deleted product names none of its variants, by which this store's catalogue is kept")
    yield ProductStockUpdated("deleted", own_id(body, "product"), OUT_OF_STOCK, 0, None)


def of_level(body: Body, context: Context) -> Iterator[Fact]:
    """Give the stock of an inventory item at one place; whose item it is the hub has learned from product bodies."""
    item, place = _item_and_place(body)
    count = stock(body.get("available"))
    if count is None:
        raise Uninteresting("the stock of this inventory item is not counted here")
    at = instant(body.get("updated_at"))
    yield ProductStockUpdated(_level_key(place, at, context), "", None, count, at, item, place)


def of_disconnected_level(body: Body, context: Context) -> Iterator[Fact]:
    """Give an empty stock at a place that an inventory item is no longer kept at."""
    item, place = _item_and_place(body)
    at = instant(body.get("updated_at"))
    yield ProductStockUpdated(_level_key(place, at, context), "", None, 0, at, item, place)


def of_stocked_variant(body: Body, context: Context) -> Iterator[Fact]:
    """Give that a variant can be bought again, and with it its product."""
    yield _variant(body, context, IN_STOCK)


def of_sold_out_variant(body: Body, context: Context) -> Iterator[Fact]:
    """Give that a variant is sold out; of its product that says nothing, unless it is the only one."""
    lone = word(body.get("title")) == "default title"
    if (stock(body.get("inventory_quantity")) or 0) > 0:
        raise Uninteresting("the variant is said to be sold out, but its own numbers say that it is in stock")
    if options_of(context).product_key == "id" and not lone:
        raise Uninteresting("one variant is sold out, which says nothing about the product's others")
    yield _variant(body, context, OUT_OF_STOCK)


def _variant(body: Body, context: Context, status: str) -> ProductStockUpdated:
    key = options_of(context).product_key
    keys = {
        "id": identity(body.get("product_id")),
        "sku": text(body.get("sku"), 120),
        "variant": identity(body.get("id")),
    }
    product_id = keys[key]
    if product_id is None:
        raise Unmappable(f"the variant does not name its product by {key}")
    at = instant(body.get("updated_at"))
    version = f"@{context.delivery_id}" if at is None else f":{at}"
    return ProductStockUpdated(f"stock{version}", product_id, status, None, at)


def _name(body: Body, variants: Sequence[Body], options: ShopifyOptions) -> str:
    product_id = own_id(body, "product")
    if options.product_key == "id":
        return product_id
    if len(variants) != 1:
        raise Uninteresting("the product has several variants, and one delivery can tell of one only")
    lone = variants[0]
    found = text(lone.get("sku"), 120) if options.product_key == "sku" else identity(lone.get("id"))
    if found is None:
        raise Uninteresting(f"the product's variant has no {options.product_key}")
    return found


def _fields(body: Body, variants: Sequence[Body], context: Context) -> Mapping[str, str | None]:
    images = records(body.get("images"))
    fields = {
        "name": text(body.get("title")),
        "brand": text(body.get("vendor")),
        "category": text(body.get("product_type")),
        "imageUrl": text(record(body.get("image")).get("src") or (images[0].get("src") if images else None), 2_048),
        "productUrl": _address(text(body.get("handle")), options_of(context)),
    }
    told: dict[str, str | None] = {name: value for name, value in fields.items() if value is not None}
    return told | _prices(variants, context)


def _prices(variants: Sequence[Body], context: Context) -> dict[str, str | None]:
    """Return the lowest price of all variants; of a reduced one the former is the price, the other the discount's."""
    prices = [
        (price, money(variant.get("compare_at_price"), "variants.compare_at_price"))
        for variant in variants
        if (price := money(variant.get("price"), "variants.price")) is not None and price >= 0
    ]
    if not prices:
        return {}
    price, former = min(prices, key=lambda pair: pair[0])
    if former is not None and former > price:
        return {"price": _written(former, context), "discountPrice": _written(price, context)}
    return {"price": _written(price, context), "discountPrice": None}


def _written(amount: Decimal, context: Context) -> str:
    """Return a price with its currency's decimals; Shopify writes two or three whatever the currency has."""
    unit = Decimal(1).scaleb(-CURRENCIES.get(context.currency, 2))
    return format(amount.quantize(unit, ROUND_HALF_UP), "f")


def _address(handle: str | None, options: ShopifyOptions) -> str | None:
    shop = options.shop_url.rstrip("/")
    return f"{shop}/products/{handle}" if shop and handle else None


def _stock(body: Body, variants: Sequence[Body], options: ShopifyOptions) -> tuple[str | None, int | None]:
    """Return the stock as a word or a number, both None if the body does not state it."""
    hidden = "published_at" in body and body["published_at"] is None
    if word(body.get("status")) in {"archived", "draft"} or hidden:
        return OUT_OF_STOCK, None
    if not variants or not options.stock_from_products:
        return None, None
    if any(word(variant.get("inventory_policy")) == "continue" or _is_uncounted(variant) for variant in variants):
        return IN_STOCK, None
    counts = [stock(variant.get("inventory_quantity")) for variant in variants]
    known = [count for count in counts if count is not None]
    named = len(records(body.get("variant_gids")))
    if len(known) == len(variants) and (named == len(variants) or named < len(variants) < FULL_VARIANTS):
        return None, sum(max(count, 0) for count in known)
    return (IN_STOCK, None) if any(count > 0 for count in known) else (None, None)


def _is_uncounted(variant: Body) -> bool:
    """Older versions say that nobody counts a variant's stock; newer ones do not say it at all."""
    return "inventory_management" in variant and variant["inventory_management"] is None


def _item_and_place(body: Body) -> tuple[str, str]:
    item, place = identity(body.get("inventory_item_id")), identity(body.get("location_id"))
    if item is None or place is None:
        raise Unmappable("the inventory level needs `inventory_item_id` and `location_id`")
    return item, place


def _level_key(place: str, at: int | None, context: Context) -> str:
    return f"level:{place}@{context.delivery_id}" if at is None else f"level:{place}:{at}"
