"""An affiliate's pages: join a campaign, make links, see clicks and orders and why, ask the merchant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hub.app import Hub
from hub.domain.durations import DAY
from hub.operations.affiliates.links import enable_link
from hub.operations.affiliates.memberships import Member, set_membership
from hub.operations.campaigns.campaigns import set_campaign_listing
from hub.operations.references import account_id_of
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.test_overview import count_figures
from tests.pages.visitor import browser
from tests.pages.world import World, place_orders_earlier, world_of
from tests.polling import until
from tests.served_hub import Api, ApiKey, new_key

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> World:
    return await keeper.world_in(either_hub, clock, "Aurora")


async def live_campaign(world: World, **fields: object) -> str:
    """A live, active campaign of the world's merchant, in the public listing."""
    import aiohttp

    key = await new_key(world.hub, world.clock, world.merchant_id, "live")
    async with aiohttp.ClientSession(world.hub.url) as session:
        api = Api(session, ApiKey(key.key_id, key.secret, world.merchant_id), world.clock)
        made = await api("POST", "/v1/campaigns", {"title": "Slow evenings", **fields})
        campaign_id = str(made.json["id"])
        assert (await api("POST", f"/v1/campaigns/{campaign_id}/activate")).status == 200
    await set_campaign_listing(world.hub.parts.store, world.clock, campaign_id, listed=True)
    return campaign_id


PERCENT = {"defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": "12"}


async def test_the_public_listing_has_what_was_opted_in_and_is_live(world: World) -> None:
    """Rates in words with an example; what is private, paused or of test mode is unknown to strangers."""
    campaign_id = await live_campaign(world, termsAndConditions="No spam.", cookieDurationDays=7, **PERCENT)
    async with browser(world.hub) as anybody:
        listing = await anybody.get("/campaigns")
        assert "Slow evenings" in listing.words
        assert "Aurora campaign" not in listing.words
        page = await anybody.get(f"/campaigns/{campaign_id}")
        assert "pays 12 % of each order" in page.words
        assert "An order of 100.00 USD earns 12.00 USD" in page.words
        assert "7 days before the order" in page.words
        assert "No spam." in page.words
        assert (await anybody.get(f"/campaigns/{world.ids['campaign']}")).status == 404
        await set_campaign_listing(world.hub.parts.store, world.clock, campaign_id, listed=False)
        assert (await anybody.get(f"/campaigns/{campaign_id}")).status == 404
        assert "No campaign is open" in (await anybody.get("/campaigns")).words


async def test_an_affiliate_applies_is_approved_and_makes_a_link(world: World) -> None:
    """Before the approval there is no link; the link's page is on the shop's domain, its sub-ids are kept."""
    campaign_id = await live_campaign(world, **PERCENT)
    store, clock = world.hub.parts.store, world.clock
    await set_campaign_listing(store, clock, campaign_id, joining="BY_APPROVAL")
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")
        address = f"/affiliate/campaigns/{campaign_id}"
        joined = await bea.send(address, f"{address}/join", message="A newsletter about tea.")
        assert joined.location == f"{address}?done=applied"
        assert "You have applied" in (await bea.get(address)).words
        wanted = {"campaign": campaign_id, "destination": "https://shop.example/tea", "sub1": "mail"}
        assert (await bea.send("/affiliate/links", **wanted)).status == 422
        await set_membership(store, clock, Member(campaign_id, world.affiliate_id), "APPROVED")
        assert "You take part" in (await bea.get(address)).words
        elsewhere = await bea.send("/affiliate/links", **{**wanted, "destination": "https://evil.example/"})
        assert (elsewhere.status, "must be on an approved domain of the merchant" in elsewhere.words) == (422, True)
        assert "Approved domains of this merchant" not in elsewhere.words, "which the sentence has named"
        assert re.search(r"<option [^>]*>[^<]+ · Aurora shop, shop\.example", elsewhere.text)
        too_long = await bea.send("/affiliate/links", **{**wanted, "sub1": "a" * 65})
        assert (too_long.status, "is not a sub-id" in too_long.words) == (422, True)
        made = await bea.send("/affiliate/links", **wanted)
        link = await bea.get(str(made.location))
        assert "https://shop.example/tea" in link.words
        assert "sub1 mail" in link.words
        await set_membership(store, clock, Member(campaign_id, world.affiliate_id), "REMOVED", "Too loud.")
        assert "Reason: Too loud." in (await bea.get(address)).words


async def test_a_private_campaign_cannot_be_joined_by_its_id(world: World, clock: FakeClock) -> None:
    """The control is the page of its own affiliate."""
    other = await world_of(world.hub, clock, "Borealis")
    async with browser(world.hub) as bea, browser(world.hub) as cy:
        await world.person(bea, "affiliate")
        await other.person(cy, "affiliate")
        address = f"/affiliate/campaigns/{world.ids['campaign']}"
        assert (await bea.get(address)).status == 200
        assert (await cy.get(address)).status == 404
        assert (await cy.send("/affiliate/settings", f"{address}/join")).status == 404


