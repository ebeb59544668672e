"""What an order's goods are worth: each line after all discounts, with or without its tax."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from hub.api import Body, Line, Unmappable, as_lines, as_quantity, as_records, as_text
from hub_bigcommerce.options import BigCommerceOptions
from hub_bigcommerce.values import ZERO, identity, money


def goods_of(order: Body, options: BigCommerceOptions) -> tuple[Decimal, tuple[Line, ...]]:
    """Return the worth of all goods and each line's; raise `Unmappable` if the order's lines were not fetched."""
    lines = tuple(
        Line(product_of(item, options), as_quantity(item.get("quantity"), 1) or 1, worth(item, options))
        for item in items_of(order)
    )
    return sum((line.amount or ZERO for line in lines), ZERO), lines


def items_of(order: Body) -> Iterator[Body]:
    """Yield an order's lines, without gift certificates: money that is spent later."""
    return (item for item in as_lines(order.get("products"), "products") if item.get("type") != "giftcertificate")


def worth(item: Body, options: BigCommerceOptions) -> Decimal:
    """Return what a line cost after every discount.

    `discounted_total_inc_tax` has taken off all discounts, and `total_tax` is the tax on what is left. Older answers
    lack the former; there the discounts of the line are taken off its price.
    """
    after = item.get("discounted_total_inc_tax")
    if after is not None:
        total = money(after, "discounted_total_inc_tax")
        return max(total - (ZERO if options.tax == "included" else money(item.get("total_tax"), "total_tax")), ZERO)
    field = "total_inc_tax" if options.tax == "included" else "total_ex_tax"
    if item.get(field) is None:
        raise Unmappable(f"a line has no `{field}`")
    off = (money(each.get("amount"), "applied_discounts.amount") for each in as_records(item.get("applied_discounts")))
    return max(money(item[field], field) - sum(off, ZERO), ZERO)


def product_of(item: Body, options: BigCommerceOptions) -> str | None:
    """Return the product that a line names; None for a custom product."""
    if options.product_key == "sku":
        return as_text(item.get("sku"), 120)
    product = identity(item.get("product_id"))
    return (identity(item.get("variant_id")) or product) if options.product_key == "variant" else product
