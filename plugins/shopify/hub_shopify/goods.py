"""What the commission is taken from: goods net of discounts, without gift cards, tips, excise taxes and shipping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from attrs import evolve, frozen

from hub.api import Body, Line
from hub_shopify.options import ShopifyOptions
from hub_shopify.payloads import LineItem, read_line
from hub_shopify.values import ZERO, fine, records, shop_money

EXCISE = "excise tax"


@frozen
class Goods:
    """The lines that earn, each with its net worth, as stated to the hub."""

    lines: tuple[Line, ...]

    @property
    def amount(self) -> Decimal:
        """What they are worth together."""
        return sum((line.amount or ZERO for line in self.lines), ZERO)


def goods_of(order: Body, gone: Mapping[str, int], options: ShopifyOptions) -> Goods:
    """Give an order's goods; `gone` counts the pieces of each line that an edit took out before they were paid."""
    lines = taxed([read_line(line) for line in records(order.get("line_items"))], order)
    tip = _tip_among(lines, shop_money(order, "total_tip_received") or ZERO)
    included = order.get("taxes_included") is True
    stated = []
    for line in lines:
        if not is_goods(line, options) or line is tip:
            continue
        left = line.quantity - gone.get(line.id or "", 0)
        if left > 0:
            stated.append(Line(product_of(line, options), left, part(worth(line, included, options), left, line)))
    return Goods(tuple(stated))


def taxed(lines: Sequence[LineItem], order: Body) -> Sequence[LineItem]:
    """Give the lines with their taxes; where no line states any, the order's tax by what the lines cost."""
    tax = shop_money(order, "total_tax") or ZERO
    if not tax or any(line.tax is not None for line in lines):
        return lines
    for shipping in records(order.get("shipping_lines")):
        tax -= sum((shop_money(each, "price") or ZERO for each in records(shipping.get("tax_lines"))), ZERO)
    nets = [ZERO if line.gift_card else max(line.gross - line.discount, ZERO) for line in lines]
    total = sum(nets, ZERO)
    if not total:
        return lines
    return [evolve(line, tax=fine(max(tax, ZERO) * net / total)) for line, net in zip(lines, nets, strict=True)]


def worth(line: LineItem, taxes_included: bool, options: ShopifyOptions) -> Decimal:
    """Give what a whole line is worth after discounts, with or without tax as the store has it."""
    net, tax = line.gross - line.discount, line.tax or ZERO
    if taxes_included and options.tax == "excluded":
        net -= tax
    if not taxes_included and options.tax == "included":
        net += tax
    return max(net, ZERO)


def part(amount: Decimal, pieces: int, line: LineItem) -> Decimal:
    """Give what some pieces of a line are worth."""
    return amount if pieces >= line.quantity else fine(amount * pieces / line.quantity)


def is_goods(line: LineItem, options: ShopifyOptions) -> bool:
    """Tell goods from what only looks like them: gift cards, tips, taxes sold as lines, and what the store excludes."""
    if line.gift_card or line.tip or EXCISE in (line.title or "").lower():
        return False
    return not {line.product_id, line.variant_id, line.sku, line.title} & set(options.excluded)


def product_of(line: LineItem, options: ShopifyOptions) -> str | None:
    """Give the name of a line's product in the catalogue; a deleted or custom one has none but its sku."""
    if options.product_key == "sku":
        return line.sku
    return line.variant_id if options.product_key == "variant" else line.product_id


def _tip_among(lines: Sequence[LineItem], tip: Decimal) -> LineItem | None:
    """Return the line of a tip that came under a name in any language; None where a line says that it is the tip.

    Of several without a product that cost as much, which custom lines may, it is the last.
    """
    if tip <= 0 or any(line.tip for line in lines):
        return None
    nameless = [line for line in lines if line.product_id is None and line.variant_id is None and line.sku is None]
    return next((line for line in reversed(nameless) if line.gross == tip), None)