async def test_a_link_is_switched_off_printed_and_switched_on(world: World) -> None:
    """What the operator switched off stays off."""
    store, clock, code = world.hub.parts.store, world.clock, world.ids["link"]
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")
        address = f"/affiliate/links/{code}"
        image = await bea.get(f"{address}/qr.svg")
        assert (image.headers["Content-Type"], "<svg" in image.text) == ("image/svg+xml", True)
        assert (await bea.send(address, f"{address}/disable")).location == f"{address}?done=off"
        assert "Switched off" in (await bea.get(address)).words
        assert (await bea.send(address, f"{address}/enable")).location == f"{address}?done=on"
        await enable_link(store, clock, "", code, enabled=False)
        refused = await bea.send(address, f"{address}/enable")
        assert (refused.status, "operator disabled this link" in refused.words) == (422, True)


async def test_a_commission_says_why_and_the_affiliate_asks(world: World) -> None:
    """The click, the rule, the sum and the hold; never the buyer's data; the answer is announced."""
    account_id = await account_id_of(world.hub.parts.store, world.merchant_id, "test")
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")

        async def summed() -> bool:
            return "Earned so far" in (await bea.get("/affiliate")).words

        assert await until(summed)
        assert "Test data." in (await bea.get("/affiliate")).words
        listed = await bea.get("/affiliate/commissions")
        assert "Aurora order" in listed.words
        address = f"/affiliate/commissions/{world.ids['commission']}"
        page = await bea.get(address)
        for words in (
            "Where it stands",
            "the buyer came through your link",
            "this rule counts",
            "The order was delivered.",
        ):
            assert words in page.words
        assert "metadata" not in page.text
        assert "Aurora reason" not in page.text
        assert (await bea.send(address, f"{address}/messages", text="")).status == 422
        sent = await bea.send(address, f"{address}/messages", text="Why not more?")
        assert sent.location == f"{address}?done=sent#messages"
        async with browser(world.hub) as ann:
            await world.person(ann, "merchant", "owner")
            place = f"/merchant/questions/{world.ids['order']}"
            assert "Aurora order" in (await ann.get("/merchant/questions?mode=test")).words
            assert "Why not more?" in (await ann.get(f"{place}?mode=test")).words
            assert (await ann.send(f"{place}?mode=test", place, account=account_id, text=" ")).status == 422
            done = await ann.send(f"{place}?mode=test", place, account=account_id, text="It was a sale.")
            assert done.location == f"{place}?done=sent"
        assert "Aurora shop answered about" in (await bea.get("/affiliate")).words
        assert "It was a sale." in (await bea.get(address)).words
        assert "answered about" not in (await bea.get("/affiliate")).words
        assert "Aurora order" in (await bea.get("/affiliate/messages")).words


async def test_reports_count_and_can_be_taken_along(world: World) -> None:
    """As a page and as CSV; an unusable period or grouping is the usual one."""
    await count_figures(world.hub)
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")
        by_link = await bea.get("/affiliate/reports?by=link")
        assert world.ids["link"] in by_link.words
        file = await bea.get("/affiliate/reports.csv?by=link")
        lines = file.text.splitlines()
        assert lines[0] == "link,clicks,orders,rejected,earned,currency"
        assert lines[1].startswith(f"{world.ids['link']},1,1,0,")
        for asked in ("?by=nothing&from=x&to=9999-12-31", "?from=2026-12-01&to=2020-01-01", "?mode=live"):
            assert (await bea.get(f"/affiliate/reports{asked}")).status == 200, asked


async def test_the_profile_is_ones_own_to_change(world: World) -> None:
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")
        refused = await bea.send("/affiliate/settings", name="Bea", email="nowhere")
        assert (refused.status, "is not an e-mail address" in refused.words) == (422, True)
        saved = await bea.send("/affiliate/settings", name="Bea's blog", email="bea@blog.example")
        assert saved.location == "/affiliate/settings?done=saved"
        assert 'value="Bea&#39;s blog"' in (await bea.get("/affiliate/settings")).text


async def test_the_search_box_leads_to_an_order_or_a_link(world: World) -> None:
    """What is another's, or nothing, is looked for among one's own orders and not found."""
    async with browser(world.hub) as bea:
        await world.person(bea, "affiliate")
        assert 'action="/affiliate/find"' in (await bea.get("/affiliate")).text
        link = f"/affiliate/links/{world.ids['link']}"
        for text, place in (
            ("Aurora+order", f"/affiliate/commissions/{world.ids['commission']}"),
            (world.ids["link"], link),
            (f"https://hub.example/t/{world.ids['link']}/", link),
        ):
            assert (await bea.get(f"/affiliate/find?q={text}")).location == place
        for text in ("Aurora+order+low", "nothing"):
            nothing = (await bea.get(f"/affiliate/find?q={text}")).location
            assert nothing is not None
            assert nothing.startswith("/affiliate/commissions?order=")
        assert "Aurora order" in (await bea.get("/affiliate/find?q=")).words


async def test_a_commission_that_was_credited_days_later_says_when(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Commissions are listed as they were made, so that a date before the one above it has its reason beside it."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as bea:
        await world.person(bea, "affiliate")
        assert " credited " not in (await bea.get("/affiliate/commissions")).words
        await place_orders_earlier(hub, 3 * DAY)
        assert (await bea.get("/affiliate/commissions")).words.count(" credited ") == 1
