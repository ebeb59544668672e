"""A product as the API tells of it (`hub.web.responses.ProductRecord`), and what is written of it into the store."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Any

import orjson

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.intake.products import Product, search_text
from hub.storage import Row, Tx

# Of the thousands of products in a payload many have a price in common, and all of them their moment.
_money = lru_cache(maxsize=4_096)(format_money)
_instant = lru_cache(maxsize=256)(format_instant)


def record_of(row: Row) -> str:
    """The JSON of a stored product: as it was kept, or told anew where only the columns were changed."""
    kept: str | None = row["record"]
    return kept if kept is not None else _json(Product.from_row(row))


def told(product: Product) -> dict[str, Any]:
    """What the API tells of a product, ready for JSON."""
    (
        _, product_id, external_product_id, name, description, product_url, image_url, category, brand,
        currency, commission_type, commission_value, campaign_id, price, discount, stock_status, status,
        created_at, updated_at, _,
    ) = product  # fmt: skip
    return {
        "id": product_id,
        "externalProductId": external_product_id,
        "name": name,
        "description": description,
        "productUrl": product_url,
        "imageUrl": image_url,
        "category": category,
        "brand": brand,
        "price": _money(price, currency),
        "discountPrice": None if discount is None else _money(discount, currency),
        "currency": currency,
        "stockStatus": stock_status,
        "commissionType": commission_type,
        "commissionValue": commission_value,
        "campaignId": campaign_id,
        "status": status,
        "createdAt": _instant(created_at),
        "updatedAt": _instant(updated_at),
    }


Change = tuple[Product, Product | None]
"""A product as it shall be, and as it is stored; None for a new one."""


async def write_products(tx: Tx, changes: Iterable[Change]) -> None:
    """Writes products, in a transaction that holds the catalogues of their accounts; new ones get their number."""
    restated, whole = [], []
    for product, stored in changes:
        if stored is not None and product.restates(stored):
            restated.append(_restated(product))
        else:
            whole.append(product)
    if restated:
        await tx.run("restate_products", products=restated)
    if whole:
        growing = {product.account_id for product in whole if product.number is None}
        numbers = {account_id: count(await _total(tx, account_id) + 1) for account_id in growing}
        rows = [_row(product, product.number or next(numbers[product.account_id])) for product in whole]
        await tx.run("write_products", products=rows)


async def _total(tx: Tx, account_id: str) -> int:
    row = await tx.one("products_total", account_id=account_id)
    return row["total"] if row else 0


def _restated(product: Product) -> tuple[object, ...]:
    return (
        product.account_id,
        product.product_id,
        product.price_minor,
        product.discount_minor,
        product.stock_status,
        product.status,
        product.updated_at,
        _json(product),
    )


def _row(product: Product, number: int) -> tuple[object, ...]:
    found = search_text(product.name, product.external_product_id, product.brand)
    return (*product[:-1], number, found, _json(product))


def _json(product: Product) -> str:
    return orjson.dumps(told(product)).decode()
