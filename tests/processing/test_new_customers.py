"""A campaign may pay another rate for orders of which the shop says that the buyer is new."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.orders.commission import Rule, resolve
from hub.operations.affiliates.memberships import Member, set_membership, set_own_rate
from hub.operations.campaigns.campaign_changes import CampaignForm, edit_campaign
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.money.rates.rates import draft_rate, publish_rate, rate_history
from hub.operations.money.rates.rule_preview import preview_rule
from tests.processing.harness import POLICY, Harness
from tests.processing.test_rate_versions import HOUR, earned, edit

NEW = {"metadata": {"newCustomer": True}}


async def for_new(harness: Harness, campaign_id: str, value: str | None, kind: str | None = "PERCENTAGE") -> None:
    fields = {"newCustomerCommissionType": kind, "newCustomerCommissionValue": value}
    await edit_campaign(harness.store, harness.clock, campaign_id, CampaignForm(fields))


async def test_an_order_of_a_new_customer_earns_the_campaigns_rate_for_them(harness: Harness) -> None:
    """What the shop says decides: not false, nothing, or a text; and the explanation names the level."""
    campaign_id = await harness.campaign()
    click = await harness.click(campaign_id)
    await for_new(harness, campaign_id, "25")
    said: list[dict[str, Any]] = [
        NEW, {"metadata": {"new_customer": True}}, {"metadata": {"newCustomer": False}},
        {"metadata": {"newCustomer": "yes"}}, {},
    ]  # fmt: skip
    found = [await earned(harness, str(n), harness.clock(), clickId=click, **body) for n, body in enumerate(said)]
    assert found == [("NEW_CUSTOMER", 2_500)] * 2 + [("CAMPAIGN", 1_000)] * 3


async def test_it_counts_from_its_own_moment_and_ends_at_another(harness: Harness) -> None:
    """However late an order is reported, it takes the rate of its time."""
    campaign_id = await harness.campaign()
    click, times = await harness.click(campaign_id), [harness.clock()]
    for value in ("25", "30", None):
        harness.clock.advance(HOUR)
        await for_new(harness, campaign_id, value, None if value is None else "PERCENTAGE")
        times.append(harness.clock())
    found = [await earned(harness, str(n), at, clickId=click, **NEW) for n, at in enumerate(times)]
    assert found == [("CAMPAIGN", 1_000), ("NEW_CUSTOMER", 2_500), ("NEW_CUSTOMER", 3_000), ("CAMPAIGN", 1_000)]
    shown = await rate_history(harness.store, campaign=campaign_id, new_customers=True)
    assert [(each["before"], each["after"]) for each in shown] == [
        ("PERCENTAGE:30", None), ("PERCENTAGE:25", "PERCENTAGE:30"), (None, "PERCENTAGE:25"),
    ]  # fmt: skip
    assert await rate_history(harness.store, campaign=campaign_id) == []


async def test_what_was_agreed_with_an_affiliate_alone_goes_before_it(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    member = Member(campaign_id, harness.affiliate_id)
    click = await harness.click(campaign_id)
    await for_new(harness, campaign_id, "25")
    await set_membership(harness.store, harness.clock, member, "APPROVED")
    await set_own_rate(harness.store, harness.clock, member, "PERCENTAGE:12")
    assert await earned(harness, "1", harness.clock(), clickId=click, **NEW) == ("CAMPAIGN", 1_200)
    found = await preview_rule(harness.store, harness.clock, POLICY, commission="PERCENTAGE:40", days=1,
                               campaign=campaign_id, new_customers=True)  # fmt: skip
    assert (found["priced"], found["changed"]) == (1, 0)


async def test_it_is_tried_on_real_orders_and_published_like_any_rate(sqlite_harness: Harness) -> None:
    """Only orders of new customers change; a draft of one is no draft of the campaign's default."""
    harness = sqlite_harness
    store, clock, campaign_id = harness.store, harness.clock, await harness.campaign()
    click = await harness.click(campaign_id)
    await earned(harness, "1", clock(), clickId=click, **NEW)
    await earned(harness, "2", clock(), clickId=click)
    found = await preview_rule(store, clock, POLICY, commission="PERCENTAGE:40", days=1, campaign=campaign_id,
                               new_customers=True)  # fmt: skip
    assert (found["priced"], found["changed"], found["totals"][0]["difference"]) == (2, 1, "30.00")
    both = [await draft_rate(store, clock, commission="PERCENTAGE:40", campaign=campaign_id, new_customers=new)
            for new in (True, False)]  # fmt: skip
    assert [each.level for each in both] == ["NEW_CUSTOMER", "CAMPAIGN"]
    await publish_rate(store, clock, both[0].id)
    assert await earned(harness, "3", clock(), clickId=click, **NEW) == ("NEW_CUSTOMER", 4_000)
    assert await earned(harness, "4", clock(), clickId=click) == ("CAMPAIGN", 1_000)
    with pytest.raises(OperatorFault, match="name the campaign"):
        await preview_rule(store, clock, POLICY, commission="PERCENTAGE:40", days=1, merchant=harness.merchant_id,
                           mode="test", new_customers=True)  # fmt: skip
    with pytest.raises(InvalidFields) as refused:
        await for_new(harness, campaign_id, "12", None)
    assert list(refused.value.faults) == ["newCustomerCommissionType"]


async def test_a_later_rate_leaves_an_order_what_it_was(sqlite_harness: Harness) -> None:
    """Attributed as of its time, then the rate changes: the frozen terms stay, and so does their level."""
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    click = await harness.click(campaign_id)
    await for_new(harness, campaign_id, "25")
    await earned(harness, "1", harness.clock(), clickId=click, **NEW)
    harness.clock.advance(HOUR)
    await for_new(harness, campaign_id, "1")
    await edit(harness, campaign_id, "2")
    await harness.status("1", "delivered")
    await harness.work()
    found = await harness.commission("1")
    assert found is not None
    assert (found["source"], found["amount_minor"]) == ("NEW_CUSTOMER", 2_500)


rules = st.one_of(
    st.none(),
    st.integers(0, 100).map(lambda n: Rule("PERCENTAGE", str(n))),
    st.integers(0, 9_999).map(lambda n: Rule("FIXED", f"{n // 100}.{n % 100:02}")),
)


@given(rules, rules, rules, st.integers(0, 10**7), st.sampled_from(["USD", "EUR"]))
def test_the_first_default_that_applies_pays_whatever_there_is(
    new: Rule | None, campaign: Rule | None, merchant: Rule | None, amount: int, currency: str
) -> None:
    """Against a plain list of levels; the level is named only where a campaign pays otherwise for new customers."""
    platform = Rule("PERCENTAGE", "5")
    terms = resolve(amount, currency, "USD", (), {}, {}, campaign, merchant, platform, new)
    order = [("NEW_CUSTOMER", new), ("CAMPAIGN", campaign), ("MERCHANT", merchant), ("PLATFORM", platform)]
    source, rule = next(
        (level, each) for level, each in order
        if each is not None and (each.type == "PERCENTAGE" or currency == "USD")
    )  # fmt: skip
    assert (terms.source, terms.type, terms.value) == (source, rule.type, rule.value)
    assert [level.level for level in terms.levels].count("NEW_CUSTOMER") == (new is not None)
