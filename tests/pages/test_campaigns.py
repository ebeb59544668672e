"""Campaigns and their affiliates, managed in the pages by the merchant's owner."""

from __future__ import annotations

import pytest
from yarl import URL

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.affiliates.memberships import Member, apply_to_campaign
from hub.operations.campaigns.campaigns import approve_campaign
from hub.operations.errors import OperatorFault
from hub.testing.clock import FakeClock
from tests.pages.test_keys import owner
from tests.pages.visitor import Visitor, browser

HERE = "/merchant/campaigns"
TYPED = {
    "title": "Spring", "description": "Ferns.", "termsAndConditions": "No coupons.", "startDate": "",
    "endDate": "2027-06-01", "rate": "PERCENTAGE", "value": "12.5", "days": "7", "hold": "3d",
    "sources": "blog\nnewsletter", "joining": "BY_APPROVAL", "listed": "1",
}  # fmt: skip


async def made(ann: Visitor, **typed: str) -> str:
    """Create a campaign in the page; return the address of its page."""
    answer = await ann.send(f"{HERE}/new?mode=test", HERE, **{**TYPED, **typed})
    assert answer.location, answer.words
    return URL(answer.location).path


async def test_a_campaign_is_created_edited_and_run(either_hub: Hub, clock: FakeClock) -> None:
    """What is left as it was stays, and each act says what it did."""
    async with browser(either_hub) as ann:
        await owner(either_hub, clock, ann)
        address = await made(ann)
        seen = await ann.get(address)
        for words in ("Spring", "Draft", "12.5 % of the order", "7 days", "3 days", "those that you approve",
                      "blog, newsletter", "1 Jun 2027, 00:00 UTC", "No coupons."):  # fmt: skip
            assert words in seen.words, words
        form = await ann.get(f"{address}/edit")
        assert 'value="2027-06-01"' in form.text
        edited = await ann.send(f"{address}/edit", **{**TYPED, "title": "Summer", "hold": "", "listed": ""})
        assert edited.location == f"{address}?done=saved"
        seen = await ann.get(address)
        assert "Summer" in seen.words
        assert "your usual hold" in seen.words
        for status, words in (("ACTIVE", "Active"), ("PAUSED", "Paused"), ("ARCHIVED", "Archived")):
            page = f"{address}/archive" if status == "ARCHIVED" else address
            moved = await ann.send(page, f"{address}/status", status=status)
            assert moved.location == f"{address}?done={status}"
            assert words in (await ann.get(address)).words
        refused = await ann.post(f"{address}/status", {"csrf": form.csrf, "status": "ACTIVE"})
        assert (refused.status, "An archived campaign stays archived" in refused.words) == (422, True)


async def test_a_rate_that_rises_by_volume_is_typed_shown_and_ended(hub: Hub, clock: FakeClock) -> None:
    """One tier a line; what is typed stays in the form, a fault is told at the tiers, and no volume ends it."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await made(ann, volume="MONTH:AMOUNT", tiers="5000: 13 %\n9000.00: 14 %")
        words = "13 % once the orders of a month reach 5000 EUR; 14 % once the orders of a month reach 9000.00 EUR"
        assert words.replace("EUR", "USD") in (await ann.get(address)).words.replace("EUR", "USD")
        form = await ann.get(f"{address}/edit")
        assert "5000: 13 %\n9000.00: 14 %" in form.text
        typed = {**TYPED, "volume": "MONTH:AMOUNT", "tiers": "5000: 13 %\n9000.00: 12 %"}
        refused = await ann.send(f"{address}/edit", **typed)
        assert (refused.status, "must rise: from 9000.00 it pays 12" in refused.words) == (422, True)
        ended = await ann.send(f"{address}/edit", **{**TYPED, "volume": "", "tiers": ""})
        assert ended.location == f"{address}?done=saved"
        assert "Rises by volume" not in (await ann.get(address)).words


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("title", "", "The title must"),
        ("value", "101", "The rate must"),
        ("days", "400", "The attribution window must"),
        ("endDate", "soon", "A date is written like 2026-12-01."),
        ("hold", "long", "is not a duration for a hold"),
        ("tiers", "11: 12 %", "A rate rises by one of MONTH:ORDERS"),
    ],
)
async def test_what_cannot_be_used_is_said_at_its_field(
    hub: Hub, clock: FakeClock, name: str, value: str, told: str
) -> None:
    """Nothing is stored, and the rest of the form stays as it was typed."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        refused = await ann.send(f"{HERE}/new", HERE, **{**TYPED, name: value})
        assert refused.status == 422
        assert told in refused.words
        assert f'id="{name}-fault"' in refused.text
        assert "newsletter" in refused.text
        assert "No campaign yet" in (await ann.get(HERE)).words


