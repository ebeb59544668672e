"""An order's refunds: the body has their ids and money; our WordPress plugin adds when they were and of which lines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from hub.api import Body, Context, Line, OrderRefunded, OrderUnclear, refund_key, status_key
from hub_woocommerce.clicks import OWN
from hub_woocommerce.goods import product_of, worth
from hub_woocommerce.options import WooOptions, options_of
from hub_woocommerce.values import ZERO, due_money, identity, instant, money, pieces, record, records, text, word


def refunds_of(order: Body, order_id: str, goods: Decimal, context: Context) -> Iterator[OrderRefunded | OrderUnclear]:
    """Give each refund by its id, and that all was refunded where only the status says so.

    A status "refunded" with less money back than the order cost contradicts itself: the money counts, and a person is
    asked to look. So do the lines where a gift card paid so much that all the money went back for a part of the
    `goods`: WooCommerce sets the status once no money is left to give back.
    """
    options, back, returned = options_of(context), ZERO, ZERO
    details = {identity(each.get("id")): each for each in records(record(order.get(OWN)).get("refunds"))}
    by_id = {identity(each.get("id")): each for each in records(order.get("refunds"))}
    for name, refund in by_id.items():
        if name is None:
            continue
        amount = abs(due_money(refund.get("total"), "refunds.total"))
        detail = details.get(name, {})
        lines = tuple(_lines(order, detail, options))
        back += amount
        returned += sum((line.amount or ZERO for line in lines), ZERO)
        if amount or lines:
            # Without our plugin the refund's own time is not known, and the order's is of whatever changed last.
            at = instant(detail.get("date_gmt")) or instant(order.get("date_modified_gmt"))
            why = text(refund.get("reason"), 10_000)
            yield OrderRefunded(
                refund_key(name, context.delivery_id), order_id, at, why and why[:1_000], None, name, amount, lines,
                beside_goods=min(_beside_goods(detail, options), amount) or None,
            )  # fmt: skip
    total = money(order.get("total"), "total")
    if word(order.get("status")) != "refunded":
        return
    if back and total is not None and back < total:
        yield OrderUnclear(
            "refunded_in_part", order_id, f"the order is called refunded, but {back} of {total} went back"
        )
    elif total is not None and total < goods and 0 < returned < goods:
        yield OrderUnclear(
            "refunded_in_part", order_id, f"the order is called refunded, but goods for {returned} of {goods} came back"
        )
    elif not back or (total is not None and total < goods):
        at = instant(order.get("date_modified_gmt"))
        yield OrderRefunded(status_key("refunded", None), order_id, at, None, None, None, None, (), whole=True)


def refund_ids_of(order: Body) -> tuple[str, ...] | None:
    """Give the ids of all refunds that the order has by now: WooCommerce shows them all, and forgets deleted ones."""
    if not isinstance(order.get("refunds"), list):
        return None
    ids = (identity(each.get("id")) for each in records(order["refunds"]))
    return tuple(sorted({each for each in ids if each is not None}))


def _beside_goods(detail: Body, options: WooOptions) -> Decimal:
    """Give what of a refund was for shipping, fees or tax alone, as our plugin states it; else 0."""
    beside = _both(detail.get("shipping")) + (ZERO if options.fees else _both(detail.get("fees")))
    if options.tax == "excluded":
        alone = (line for line in records(detail.get("lines")) if not _money(line, "total"))
        beside += sum((_money(line, "total_tax") for line in alone), ZERO)
    return beside


def _both(sums: object) -> Decimal:
    """Give a sum with its tax."""
    return _money(record(sums), "total") + _money(record(sums), "total_tax")


def _money(part: Body, name: str) -> Decimal:
    return abs(money(part.get(name), name) or ZERO)


def _fees(detail: Body, options: WooOptions) -> Decimal:
    fees = record(detail.get("fees"))
    return _both(fees) if options.tax == "included" else _money(fees, "total")


def _lines(order: Body, detail: Body, options: WooOptions) -> Iterator[Line]:
    bought = {identity(item.get("id")): item for item in records(order.get("line_items"))}
    for line in records(detail.get("lines")):
        item = bought.get(identity(line.get("item_id")))
        amount: Decimal = abs(worth(line, options))
        count = pieces(line.get("quantity"))
        if item is not None and (amount or count):
            yield Line(product_of(item, options), count, amount)
    if options.fees and (fees := _fees(detail, options)):
        yield Line(None, 0, fees)
