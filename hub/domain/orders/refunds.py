"""What refunds leave of a commission: by its frozen terms, in exact fractions, rounded once for each line.

Refunded lines reduce their own part of the order, a refund known only as money reduces every part in proportion to what
the buyer paid; what of it was for shipping, fees or tax alone reduces none. A gift card or a credit of the shop's may
have paid so much that the goods were worth more than the money: then they are the measure. Everything is a sum over the
refunds, so that their order cannot matter, and nothing falls below zero (API specification, Commission resolution).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple

from attrs import Factory, define

from hub.domain.money import round_half_up
from hub.domain.orders.rule_kinds import line_amount
from hub.domain.orders.terms import OrderLine, Refund, TermLine, Terms

# Whole numbers stay integers, which are exact too and far cheaper; only a true division makes a fraction.
Exact = Fraction | int


class Settled(NamedTuple):
    """What is left of terms after refunds, in minor units; `lines` are the terms' own with reduced base and amount."""

    amount_minor: int
    base_minor: int
    lines: tuple[TermLine, ...]
    fully_refunded: bool


@define
class _Loss:
    """What refunds take from the lines of one product, or from the rest of the order: minor units and pieces."""

    money: Exact = 0
    units: Exact = 0


@define
class _Losses:
    """The sums of all refunds: the money stated, what of it is spread over every line, and what each part loses."""

    everything: bool = False
    stated: Exact = 0
    spread: Exact = 0
    of: defaultdict[str | None, _Loss] = Factory(lambda: defaultdict(_Loss))


def settle(terms: Terms, paid_minor: int, order_lines: Sequence[OrderLine], refunds: Sequence[Refund]) -> Settled:
    """Reduce the terms by all refunds known, measured against `paid_minor`, what the buyer paid in all.

    The refund is full once its money reaches that, but not before it reaches what the goods were worth, or once nothing
    is left of any part that had money. Of an order that cost nothing the pieces decide, or else any refund is full. One
    more refund never leaves more.
    """
    if not refunds:
        return Settled(terms.amount_minor, terms.base_minor, terms.lines, False)
    losses, whole = _add_up(terms, order_lines, refunds), max(paid_minor, terms.base_minor)
    if losses.everything or losses.stated >= (whole or _cost_of_none(order_lines, refunds)):
        return _nothing_left(terms)
    kept: Exact = 1
    if losses.spread and whole:
        kept = max(Fraction(0), 1 - Fraction(losses.spread, whole))
    left = [_reduce(line, kept, losses.of[line.external_product_id]) for line in terms.lines]
    if terms.base_minor and not any(base for base, _ in left):
        return _nothing_left(terms)
    bases = _round_together([base for base, _ in left])
    amounts = [_amount(line, *part, terms.currency) for line, part in zip(terms.lines, left, strict=True)]
    return Settled(sum(amounts), sum(bases), _replace(terms, bases, amounts), False)


def _add_up(terms: Terms, order_lines: Sequence[OrderLine], refunds: Sequence[Refund]) -> _Losses:
    worth = _worth_by_product(order_lines)
    pieces = _pieces_by_product(terms)
    losses = _Losses()
    for refund in refunds:
        values = [_value(line, worth) for line in refund.lines]
        by_lines = sum(values)
        money = by_lines if refund.money_minor is None else max(0, refund.money_minor)
        losses.stated += money
        losses.everything |= refund.money_minor is None and not refund.lines
        if not by_lines:
            losses.spread += max(0, money - refund.beside_minor)
        for (product, quantity, _), value in zip(refund.lines, values, strict=True):
            _take(losses, pieces, product, quantity, value)
    return losses


def _cost_of_none(order_lines: Sequence[OrderLine], refunds: Sequence[Refund]) -> int:
    """Return 1, which refunds of no money do not reach, if pieces are left of an order that cost nothing; else 0."""
    counts = [quantity or 0 for refund in refunds for _, quantity, _ in refund.lines]
    is_counted = all(refund.lines for refund in refunds) and min(counts) > 0
    return int(is_counted and sum(counts) < sum(line.quantity for line in order_lines))


def _take(
    losses: _Losses, pieces: dict[str | None, Exact], product: str | None, quantity: int | None, value: Exact
) -> None:
    """Charge a refunded line to its product's part, else to the rest of the order, else to every part."""
    part = product if product in pieces else None
    if part not in pieces:
        losses.spread += value
        return
    losses.of[part].money += value
    losses.of[part].units += quantity if quantity and quantity > 0 else value * pieces[part]


def _worth_by_product(lines: Sequence[OrderLine]) -> dict[str | None, tuple[int, int]]:
    """Return each product's money and pieces in the order, over all of its lines."""
    worth: dict[str | None, tuple[int, int]] = {}
    for line in lines:
        money, quantity = worth.get(line.external_product_id, (0, 0))
        worth[line.external_product_id] = (money + max(0, line.amount_minor), quantity + max(0, line.quantity))
    return worth


def _pieces_by_product(terms: Terms) -> dict[str | None, Exact]:
    """Return how many pieces one minor unit of each part stands for: the measure of a refund without a count."""
    money: dict[str | None, int] = defaultdict(int)
    quantity: dict[str | None, int] = defaultdict(int)
    for line in terms.lines:
        money[line.external_product_id] += line.base_minor
        quantity[line.external_product_id] += line.quantity
    return {part: Fraction(quantity[part], money[part]) if money[part] else 0 for part in money}


def _value(line: tuple[str | None, int | None, int | None], worth: dict[str | None, tuple[int, int]]) -> Exact:
    """Return a refunded line's money: as stated, else its share of what the order's line cost."""
    product, quantity, minor = line
    if minor is not None:
        return max(0, minor)
    money, ordered = worth.get(product, (0, 0))
    if not quantity or quantity < 0 or quantity >= ordered:
        return money
    return Fraction(money * quantity, ordered)


def _reduce(line: TermLine, kept: Exact, loss: _Loss) -> tuple[Exact, Exact]:
    """Return the base and the pieces that are left of a line; its product's next line bears what this one could not."""
    base = line.base_minor * kept
    money, units = min(base, loss.money), min(line.quantity, loss.units)
    loss.money -= money
    loss.units -= units
    return base - money, line.quantity - units


def _amount(line: TermLine, base: Exact, units: Exact, currency: str) -> int:
    if line.base_minor and not base:
        return 0
    return line_amount(line.source, line.type, line.value, base, units, currency)


def _round_together(parts: Sequence[Exact]) -> list[int]:
    """Round parts in such a way that they add up to their rounded sum."""
    sums = [round_half_up(total) for total in accumulate(parts)]
    return [after - before for before, after in pairwise([0, *sums])]


def _nothing_left(terms: Terms) -> Settled:
    zeros = [0] * len(terms.lines)
    return Settled(0, 0, _replace(terms, zeros, zeros), True)


def _replace(terms: Terms, bases: Sequence[int], amounts: Sequence[int]) -> tuple[TermLine, ...]:
    parts = zip(terms.lines, bases, amounts, strict=True)
    return tuple([line._replace(base_minor=base, amount_minor=amount) for line, base, amount in parts])
