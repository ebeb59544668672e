"""An order takes the rate in force at its own time, whenever it is reported, at each level of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from hub.domain.instants import format_instant
from hub.operations.affiliates.memberships import Member, set_membership, set_own_rate
from hub.operations.campaigns.campaign_changes import CampaignForm, edit_campaign
from hub.operations.campaigns.products import put_product
from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import MerchantChange, update_merchant
from hub.operations.money.rates.rates import draft_rate, drop_rate, list_drafts, publish_rate, rate_history
from hub.operations.orders.reviews import attribute_conversion
from tests.processing.harness import DAY, POLICY, Harness

HOUR = 3_600_000


async def earned(harness: Harness, number: str, ordered_at: int, **body: Any) -> tuple[str, int]:
    """Report an order of 100.00 as of a moment; return which rule won and what it earns in cents."""
    await harness.order(number, orderedAt=format_instant(ordered_at), **body)
    await harness.work()
    found = await harness.commission(number)
    assert found is not None
    return found["source"], found["amount_minor"]


async def edit(harness: Harness, campaign_id: str, value: str) -> None:
    fields = {"defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": value}
    await edit_campaign(harness.store, harness.clock, campaign_id, CampaignForm(fields))


async def product(harness: Harness, **fields: str) -> None:
    body = {"externalProductId": "BOOK", "name": "Book", "productUrl": "https://shop.example/b", "price": "9", **fields}
    await put_product(harness.store, harness.clock, harness.merchant_id, "test", body)


async def test_a_late_report_takes_the_rate_of_its_time(harness: Harness) -> None:
    """The campaign's default, and what it pays one affiliate alone; the control is an order of now."""
    campaign_id = await harness.campaign()
    member = Member(campaign_id, harness.affiliate_id)
    await set_membership(harness.store, harness.clock, member, "APPROVED")
    click_id = await harness.click(campaign_id)
    first = harness.clock()
    harness.clock.advance(HOUR)
    await edit(harness, campaign_id, "12")
    second = harness.clock()
    harness.clock.advance(HOUR)
    await set_own_rate(harness.store, harness.clock, member, "PERCENTAGE:20")
    assert await earned(harness, "1", first, clickId=click_id) == ("CAMPAIGN", 1_000)
    assert await earned(harness, "2", second, clickId=click_id) == ("CAMPAIGN", 1_200)
    assert await earned(harness, "3", harness.clock(), clickId=click_id) == ("CAMPAIGN", 2_000)
    shown = await rate_history(harness.store, campaign=campaign_id)
    assert [(each["before"], each["after"]) for each in shown] == [("PERCENTAGE:10", "PERCENTAGE:12")]
    assert shown[0]["changedBy"]


async def test_products_and_the_merchant_have_versions_too(sqlite_harness: Harness) -> None:
    """A product that got its rule later earns by the merchant's default before."""
    harness = sqlite_harness
    click_id = await harness.click(None)
    await product(harness)
    first = harness.clock()
    harness.clock.advance(HOUR)
    await product(harness, commissionType="PERCENTAGE", commissionValue="30")
    change = MerchantChange(commission="PERCENTAGE:7")
    await update_merchant(harness.store, harness.clock, harness.merchant_id, change)
    body = {"clickId": click_id, "externalProductId": "BOOK"}
    assert await earned(harness, "1", first, **body) == ("PLATFORM", 500)
    assert await earned(harness, "2", harness.clock(), **body) == ("PRODUCT", 3_000)
    assert await earned(harness, "3", harness.clock(), clickId=click_id) == ("MERCHANT", 700)


async def test_an_order_that_is_attributed_by_hand_takes_the_rate_of_its_time(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    await harness.order("1")
    await harness.work()
    harness.clock.advance(HOUR)
    await edit(harness, campaign_id, "50")
    conversion = await harness.conversion("1")
    assert conversion is not None
    await attribute_conversion(
        harness.store, harness.clock, POLICY, conversion["conversion_id"], affiliate=harness.affiliate_id,
        campaign=campaign_id,
    )  # fmt: skip
    found = await harness.commission("1")
    assert found is not None
    assert found["amount_minor"] == 1_000


async def test_a_draft_counts_once_it_is_published_and_never_if_it_is_dropped(harness: Harness) -> None:
    campaign_id = await harness.campaign()
    click_id = await harness.click(campaign_id)
    tried = [
        (await draft_rate(harness.store, harness.clock, commission=f"PERCENTAGE:{value}", campaign=campaign_id)).id
        for value in (15, 40)
    ]
    assert await earned(harness, "1", harness.clock(), clickId=click_id) == ("CAMPAIGN", 1_000)
    await drop_rate(harness.store, harness.clock, tried[1])
    for _ in range(2):  # repeated without effect
        assert (await publish_rate(harness.store, harness.clock, tried[0])).status == "PUBLISHED"
    assert await earned(harness, "2", harness.clock(), clickId=click_id) == ("CAMPAIGN", 1_500)
    with pytest.raises(OperatorFault, match="DROPPED already"):
        await publish_rate(harness.store, harness.clock, tried[1])
    assert [each.status for each in await list_drafts(harness.store)] == ["DROPPED", "PUBLISHED"]
    assert len(await rate_history(harness.store, campaign=campaign_id)) == 1


async def test_drafts_of_a_merchant_and_a_product_are_published_too(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    await product(harness)
    click_id, before = await harness.click(None), harness.clock()
    harness.clock.advance(HOUR)
    for commission, of in (("PERCENTAGE:25", "BOOK"), ("PERCENTAGE:9", None)):
        drafted = await draft_rate(
            harness.store, harness.clock, merchant=harness.merchant_id, mode="test", commission=commission, product=of
        )
        await publish_rate(harness.store, harness.clock, drafted.id)
    body = {"clickId": click_id, "externalProductId": "BOOK"}
    assert await earned(harness, "1", harness.clock(), **body) == ("PRODUCT", 2_500)
    assert await earned(harness, "2", harness.clock(), clickId=click_id) == ("MERCHANT", 900)
    assert await earned(harness, "3", before, **body) == ("PLATFORM", 500)
    assert harness.clock() - before < DAY
