"""A stored product, and what an import, an upsert, a patch or a webhook makes of it; no I/O."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from typing import NamedTuple

from hub.domain.catalog import status_after_stock
from hub.domain.money import MoneyError, parse_money
from hub.ids import new_id
from hub.intake.inputs import MerchantTerms, ProductChange, ProductInput, ProductPatch
from hub.intake.validation import Invalid
from hub.storage import Row


class Product(NamedTuple):
    """A product as stored; amounts in minor units of its currency, times in milliseconds UTC.

    `number` is its place in the account's catalogue, None until it is written first. A tuple, since a payload makes
    thousands and a row is one already.
    """

    account_id: str
    product_id: str
    external_product_id: str
    name: str
    description: str | None
    product_url: str
    image_url: str | None
    category: str | None
    brand: str | None
    price_minor: int
    discount_minor: int | None
    currency: str
    stock_status: str | None
    commission_type: str | None
    commission_value: str | None
    campaign_id: str | None
    status: str
    created_at: int
    updated_at: int
    number: int | None

    @classmethod
    def from_row(cls, row: Row) -> Product:
        """Reads a row that holds at least these columns."""
        return cls._make(_values(row))

    def differs_from(self, stored: Product | None) -> bool:
        """Whether writing this would change anything but the time of the change."""
        return stored is None or self[:-2] != stored[:-2]

    def restates(self, stored: Product) -> bool:
        """Whether only prices, stock and status differ, as in most of what shops send day by day."""
        return self[:_PRICE] == stored[:_PRICE] and _terms(self) == _terms(stored)


_values = itemgetter(*Product._fields)
_PRICE = Product._fields.index("price_minor")
"""What describes a product stands before its price."""
_terms = attrgetter("currency", "commission_type", "commission_value", "campaign_id")


def search_text(name: str, external_product_id: str, brand: str | None) -> str:
    """What `search` looks in; the line breaks keep a match from reaching over two fields."""
    return "\n".join((name, external_product_id, brand or "")).casefold()


def imported(
    given: ProductInput,
    stored: Product | None,
    account_id: str,
    merchant: MerchantTerms,
    now: int,
    *,
    keeps_omitted: bool,
) -> Product:
    """The product after an import (replaces the whole record) or an upsert (`keeps_omitted`); raises `Invalid`."""
    kept = stored if keeps_omitted else None
    currency = given.currency or (kept.currency if kept else merchant.currency)
    price, discount = _amounts(given, currency)
    present = given.present
    if discount is None and kept is not None and kept.discount_minor is not None and "discount_price" not in present:
        if kept.currency != currency:
            raise Invalid(["`discountPrice` must be given where the currency changes"])
        discount = kept.discount_minor
    return Product(
        account_id,
        stored.product_id if stored else new_id("prd"),
        given.external_product_id,
        given.name,
        given.description if kept is None or "description" in present else kept.description,
        given.product_url,
        given.image_url if kept is None or "image_url" in present else kept.image_url,
        given.category if kept is None or "category" in present else kept.category,
        given.brand if kept is None or "brand" in present else kept.brand,
        price,
        discount,
        currency,
        given.stock_status if kept is None or "stock_status" in present else kept.stock_status,
        given.commission_type if kept is None or "commission_type" in present else kept.commission_type,
        given.commission_value if kept is None or "commission_value" in present else kept.commission_value,
        given.campaign_id if kept is None or "campaign_id" in present else kept.campaign_id,
        status_after_stock(stored.status if stored else "ACTIVE", given.stock_status),
        stored.created_at if stored else now,
        now,
        stored.number if stored else None,
    )


def patched(stored: Product, patch: ProductPatch | ProductChange, now: int) -> Product:
    """The product after a PATCH or a webhook: a given status wins over what the stock word says. Raises `Invalid`."""
    given = {name: getattr(patch, name) for name in patch.present}
    if given.get("currency") not in {None, stored.currency}:
        _require_prices(stored, given)
    texts = {"price": given.pop("price", None), "discountPrice": given.get("discount_price")}
    price, discount = _minors(texts, given.get("currency") or stored.currency)
    if price is not None:
        given["price_minor"] = price
    if "discount_price" in given:
        del given["discount_price"]
        given["discount_minor"] = discount
    given.setdefault("status", status_after_stock(stored.status, patch.stock_status))
    return stored._replace(updated_at=now, **given)


def _require_prices(stored: Product, given: dict[str, object]) -> None:
    """In another currency the stored amounts mean something else."""
    needed = (
        {"price": "price"} if stored.discount_minor is None else {"price": "price", "discount_price": "discountPrice"}
    )
    faults = [
        f"`{wire}` must be given where the currency changes" for name, wire in needed.items() if name not in given
    ]
    if faults:
        raise Invalid(faults)


def _amounts(given: ProductInput, currency: str) -> tuple[int, int | None]:
    """Price and discount price in minor units; raises `Invalid`, which names both where both are wrong."""
    discount = given.discount_price
    try:
        return parse_money(given.price, currency), None if discount is None else parse_money(discount, currency)
    except MoneyError:
        _minors({"price": given.price, "discountPrice": discount}, currency)
        raise


def _minors(amounts: dict[str, str | None], currency: str) -> list[int | None]:
    minors: list[int | None] = []
    faults = []
    for wire, text in amounts.items():
        try:
            minors.append(None if text is None else parse_money(text, currency))
        except MoneyError as error:
            faults.append(f"`{wire}` {error}")
    if faults:
        raise Invalid(faults)
    return minors
