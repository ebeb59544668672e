"""Decide whose order it is: by its click, as the API specification has it, and by its campaign's policy; explain it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from hub.domain.instants import format_instant
from hub.domain.orders.attribution import Attribution, attribute
from hub.domain.orders.attribution_policy import (
    DEFAULT_POLICY,
    SUSPICIOUS_ORDERS,
    CouponOffer,
    OrderSigns,
    PolicyDecision,
    apply_policy,
    policy_sentence,
    stated_new_customer,
)
from hub.domain.orders.campaigns import live_at
from hub.domain.orders.customers import apply_customer
from hub.domain.orders.facts import OrderCreated
from hub.domain.orders.renewals import RENEWAL, apply_renewal
from hub.processing.decision_context import DecisionContext
from hub.processing.ledger_rows import Conversion, RecordedClick
from hub.processing.policy import Policy

SELF_REFERRAL, SAME_VISITOR = "self_referral", "same_visitor"


def attribute_order(
    context: DecisionContext, policy: Policy, account_id: str, order: OrderCreated, ordered_at: int
) -> PolicyDecision:
    """Return whose an order of `ordered_at` (ms UTC) is, with the policy that decided it."""
    renews = order.metadata is not None and order.metadata.get(RENEWAL) is True
    beginning = context.subscriptions.beginning(account_id, order, context.campaigns) if renews else None
    if beginning is not None and order.click_id is None:
        order = evolve(order, click_id=beginning.click_id)  # few platforms copy it to each renewal
    found = context.clicks.get((account_id, order.click_id or ""))
    click = None if found is None else found.click
    campaign = None if click is None else context.campaigns.get((account_id, click.campaign_id or ""))
    clicked = attribute(
        order.click_id,
        ordered_at,
        click,
        None if campaign is None else campaign.life,
        affiliate_active=found is not None and found.affiliate_active,
        default_window_ms=policy.default_window_ms,
    )
    own_policy = DEFAULT_POLICY if campaign is None else campaign.policy
    coupon = order.coupon_code
    if own_policy is DEFAULT_POLICY and (coupon is None or coupon.upper() not in context.coupon_owners):
        decided = PolicyDecision(clicked, own_policy, "click")
    else:
        decided = apply_policy(clicked, own_policy, _signs(context, account_id, order, ordered_at, found))
    if renews:
        return apply_renewal(decided, beginning, ordered_at)
    return decided if order.customer is None else _by_customer(context, policy, account_id, order, ordered_at, decided)


def _by_customer(
    context: DecisionContext, policy: Policy, account_id: str, order: OrderCreated, ordered_at: int,
    decided: PolicyDecision,
) -> PolicyDecision:  # fmt: skip
    """Return who earns by an order whose customer may be known."""
    witness = context.customers.witness(policy.customer_key, account_id, order, ordered_at, context.campaigns)
    if witness is None:
        return decided
    return apply_customer(decided, witness, _signs(context, account_id, order, ordered_at, None), ordered_at)


def suspicions(
    context: DecisionContext, account_id: str, order: OrderCreated, attribution: Attribution
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield why a person should look at an order that earns by its click, as reason and details.

    Only clicks of campaigns that flag visitors keep what this needs.
    """
    if attribution.confidence != "HIGH" or order.click_id is None or attribution.reason != "matched":
        return
    signs = context.visitor_signs.get((account_id, order.click_id))
    if signs is None:
        return
    shown: dict[str, object] = {"clickId": order.click_id, "affiliateId": attribution.affiliate_id}
    if signs.affiliate_signed_in:
        yield SELF_REFERRAL, shown
    if signs.orders >= SUSPICIOUS_ORDERS:
        yield SAME_VISITOR, {"affiliateId": attribution.affiliate_id}


def _signs(
    context: DecisionContext, account_id: str, order: OrderCreated, ordered_at: int, found: RecordedClick | None
) -> OrderSigns:
    owner = context.coupon_owners.get((order.coupon_code or "").upper())
    offers = []
    for campaign_id in context.coupon_campaigns.get((account_id, owner or ""), ()):
        campaign = context.campaigns.get((account_id, campaign_id))
        if campaign is not None and live_at(campaign.life, ordered_at):
            offers.append(CouponOffer(campaign_id, campaign.policy))
    subs = frozenset[str]() if found is None else found.subs
    return OrderSigns(order.coupon_code, owner, offers, subs, stated_new_customer(order.metadata))


def explain_attribution(attribution: Attribution, decided: PolicyDecision | None = None) -> dict[str, object]:
    """Return the `attribution` part of an event's explanation; `policy` is there if the campaign has one of its own.

    `customer` is there if the order is known by its customer.
    """
    shown: dict[str, object] = {
        "confidence": attribution.confidence,
        "reason": attribution.reason,
        "clickId": attribution.click_id,
        "affiliateId": attribution.affiliate_id,
        "campaignId": attribution.campaign_id,
        "clickAgeSeconds": attribution.click_age_seconds,
        "windowSeconds": attribution.window_seconds,
    }
    if decided is not None and decided.policy is not DEFAULT_POLICY:
        policy = decided.policy
        shown["policy"] = {"rule": policy.rule, "decidedBy": decided.decided_by, "sentence": policy_sentence(policy)}
    if decided is not None and decided.known_by is not None:
        known = decided.known_by
        shown["customer"] = {"externalOrderId": known.order_id, "orderedAt": format_instant(known.ordered_at)}
    return shown


def known_attribution(conversion: Conversion) -> dict[str, object]:
    """Return the same of a stored conversion; only the event that created it knows the age of its click."""
    return {
        "confidence": conversion.confidence,
        "reason": conversion.reason,
        "clickId": conversion.click_id,
        "affiliateId": conversion.affiliate_id,
        "campaignId": conversion.campaign_id,
        "clickAgeSeconds": None,
        "windowSeconds": None,
    }
