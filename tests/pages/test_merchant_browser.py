"""A merchant's main path in a real browser, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from hub.app import Hub
from hub.clock import system_clock
from hub.processing.figures import FigureCounter
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.visitor import link_of
from tests.pages.world import World, world_of
from tests.polling import until

pytestmark = needs_chromium("a merchant's pages in a browser")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as opened:
        yield opened


async def signed_in(world: World, context: BrowserContext, complaints: list[str]) -> Page:
    """A page of the world's owner; whatever the browser complains about is noted."""
    email = f"owner-{world.merchant_id.lower()}@people.example"
    page = await context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(world.hub.url + await link_of(world.hub, world.clock, email))
    await page.get_by_role("button", name="Sign in").click()
    return page


async def owner_of(hub: Hub, clock: FakeClock) -> World:
    """A world with its owner and counted figures."""
    from hub.operations.users.users import NewUser, create_user

    world = await world_of(hub, clock, "Aurora")
    email = f"owner-{world.merchant_id.lower()}@people.example"
    await create_user(hub.parts.store, clock, NewUser(email, "merchant", world.merchant_id, None, "Ann", "owner"))
    await FigureCounter(hub.parts.store, lambda: system_clock() + 60_000, asyncio.sleep).count()
    return world


@pytest.mark.prove
async def test_a_merchant_finds_an_order_and_decides_on_it(
    browser: Browser, either_hub: Hub, clock: FakeClock, database_url: str
) -> None:
    """From the overview to the order, its rejection, and the review queue; without JavaScript beside PostgreSQL."""
    world, complaints = await owner_of(either_hub, clock), list[str]()
    context = await browser.new_context(java_script_enabled=database_url.startswith("sqlite"))
    page = await signed_in(world, context, complaints)
    await page.goto(f"{either_hub.url}/merchant?mode=test")
    await expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    await page.get_by_role("link", name="1 order waits for a review").click()
    await page.get_by_role("checkbox", name="Order Aurora order low").check()
    await page.get_by_role("button", name="Dismiss").click()
    await expect(page.get_by_role("status").first).to_contain_text("1 dismissed")
    await page.get_by_role("searchbox", name="Find an order, a click or a coupon").fill("Aurora order")
    await page.get_by_role("searchbox", name="Find an order, a click or a coupon").press("Enter")
    await expect(page.get_by_role("heading", name="Order Aurora order", exact=True)).to_be_visible()
    await page.get_by_text("Approve or reject the commission").click()
    await page.get_by_role("button", name="Reject the commission").click()
    await expect(page.get_by_role("alert")).to_contain_text("Give a reason")
    await page.get_by_label("Reason").fill("ordered by the affiliate")
    await page.get_by_role("button", name="Reject the commission").click()
    await expect(page.get_by_role("status").first).to_contain_text("The commission is rejected")

    async def is_shown() -> bool:
        await page.reload()
        return await page.get_by_text("Rejected.", exact=True).count() > 0

    await until(is_shown, pause=0.1)
    await expect(page.get_by_text("Reason: ordered by the affiliate")).to_be_visible()
    await page.get_by_role("link", name="Store").first.click()
    await page.get_by_role("link", name="Messages").first.click()
    await expect(page.get_by_role("cell", name="Aurora order none", exact=True)).to_be_visible()
    await context.close()
    assert [each for each in complaints if "422" not in each] == []
