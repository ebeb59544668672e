"""A stored product, and what an import, an upsert, a patch or a webhook makes of it; no I/O."""

from __future__ import annotations

from operator import itemgetter
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
    thousands; what shops change day by day stands behind what describes a product, the times and the number last.
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
    currency: str
    commission_type: str | None
    commission_value: str | None
    campaign_id: str | None
    price_minor: int
    discount_minor: int | None
    stock_status: str | None
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
        return self[:_PRICE] == stored[:_PRICE]


_values = itemgetter(*Product._fields)
_PRICE = Product._fields.index("price_minor")


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
    if discount is None and kept is not None:
        discount = _kept_discount(given, kept, currency)
    cleared = given.present
    description, image_url, category, brand = given.description, given.image_url, given.category, given.brand
    stock_status, campaign_id = given.stock_status, given.campaign_id
    kind, value = given.commission_type, given.commission_value
    return Product._make((
        account_id, stored.product_id if stored else new_id("prd"), given.external_product_id, given.name,
        description if description is not None or kept is None or "description" in cleared else kept.description,
        given.product_url,
        image_url if image_url is not None or kept is None or "image_url" in cleared else kept.image_url,
        category if category is not None or kept is None or "category" in cleared else kept.category,
        brand if brand is not None or kept is None or "brand" in cleared else kept.brand,
        currency,
        kind if kind is not None or kept is None or "commission_type" in cleared else kept.commission_type,
        value if value is not None or kept is None or "commission_value" in cleared else kept.commission_value,
        campaign_id if campaign_id is not None or kept is None or "campaign_id" in cleared else kept.campaign_id,
        price,
        discount,
        stock_status if stock_status is not None or kept is None or "stock_status" in cleared else kept.stock_status,
        status_after_stock(stored.status if stored else "ACTIVE", stock_status),
        stored.created_at if stored else now, now, stored.number if stored else None,
    ))  # fmt: skip


def _kept_discount(given: ProductInput, kept: Product, currency: str) -> int | None:
    if kept.discount_minor is None or "discount_price" in given.present:
        return None
    if kept.currency != currency:
        raise Invalid(["`discountPrice` must be given where the currency changes"])
    return kept.discount_minor


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
