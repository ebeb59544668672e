"""What an order earns: by the rules in force at its time, in the state that its facts fold to; no I/O, no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import orjson

from hub.domain.books.ledger import Movement, Owner, Standing, moves, standing
from hub.domain.instants import instant_or_none
from hub.domain.money import format_money
from hub.domain.orders.attribution_policy import stated_new_customer
from hub.domain.orders.commission import OrderLine, Refund, Rule, Settled, Terms, resolve, settle, terms_to_json
from hub.domain.orders.lifecycle import Life, StatusFact, fold
from hub.domain.orders.rate_versions import rate_at
from hub.domain.words import RateLevel
from hub.processing.decision_context import DecisionContext
from hub.processing.ledger_rows import Campaign, Commission, Conversion
from hub.processing.policy import Policy

Then = Callable[[RateLevel, str, Rule | None], Rule | None]
"""Returns the rule of a level and a subject that was in force at an order's time, given that of now."""
NOTHING: Final = Rule("PERCENTAGE", "0")
"""The rule of a product that a campaign's policy leaves out."""


class Pricing(NamedTuple):
    """The rules in force for one order and its lines: each level's rule or None, and how long a commission is held.

    `product_rules` and `product_campaign_rules` map external product ids to the product's own rule and to the default
    of the campaign it is attached to. All but the last field are what `resolve` takes, in its order.
    """

    merchant_currency: str
    lines: tuple[OrderLine, ...]
    product_rules: Mapping[str, Rule]
    product_campaign_rules: Mapping[str, Rule]
    campaign_rule: Rule | None
    merchant_rule: Rule | None
    platform_rule: Rule
    new_customer_rule: Rule | None
    hold_ms: int


def price(context: DecisionContext, policy: Policy, conversion: Conversion, lines: tuple[OrderLine, ...]) -> Pricing:
    """Return the rules in force at a conversion's own time, from its campaign down to the platform, for its lines.

    What the merchant agreed with the affiliate alone is in the place of the campaign's default, and of what it pays
    for new customers.
    """
    account_id, campaign_id = conversion.account_id, conversion.campaign_id or ""
    merchant, campaign = context.merchants[account_id], context.campaigns.get((account_id, campaign_id))
    hold_ms = policy.hold_ms if merchant.hold_ms is None else merchant.hold_ms
    then = partial(_then, context, conversion) if context.rate_changes else _now
    rules, inherited = _product_rules(context, account_id, lines, then)
    campaign_rule = new_customer_rule = None
    if campaign is not None:
        hold_ms = hold_ms if campaign.hold_ms is None else campaign.hold_ms
        rules |= dict.fromkeys(campaign.policy.excluded_products, NOTHING)
        member = (account_id, campaign_id, conversion.affiliate_id or "")
        campaign_rule = then("MEMBER", "/".join(member[1:]), context.own_rates.get(member))
        if campaign_rule is None:
            campaign_rule = then("CAMPAIGN", campaign_id, campaign.rule)
            new_customer_rule = _new_customer_rule(conversion, campaign, then)
    return Pricing(
        merchant.currency, lines, rules, inherited, campaign_rule, then("MERCHANT", "", merchant.rule),
        policy.platform_rule, new_customer_rule, hold_ms,
    )  # fmt: skip


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


def open_commission(
    conversion: Conversion, affiliate_id: str, pricing: Pricing, facts: Iterable[StatusFact], commission_id: str,
    now: int,
) -> Commission:  # fmt: skip
    """Return a new commission with its terms frozen, in the state that its order's facts fold to at `now` (ms UTC).

    Raises ValueError if no rule applies, which the platform's percentage always does.
    """
    return open_with_terms(conversion, affiliate_id, pricing, facts, commission_id, now)[0]


