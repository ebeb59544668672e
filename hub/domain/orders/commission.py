"""Which rule pays how much for each part of an order; what refunds leave of it is in hub/domain/orders/refunds.py.

The rules are the API specification's, Commission resolution: a product's rule takes its own lines (FIXED per unit), the
first default that applies takes the rest of the order (FIXED once), and each line is rounded once, halves up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from hub.domain.orders.refunds import Settled, settle
from hub.domain.orders.rule_kinds import RuleType, kind_of, line_amount
from hub.domain.orders.terms import (
    Level,
    OrderLine,
    Refund,
    Rule,
    TermLine,
    Terms,
    refund_from_json,
    refund_to_json,
    terms_from_json,
    terms_to_json,
)
from hub.domain.words import RuleSource

__all__ = [
    "Level",
    "OrderLine",
    "Refund",
    "Rule",
    "RuleType",
    "Settled",
    "TermLine",
    "Terms",
    "refund_from_json",
    "refund_to_json",
    "resolve",
    "settle",
    "terms_from_json",
    "terms_to_json",
]

_NO_PRODUCT: Final = Level("PRODUCT", "no_product")
_level: Final = lru_cache(maxsize=4_096)(Level)
"""Makes a level, or returns an equal one: most orders of a merchant try the same levels."""


def resolve(
    order_minor: int,
    currency: str,
    merchant_currency: str,
    lines: Sequence[OrderLine],
    product_rules: Mapping[str, Rule],
    product_campaign_rules: Mapping[str, Rule],
    campaign_rule: Rule | None,
    merchant_rule: Rule | None,
    platform_rule: Rule,
    new_customer_rule: Rule | None = None,
) -> Terms:
    """Find the rule of each part of an order and what it pays.

    `new_customer_rule` is what the order's campaign pays for it because its buyer is new. The rules of products,
    and the defaults of products' own campaigns (used if the order has no campaign rule), are found by external
    product id; amounts are minor units of `currency`. Lines never take more than the order: later ones are cut.
    Raise ValueError if even the platform's rule does not apply, which a percentage always does.
    """
    local = currency == merchant_currency
    own_campaigns = product_campaign_rules if campaign_rule is new_customer_rule is None else {}
    levels: list[Level] = [] if lines else [_NO_PRODUCT]
    parts: list[TermLine] = []
    rest = max(0, order_minor)
    for line in lines:
        won = _win_line(line.external_product_id, product_rules, own_campaigns, local, levels)
        if won is not None:
            base = min(max(0, line.amount_minor), rest)
            rest -= base
            parts.append(_term_line(line.external_product_id, *won, base, max(0, line.quantity), currency))
    if rest or not parts:
        source, rule, tried = _win_rest(new_customer_rule, campaign_rule, merchant_rule, platform_rule, local)
        levels += tried
        parts.append(_term_line(None, source, rule, rest, 1, currency))
    # A product on several lines tries the same levels again; they are listed once.
    return _terms(parts, tuple(levels) if len(lines) < 2 else tuple(dict.fromkeys(levels)), currency)


def _win_line(
    product: str | None,
    product_rules: Mapping[str, Rule],
    own_campaigns: Mapping[str, Rule],
    local: bool,
    levels: list[Level],
) -> tuple[RuleSource, Rule] | None:
    """Try the product's own rule, then its own campaign's; return None to leave the line to the rest of the order."""
    if product is None:
        levels.append(_NO_PRODUCT)
        return None
    rule = _try("PRODUCT", product_rules.get(product), local, levels, product)
    if rule is not None:
        return "PRODUCT", rule
    if product in own_campaigns:
        rule = _try("CAMPAIGN", own_campaigns[product], local, levels, product)
    return None if rule is None else ("CAMPAIGN", rule)


@lru_cache(maxsize=1_024)
def _win_rest(
    new_customer_rule: Rule | None,
    campaign_rule: Rule | None,
    merchant_rule: Rule | None,
    platform_rule: Rule,
    local: bool,
) -> tuple[RuleSource, Rule, tuple[Level, ...]]:
    """Return the default that applies and the levels tried on the way, the same for all orders under the same rules."""
    levels: list[Level] = []
    if new_customer_rule is not None and (rule := _try("NEW_CUSTOMER", new_customer_rule, local, levels)) is not None:
        return "NEW_CUSTOMER", rule, tuple(levels)
    if (rule := _try("CAMPAIGN", campaign_rule, local, levels)) is not None:
        return "CAMPAIGN", rule, tuple(levels)
    if (rule := _try("MERCHANT", merchant_rule, local, levels)) is not None:
        return "MERCHANT", rule, tuple(levels)
    if (rule := _try("PLATFORM", platform_rule, local, levels)) is not None:
        return "PLATFORM", rule, tuple(levels)
    raise ValueError("The platform's commission must be a percentage, because a fixed amount has only one currency.")


def _try(
    source: RuleSource, rule: Rule | None, local: bool, levels: list[Level], product: str | None = None
) -> Rule | None:
    """Note the level and return its rule if it applies: a FIXED one is money of the merchant's currency only."""
    if rule is None:
        levels.append(_level(source, "no_rule", product))
        return None
    applies = local or kind_of(rule.type).in_any_currency
    levels.append(_level(source, "won" if applies else "currency_differs", product, rule.type, rule.value))
    return rule if applies else None


def _term_line(
    product: str | None, source: RuleSource, rule: Rule, base: int, quantity: int, currency: str
) -> TermLine:
    amount = line_amount(source, rule.type, rule.value, base, quantity, currency)
    return TermLine(product, source, rule.type, rule.value, base, quantity, amount)


def _terms(lines: list[TermLine], levels: tuple[Level, ...], currency: str) -> Terms:
    first = lines[0]
    if len(lines) == 1:
        return Terms(first.source, first.type, first.value, tuple(lines), levels, currency)
    sources = {line.source for line in lines}
    rules = {(line.source, line.type, line.value) for line in lines}
    return Terms(
        source=first.source if len(sources) == 1 else "MIXED",
        type=first.type if len(rules) == 1 else None,
        value=first.value if len(rules) == 1 else None,
        lines=tuple(lines),
        levels=levels,
        currency=currency,
    )
