"""The records of a commission: rules, order lines, refunds and the decided terms, with their form as JSON.

They are tuples because every order makes a dozen of them, and a frozen class sets each field by a call of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from hub.domain.money import format_money, read_money
from hub.domain.orders.rule_kinds import RuleType
from hub.domain.words import CommissionSource, RuleSource

LevelOutcome = Literal["won", "no_product", "no_rule", "currency_differs"]


class Rule(NamedTuple):
    """A commission rule; `value` is a percentage such as "8.25", or an amount in the merchant's currency."""

    type: RuleType
    value: str


class OrderLine(NamedTuple):
    """One line of an order; `external_product_id` is None for what is not a product of the catalogue."""

    external_product_id: str | None
    quantity: int
    amount_minor: int


class Refund(NamedTuple):
    """One refund: its money if stated, and its lines as (external product id, quantity, minor units).

    A quantity of None or 0 is not stated, and money of None is not. A refund with neither money nor lines takes back
    the whole order. `beside_minor` of the money was for no goods: shipping, fees, tax alone. With `as_of`, a
    version of the order, it is all that went back so far.
    """

    money_minor: int | None
    lines: tuple[tuple[str | None, int | None, int | None], ...]
    beside_minor: int = 0
    as_of: int | None = None


class Level(NamedTuple):
    """One level that was tried and its outcome: "won", or why it lost; with the product if it was tried for one."""

    level: RuleSource
    outcome: LevelOutcome
    external_product_id: str | None = None
    type: RuleType | None = None
    value: str | None = None


class TermLine(NamedTuple):
    """A part of the order and the rule that pays for it; the rest of the order is a line without a product."""

    external_product_id: str | None
    source: RuleSource
    type: RuleType
    value: str
    base_minor: int
    quantity: int
    amount_minor: int


_AMOUNT: Final = attrgetter("amount_minor")
_BASE: Final = attrgetter("base_minor")


class Terms(NamedTuple):
    """The frozen decision; if lines differ, `source` is MIXED, and `type` and `value` are None."""

    source: CommissionSource
    type: RuleType | None
    value: str | None
    lines: tuple[TermLine, ...]
    levels: tuple[Level, ...]
    currency: str

    @property
    def amount_minor(self) -> int:
        """The commission before any refund, in minor units."""
        return sum(map(_AMOUNT, self.lines))

    @property
    def base_minor(self) -> int:
        """The money that the commission is taken from before any refund, in minor units."""
        return sum(map(_BASE, self.lines))


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """Return terms as {source, type, value, currency, lines, levels}, ready for JSON, money as text."""
    return {
        "source": terms.source,
        "type": terms.type,
        "value": terms.value,
        "currency": terms.currency,
        "lines": [_line_to_json(line, terms.currency) for line in terms.lines],
        "levels": [_level_to_json(level) for level in terms.levels],
    }


def _line_to_json(line: TermLine, currency: str) -> dict[str, Any]:
    return {
        "externalProductId": line.external_product_id,
        "source": line.source,
        "type": line.type,
        "value": line.value,
        "base": format_money(line.base_minor, currency),
        "quantity": line.quantity,
        "amount": format_money(line.amount_minor, currency),
    }


@lru_cache(maxsize=4_096)
def _level_to_json(level: Level) -> Mapping[str, Any]:
    """Return a level as {level, outcome}, and externalProductId, type and value if it has them.

    It is the same object for all orders that try the level, as most orders of a merchant do.
    """
    document: dict[str, Any] = {"level": level.level, "outcome": level.outcome}
    if level.external_product_id is not None:
        document["externalProductId"] = level.external_product_id
    if level.type is not None:
        document |= {"type": level.type, "value": level.value or ""}
    return document


def terms_from_json(data: Mapping[str, Any]) -> Terms:
    """Read back what `terms_to_json` wrote, once parsed; raise KeyError for anything else."""
    return Terms(
        source=data["source"],
        type=data["type"],
        value=data["value"],
        lines=tuple([_line_from_json(line) for line in data["lines"]]),
        levels=tuple([_level_from_json(level) for level in data["levels"]]),
        currency=data["currency"],
    )


def rule_of_terms(data: Mapping[str, Any]) -> tuple[RuleType | None, str | None]:
    """Return the type and value of what `terms_to_json` wrote, once parsed, without its lines and levels."""
    return data["type"], data["value"]


def refund_to_json(refund: Refund) -> dict[str, Any]:
    """Return a refund as {money, lines: [[externalProductId, quantity, minor], ...]}, money in minor units.

    `beside`, what of the money was for no goods, is only there if it is not 0, and `asOf` if there is one.
    """
    document: dict[str, Any] = {"money": refund.money_minor, "lines": [list(line) for line in refund.lines]}
    if refund.beside_minor:
        document["beside"] = refund.beside_minor
    if refund.as_of is not None:
        document["asOf"] = refund.as_of
    return document


def refund_from_json(data: Mapping[str, Any]) -> Refund:
    """Read back what `refund_to_json` returned; raise KeyError for anything else."""
    lines: Sequence[Sequence[Any]] = data["lines"]
    stated = tuple([(product, quantity, minor) for product, quantity, minor in lines])
    return Refund(data["money"], stated, data.get("beside", 0), data.get("asOf"))


def _line_from_json(data: Mapping[str, Any]) -> TermLine:
    return TermLine(
        external_product_id=data["externalProductId"],
        source=data["source"],
        type=data["type"],
        value=data["value"],
        base_minor=read_money(data["base"]),
        quantity=data["quantity"],
        amount_minor=read_money(data["amount"]),
    )


def _level_from_json(data: Mapping[str, Any]) -> Level:
    return Level(data["level"], data["outcome"], data.get("externalProductId"), data.get("type"), data.get("value"))