def open_with_terms(
    conversion: Conversion, affiliate_id: str, pricing: Pricing, facts: Iterable[StatusFact], commission_id: str,
    now: int,
) -> tuple[Commission, dict[str, Any]]:  # fmt: skip
    """Return a new commission as `open_commission` does, and what its `terms_json` is the text of."""
    terms = resolve(conversion.order_minor, conversion.currency, *pricing[:-1])
    life = fold(
        facts, hold_ms=pricing.hold_ms, paid_at=None, now=now, last=conversion.last_word,
        fully_refunded=lambda refunds: _settle(terms, conversion, refunds).fully_refunded,
    )  # fmt: skip
    amount, base, document = terms.amount_minor, terms.base_minor, terms_to_json(terms)
    if life.refunds:
        amount, base, *_ = _settle(terms, conversion, life.refunds)
    commission = Commission(
        conversion.account_id, commission_id, conversion.conversion_id, affiliate_id, life.state, amount, base,
        conversion.currency, terms.source, orjson.dumps(document).decode(), pricing.hold_ms,
        life.hold_until, None, None, now, now,
    )  # fmt: skip
    return commission, document


def life_of(commission: Commission, conversion: Conversion, facts: Iterable[StatusFact], now: int) -> Life:
    """Fold an order's facts under the commission's frozen terms; `now` is milliseconds UTC."""
    return fold(
        facts, hold_ms=commission.hold_ms, paid_at=commission.paid_at, now=now, last=conversion.last_word,
        fully_refunded=lambda refunds: _settle(commission.terms, conversion, refunds).fully_refunded,
    )  # fmt: skip


def advance(commission: Commission, conversion: Conversion, life: Life, now: int) -> Commission:
    """Return the commission as its order's life says; a paid one stays as it was paid. `now` is milliseconds UTC."""
    if commission.paid_at is not None:
        return commission
    amount, base = commission.amount_minor, commission.base_minor
    if life.was_refunded:
        amount, base, *_ = _settle(commission.terms, conversion, life.refunds)
    unchanged = (commission.state, commission.hold_until, commission.amount_minor, commission.base_minor)
    if (life.state, life.hold_until, amount, base) == unchanged:
        return commission
    return commission._replace(
        state=life.state, hold_until=life.hold_until, amount_minor=amount, base_minor=base, updated_at=now
    )


def reprice(
    commission: Commission, conversion: Conversion, pricing: Pricing, facts: Iterable[StatusFact], now: int
) -> Commission:
    """Return an unpaid commission with terms for what its order is by now, in the state that the facts fold to.

    `now` is milliseconds UTC. Raise ValueError if no rule applies, which the platform's percentage always does.
    """
    terms = resolve(conversion.order_minor, conversion.currency, *pricing[:-1])
    priced = commission._replace(
        source=terms.source, terms_json=orjson.dumps(terms_to_json(terms)).decode(),
        amount_minor=terms.amount_minor, base_minor=terms.base_minor, updated_at=now,
    )  # fmt: skip
    return advance(priced, conversion, life_of(priced, conversion, facts, now), now)


def commission_moves(before: Commission | None, after: Commission, order_id: str, cause: str) -> list[Movement]:
    """Return the ledger's entries for what became of an unpaid commission, None before it was opened."""
    if after.paid_at is not None:
        return []
    had: Standing = (None, 0) if before is None else standing(before.state, before.amount_minor)
    owner = Owner(after.currency, after.affiliate_id, after.commission_id, order_id)
    return moves(owner, had, standing(after.state, after.amount_minor), cause)


def explain_commission(
    commission: Commission, conversion: Conversion, refunds: Sequence[Refund], document: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the `commission` part of an event's explanation, amounts as money text, times as RFC 3339.

    {state, amount, base, holdUntil} and the frozen terms (see `terms_to_json`), their lines reduced by the refunds.
    `document` spares reading the terms, if it is known what `terms_json` is the text of.
    """
    currency = commission.currency
    if refunds:
        frozen = commission.terms
        terms = terms_to_json(frozen._replace(lines=_settle(frozen, conversion, refunds).lines))
    else:
        terms = orjson.loads(commission.terms_json) if document is None else document
    return {
        "state": commission.state,
        "amount": format_money(commission.amount_minor, currency),
        "base": format_money(commission.base_minor, currency),
        "holdUntil": instant_or_none(commission.hold_until),
        **terms,
    }


def _settle(terms: Terms, conversion: Conversion, refunds: Sequence[Refund]) -> Settled:
    return settle(terms, conversion.paid_minor, conversion.lines, refunds)
