"""What a refund gave back: money by its transactions, goods by its lines; and what edits took out without any money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal

from attrs import frozen

from hub.api import Body, Context, Line, OrderRefunded, Unmappable, refund_key
from hub_shopify.goods import is_goods, part, product_of, worth
from hub_shopify.options import ShopifyOptions, options_of
from hub_shopify.payloads import read_line
from hub_shopify.values import (
    ZERO,
    currency,
    identity,
    instant,
    money,
    own_id,
    quantity,
    record,
    records,
    shop_currency,
    shop_money,
    word,
)


@frozen
class Sums:
    """A refund's own numbers in shop money: its lines, their tax, and what else went back.

    That is shipping, duties and corrections.
    """

    goods: Decimal
    tax: Decimal
    beside: Decimal

    @property
    def all(self) -> Decimal:
        """What they come to: a correction that is negative is more money back."""
        return self.goods + self.tax + self.beside


def refund_fact(refund: Body, order_id: str, context: Context) -> OrderRefunded | None:
    """Give a refund as a fact; None where no money has moved, as when goods are only restocked."""
    name = own_id(refund, "refund")
    back = money_back(refund)
    if back <= 0:
        return None
    return OrderRefunded(
        key=refund_key(name, context.delivery_id),
        order_id=order_id,
        occurred_at=instant(refund.get("processed_at")) or instant(refund.get("created_at")),
        reason=None,
        click_id=None,
        refund_id=name,
        amount=back,
        lines=_lines(refund, back, options_of(context)),
        beside_goods=min(shipping_back(refund) + duties_back(refund), back) or None,
    )


def money_back(refund: Body) -> Decimal:
    """Give what went back in the shop's money: by successful transactions, or by the refund's own numbers.

    Those count where a body has no transactions at all (older versions), or only in the buyer's currency.
    """
    if not isinstance(refund.get("transactions"), list):
        return sums_of(refund).all
    moved = [
        transaction
        for transaction in records(refund["transactions"])
        if word(transaction.get("kind")) == "refund" and word(transaction.get("status")) == "success"
    ]
    shop, told = _shop_currency(refund), {currency(transaction.get("currency")) for transaction in moved} - {None}
    if shop is not None and told - {shop}:
        return sums_of(refund).all
    return sum((money(each.get("amount"), "transactions.amount") or ZERO for each in moved), ZERO)


def sums_of(refund: Body) -> Sums:
    """Add up a refund's lines, adjustments and shipping."""
    goods = tax = beside = ZERO
    for line in records(refund.get("refund_line_items")):
        goods += shop_money(line, "subtotal") or ZERO
        tax += shop_money(line, "total_tax") or ZERO
    adjustments = records(refund.get("order_adjustments"))
    for adjustment in adjustments:
        beside -= (shop_money(adjustment, "amount") or ZERO) + (shop_money(adjustment, "tax_amount") or ZERO)
    if not any(word(each.get("kind")) == "shipping_refund" for each in adjustments):
        beside += _shipping_lines(refund)
    beside += duties_back(refund)
    return Sums(goods, tax, beside)


def shipping_back(refund: Body) -> Decimal:
    """Add up what of a refund was for shipping, with its tax."""
    back = ZERO
    named = [each for each in records(refund.get("order_adjustments")) if word(each.get("kind")) == "shipping_refund"]
    for adjustment in named:
        back -= (shop_money(adjustment, "amount") or ZERO) + (shop_money(adjustment, "tax_amount") or ZERO)
    return max(back if named else _shipping_lines(refund), ZERO)


def duties_back(refund: Body) -> Decimal:
    """Add up what of a refund was for duties and import taxes: they are no goods, so no commission was on them."""
    total = shop_money(refund, "total_duties")
    if total is None:
        total = sum((shop_money(each, "amount") or ZERO for each in records(refund.get("duties"))), ZERO)
    return max(total, ZERO)


def _shipping_lines(refund: Body) -> Decimal:
    back = ZERO
    for shipping in records(refund.get("refund_shipping_lines")):
        back += shop_money(shipping, "subtotal_amount") or ZERO
        back += sum((shop_money(each, "price") or ZERO for each in records(shipping.get("tax_lines"))), ZERO)
    return back


def pieces_of(refunds: Iterable[Body], restock_type: str | None = None) -> Counter[str]:
    """Count the pieces that refunds name, by the order's line; of one way of restocking or of all."""
    pieces: Counter[str] = Counter()
    for refund in refunds:
        for line in records(refund.get("refund_line_items")):
            if restock_type in {None, word(line.get("restock_type"))}:
                pieces[identity(line.get("line_item_id")) or ""] += quantity(line.get("quantity"), 0)
    return pieces


def edited_away(order: Body) -> Mapping[str, int]:
    """Count the pieces of each line that an edit took out before they were paid for: no refund will ever tell of them.

    Where money went back without naming lines it was for them, and that refund tells. A cancelled order is as placed.
    """
    refunds = records(order.get("refunds"))
    moved = [money_back(refund) > 0 for refund in refunds]
    amount_only = any(
        paid and not records(each.get("refund_line_items")) for each, paid in zip(refunds, moved, strict=True)
    )
    if order.get("cancelled_at") is not None or amount_only:
        return {}
    gone = pieces_of(
        refund
        for refund, paid in zip(refunds, moved, strict=True)
        if not paid and refund.get("transactions") == [] and sums_of(refund).all > 0
    )
    named = pieces_of(refunds)
    for line in map(read_line, records(order.get("line_items"))):
        if line.id is not None and line.current_quantity is not None:
            gone[line.id] += max(line.quantity - line.current_quantity - named[line.id], 0)
    return +gone


def _lines(refund: Body, back: Decimal, options: ShopifyOptions) -> tuple[Line, ...]:
    included = _tax_is_inside(sums_of(refund), back)
    stated = []
    for entry in records(refund.get("refund_line_items")):
        line = read_line(record(entry.get("line_item")))
        if not is_goods(line, options):
            continue
        pieces = quantity(entry.get("quantity"), 0)
        net = shop_money(entry, "subtotal")
        if net is None:
            net = part(worth(line, included, options), pieces, line)
        else:
            tax = shop_money(entry, "total_tax") or ZERO
            if included and options.tax == "excluded":
                net -= tax
            elif not included and options.tax == "included":
                net += tax
        stated.append(Line(product_of(line, options), pieces, max(net, ZERO)))
    return tuple(stated)


def _tax_is_inside(sums: Sums, back: Decimal) -> bool:
    """Judge by the money whether the lines' worth contains the tax, which a refund does not say."""
    return sums.tax > 0 and back == sums.goods + sums.beside


def _shop_currency(refund: Body) -> str | None:
    named = [shop_currency(line, "subtotal") for line in records(refund.get("refund_line_items"))]
    named += [shop_currency(each, "amount") for each in records(refund.get("order_adjustments"))]
    named.append(shop_currency(refund, "total_duties"))
    return next((code for code in named if code is not None), None)


def refund_order(refund: Body) -> str:
    """Give the order that a refund belongs to; raises `Unmappable` where it names none."""
    order_id = identity(refund.get("order_id"))
    if order_id is None:
        raise Unmappable("the refund does not say of which order it is: `order_id` is missing")
    return order_id
