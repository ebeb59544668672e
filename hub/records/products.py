"""A product, as every API and the terminal tell it."""

from __future__ import annotations

from typing import Annotated, Final

from attrs import field, frozen

from hub.domain.words import ProductStatus
from hub.records.orders import NOON
from hub.records.record import ABSENT, Note, Pick, Warnings
from hub.validation import field_types as f
from hub.validation.constraints import Instant
from hub.validation.inputs import ProductInput, leading

PRODUCT: Final = "prd_01936f3e8c7a7b3e9d5a4c2b1f0e8d7e"


@frozen(
    kw_only=True,
    slots=False,
    field_transformer=leading(
        "id", "external_product_id", "name", "description", "product_url", "image_url", "category", "brand", "price",
        "discount_price", "currency",
    ),
)  # fmt: skip
class ProductRecord(ProductInput):
    """A product as stored; amounts are decimal strings in `currency`, times RFC 3339 in UTC."""

    id: Annotated[str, Note("The hub's id.", PRODUCT)]
    currency: f.CurrencyCode
    status: Annotated[ProductStatus, Note("ACTIVE until stock, a PATCH or archiving says otherwise.", "ACTIVE")]
    created_at: Annotated[int, Instant("When it was created.", NOON)]
    updated_at: Annotated[int, Instant("When it last changed.", NOON)]
    warnings: Warnings = field(default=None, metadata=ABSENT)


LISTED_PRODUCT: Final = Pick(
    ProductRecord,
    "ProductRecord",
    "A product as stored; amounts are decimal strings in `currency`, times RFC 3339 in UTC.",
    without=("warnings",),
)
"""A product where unknown names are refused, and none is warned of."""
