"""Stored products as the API tells of them."""

from __future__ import annotations

from attrs import asdict

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.intake.products import Product
from hub.web.responses import ProductRecord


def product_record(product: Product) -> ProductRecord:
    """What the API tells of a product."""
    values = asdict(product)
    del values["account_id"]
    discount = values.pop("discount_minor")
    return ProductRecord(
        id=values.pop("product_id"),
        price=format_money(values.pop("price_minor"), product.currency),
        discount_price=None if discount is None else format_money(discount, product.currency),
        created_at=format_instant(values.pop("created_at")),
        updated_at=format_instant(values.pop("updated_at")),
        **values,
    )
