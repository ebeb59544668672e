"""A product as the API tells of it (`hub.web.responses.ProductRecord`), and what is written of it into the store."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import orjson

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.intake.products import Product, search_text
from hub.storage import Row, Tx


def record_of(row: Row) -> str:
    """The JSON of a stored product: as it was kept, or told anew where only the columns were changed."""
    kept: str | None = row["record"]
    return kept if kept is not None else _json(Product.from_row(row))


def told(product: Product) -> dict[str, Any]:
    """What the API tells of a product, ready for JSON."""
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
        "createdAt": format_instant(product.created_at),
        "updatedAt": format_instant(product.updated_at),
    }


async def write_products(tx: Tx, products: Sequence[Product]) -> None:
    """Writes products whole and numbers the new ones; the transaction holds the catalogues of their accounts."""
    growing = {product.account_id for product in products if product.number is None}
    numbers = {account_id: count(await _total(tx, account_id) + 1) for account_id in growing}
    rows = [_row(product, product.number or next(numbers[product.account_id])) for product in products]
    await tx.run("write_products", products=rows)


async def _total(tx: Tx, account_id: str) -> int:
    row = await tx.one("products_total", account_id=account_id)
    return row["total"] if row else 0


def _row(product: Product, number: int) -> tuple[object, ...]:
    found = search_text(product.name, product.external_product_id, product.brand)
    return (*product[:-1], number, found, _json(product))


def _json(product: Product) -> str:
    return orjson.dumps(told(product)).decode()
