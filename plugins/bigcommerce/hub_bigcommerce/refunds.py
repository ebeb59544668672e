"""An order's refunds, from V3: each says which lines, shipping and fees it was for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal

from hub.api import (
    Body,
    Context,
    Line,
    OrderRefunded,
    OrderUnclear,
    as_quantity,
    as_records,
    as_text,
    refund_key,
    status_key,
)
from hub_bigcommerce.goods import items_of, product_of, worth
from hub_bigcommerce.options import BigCommerceOptions, options_of
from hub_bigcommerce.values import ZERO, identity, moment, money

BESIDE_GOODS = frozenset({"SHIPPING", "HANDLING", "GIFT_WRAPPING", "FEE", "TAX"})
REFUNDED = 4
CENT = Decimal("0.0001")


def refunds_of(order: Body, order_id: str, context: Context) -> Iterator[OrderRefunded | OrderUnclear]:
    """Yield each refund by its id, and that all was refunded if only the status says so.

    A status "Refunded" with less money back than the order cost contradicts itself: the money counts, and a person is
    asked to look.
    """
    options, back = options_of(context), ZERO
    bought = {identity(item.get("id")): item for item in items_of(order)}
    by_id = {identity(refund.get("id")): refund for refund in as_records(order.get("refunds"))}
    for name, refund in by_id.items():
        amount = _money_back(refund)
        if name is None or amount <= 0:
            continue
        back += amount
        reason = as_text(refund.get("reason"), 10_000)
        yield OrderRefunded(
            refund_key(name, context.delivery_id), order_id, moment(refund.get("created")), reason and reason[:1_000],
            None, name, amount, tuple(_lines(refund, bought, options)),
            beside_goods=min(_beside_goods(refund), amount) or None,
        )  # fmt: skip
    total = money(order.get("total_inc_tax"), "total_inc_tax")
    if order.get("status_id") != REFUNDED:
        return
    if back and back < total:
        reason = f"the order is called refunded, but {back} of {total} went back"
        yield OrderUnclear("refunded_in_part", order_id, reason)
    elif not back:
        at = moment(order.get("date_modified"))
        yield OrderRefunded(status_key("refunded", None), order_id, at, None, None, None, None, (), whole=True)


def _money_back(refund: Body) -> Decimal:
    """Return what a refund gave back: its total, less the payments that the provider declined."""
    declined = (
        money(each.get("amount"), "payments.amount")
        for each in as_records(refund.get("payments"))
        if each.get("is_declined") is True
    )
    return money(refund.get("total_amount"), "total_amount") - sum(declined, ZERO)


def _beside_goods(refund: Body) -> Decimal:
    """Return what of a refund was for shipping, fees or tax alone; a refund without items adjusts only the tax."""
    items = as_records(refund.get("items"))
    if not items:
        return abs(money(refund.get("total_tax"), "total_tax"))
    return sum((_requested(item) for item in items if as_text(item.get("item_type")) in BESIDE_GOODS), ZERO)


def _requested(item: Body) -> Decimal:
    return abs(money(item.get("requested_amount"), "requested_amount"))


def _lines(refund: Body, bought: Mapping[str | None, Body], options: BigCommerceOptions) -> Iterator[Line]:
    """Yield the goods that came back, worth what the order's lines were worth, less what was kept of them."""
    for part in as_records(refund.get("items")):
        item = bought.get(identity(part.get("item_id")))
        if part.get("item_type") != "PRODUCT" or item is None:
            continue
        pieces = as_quantity(part.get("quantity"), 0)
        had = as_quantity(item.get("quantity"), 1) or 1
        kept = sum((money(each.get("amount"), "amount") for each in as_records(part.get("adjustments"))), ZERO)
        each_line = (worth(item, options) * pieces / had).quantize(CENT, ROUND_HALF_UP)
        if pieces:
            yield Line(product_of(item, options), pieces, max(each_line + kept, ZERO))
