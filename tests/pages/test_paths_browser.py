"""The main paths of the affiliate and of the operator in a real browser: with JavaScript, and without."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect

from hub.app import Hub
from hub.operations.campaigns.campaigns import set_campaign_listing
from hub.operations.users.users import NewUser, create_user
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.test_affiliate import PERCENT, live_campaign
from tests.pages.visitor import link_of, user_of
from tests.pages.world import World, world_of

pytestmark = needs_chromium("walking the pages with a browser")


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock) -> World:
    return await world_of(either_hub, clock, "Aurora")


@pytest.fixture
async def page(database_url: str, either_hub: Hub) -> AsyncIterator[Page]:
    """A browser's page, without JavaScript beside PostgreSQL; whatever it complains about fails the test.

    It is closed before the hub, which it would miss.
    """
    assert either_hub.url
    complaints: list[str] = []
    async with chromium() as browser:
        page = await browser.new_page(java_script_enabled=database_url.startswith("sqlite"))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == []


async def sign_in(page: Page, world: World, email: str) -> None:
    await page.goto(world.hub.url + await link_of(world.hub, world.clock, email))
    await page.get_by_role("button", name="Sign in").click()


async def bea(world: World) -> str:
    """The e-mail address of a person who is the world's affiliate."""
    wanted = NewUser("bea@blog.example", "affiliate", None, world.affiliate_id, name="Bea")
    return (await create_user(world.hub.parts.store, world.clock, wanted))["email"]


@pytest.mark.prove
async def test_an_affiliate_joins_makes_a_link_reads_why_and_asks(page: Page, world: World) -> None:
    """From the public listing to the question about an order."""
    campaign_id = await live_campaign(world, **PERCENT)
    await set_campaign_listing(world.hub.parts.store, world.clock, campaign_id, listed=True)
    await sign_in(page, world, await bea(world))
    await page.goto(f"{world.hub.url}/campaigns")
    await page.get_by_role("link", name="Slow evenings").click()
    await page.get_by_role("button", name="Join the campaign").click()
    await page.get_by_role("link", name="Make a link").click()
    await page.get_by_label("Page of the shop").fill("https://shop.example/tea")
    await page.get_by_label("sub1").fill("mail")
    await page.get_by_role("button", name="Make the link").click()
    await expect(page.get_by_role("status").first).to_contain_text("Your link is ready")
    await expect(page.get_by_role("img", name="QR code of")).to_be_visible()
    await page.get_by_role("button", name="Switch off").click()
    await expect(page.get_by_role("button", name="Switch on")).to_be_visible()
    await page.goto(f"{world.hub.url}/affiliate?mode=test")
    await page.get_by_role("link", name="Aurora order").click()
    await expect(page.get_by_text("this rule counts")).to_be_visible()
    await page.get_by_label("Your message").fill("Why so little?")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text("Your message is sent.")).to_be_visible()
    await expect(page.get_by_text("Why so little?")).to_be_visible()


@pytest.mark.prove
async def test_an_operator_finds_an_order_decides_a_review_and_stops_a_merchant(page: Page, world: World) -> None:
    """From the one box to the merchant's status."""
    email = (await user_of(world.hub, world.clock))["email"]
    await sign_in(page, world, email)
    await page.goto(f"{world.hub.url}/")
    await expect(page).to_have_url(f"{world.hub.url}/operator")
    await page.get_by_label("Find any id").fill("Aurora order low")
    await page.get_by_label("Find any id").press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Order Aurora order low")
    await page.get_by_text("Attribute it to an affiliate").click()
    await page.get_by_label("Affiliate", exact=False).first.fill(world.affiliate_id)
    await page.get_by_role("button", name="Attribute").click()
    await expect(page.get_by_role("status").first).to_contain_text("The order is attributed.")
    await page.goto(f"{world.hub.url}/operator/merchants")
    await page.get_by_role("link", name="Aurora shop").click()
    await page.locator("summary", has_text="Suspend").click()
    await page.get_by_label("Reason").first.fill("Does not pay")
    await page.get_by_role("button", name="Suspend").click()
    await expect(page.get_by_text("Does not pay")).to_be_visible()
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_role("status").first).to_contain_text("It is approved.")
