"""Campaigns and their affiliates: who may promote one, and at which rate."""

from __future__ import annotations

from hub.clock import system_clock
from tests.cli.conftest import Office, Operator


async def test_an_affiliate_applies_and_is_approved(office: Office) -> None:
    """A campaign that is open takes everybody; one that is joined by approval has them wait, and gives them no link."""
    campaign, me = await office.harness.campaign(), office.harness.affiliate_id
    member = (campaign, me)
    assert (await office.do("campaign", "member", "apply", *member))["status"] == "APPROVED"
    other = await office.do("affiliate", "create", "--name", "Cleo", "--email", "cleo@blog.example")
    await office.do("campaign", "update", campaign, "--joining", "BY_APPROVAL")
    waiting = await office.do("campaign", "member", "apply", campaign, "Cleo", "--message", "I write\nof ferns.")
    assert (waiting["status"], waiting["message"], waiting["decidedAt"]) == ("APPLIED", "I write\nof ferns.", None)
    assert await office.do("campaign", "member", "apply", campaign, "Cleo") == waiting
    link = ("link", "create", "--merchant", office.harness.merchant_id, "--mode", "test", "--campaign", campaign)
    told = await office.refused(*link, "--affiliate", other["id"])
    assert "waits for its approval" in told
    assert f"hub campaign member approve {waiting['campaignCode']} {other['id']}" in told
    assert (await office.do("campaign", "member", "approve", campaign, "Cleo"))["status"] == "APPROVED"
    made = await office.do(*link, "--affiliate", other["id"])
    assert made["campaignId"] == campaign
    listed = await office.do("campaign", "member", "list", "--campaign", campaign)
    assert [found["affiliateName"] for found in listed] == ["Cleo", "Ada"]


async def test_a_removed_member_gets_no_link_and_its_links_end(office: Office) -> None:
    """In an open campaign, too; the reason is what it reads when it applies again."""
    campaign, me = await office.harness.campaign(), office.harness.affiliate_id
    link = ("link", "create", "--merchant", office.harness.merchant_id, "--mode", "test", "--campaign", campaign)
    code = (await office.do(*link, "--affiliate", me))["code"]
    assert "is not a member" in await office.refused("campaign", "member", "remove", campaign, me)
    await office.do("campaign", "member", "approve", campaign, me)
    assert "is APPROVED" in await office.refused("campaign", "member", "reject", campaign, me, "--reason", "no")
    removed = await office.do("campaign", "member", "remove", campaign, me, "--reason", "Coupons are not allowed.")
    assert (removed["status"], removed["reason"]) == ("REMOVED", "Coupons are not allowed.")
    (ended,) = [each for each in await office.do("link", "list") if each["code"] == code]
    assert ended["disabledAt"] is not None
    assert "is no member" in await office.refused(*link, "--affiliate", me)
    assert "Coupons are not allowed." in await office.refused("campaign", "member", "apply", campaign, me)
    acts = {act["act"] for act in await office.do("trail", "--subject", campaign)}
    assert {"membership.approved", "membership.removed"} <= acts


async def test_a_members_own_rate_goes_before_the_campaigns(office: Office) -> None:
    """From now on, and in a review as well; the control is an order before it, which keeps its terms."""
    campaign, me = await office.harness.campaign(), office.harness.affiliate_id
    click = await office.harness.click(campaign)
    await office.harness.order("1", clickId=click)
    await office.harness.work()
    assert "not an approved member" in await office.refused(
        "campaign", "member", "rate", campaign, me, "--rate", "PERCENTAGE:15"
    )
    await office.do("campaign", "member", "approve", campaign, me)
    await office.do("campaign", "member", "rate", campaign, me, "--rate", "PERCENTAGE:15")
    office.harness.clock.now = system_clock()
    await office.harness.order("2", clickId=click)
    await office.harness.order("3")
    await office.harness.work()
    reviewed = await office.show("3")
    await office.do("conversion", "attribute", reviewed["id"], "--affiliate", me, "--campaign", campaign)
    paid = {number: (await office.show(number))["commission"]["value"] for number in ("1", "2", "3")}
    assert paid == {"1": "10", "2": "15", "3": "15"}
    await office.do("campaign", "member", "rate", campaign, me, "--rate", "campaign")
    office.harness.clock.now = system_clock()
    await office.harness.order("4", clickId=click)
    await office.harness.work()
    assert (await office.show("4"))["commission"]["value"] == "10"


def test_a_campaign_is_run_by_commands(operator: Operator) -> None:
    """Created, changed, activated, paused and archived from the shell."""
    merchant = operator.merchant()
    made = operator.do(
        "campaign", "create", "--merchant", merchant, "--mode", "test", "--title", "Spring", "--commission",
        "percentage:12.5", "--days", "7", "--hold", "3d", "--joining", "BY_APPROVAL", "--source", "blog",
    )  # fmt: skip
    assert (made["status"], made["defaultCommissionValue"], made["holdMs"]) == ("DRAFT", "12.5", 3 * 86_400_000)
    told = operator.refused("campaign", "update", made["id"], "--commission", "PERCENTAGE:101", "--days", "400")
    assert "`cookieDurationDays`" in told
    changed = operator.do("campaign", "update", made["campaignCode"], "--title", "Summer", "--listed")
    assert changed == {**made, "title": "Summer", "listed": True, "updatedAt": changed["updatedAt"]}
    statuses = [operator.do("campaign", act, made["id"])["status"] for act in ("activate", "pause", "archive")]
    assert statuses == ["ACTIVE", "PAUSED", "ARCHIVED"]
    acts = [act["act"].partition(".")[2] for act in operator.do("trail", "--subject", made["id"])]
    assert acts == ["archived", "paused", "activated", "updated", "created"]
