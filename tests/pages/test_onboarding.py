"""The way of a merchant to live orders, as its owner walks it in the pages."""

from __future__ import annotations

import re

import pytest

from hub.app import Hub
from hub.domain.connectors.reconciliation import DAY_MS
from hub.domain.set_up import PLATFORM_TITLES
from hub.operations.affiliates.affiliates import list_affiliates
from hub.operations.campaigns.campaign_changes import CampaignForm, create_campaign, set_campaign_status
from hub.operations.campaigns.campaigns import list_campaigns, set_campaign_hold
from hub.operations.campaigns.products import list_products
from hub.operations.connections.connections import ConnectionAdmin, list_connections
from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import decide_live_access
from hub.operations.merchants.merchants import set_merchant_status
from hub.operations.orders.deliveries import newest_deliveries
from hub.operations.references import account_id_of
from hub.operations.users.users import NewUser, create_user
from hub.pages.navigation import navigation_of
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, Visitor, browser, enter, user_of
from tests.pages.world import world_of
from tests.served_hub import new_key, new_merchant

PAGE = "/merchant/onboarding"
PROFILE = {
    "legalName": "Fjord & Fern GmbH", "contactName": "Ann", "website": "https://shop.example", "country": "de",
    "address": "Way 1\n10115 Berlin", "description": "Ferns in pots.", "phone": "", "taxId": "", "category": "",
}  # fmt: skip


class _Everybody:
    """A person with every role."""

    def has_role(self, *_: str) -> bool:
        return True


HAS_ALL = _Everybody()


def ticked(seen: Seen) -> list[str]:
    """Return the names of the steps that are done."""
    return re.findall(r'<li id="(\w+)" class="done-step">', seen.text)


async def owner_of(hub: Hub, clock: FakeClock, visitor: Visitor, merchant_id: str) -> None:
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    await enter(visitor, hub, clock, "ann@shop.example")


async def chosen(hub: Hub, clock: FakeClock, visitor: Visitor, merchant_id: str, platform: str = "code") -> None:
    """Sign the owner in and answer the one question."""
    await owner_of(hub, clock, visitor, merchant_id)
    asked = await visitor.get(PAGE)
    assert "What does your shop run on?" in asked.words
    assert (await visitor.send(PAGE, f"{PAGE}/platform", platform=platform)).location == PAGE


async def with_credentials(hub: Hub, clock: FakeClock, account_id: str, connection_id: str) -> None:
    """Store credentials as though the platform had taken them: it is not asked here."""
    key = {"account_id": account_id, "connection_id": connection_id}
    async with hub.parts.store.write() as tx:
        await tx.run("write_platform_access", **key, sealed="-", shown="{}", next_at=clock() + DAY_MS, now=clock())


async def test_a_new_merchant_fills_in_its_profile_and_is_reviewed(either_hub: Hub, clock: FakeClock) -> None:
    """What is missing is named, a fault is shown at its field's form, and the operator's reason is read."""
    hub = either_hub
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id)
        first = await ann.get(PAGE)
        assert ticked(first) == ["domain"]
        assert "Still missing: legal name, contact name, website, country, address, description." in first.words
        part = await ann.send("/merchant/profile", **{**PROFILE, "contactName": "", "address": ""})
        assert part.status == 303
        assert (
            "Still needed before the review: contact name, address."
            in (await ann.get("/merchant/profile?done=saved")).words
        )
        wrong = await ann.send("/merchant/profile", **{**PROFILE, "country": "Germany"})
        assert wrong.status == 422
        assert "write its two letters" in wrong.words
        assert 'value="Fjord &amp; Fern GmbH"' in wrong.text
        assert (
            await ann.send("/merchant/profile", **{**PROFILE, "website": "fern.example"})
        ).location == f"{PAGE}?done=saved"
        assert 'value="https://fern.example"' in (await ann.get("/merchant/profile")).text
        assert (await ann.send("/merchant/profile", **PROFILE)).location == f"{PAGE}?done=saved"
        assert '<option value="DE" selected>Germany</option>' in (await ann.get("/merchant/profile")).text
        assert "In review" in (await ann.get("/merchant/profile?done=saved")).words
        await set_merchant_status(hub.parts.store, clock, merchant_id, "REJECTED", "The website is empty.")
        assert "The operator rejected it: The website is empty." in (await ann.get("/merchant/profile")).words
        await ann.send("/merchant/profile", **PROFILE)
        await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")
        assert ticked(await ann.get(PAGE)) == ["profile", "domain"]


