"""What an order's goods are worth: the lines' totals after discounts, which WooCommerce always writes without tax."""

from __future__ import annotations

from decimal import Decimal

from hub.api import Body, Line, Unmappable
from hub_woocommerce.options import WooOptions
from hub_woocommerce.values import ZERO, due_money, identity, money, number_or_text, pieces, records


def goods_of(order: Body, options: WooOptions) -> tuple[Decimal, tuple[Line, ...]]:
    """Give the worth of all goods and each line's; raises `Unmappable` where a line has no total.

    A line below zero (a trade-in, a deposit that is set off) is no product, but takes off what the goods are worth: the
    hub pays for lines up to the order's amount.
    """
    if not isinstance(order.get("line_items"), list | dict):
        raise Unmappable("the order has no `line_items`, so nothing says what it is worth")
    worths = [(item, worth(item, options)) for item in records(order["line_items"])]
    lines = tuple(
        Line(product_of(item, options), pieces(item.get("quantity")) or 1, total)
        for item, total in worths
        if total >= ZERO
    )
    amount = sum((total for _, total in worths), ZERO)
    if options.fees:
        amount += sum((worth(fee, options) for fee in records(order.get("fee_lines"))), ZERO)
    return max(ZERO, amount), lines


def worth(item: Body, options: WooOptions) -> Decimal:
    """Give a line's total, with its tax where the options ask for it."""
    total = due_money(item.get("total"), "line_items.total")
    if options.tax == "included":
        total += money(item.get("total_tax"), "line_items.total_tax") or ZERO
    return total


def product_of(item: Body, options: WooOptions) -> str | None:
    """Give the product that a line names; None where it was deleted or has no SKU."""
    if options.product_key == "sku":
        sku = number_or_text(item.get("sku"))
        return sku if sku is None or len(sku) <= 120 else None
    product = identity(item.get("product_id"))
    return (identity(item.get("variation_id")) or product) if options.product_key == "variation" else product
