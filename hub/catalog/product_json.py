"""A product as it is told (`hub.records.products`), made of its columns and kept as JSON beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

import orjson

from hub.catalog.product import Product
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.records.products import ProductRecord
from hub.records.record import members_of
from hub.storage import Row, pick_record

_COLUMNS: Final[Mapping[str, str]] = {"id": "product_id", "price": "price_minor", "discount_price": "discount_minor"}
"""What members are stored as, where it is not by their own names."""
_MEMBERS: Final = tuple(member for member in members_of(ProductRecord) if not member.optional)
_WIRE: Final = tuple(member.wire for member in _MEMBERS)
_values: Final[Callable[[Product], tuple[Any, ...]]] = attrgetter(
    *(_COLUMNS.get(member.name, member.name) for member in _MEMBERS)
)
_instant = lru_cache(maxsize=256)(format_instant)
"""All products of a payload have their moment in common."""


def product_document(product: Product) -> dict[str, Any]:
    """Return what is told of a product, ready for JSON."""
    told, currency, discount = dict(zip(_WIRE, _values(product), strict=True)), product.currency, product.discount_minor
    told["price"] = format_money(product.price_minor, currency)
    told["discountPrice"] = None if discount is None else format_money(discount, currency)
    told["createdAt"], told["updatedAt"] = _instant(product.created_at), _instant(product.updated_at)
    return told


def product_json(product: Product) -> str:
    """Return the JSON of a product."""
    return orjson.dumps(product_document(product)).decode()


def stored_json(row: Row) -> str:
    """Return the JSON of a row of products: as it was stored, or written anew if only the columns were changed."""
    stored: str | None = row["record"]
    return stored if stored is not None else product_json(pick_record(Product, row))