async def test_set_up_comes_first_until_the_first_live_commission(hub: Hub, clock: FakeClock) -> None:
    """An empty overview leads there, and nothing that the operator has to do is asked of the owner."""
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id, "woocommerce")
        assert (await ann.get("/merchant")).location == f"{PAGE}?mode=test"
        seen = await ann.get(PAGE)
    places = re.findall(r'<li><a href="(/merchant[^"]*)"', seen.text)
    assert places[0] == PAGE
    assert len(re.findall(r'<li id="', seen.text)) == 8
    assert "Connect WooCommerce" in seen.words


async def test_a_merchant_with_a_live_commission_finds_set_up_no_longer_first(hub: Hub, clock: FakeClock) -> None:
    """The control: whoever earns has the overview first."""
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    async with hub.parts.store.write() as tx:
        row = await tx.one("is_set_up", account_id=world.account_id)  # of the test account, which has commissions
    assert row is not None
    assert row["is_set_up"]
    area = navigation_of(HAS_ALL, "/merchant").area
    assert area is not None
    assert area.places[0].name == "Overview"


async def test_steps_tick_themselves_off_when_they_happened(either_hub: Hub, clock: FakeClock) -> None:
    """Orders, a click and a status came by the real API; what did not happen stays open."""
    world = await world_of(either_hub, clock, "Aurora")
    async with browser(either_hub) as ann:
        await chosen(either_hub, clock, ann, world.merchant_id)
        seen = await ann.get(PAGE)
        assert ticked(seen) == ["domain", "key", "campaign", "click", "order", "delivered"]


async def test_an_owner_tries_everything_by_three_buttons(either_hub: Hub, clock: FakeClock) -> None:
    """The test partner's link, a WooCommerce order and its delivery, each real; the commission is on the same page."""
    hub = either_hub
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id, "woocommerce")
        early = await ann.send(PAGE, f"{PAGE}/order")
        assert (early.status, "Follow the test link first" in early.words) == (422, True)
        connected = await ann.send(
            "/merchant/connections?mode=test&connector=woocommerce", "/merchant/connections", connector="woocommerce"
        )
        assert connected.status == 303
        wrong = await ann.send(PAGE, f"{PAGE}/campaign", value="ten")
        assert (wrong.status, "Write the percentage as a number" in wrong.words) == (422, True)
        assert (await ann.send(PAGE, f"{PAGE}/campaign", value="10 %")).location == f"{PAGE}?done=campaign"
        for act in ("follow", "order", "deliver"):
            done = await ann.send(PAGE, f"{PAGE}/{act}")
            assert done.location == f"{PAGE}?done={act}#happened", done.words
        seen = await ann.get(PAGE)
        assert ticked(seen) == ["domain", "store", "campaign", "click", "order", "delivered"]
        assert 'href="/merchant/connections?mode=test">page of its connection' in seen.text, "the shop's part"
        assert "affiliate_click_id=clk_" in seen.words
        assert "On hold" in seen.words
    assert [each.name for each in await list_affiliates(hub.parts.store)] == [], "the test partner is in no list"


