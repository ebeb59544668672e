"""A stored product, and what an import, an upsert, a patch or a webhook makes of it; no I/O."""

from __future__ import annotations

from typing import NamedTuple

from hub.domain.money import MoneyError, parse_money
from hub.domain.orders.catalog import status_after_stock
from hub.ids import new_id
from hub.validation.inputs import MerchantTerms, ProductChange, ProductInput, ProductPatch
from hub.validation.validate import Invalid


class Product(NamedTuple):
    """A product as stored; amounts in minor units of its currency, times in milliseconds UTC.

    `number` is its position in the account's catalogue, None until it is first written. The fields are in three groups:
    what describes a product, what shops change from day to day, then the times and the number.
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

    def differs_from(self, stored: Product | None) -> bool:
        """Return whether writing this would change anything but the time of the change."""
        return stored is None or self[:-2] != stored[:-2]

    def changes_only_offer(self, stored: Product) -> bool:
        """Return whether only prices, stock and status differ, as in most of what shops send day by day."""
        return self[:_OFFER] == stored[:_OFFER]


_OFFER = Product._fields.index("price_minor")
_OPTIONAL = (
    "description",
    "image_url",
    "category",
    "brand",
    "commission_type",
    "commission_value",
    "campaign_id",
    "stock_status",
)
"""What an upsert keeps if it is not given."""


def search_text(name: str, external_product_id: str, brand: str | None) -> str:
    """Return what `search` looks in; the line breaks keep a match from reaching over two fields."""
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
    """Return the product after an import (replaces the whole record) or an upsert (`keeps_omitted`).

    `now` is milliseconds UTC. Raises `Invalid`.
    """
    kept = stored if keeps_omitted else None
    currency = given.currency or (kept.currency if kept else merchant.currency)
    price, discount = _amounts(given, currency)
    if discount is None and kept is not None:
        discount = _kept_discount(given, kept, currency)
    return Product(
        account_id=account_id,
        product_id=stored.product_id if stored else new_id("prd"),
        external_product_id=given.external_product_id,
        name=given.name,
        product_url=given.product_url,
        **{name: _given_or_kept(name, given, kept) for name in _OPTIONAL},
        currency=currency,
        price_minor=price,
        discount_minor=discount,
        status=status_after_stock(stored.status if stored else "ACTIVE", given.stock_status),
        created_at=stored.created_at if stored else now,
        updated_at=now,
        number=stored.number if stored else None,
    )


def _given_or_kept(name: str, given: ProductInput, kept: Product | None) -> str | None:
    value: str | None = getattr(given, name)
    if value is not None or kept is None or name in given.present:
        return value
    kept_value: str | None = getattr(kept, name)
    return kept_value


def _kept_discount(given: ProductInput, kept: Product, currency: str) -> int | None:
    if kept.discount_minor is None or "discount_price" in given.present:
        return None
    if kept.currency != currency:
        raise Invalid(["`discountPrice` must be given if the currency changes"])
    return kept.discount_minor


def patched(stored: Product, patch: ProductPatch | ProductChange, now: int) -> Product:
    """Return the product after a PATCH or a webhook: a given status wins over what the stock word says.

    `now` is milliseconds UTC. Raises `Invalid`.
    """
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
    needed = {"price": "price"}
    if stored.discount_minor is not None:
        needed["discount_price"] = "discountPrice"
    faults = [f"`{wire}` must be given if the currency changes" for name, wire in needed.items() if name not in given]
    if faults:
        raise Invalid(faults)


def _amounts(given: ProductInput, currency: str) -> tuple[int, int | None]:
    """Return price and discount price in minor units; raise `Invalid`, which names both if both are wrong."""
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
