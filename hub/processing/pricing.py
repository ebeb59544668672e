"""The rules in force for an order at its own time, as they were loaded for its batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import orjson

from hub.domain.orders.attribution_policy import stated_new_customer
from hub.domain.orders.commission import OrderLine, Rule
from hub.domain.orders.rate_versions import rate_at
from hub.domain.words import RateLevel
from hub.processing.commissions import Pricing
from hub.processing.decision_context import DecisionContext
from hub.processing.ledger_rows import Campaign, Conversion
from hub.processing.policy import Policy

Then = Callable[[RateLevel, str, Rule | None], Rule | None]
"""Returns the rule of a level and a subject that was in force at an order's time, given that of now."""
NOTHING: Final = Rule("PERCENTAGE", "0")
"""The rule of a product that a campaign's policy leaves out."""


def price(context: DecisionContext, policy: Policy, conversion: Conversion, lines: tuple[OrderLine, ...]) -> Pricing:
    """Return the rules in force at a conversion's own time, from its campaign down to the platform, for its lines.

    What the merchant agreed with the affiliate alone is in the place of the campaign's default, and of what it pays
    for new customers.
    """
    account_id, campaign_id = conversion.account_id, conversion.campaign_id
    merchant = context.merchants[account_id]
    campaign = None if campaign_id is None else context.campaigns.get((account_id, campaign_id))
    hold_ms = policy.hold_ms if merchant.hold_ms is None else merchant.hold_ms
    if campaign is not None and campaign.hold_ms is not None:
        hold_ms = campaign.hold_ms
    then = partial(_then, context, conversion) if context.rate_changes else _now
    rules, inherited = _product_rules(context, account_id, lines, then)
    if campaign is not None and campaign.policy.excluded_products:
        rules |= dict.fromkeys(campaign.policy.excluded_products, NOTHING)
    own_rate = None
    if campaign is not None:
        own_rate = then("MEMBER", f"{campaign_id}/{conversion.affiliate_id}", _own_rate(context, conversion))
    return Pricing(
        merchant.currency,
        lines,
        rules,
        inherited,
        None if campaign is None else own_rate or then("CAMPAIGN", campaign_id or "", campaign.rule),
        then("MERCHANT", "", merchant.rule),
        policy.platform_rule,
        None if campaign is None or own_rate is not None else _new_customer_rule(conversion, campaign, then),
        hold_ms,
    )


def _then(
    context: DecisionContext, conversion: Conversion, level: RateLevel, subject: str, rule: Rule | None
) -> Rule | None:
    """Return the rule that was in force at a conversion's time, given that of now."""
    changes = context.rate_changes.get((conversion.account_id, level, subject), ())
    return rate_at(rule, changes, conversion.ordered_at)


def _now(level: RateLevel, subject: str, rule: Rule | None) -> Rule | None:  # noqa: ARG001 - as `_then`
    return rule


def _new_customer_rule(conversion: Conversion, campaign: Campaign, then: Then) -> Rule | None:
    """Return what an order's campaign pays because its buyer is new; None if it is not, or pays as for all."""
    rule = campaign.new_customer_rule
    if rule is None and then is _now:
        return None
    rule = then("NEW_CUSTOMER", conversion.campaign_id or "", rule)
    return rule if rule is not None and says_new_customer(conversion) else None


def says_new_customer(conversion: Conversion) -> bool:
    """Return whether the shop said with the order that its buyer is new."""
    return conversion.metadata is not None and stated_new_customer(orjson.loads(conversion.metadata)) is True


def _own_rate(context: DecisionContext, conversion: Conversion) -> Rule | None:
    """Return what the campaign pays this affiliate alone; None if it pays it what it pays everybody."""
    if conversion.campaign_id is None or conversion.affiliate_id is None:
        return None
    return context.own_rates.get((conversion.account_id, conversion.campaign_id, conversion.affiliate_id))


def _product_rules(
    context: DecisionContext, account_id: str, lines: Iterable[OrderLine], then: Then
) -> tuple[dict[str, Rule], dict[str, Rule]]:
    """Return the rules of an order's products, and the defaults of the campaigns that they are attached to."""
    own: dict[str, Rule] = {}
    inherited: dict[str, Rule] = {}
    for product, _, _ in lines:
        if product is None:
            continue
        key = (account_id, product)
        rule = then("PRODUCT", product, context.product_rules.get(key))
        campaign_id = context.product_campaigns.get(key)
        of_campaign = context.product_campaign_rules.get(key)
        if campaign_id is not None:
            of_campaign = then("CAMPAIGN", campaign_id, of_campaign)
        if rule is not None:
            own[product] = rule
        if of_campaign is not None:
            inherited[product] = of_campaign
    return own, inherited
