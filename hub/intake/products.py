"""A stored product, and what an import, an upsert, a patch or a webhook makes of it; no I/O."""

from __future__ import annotations

from operator import attrgetter

from attrs import evolve, fields, frozen

from hub.domain.catalog import status_after_stock
from hub.domain.money import MoneyError, parse_money
from hub.ids import new_id
from hub.intake.inputs import MerchantTerms, ProductChange, ProductInput, ProductPatch
from hub.intake.validation import Invalid
from hub.storage import Row

KEPT_BY_UPSERT = (
    "description",
    "image_url",
    "category",
    "brand",
    "stock_status",
    "commission_type",
    "commission_value",
    "campaign_id",
)


@frozen
class Product:
    """A product as stored; amounts in minor units of its currency, times in milliseconds UTC."""

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

    @classmethod
    def from_row(cls, row: Row) -> Product:
        """Reads a row that holds at least these columns."""
        return cls(*[row[name] for name in COLUMNS])

    def to_row(self) -> tuple[object, ...]:
        """The values for `write_products`."""
        found = search_text(self.name, self.external_product_id, self.brand)
        return (*_lasting(self), found, self.created_at, self.updated_at)

    def differs_from(self, stored: Product | None) -> bool:
        """Whether writing this would change anything but the time of the change."""
        return stored is None or _lasting(self) != _lasting(stored) or self.created_at != stored.created_at


COLUMNS = tuple(field.name for field in fields(Product))
_lasting = attrgetter(*COLUMNS[:-2])
"""Every value but the times."""


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
    optional = {
        name: getattr(given if kept is None or name in given.present else kept, name) for name in KEPT_BY_UPSERT
    }
    price, discount = _minors({"price": given.price, "discountPrice": given.discount_price}, currency)
    omitted = discount is None and "discount_price" not in given.present
    if omitted and kept is not None and kept.discount_minor is not None:
        if kept.currency != currency:
            raise Invalid(["`discountPrice` must be given where the currency changes"])
        discount = kept.discount_minor
    return Product(
        account_id=account_id,
        product_id=stored.product_id if stored else new_id("prd"),
        external_product_id=given.external_product_id,
        name=given.name,
        product_url=given.product_url,
        price_minor=price or 0,
        discount_minor=discount,
        currency=currency,
        status=status_after_stock(stored.status if stored else "ACTIVE", given.stock_status),
        created_at=stored.created_at if stored else now,
        updated_at=now,
        **optional,
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
    return evolve(stored, updated_at=now, **given)


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
