"""The review queue: a conversion of LOW confidence is attributed to an affiliate, or dismissed."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.books.deposits import until_covered
from hub.ids import new_id
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.campaigns.campaigns import campaign_named
from hub.operations.errors import OperatorFault
from hub.operations.orders.conversions import ConversionDetails, require_conversion, reviewed_conversion
from hub.operations.trail import note_act
from hub.operations.writing import writing
from hub.processing.commissions import Pricing, commission_moves, open_commission, price
from hub.processing.decision_context import (
    DecisionContext,
    load_campaigns,
    load_clicks,
    load_merchants,
    load_own_rates,
    load_product_rules,
    load_rate_changes,
)
from hub.processing.ledger_rows import Conversion, changed_order
from hub.processing.notifications import Change, queue_changes
from hub.processing.policy import Policy
from hub.processing.post_entries import post
from hub.records.orders import ReviewedConversion
from hub.storage import Tx


@writing
async def attribute_conversion(
    tx: Tx, clock: Clock, policy: Policy, conversion_id: str, *, affiliate: str, campaign: str | None = None
) -> ReviewedConversion:
    """Attribute an OPEN conversion to an affiliate; its commission follows the rules of its time and all facts so far.

    Without a campaign, the one of the order's own click counts if that click is the same affiliate's. Raise
    `OperatorFault` if the conversion is not under review, the affiliate is not ACTIVE, or something is unknown.
    """
    details = await _under_review(tx, conversion_id, "attributed")
    affiliate_id = await _active_id(tx, affiliate)
    campaign_id = await _campaign(tx, details.conversion, affiliate_id, campaign)
    conversion = details.conversion._replace(affiliate_id=affiliate_id, campaign_id=campaign_id, review="ATTRIBUTED")
    now = clock()
    pricing = await _pricing(tx, policy, conversion)
    commission = open_commission(conversion, affiliate_id, pricing, details.facts, new_id("com"), now)
    if (await load_merchants(tx, [conversion.account_id]))[conversion.account_id].needs_deposit:
        commission = commission._replace(state=until_covered(None, commission.state))
    await tx.run(
        "attribute_conversion",
        account_id=conversion.account_id,
        conversion_id=conversion_id,
        affiliate_id=affiliate_id,
        campaign_id=campaign_id,
        now=now,
    )
    await tx.run("write_commissions", commissions=[commission])
    moved = commission_moves(None, commission, conversion.external_order_id, conversion_id)
    await post(tx, [(conversion.account_id, each) for each in moved], now)
    changed = changed_order(conversion.account_id, conversion_id)
    await tx.run("note_changed_orders", changes=[changed])
    await queue_changes(tx, [Change(conversion, None, commission)], now)
    before = reviewed_conversion(details, now)
    after = reviewed_conversion(await require_conversion(tx, conversion_id), now)
    await note_act(tx, now, "conversion.attributed", conversion_id, before=before, after=after)
    return after


@writing
async def dismiss_conversion(tx: Tx, clock: Clock, conversion_id: str) -> ReviewedConversion:
    """Close an OPEN review without a commission; raise `OperatorFault` if there is no open review."""
    details = await _under_review(tx, conversion_id, "dismissed")
    now = clock()
    account_id = details.conversion.account_id
    await tx.run("dismiss_conversion", account_id=account_id, conversion_id=conversion_id, now=now)
    before = reviewed_conversion(details, now)
    after = reviewed_conversion(await require_conversion(tx, conversion_id), now)
    await note_act(tx, now, "conversion.dismissed", conversion_id, before=before, after=after)
    return after


async def _under_review(tx: Tx, conversion_id: str, act: str) -> ConversionDetails:
    """Return the conversion as it is once its order is locked: the worker and other operators come before or after."""
    conversion = (await require_conversion(tx, conversion_id)).conversion
    await tx.lock_orders([(conversion.account_id, conversion.external_order_id)])
    details = await require_conversion(tx, conversion_id)
    review = details.conversion.review
    if review == "OPEN":
        return details
    if review is None:
        state = f"was attributed to {details.conversion.affiliate_id} by its click"
    elif review == "ATTRIBUTED":
        state = f"was attributed to {details.conversion.affiliate_id} already"
    else:
        state = "was dismissed already"
    raise OperatorFault(f"Conversion {conversion_id} {state}; only one with an open review can be {act}.")


async def _active_id(tx: Tx, reference: str) -> str:
    affiliate = await require_affiliate(tx, reference)
    affiliate_id = str(affiliate["affiliate_id"])
    if affiliate["status"] != "ACTIVE":
        raise OperatorFault(
            f"Affiliate {affiliate_id} is {affiliate['status']} and cannot earn.",
            command=f"Turn it on first: hub affiliate activate {affiliate_id}",
        )
    return affiliate_id


async def _campaign(tx: Tx, conversion: Conversion, affiliate_id: str, reference: str | None) -> str | None:
    if reference is not None:
        campaign = await campaign_named(tx, reference, conversion.account_id)
        return str(campaign["campaign_id"])
    key = (conversion.account_id, conversion.click_id)
    clicks = [record.click for record in (await load_clicks(tx, {key})).values()]
    return next((click.campaign_id for click in clicks if click.affiliate_id == affiliate_id), None)


async def _pricing(tx: Tx, policy: Policy, conversion: Conversion) -> Pricing:
    account_id = conversion.account_id
    products = {(account_id, x.external_product_id) for x in conversion.lines}
    own, inherited, attached = await load_product_rules(tx, products)
    since = {account_id: conversion.ordered_at}
    campaigns = (
        {} if conversion.campaign_id is None else await load_campaigns(tx, {(account_id, conversion.campaign_id)})
    )
    member = (account_id, conversion.campaign_id or "", conversion.affiliate_id or "")
    context = DecisionContext(
        merchants=await load_merchants(tx, [account_id]),
        campaigns=campaigns,
        product_rules=own,
        product_campaign_rules=inherited,
        product_campaigns=attached,
        rate_changes=await load_rate_changes(tx, since, products),
        own_rates=await load_own_rates(tx, [member]),
    )
    return price(context, policy, conversion, conversion.lines)