@pytest.mark.parametrize("name", ["squarespace", "wix", "magento"])
async def test_a_store_that_the_hub_cannot_sign_for_is_tried(either_hub: Hub, clock: FakeClock, name: str) -> None:
    """The order is what the platform answers, read by its connector: two send nothing, Wix signs with its own key."""
    hub = either_hub
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id, name)
        form = f"/merchant/connections?mode=test&connector={name}"
        made = await ann.send(form, "/merchant/connections", connector=name)
        assert made.status == 303
        page = str(made.location).split("?")[0]
        connection_id = page.rpartition("/")[2]
        shown = await ann.get(f"{page}?mode=test")
        assert ("Deliveries go to" in shown.words, "Add a secret" in shown.words) == (name == "wix",) * 2
        await ann.send(PAGE, f"{PAGE}/campaign", value="10")
        for act in ("follow", "order", "deliver"):
            done = await ann.send(PAGE, f"{PAGE}/{act}")
            assert done.location == f"{PAGE}?done={act}#happened", done.words
        seen = await ann.get(PAGE)
        assert len(re.findall(r'<li id="', seen.text)) == 8
        assert ticked(seen) == ["domain", "campaign", "click", "order", "delivered"], "its credentials are missing"
        assert "its secret or its credentials are still missing" in seen.words
        account_id = await account_id_of(hub.parts.store, merchant_id, "test")
        await with_credentials(hub, clock, account_id, connection_id)
        assert "store" in ticked(await ann.get(PAGE))
    arrived = await newest_deliveries(hub.parts.store, account_id, connection_id)
    assert [each.topic for each in arrived] == ["order"] * 3, "placed, then paid and delivered"


async def test_control_a_store_that_sends_is_not_played_without_its_secret(hub: Hub, clock: FakeClock) -> None:
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id, "stripe")
        made = await ann.send(
            "/merchant/connections?mode=test&connector=stripe", "/merchant/connections", connector="stripe"
        )
        shown = await ann.get(f"{str(made.location).split('?')[0]}?mode=test")
        assert "Deliveries go to" in shown.words
        await ann.send(PAGE, f"{PAGE}/campaign", value="10")
        await ann.send(PAGE, f"{PAGE}/follow")
        refused = await ann.send(PAGE, f"{PAGE}/order")
    assert (refused.status, "Make a test key first" in refused.words) == (422, True)


async def test_set_up_knows_the_platforms_that_a_connector_connects(hub: Hub) -> None:
    """Each by its own name: the button of *Connect a store* leads to the form of the connector of that name."""
    catalog = await hub.parts.plugins.catalog()
    titles = {each.name: each.title for each in catalog.connectors if each.connects}
    known = {name: title for name, title in PLATFORM_TITLES.items() if name != "code"}
    assert titles.keys() == known.keys()
    assert {name: titles[name].startswith(title) for name, title in known.items()} == dict.fromkeys(known, True)


async def test_live_access_is_asked_for_after_the_steps_or_with_a_sentence(hub: Hub, clock: FakeClock) -> None:
    """Who asks early says why, which the operator reads; the answer is read here."""
    merchant_id, ask = await new_merchant(hub, clock), f"{PAGE}/live-access"
    async with browser(hub) as ann, browser(hub) as bob:
        await chosen(hub, clock, ann, merchant_id)
        refused = await ann.send(PAGE, ask)
        assert (refused.status, "live access is for APPROVED merchants" in refused.words) == (422, True)
        await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")
        bare = await ann.send(PAGE, ask)
        assert (bare.status, "Not done yet: Say who you are" in bare.words) == (422, True)
        assert (await ann.send(PAGE, ask, why="We sold here before.")).location == f"{PAGE}?done=asked"
        assert "The operator of this hub decides on your request." in (await ann.get(PAGE)).words
        await user_of(hub, clock)
        await enter(bob, hub, clock)
        assert "We sold here before." in (await bob.get(f"/operator/merchants/{merchant_id}")).words
        await decide_live_access(hub.parts.store, clock, merchant_id, granted=False, reason="No refund yet.")
        assert "The operator refused it: No refund yet." in (await ann.get(PAGE)).words
        await decide_live_access(hub.parts.store, clock, merchant_id, granted=True)
        assert "You are live." in (await ann.get(PAGE)).words


