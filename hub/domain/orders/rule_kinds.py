"""The kinds of commission rule: what each pays, which values it takes, and how it is said.

A new kind is one more word of `RuleType` and one more row: `kind_of` and `line_amount` do not type-check without it,
and tests/test_words.py and tests/storage/test_words_of_checks.py say what else it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, Literal, assert_never, get_args

from attrs import frozen

from hub.domain.money import PERCENTAGE_SCALE, divide_half_up, parse_money, parse_percentage, scaled_percentage
from hub.domain.words import RuleSource

RuleType = Literal["PERCENTAGE", "FIXED"]
RULE_TYPES: Final[tuple[RuleType, ...]] = get_args(RuleType)
TYPES_SAID: Final = " or ".join(RULE_TYPES)
"""The kinds as a note says them: "PERCENTAGE or FIXED"."""
_HUNDRED_PERCENT: Final = 100 * PERCENTAGE_SCALE


@frozen
class RuleKind:
    """A kind of rule as forms, pages and checks know it; what it pays is `line_amount`.

    `check` takes a value and the merchant's currency, and raises MoneyError. `in_any_currency` says whether it applies
    to an order in another currency than the merchant's. `label` names it in a form that tries a rate, `name` where
    there is little room, `of_product` and `of_campaign` in their forms; `basis` follows an amount.
    """

    type: RuleType
    example: str
    check: Callable[[str, str], object]
    in_any_currency: bool
    is_percentage: bool
    label: str
    name: str
    of_product: str
    of_campaign: str
    basis: str

    def amount(self, value: str, currency: str = "") -> str:
        """Return a value as people read it, like "8 %" or "5.00 EUR"; without a currency an amount stands alone."""
        return f"{value} %" if self.is_percentage else f"{value} {currency}".rstrip()

    def rate(self, value: str, currency: str) -> str:
        """Return a value with what it is paid for, like "8 % of the order"."""
        return f"{self.amount(value, currency)} {self.basis}"


PERCENTAGE: Final = RuleKind(
    type="PERCENTAGE",
    example="8",
    check=lambda value, _currency: parse_percentage(value),
    in_any_currency=True,
    is_percentage=True,
    label="Percent of the order",
    name="percentage",
    of_product="a percentage",
    of_campaign="a percentage of the order",
    basis="of the order",
)
FIXED: Final = RuleKind(
    type="FIXED",
    example="5.00",
    check=parse_money,
    in_any_currency=False,
    is_percentage=False,
    label="An amount for each order",
    name="fixed amount",
    of_product="a fixed amount a piece",
    of_campaign="a fixed amount in {currency}",
    basis="for each order",
)


def kind_of(rule_type: RuleType) -> RuleKind:
    """Return the row of a kind of rule."""
    match rule_type:
        case "PERCENTAGE":
            return PERCENTAGE
        case "FIXED":
            return FIXED
        case _:
            assert_never(rule_type)


def kind_named(text: str) -> RuleKind | None:
    """Return the kind of a text in any case, None if there is none."""
    return next((kind_of(each) for each in RULE_TYPES if each == text.upper()), None)


def rule_choices(none: str, words: str, currency: str = "") -> list[tuple[str, str]]:
    """Return the choices of a form, (type, words), after `none`; `words` names the field of `RuleKind` they are of."""
    chosen = [(each, str(getattr(kind_of(each), words)).format(currency=currency)) for each in RULE_TYPES]
    return [("", none), *chosen]


def line_amount(
    source: RuleSource, rule_type: RuleType, value: str, base: Fraction | int, units: Fraction | int, currency: str
) -> int:
    """Return what a rule pays in minor units: a percentage of `base`, or its amount for each of `units` of a product.

    This is the only place where a commission is rounded, once, from exact numbers. A default's amount is paid once.
    """
    match rule_type:
        case "PERCENTAGE":
            return divide_half_up(base.numerator * scaled_percentage(value), base.denominator * _HUNDRED_PERCENT)
        case "FIXED":
            amount = parse_money(value, currency)
            return divide_half_up(amount * units.numerator, units.denominator) if source == "PRODUCT" else amount
        case _:
            assert_never(rule_type)
