"""Renewals of subscriptions earn as their campaign says: by subscription, by click, counted, and in a batch."""

from __future__ import annotations

from typing import Any

import pytest
from hub_stripe import hub_connectors as stripe_connectors

from hub.domain.instants import format_instant
from hub.operations.affiliates.memberships import Member, set_membership
from hub.operations.campaigns.attribution_policies import PolicyForm, set_attribution_policy
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.errors import InvalidFields
from hub.plugin_host.registry import Registry
from hub.sealing import Sealer
from hub.testing.in_process_plugins import InProcessPlugins
from tests.processing.harness import DAY, Harness
from tests.processing.test_deliveries import Shop, hire

BEGINS = {"subscription": "sub_1"}
RENEWS = {"subscription": "sub_1", "renewal": True}


async def a_campaign(harness: Harness, **members: Any) -> str:
    campaign_id = await harness.campaign()
    await set_attribution_policy(harness.store, harness.clock, campaign_id, PolicyForm(**members))
    return campaign_id


async def order(harness: Harness, number: str, **body: Any) -> tuple[str, str | None]:
    """Report an order; return why it is whose it is, and whose."""
    accepted = await harness.order(number, **body)
    await harness.work()
    found = (await harness.event(accepted.event_id))["explanation"]["attribution"]
    return found["reason"], found["affiliateId"]


async def test_a_renewal_without_a_click_earns_for_the_order_that_began_it(harness: Harness) -> None:
    """Months after the window, by the subscription alone; the control is a campaign that says nothing of renewals."""
    for renewals, expected in (("ALWAYS", "renewal_matched"), ("WITHIN_WINDOW", "click_outside_window")):
        campaign_id = await a_campaign(harness, renewals=renewals)
        one = {"subscription": f"sub_{renewals}"}
        await order(harness, f"{renewals}-1", clickId=await harness.click(campaign_id), metadata=one)
        harness.clock.advance(60 * DAY)
        found = await order(harness, f"{renewals}-2", metadata={**one, "renewal": True})
        assert found == (expected, harness.affiliate_id)
    earned = await harness.commission("ALWAYS-2")
    assert earned is not None
    assert (earned["amount_minor"], earned["source"]) == (1_000, "CAMPAIGN")
    assert await harness.commission("WITHIN_WINDOW-2") is None


async def test_a_renewal_finds_its_beginning_by_the_click_that_the_shop_copies(sqlite_harness: Harness) -> None:
    """As WooCommerce does: the first order did not know its subscription yet."""
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, renewals="ALWAYS"))
    await order(harness, "1", clickId=click_id)
    harness.clock.advance(60 * DAY)
    assert await order(harness, "2", clickId=click_id, metadata=RENEWS) == ("renewal_matched", harness.affiliate_id)


async def test_so_many_renewals_of_each_subscription_earn(harness: Harness) -> None:
    """One by one or in a batch, in the order of their times; another subscription has a count of its own."""
    click_id = await harness.click(await a_campaign(harness, renewals="TIMES", renewal_times=2))
    await order(harness, "1", clickId=click_id, metadata=BEGINS)
    assert (await order(harness, "2", metadata=RENEWS))[0] == "renewal_matched"
    now = harness.clock()
    for number, days in (("5", 1), ("4", 2), ("3", 3)):
        await harness.order(number, metadata=RENEWS, orderedAt=format_instant(now - days * DAY))
    await harness.work()
    earned = [await harness.commission(number) is not None for number in ("3", "4", "5")]
    assert earned == [True, False, False]
    assert (await order(harness, "6", metadata=RENEWS))[0] == "renewals_used_up"
    await order(harness, "7", clickId=click_id, metadata={"subscription": "sub_2"})
    assert (await order(harness, "8", metadata={**RENEWS, "subscription": "sub_2"}))[0] == "renewal_matched"


async def test_a_batch_that_has_the_beginning_too_decides_it_first(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, renewals="TIMES", renewal_times=1))
    await harness.order("2", metadata=RENEWS)
    await harness.order("3", metadata=RENEWS)
    await harness.order("1", clickId=click_id, metadata=BEGINS)
    await harness.work()
    assert [await harness.commission(number) is not None for number in ("1", "2", "3")] == [True, True, False]


