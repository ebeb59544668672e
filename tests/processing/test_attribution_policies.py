"""Orders follow the attribution policy of their campaign, and without one nothing changes."""

from __future__ import annotations

from typing import Any

from hub.ids import new_id
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.memberships import Member, set_membership
from hub.operations.campaigns.attribution_policies import PolicyForm, set_attribution_policy, show_attribution_policy
from hub.processing.click_retention import ClickRetention
from hub.tracking.click_batcher import Click
from tests.order_questions import list_order_reviews
from tests.processing.harness import DAY, Harness


async def bea(harness: Harness, campaign_id: str) -> str:
    """Another affiliate, who takes part in the campaign and owns the coupon BEA."""
    made = await create_affiliate(harness.store, harness.clock, name="Bea", email="bea@blog.example", coupons=["BEA"])
    await set_membership(harness.store, harness.clock, Member(campaign_id, str(made.id)), "APPROVED")
    return str(made.id)


async def policy(harness: Harness, campaign_id: str, **members: Any) -> None:
    await set_attribution_policy(harness.store, harness.clock, campaign_id, PolicyForm(**members))


async def attribution(harness: Harness, number: str, **body: Any) -> Any:
    """Report an order; return the attribution of its explanation."""
    accepted = await harness.order(number, **body)
    await harness.work()
    return (await harness.event(accepted.event_id))["explanation"]["attribution"]


async def visit(harness: Harness, campaign_id: str, visitor: str | None, **more: Any) -> str:
    click_id = new_id("clk")
    row = Click(harness.account_id, click_id, "code", harness.affiliate_id, campaign_id, harness.clock() - 1_000,
                more.get("subs"), visitor)  # fmt: skip
    async with harness.store.write() as tx:
        await tx.run("insert_clicks", clicks=[row])
    return click_id


