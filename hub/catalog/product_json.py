"""A product as the API returns it (`hub.merchant_api.responses.ProductRecord`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson

from hub.catalog.product import Product
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.storage import Row, pick_record

_instant = lru_cache(maxsize=256)(format_instant)
"""All products of a payload have their moment in common."""


def product_document(product: Product) -> dict[str, Any]:
    """Return what the API returns of a product, ready for JSON."""
    currency, discount = product.currency, product.discount_minor
    return {
        "id": product.product_id,
        "externalProductId": product.external_product_id,
        "name": product.name,
        "description": product.description,
        "productUrl": product.product_url,
        "imageUrl": product.image_url,
        "category": product.category,
        "brand": product.brand,
        "price": format_money(product.price_minor, currency),
        "discountPrice": None if discount is None else format_money(discount, currency),
        "currency": currency,
        "stockStatus": product.stock_status,
        "commissionType": product.commission_type,
        "commissionValue": product.commission_value,
        "campaignId": product.campaign_id,
        "status": product.status,
        "createdAt": _instant(product.created_at),
        "updatedAt": _instant(product.updated_at),
    }


def product_json(product: Product) -> str:
    """Return the JSON of a product."""
    return orjson.dumps(product_document(product)).decode()


def stored_json(row: Row) -> str:
    """Return the JSON of a row of products: as it was stored, or written anew if only the columns were changed."""
    stored: str | None = row["record"]
    return stored if stored is not None else product_json(pick_record(Product, row))