async def test_a_merchant_that_an_operator_made_live_is_not_asked_to_ask_for_it(hub: Hub, clock: FakeClock) -> None:
    """Its live account works; who wants to create its keys, too, finds the way in the fold."""
    merchant_id, store = await new_merchant(hub, clock, approve=True), hub.parts.store
    fields = {"title": "Live", "defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": "8"}
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, merchant_id)
        made = await create_campaign(store, clock, merchant_id, "live", CampaignForm(fields))
        await set_campaign_status(store, clock, made.id, "ACTIVE", await account_id_of(store, merchant_id, "live"))
        assert "You are live." not in (await ann.get(PAGE)).words, "no key of the live account: nothing can be sold"
        await new_key(hub, clock, merchant_id, "live")
        seen = await ann.get(PAGE)
        assert "You are live." in seen.words
        assert "Your live account works already." in seen.words
        assert {"take", "key"} <= {*ticked(seen)}


async def test_what_was_tried_is_taken_to_live_and_again_without_effect(either_hub: Hub, clock: FakeClock) -> None:
    """Campaign, rate, hold and product are copied once; the store is taken over in place, orders stay behind."""
    hub, store = either_hub, either_hub.parts.store
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await set_campaign_hold(store, clock, world.ids["campaign"], "7d")
    async with browser(hub) as ann:
        await chosen(hub, clock, ann, world.merchant_id, "woocommerce")
        early = await ann.send(PAGE, f"{PAGE}/take")
        assert (early.status, "Ask for live access first" in early.words) == (422, True)
        await decide_live_access(store, clock, world.merchant_id, granted=True)
        for _ in range(2):
            taken = await ann.send(PAGE, f"{PAGE}/take")
            is_said = "Your campaigns and products are in your live account" in taken.words  # at once, if it took long
            assert is_said or taken.location == f"{PAGE}?done=taken", taken.words
        moved = await ann.send(PAGE, f"{PAGE}/store", connection=world.ids["connection"])
        assert moved.location == f"{PAGE}?done=store"
        again = await ann.send(PAGE, f"{PAGE}/store", connection=world.ids["connection"])
        assert (again.status, "no open connection of the test account" in again.words.lower()) == (422, True)
        assert ticked(await ann.get(PAGE))[:2] == ["take", "store"]
    live = await account_id_of(store, world.merchant_id, "live")
    (made,) = [each for each in await list_campaigns(store, clock, world.merchant_id) if each.mode == "live"]
    assert (made.title, made.status, made.hold_ms) == ("Aurora campaign", "ACTIVE", 7 * 86_400_000)
    products = await list_products(store, live, Wanted())
    assert [(each["externalProductId"], each["price"]) for each in products] == [("SKU-1", "20.00")]
    admin = ConnectionAdmin(store, hub.parts.sealer, hub.parts.plugins, clock, hub.url)
    (connection,) = await list_connections(admin, world.merchant_id)
    assert (connection.id, connection.mode) == (world.ids["connection"], "live")


async def test_a_domain_is_added_and_what_it_shows_is_looked_for(hub: Hub, clock: FakeClock) -> None:
    """Nothing is proved by the wish alone: a private address is not even asked."""
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await owner_of(hub, clock, ann, merchant_id)
        assert "is not a domain" in (await ann.send("/merchant/domains", domain="https://x")).words
        pasted = await ann.send("/merchant/domains", domain=" https://www.Fern.example/shop?a=b ")
        assert pasted.location == "/merchant/domains/www.fern.example", "where it was added, not what was pasted"
        assert (await ann.get(pasted.location)).status == 200
        added = await ann.send("/merchant/domains", domain="127.0.0.1:1")
        assert added.location == "/merchant/domains/127.0.0.1%3A1"
        assert "/.well-known/affiliate-hub.txt" in (await ann.get(added.location)).words
        looked = await ann.send(added.location, f"{added.location}/prove")
        assert (looked.status, "127.0.0.1 is not a public address" in looked.words) == (422, True)
        again = await ann.send(added.location, f"{added.location}/prove")
        assert (again.status, "was checked a moment ago" in again.words) == (422, True)
        clock.now += 10_000
        looked = await ann.send(added.location, f"{added.location}/prove")
        assert "127.0.0.1 is not a public address" in looked.words
        removed = await ann.send(added.location, f"{added.location}/remove")
        assert removed.location == "/merchant/domains?done=removed"
        assert (await ann.get(added.location)).status == 303  # looked for in the other mode
        assert (await ann.get(f"{added.location}?mode=live")).status == 404