async def test_all_faults_of_a_form_are_said_at_once(hub: Hub, clock: FakeClock) -> None:
    """That of the hold, which stands beside the API's fields, was said once the others were mended."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        refused = await ann.send(f"{HERE}/new", HERE, **{**TYPED, "value": "x%", "days": "many", "hold": "soon"})
        assert refused.status == 422
        faulty = {name for name in TYPED if f'id="{name}-fault"' in refused.text}
        assert faulty == {"value", "days", "hold"}


async def test_an_approval_is_asked_for_and_shown(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await made(ann, approval="1")
        assert "waiting for the operator's approval" in (await ann.get(address)).words
        refused = await ann.send(address, f"{address}/status", status="ACTIVE")
        assert (refused.status, "needs an admin's approval" in refused.words) == (422, True)
        await approve_campaign(hub.parts.store, clock, address.rpartition("/")[2])
        assert (await ann.send(address, f"{address}/status", status="ACTIVE")).status == 303


async def test_affiliates_are_approved_rated_and_removed(either_hub: Hub, clock: FakeClock) -> None:
    """An application is read here, and a link is made by an approved member alone."""
    store = either_hub.parts.store
    async with browser(either_hub) as ann:
        merchant_id = await owner(either_hub, clock, ann)
        address = await made(ann)
        campaign = address.rpartition("/")[2]
        bea = (await create_affiliate(store, clock, name="Bea", email="b@blog.example")).id
        await apply_to_campaign(store, clock, Member(campaign, bea), "I write\nof ferns.")
        link = NewLink(merchant_id, "test", bea, campaign)
        with pytest.raises(OperatorFault, match="waits for its approval"):
            await create_link(store, clock, either_hub.url, link)
        seen = await ann.get(address)
        assert "I write of ferns." in seen.words
        assert "Bea" in (await ann.get("/merchant/affiliates?status=APPLIED")).words
        member = f"{address}/members/{bea}"
        assert (await ann.send(address, f"{member}/status", status="APPROVED")).status == 303
        await create_link(store, clock, either_hub.url, link)
        wrong = await ann.send(address, f"{member}/rate", rate="PERCENTAGE", value="101")
        assert wrong.status == 422
        await ann.send(address, f"{member}/rate", rate="PERCENTAGE", value="20")
        assert "20 % of the order" in (await ann.get(address)).words
        removed = await ann.send(f"{member}/remove", f"{member}/status", status="REMOVED", reason="Coupons.")
        assert removed.location == f"{address}?done=REMOVED#members"
        assert "Coupons." in (await ann.get(address)).words
        with pytest.raises(OperatorFault, match="is no member"):
            await create_link(store, clock, either_hub.url, link)


async def test_a_merchant_says_who_earns_and_affiliates_read_it(either_hub: Hub, clock: FakeClock) -> None:
    """One name a line; a name that is too long comes back with what was typed."""
    async with browser(either_hub) as ann:
        await owner(either_hub, clock, ann)
        address = await made(ann)
        assert "The last click before the order earns" in (await ann.get(address)).words
        typed = {"rule": "COUPON", "new": "1", "coupons": "sale\nvip", "products": "", "subs": "deals"}
        saved = await ann.send(f"{address}/policy", **typed)
        assert saved.location == f"{address}?done=policy"
        seen = await ann.get(address)
        for words in ("An affiliate's own coupon earns", "new customers only", "SALE, VIP", "deals"):
            assert words in seen.words, words
        assert "SALE\nVIP" in (await ann.get(f"{address}/policy")).text
        refused = await ann.send(f"{address}/policy", **{**typed, "products": "p" * 256})
        assert (refused.status, "printable characters" in refused.words) == (422, True)


async def test_a_merchant_says_how_many_renewals_earn(hub: Hub, clock: FakeClock) -> None:
    """Without the number the form comes back with what is missing; affiliates read the sentence."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await made(ann)
        refused = await ann.send(f"{address}/policy", rule="CLICK", renewals="TIMES")
        assert (refused.status, "Say how many renewals of a subscription earn: 1 to 999." in refused.words) == (
            422,
            True,
        )
        saved = await ann.send(f"{address}/policy", rule="CLICK", renewals="TIMES", renewal_times="3")
        assert saved.location == f"{address}?done=policy"
        assert "the first 3 renewals of a subscription" in (await ann.get(address)).words
        assert 'value="3"' in (await ann.get(f"{address}/policy")).text


async def test_a_merchant_says_how_long_customers_are_known(hub: Hub, clock: FakeClock) -> None:
    """A page that names no days turns it off again."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await made(ann)
        for days in ("1096", "ten", "9" * 30):
            refused = await ann.send(f"{address}/policy", rule="CLICK", customer_days=days)
            assert (refused.status, "Say for how many days: 0 to 1095" in refused.words) == (422, True)
        saved = await ann.send(f"{address}/policy", rule="CLICK", customer_days="180")
        assert saved.location == f"{address}?done=policy"
        assert "order earned within 180 days before" in (await ann.get(address)).words
        assert 'value="180"' in (await ann.get(f"{address}/policy")).text
        await ann.send(f"{address}/policy", rule="CLICK")
        assert "180" not in (await ann.get(address)).words