async def test_without_a_policy_the_click_decides_and_the_answer_is_that_of_v1(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    await bea(harness, campaign_id)
    found = await attribution(harness, "1", clickId=await harness.click(campaign_id), couponCode="BEA")
    assert (found["affiliateId"], found["reason"]) == (harness.affiliate_id, "matched")
    assert "policy" not in found


async def test_a_coupon_that_decides_earns_at_the_campaigns_rate(harness: Harness) -> None:
    campaign_id = await harness.campaign()
    affiliate_id = await bea(harness, campaign_id)
    await policy(harness, campaign_id, rule="COUPON")
    found = await attribution(harness, "1", clickId=await harness.click(campaign_id), couponCode="bea")
    assert (found["affiliateId"], found["reason"], found["campaignId"]) == (affiliate_id, "coupon_owner", campaign_id)
    assert (found["policy"]["rule"], found["policy"]["decidedBy"]) == ("COUPON", "coupon")
    commission = await harness.commission("1")
    assert commission is not None
    assert (commission["affiliate_id"], commission["amount_minor"], commission["source"]) == (
        affiliate_id, 1_000, "CAMPAIGN",
    )  # fmt: skip


async def test_a_coupon_counts_without_a_click_only_for_those_who_take_part(harness: Harness) -> None:
    """ADA10 is of an affiliate that has neither membership nor link, so her order waits for a person."""
    campaign_id = await harness.campaign()
    affiliate_id = await bea(harness, campaign_id)
    await policy(harness, campaign_id, rule="COUPON_WITHOUT_CLICK")
    assert (await attribution(harness, "1", couponCode="BEA"))["affiliateId"] == affiliate_id
    beside = await attribution(harness, "2", clickId=await harness.click(campaign_id), couponCode="BEA")
    assert (beside["affiliateId"], beside["policy"]["decidedBy"]) == (harness.affiliate_id, "click")
    stranger = await attribution(harness, "3", couponCode="ADA10")
    assert (stranger["confidence"], stranger["reason"]) == ("LOW", "click_missing")


async def test_what_is_left_out_waits_for_a_person_and_products_earn_nothing(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    await policy(harness, campaign_id, new_customers_only=True, excluded_coupons=["sale"], excluded_products=["GIFT"],
                 excluded_subs=["deals"])  # fmt: skip
    new = {"metadata": {"newCustomer": True}}
    click_id = await harness.click(campaign_id)
    reasons = [
        (await attribution(harness, "1", clickId=click_id, couponCode="SALE", **new))["reason"],
        (await attribution(harness, "2", clickId=click_id))["reason"],
        (await attribution(harness, "3", clickId=click_id, metadata={"newCustomer": False}))["reason"],
        (
            await attribution(
                harness, "4", clickId=await visit(harness, campaign_id, None, subs='{"sub1":"deals"}'), **new
            )
        )["reason"],
    ]
    assert reasons == ["coupon_excluded", "customer_unknown", "customer_not_new", "sub_affiliate_excluded"]
    conversion = await harness.conversion("1")
    assert conversion is not None
    assert (conversion["review"], await harness.commission("1")) == ("OPEN", None)
    await attribution(harness, "5", clickId=click_id, externalProductId="GIFT", **new)
    await attribution(harness, "6", clickId=click_id, externalProductId="BOOK", **new)
    gift, book = await harness.commission("5"), await harness.commission("6")
    assert gift is not None
    assert book is not None
    assert (gift["amount_minor"], book["amount_minor"]) == (0, 1_000)


async def test_suspicious_visitors_are_a_question_and_earn_all_the_same(harness: Harness) -> None:
    """The third order of one visitor is asked about; the control is a visitor of one order."""
    campaign_id = await harness.campaign()
    await policy(harness, campaign_id, flags_visitors=True)
    for number, visitor in (("1", "v1"), ("2", "v1"), ("3", "v1"), ("4", "v2")):
        await attribution(harness, number, clickId=await visit(harness, campaign_id, visitor))
    found = await list_order_reviews(harness.store)
    assert [(each.external_order_id, each.reason) for each in found] == [("3", "same_visitor")]
    assert await harness.commission("3") is not None


async def test_asking_about_a_visitor_reads_its_clicks_and_their_orders_alone(sqlite_harness: Harness) -> None:
    """And not all orders of the account, for each order that is decided."""
    plan = " ".join(await sqlite_harness.store.explain("load_visitor_signs"))
    assert "clicks_by_visitor (visitor=? AND affiliate_id=? AND account_id=?)" in plan
    assert "conversions_by_click (<expr>=?)" in plan


async def test_an_affiliate_that_signed_in_as_the_visitor_is_a_question(harness: Harness) -> None:
    campaign_id = await harness.campaign()
    await policy(harness, campaign_id, flags_visitors=True)
    async with harness.store.write() as tx:
        await tx.run("seed_user", user_id="usr_1", now=harness.clock())
        await tx.run("seed_affiliate_role", user_id="usr_1", affiliate_id=harness.affiliate_id, now=harness.clock())
        await tx.run("seed_session", user_id="usr_1", visitor="me", now=harness.clock())
    await attribution(harness, "1", clickId=await visit(harness, campaign_id, "me"))
    await attribution(harness, "2", clickId=await visit(harness, campaign_id, "other"))
    found = await list_order_reviews(harness.store)
    assert [(each.external_order_id, each.reason) for each in found] == [("1", "self_referral")]


async def test_a_click_forgets_its_visitor_when_the_window_is_over(harness: Harness) -> None:
    """The click itself stays for the margin; the control is a click inside the window."""
    campaign_id = await harness.campaign(days=30)
    old, young = await visit(harness, campaign_id, "v1"), await visit(harness, campaign_id, "v1")
    retention = ClickRetention(harness.store, margin_ms=90 * DAY, default_window_ms=30 * DAY)
    await retention.sweep(harness.account_id, harness.clock() + 29 * DAY)
    assert await visitors(harness, old, young) == ["v1", "v1"]
    await retention.sweep(harness.account_id, harness.clock() + 30 * DAY)
    assert await visitors(harness, old, young) == [None, None]


async def visitors(harness: Harness, *click_ids: str) -> list[str | None]:
    async with harness.store.read() as tx:
        rows = await tx.all("load_clicks", clicks=[(harness.account_id, each) for each in click_ids])
    return [row["visitor"] for row in rows]


async def test_a_policy_that_is_set_back_is_the_default_again(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await harness.campaign()
    await policy(harness, campaign_id, rule="COUPON", excluded_coupons=["a", "A", " "])
    shown = await show_attribution_policy(harness.store, campaign_id)
    assert (shown["rule"], shown["excludedCoupons"]) == ("COUPON", ["A"])
    await policy(harness, campaign_id, rule="CLICK", excluded_coupons=[])
    assert (await show_attribution_policy(harness.store, campaign_id))["sentence"].startswith("The last click")
