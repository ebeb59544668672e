"""A merchant's owner sets everything up in a real browser: with JavaScript, and without."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from hub.app import Hub
from hub.operations.merchants.merchants import set_merchant_status
from hub.operations.users.users import NewUser, create_user
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.visitor import link_of
from tests.served_hub import new_merchant

pytestmark = needs_chromium("the merchant's pages with a browser")
PROFILE = {
    "Legal name": "Fjord & Fern GmbH", "Contact name": "Ann", "Website": "https://shop.example",
    "Postal address": "Way 1\n10115 Berlin", "What you sell, and to whom": "Ferns in pots.",
}  # fmt: skip


@pytest.fixture
async def page(database_url: str) -> AsyncIterator[Page]:
    """A browser's page, without JavaScript beside PostgreSQL; whatever it complains about fails the test."""
    complaints: list[str] = []
    async with chromium() as browser:
        page = await browser.new_page(java_script_enabled=database_url.startswith("sqlite"))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert [each for each in complaints if "422" not in each] == []


async def enter(page: Page, hub: Hub, clock: FakeClock, merchant_id: str) -> None:
    """Sign in the merchant's owner by a link."""
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id, name="Ann"))
    await page.goto(hub.url + await link_of(hub, clock, "ann@shop.example"))
    await page.get_by_role("button", name="Sign in").click()


async def press(page: Page, name: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.prove
async def test_an_owner_goes_from_the_profile_to_the_wish_for_live_access(
    page: Page, either_hub: Hub, clock: FakeClock, tmp_path: Path
) -> None:
    """Profile, key, products from a file, campaign, a played order: each act ends on a page that says so."""
    hub = either_hub
    merchant_id = await new_merchant(hub, clock)
    await enter(page, hub, clock, merchant_id)
    await page.goto(f"{hub.url}/merchant/onboarding?mode=test")
    await press(page, "My own code")
    await page.get_by_role("link", name="Fill in the profile").click()
    for label, text in PROFILE.items():
        await page.get_by_label(label).fill(text)
    await page.get_by_label("Country").select_option("Germany")
    await press(page, "Save")
    await expect(page.get_by_role("status")).to_contain_text("The operator of this hub reviews your profile.")
    await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")

    await page.goto(f"{hub.url}/merchant/keys?mode=test")
    await press(page, "Create the key")
    secret = await page.locator("#secret").inner_text()
    assert secret.startswith("sec_test_")
    await press(page, "I have stored it")
    await expect(page.get_by_role("status")).to_contain_text("It is not shown again.")
    assert secret not in await page.content()

    file = tmp_path / "products.csv"
    file.write_text("externalProductId,name,productUrl,price\nF-1,Fern,https://shop.example/f,20.00\n")
    await page.goto(f"{hub.url}/merchant/uploads?mode=test")
    await page.get_by_label("Try it first: check every row, store nothing").uncheck()
    await page.get_by_label("File").set_input_files(file)
    await press(page, "Upload")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("products.csv")
    for _ in range(100):
        await page.reload()
        if await page.get_by_text("Every row is decided.").count():
            break

    await page.goto(f"{hub.url}/merchant/campaigns/new?mode=test")
    await page.get_by_label("Title").fill("Spring")
    await page.get_by_label("How much (optional)", exact=True).fill("101")
    await page.get_by_label("Rate", exact=True).select_option("PERCENTAGE")
    await press(page, "Create the campaign")
    await expect(page.get_by_role("alert")).to_be_focused()
    await page.get_by_label("How much (optional)", exact=True).fill("12")
    await press(page, "Create the campaign")
    await press(page, "Activate")
    await expect(page.get_by_role("status")).to_contain_text("The campaign is active.")

    await page.goto(f"{hub.url}/merchant/test")
    await press(page, "A delivered order, a part of which goes back as Your own code")
    await expect(page.locator("#played")).to_contain_text("Nobody earns from it")
    await page.goto(f"{hub.url}/merchant/onboarding")
    await page.get_by_text("Ask before the steps are done").click()
    await page.get_by_label("Why now").fill("We tried the rest elsewhere.")
    await press(page, "Ask for live access")
    await expect(page.get_by_role("status")).to_contain_text("you want to go live")
    for step in ("profile", "domain", "key", "campaign"):
        await expect(page.locator(f"#{step}")).to_have_class("done-step")
