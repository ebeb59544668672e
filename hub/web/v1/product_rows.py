"""Stored products as the API tells of them (`hub.web.responses.ProductRecord`), ready for JSON: lists hold hundreds."""

from __future__ import annotations

from typing import Any

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.intake.products import COLUMNS, Product
from hub.storage import Row


def product_record(row: Row) -> dict[str, Any]:
    """What the API tells of a product, from its row."""
    currency, discount = row["currency"], row["discount_minor"]
    return {
        "id": row["product_id"],
        "externalProductId": row["external_product_id"],
        "name": row["name"],
        "description": row["description"],
        "productUrl": row["product_url"],
        "imageUrl": row["image_url"],
        "category": row["category"],
        "brand": row["brand"],
        "price": format_money(row["price_minor"], currency),
        "discountPrice": None if discount is None else format_money(discount, currency),
        "currency": currency,
        "stockStatus": row["stock_status"],
        "commissionType": row["commission_type"],
        "commissionValue": row["commission_value"],
        "campaignId": row["campaign_id"],
        "status": row["status"],
        "createdAt": format_instant(row["created_at"]),
        "updatedAt": format_instant(row["updated_at"]),
    }


def told(product: Product) -> dict[str, Any]:
    """What the API tells of a product that has just been written."""
    return product_record({name: getattr(product, name) for name in COLUMNS})
