"""An order's refunds: the body has their ids and money; our WordPress plugin adds when they were and of which lines."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from hub.api import Body, Context, Line, OrderRefunded, refund_key, status_key
from hub_woocommerce.clicks import OWN
from hub_woocommerce.goods import product_of, worth
from hub_woocommerce.options import WooOptions, options_of
from hub_woocommerce.values import ZERO, due_money, identity, instant, money, pieces, record, records, text, word


def refunds_of(order: Body, order_id: str, context: Context) -> Iterator[OrderRefunded]:
    """Give each refund by its id, and that all was refunded where only the status says so."""
    options, back = options_of(context), ZERO
    details = {identity(each.get("id")): each for each in records(record(order.get(OWN)).get("refunds"))}
    by_id = {identity(each.get("id")): each for each in records(order.get("refunds"))}
    for name, refund in by_id.items():
        if name is None:
            continue
        amount = abs(due_money(refund.get("total"), "refunds.total"))
        detail = details.get(name, {})
        lines = tuple(_lines(order, detail, options))
        back += amount
        if amount or lines:
            # Without our plugin the refund's own time is not known, and the order's is of whatever changed last.
            at = instant(detail.get("date_gmt")) or instant(order.get("date_modified_gmt"))
            why = text(refund.get("reason"), 10_000)
            yield OrderRefunded(
                refund_key(name, context.delivery_id), order_id, at, why and why[:1_000], None, name, amount, lines
            )
    total = money(order.get("total"), "total")
    if word(order.get("status")) == "refunded" and (not back or (total is not None and back < total)):
        at = instant(order.get("date_modified_gmt"))
        yield OrderRefunded(status_key("refunded", None), order_id, at, None, None, None, None, (), whole=True)


def _lines(order: Body, detail: Body, options: WooOptions) -> Iterator[Line]:
    bought = {identity(item.get("id")): item for item in records(order.get("line_items"))}
    for line in records(detail.get("lines")):
        item = bought.get(identity(line.get("item_id")))
        amount: Decimal = abs(worth(line, options))
        count = pieces(line.get("quantity"))
        if item is not None and (amount or count):
            yield Line(product_of(item, options), count, amount)
