"""A merchant's main path in a real browser, on both databases; and what axe finds on every page of a merchant."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from hub.app import Hub
from hub.clock import system_clock
from hub.pages.routes import all_pages
from hub.processing.figures import DailyFigures
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.visitor import link_of
from tests.pages.world import World, world_of

pytestmark = needs_chromium("a merchant's pages in a browser")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SHOWN = [page.path for page in all_pages() if page.method == "GET" and page.roles == ("merchant",)]
READ = [path for path in SHOWN if not re.search(r"\.csv$|/results$|/csv-template$", path)]
"""All but the addresses of files."""


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
    await DailyFigures(hub.parts.store, lambda: system_clock() + 60_000, asyncio.sleep).count()
    return world


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
async def test_a_merchant_finds_an_order_and_decides_on_it(
    browser: Browser, either_hub: Hub, clock: FakeClock, scripts: bool
) -> None:
    """From the overview to the order, to its rejection, to the review queue and back again."""
    world, complaints = await owner_of(either_hub, clock), list[str]()
    context = await browser.new_context(java_script_enabled=scripts)
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
    await page.get_by_role("button", name="Reject the commission").click()
    await expect(page.get_by_role("alert")).to_contain_text("Say why it is rejected")
    await page.get_by_label("Reason").fill("ordered by the affiliate")
    await page.get_by_role("button", name="Reject the commission").click()
    await expect(page.get_by_role("status").first).to_contain_text("The commission is rejected")
    for _ in range(100):
        if await page.get_by_text("Rejected.", exact=True).count():
            break
        await asyncio.sleep(0.1)
        await page.reload()
    await expect(page.get_by_text("The reason: ordered by the affiliate")).to_be_visible()
    await page.get_by_role("link", name="Messages").first.click()
    await expect(page.get_by_role("cell", name="Aurora order none", exact=True)).to_be_visible()
    await context.close()
    assert [each for each in complaints if "422" not in each] == []


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
async def test_axe_finds_nothing_and_no_page_is_too_wide(
    browser: Browser, hub: Hub, clock: FakeClock, look: str
) -> None:
    """Every page that a merchant reads, under the hub's own policy: the script is evaluated, not loaded."""
    world, complaints = await owner_of(hub, clock), list[str]()
    width = 390 if look == "phone" else 1280
    context = await browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if look == "dark" else "light"
    )
    page = await signed_in(world, context, complaints)
    found: dict[str, Any] = {}
    for path in READ:
        await page.goto(f"{hub.url}{world.address(path)}?mode=test")
        await page.evaluate(AXE)
        result = await page.evaluate("(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES)
        faults = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in result["violations"]]
        if faults:
            found[path] = faults
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert await page.get_by_role("heading", level=1).count() == 1, path
    await context.close()
    assert (found, complaints) == ({}, [])


async def test_control_axe_finds_what_is_wrong(browser: Browser) -> None:
    page = await browser.new_page()
    await page.set_content("<main><h1>A page</h1><input><img src='data:,'></main>")
    await page.evaluate(AXE)
    result = await page.evaluate("(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES)
    assert {"label", "image-alt", "html-has-lang"} <= {each["id"] for each in result["violations"]}
