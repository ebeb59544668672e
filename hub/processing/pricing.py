"""The rules in force for an order, as they were loaded for its batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from hub.domain.commission import OrderLine, Rule
from hub.processing.commissions import Pricing
from hub.processing.decision_context import DecisionContext, Key
from hub.processing.ledger_rows import Conversion
from hub.processing.policy import Policy

NOTHING: Final = Rule("PERCENTAGE", "0")
"""The rule of a product that a campaign's policy leaves out."""


def price(context: DecisionContext, policy: Policy, conversion: Conversion) -> Pricing:
    """Return the rules in force for a conversion, from its campaign down to the platform.

    What the merchant agreed with the affiliate alone stands in the place of the campaign's default.
    """
    account_id, campaign_id, lines = conversion.account_id, conversion.campaign_id, conversion.lines
    merchant = context.merchants[account_id]
    campaign = None if campaign_id is None else context.campaigns.get((account_id, campaign_id))
    hold_ms = policy.hold_ms if merchant.hold_ms is None else merchant.hold_ms
    if campaign is not None and campaign.hold_ms is not None:
        hold_ms = campaign.hold_ms
    rules = _of_lines(context.product_rules, account_id, lines)
    if campaign is not None and campaign.policy.excluded_products:
        rules |= dict.fromkeys(campaign.policy.excluded_products, NOTHING)
    return Pricing(
        merchant.currency,
        lines,
        rules,
        _of_lines(context.product_campaign_rules, account_id, lines),
        None if campaign is None else _rate(context, conversion) or campaign.rule,
        merchant.rule,
        policy.platform_rule,
        hold_ms,
    )


def _rate(context: DecisionContext, conversion: Conversion) -> Rule | None:
    """Return what the campaign pays this affiliate alone; None if it pays it what it pays everybody."""
    if conversion.campaign_id is None or conversion.affiliate_id is None:
        return None
    return context.own_rates.get((conversion.account_id, conversion.campaign_id, conversion.affiliate_id))


def _of_lines(rules: Mapping[Key, Rule], account_id: str, lines: Iterable[OrderLine]) -> dict[str, Rule]:
    if not rules:
        return {}
    products = [line.external_product_id for line in lines if line.external_product_id is not None]
    return {product: rules[account_id, product] for product in products if (account_id, product) in rules}