async def test_a_renewal_that_names_nothing_is_decided_by_its_coupon(sqlite_harness: Harness) -> None:
    """Beside another renewal in the batch, for which subscriptions are looked up."""
    harness = sqlite_harness
    campaign_id = await a_campaign(harness, renewals="ALWAYS", rule="COUPON_WITHOUT_CLICK")
    await set_membership(harness.store, harness.clock, Member(campaign_id, harness.affiliate_id), "APPROVED")
    await order(harness, "1", clickId=await harness.click(campaign_id), metadata=BEGINS)
    await harness.order("2", metadata={"renewal": True}, couponCode="ADA10")
    await harness.order("3", metadata=RENEWS)
    await harness.work()
    assert [await harness.commission(number) is not None for number in ("1", "2", "3")] == [True, True, True]


async def test_never_leaves_renewals_out_and_nothing_else(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, renewals="NEVER"))
    assert (await order(harness, "1", clickId=click_id, metadata=BEGINS))[0] == "matched"
    assert (await order(harness, "2", clickId=click_id, metadata=RENEWS))[0] == "renewal_excluded"


async def test_a_beginning_of_nobody_makes_no_renewal_earn(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    await a_campaign(harness, renewals="ALWAYS")
    await order(harness, "1", metadata=BEGINS)
    assert await order(harness, "2", metadata=RENEWS) == ("click_missing", None)


async def test_the_number_of_renewals_is_asked_for(sqlite_harness: Harness) -> None:
    for times in (None, 0, 1_000):
        with pytest.raises(InvalidFields, match="1 to 999"):
            await a_campaign(sqlite_harness, renewals="TIMES", renewal_times=times)


async def test_finding_a_subscription_reads_its_own_orders_alone(sqlite_harness: Harness) -> None:
    plan = " ".join(await sqlite_harness.store.explain("load_subscriptions"))
    assert "subscription_orders_by_subscription (account_id=? AND subscription=? AND renews=?)" in plan
    assert "conversions_by_click (<expr>=?)" in plan


async def test_a_subscription_of_stripes_earns_by_the_click_of_its_session(sqlite_harness: Harness) -> None:
    """The first invoice comes before the session that names the click; each renewal names the subscription alone."""
    harness = sqlite_harness
    registry = Registry(tuple(stripe_connectors()), {})
    hire(harness, registry)
    plugins, sealer = InProcessPlugins(registry), Sealer.of([bytes(32)])
    admin = ConnectionAdmin(harness.store, sealer, plugins, harness.clock, "https://hub.example")
    made = await create_connection(admin, NewConnection(harness.merchant_id, "test", "stripe"))
    shop = Shop(harness, harness.account_id, made["id"])
    click_id = await harness.click(await a_campaign(harness, renewals="TIMES", renewal_times=1))
    first = stripe_event("invoice.paid", harness, id="in_1", billing_reason="subscription_create", total=2000)
    session = stripe_event(
        "checkout.session.completed", harness, id="cs_1", mode="subscription", invoice="in_1", amount_total=2000,
        client_reference_id=click_id, payment_status="paid",
    )  # fmt: skip
    for event in (first, session):
        await shop.tell(event["type"], event)
        await harness.work()
    harness.clock.advance(60 * DAY)
    for number in ("in_2", "in_3"):
        event = stripe_event("invoice.paid", harness, id=number, billing_reason="subscription_cycle", total=2000)
        await shop.tell(event["type"], event)
        await harness.work()
    earned = [await harness.commission(number) for number in ("in_1", "in_2", "in_3")]
    assert [each and each["amount_minor"] for each in earned] == [200, 200, None]


def stripe_event(kind: str, harness: Harness, **thing: Any) -> dict[str, Any]:
    at = harness.clock() // 1000
    common = {"created": at, "currency": "usd", "subscription": "sub_1"}
    return {"id": f"evt_{thing['id']}", "object": "event", "api_version": "2025-02-24.acacia", "created": at,
            "type": kind, "livemode": True, "data": {"object": {**common, **thing}}}  # fmt: skip
