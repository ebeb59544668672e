"""Products written into the store, with the JSON that the API returns of them and their number in the catalogue."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from hub.catalog.product import Product, search_text
from hub.catalog.product_json import product_json
from hub.catalog.rate_changes import ChangedRate, Rate, note_rates
from hub.storage import Tx

ProductWrite = tuple[Product, Product | None]
"""A product as it shall be, and as it is stored; None for a new one."""


WholeProduct = namedtuple(  # type: ignore[misc]  # noqa: PYI024  # neither tool knows fields that are computed
    "WholeProduct", (*Product._fields, "search_text", "record")
)
"""A row of `write_products`: a product, what `search` looks in, and its JSON."""


class ProductOffer(NamedTuple):
    """A row of `write_offers`: what shops change day by day."""

    account_id: str
    product_id: str
    price_minor: int
    discount_minor: int | None
    stock_status: str | None
    status: str
    updated_at: int
    record: str


async def write_products(tx: Tx, writes: Iterable[ProductWrite], changed_by: str) -> None:
    """Write products, in a transaction that holds the catalogues of their accounts; new ones get their number.

    `changed_by` is noted with each rate that changes.
    """
    offers, whole, rates = [], [], []
    for product, stored in writes:
        if stored is not None and _rate(product) != _rate(stored):
            rates.append((product, stored))
        if stored is not None and product.changes_only_offer(stored):
            offers.append(_offer(product))
        else:
            whole.append(product)
    if offers:
        await tx.run("write_offers", products=offers)
    if whole:
        growing = {product.account_id for product in whole if product.number is None}
        numbers = {account_id: count(await _total(tx, account_id) + 1) for account_id in growing}
        rows = [_whole(product, product.number or next(numbers[product.account_id])) for product in whole]
        await tx.run("write_products", products=rows)
    await note_rates(tx, [
        ChangedRate.of(product.account_id, "PRODUCT", product.external_product_id, _rate(stored), _rate(product),
                       product.updated_at, changed_by)
        for product, stored in rates
    ])  # fmt: skip


def _rate(product: Product) -> Rate:
    return product.commission_type, product.commission_value


async def _total(tx: Tx, account_id: str) -> int:
    row = await tx.one("products_total", account_id=account_id)
    return row["total"] if row else 0


def _offer(product: Product) -> ProductOffer:
    return ProductOffer(
        product.account_id,
        product.product_id,
        product.price_minor,
        product.discount_minor,
        product.stock_status,
        product.status,
        product.updated_at,
        product_json(product),
    )


def _whole(product: Product, number: int) -> WholeProduct:
    text = search_text(product.name, product.external_product_id, product.brand)
    return WholeProduct._make((*product._replace(number=number), text, product_json(product)))
