"""The whole demo in a real browser: link, product, Buy, delivered, payable, refund."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect

from hub.demo.walk import Places
from hub.testing.chromium import chromium, needs_chromium

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
"""A person's browser: a headless one says so, and is redirected without a click like any crawler."""

pytestmark = needs_chromium("the demo's walk in a browser")


@pytest.fixture
async def page(places: Places) -> AsyncIterator[Page]:
    """A browser's page, closed before the demo is; whatever it complains about fails the test."""
    complaints: list[str] = []
    async with chromium() as browser:
        page = await browser.new_page(user_agent=AGENT)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == []


@pytest.mark.prove
async def test_a_buyer_can_walk_from_the_link_to_the_refund(page: Page, places: Places) -> None:
    """What the issue promises: the whole job in a browser, in a minute."""
    foreign: list[str] = []
    own = (places.hub_url, places.shop_url)
    page.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
    await page.goto(places.link)
    await expect(page).to_have_url(f"{places.shop_url}/products/lantern")
    await page.get_by_role("button", name="Buy").click()
    await expect(page.locator("#state")).to_have_text("PENDING")
    await expect(page.locator(".amount")).to_have_text("7.68")
    await page.get_by_text("GET /v1/events/").click()
    await expect(page.locator("pre")).to_contain_text('"reason": "matched"')
    await page.get_by_role("button", name="Mark delivered").click()
    await expect(page.locator("#state")).to_have_text("HOLD")
    await expect(page.locator("#state")).to_have_text("PAYABLE")
    await expect(page.get_by_role("button", name="Mark delivered")).to_be_disabled()
    await page.get_by_role("button", name="Refund").click()
    await expect(page.locator("#state")).to_have_text("REJECTED")
    await expect(page.locator("#news")).to_contain_text("taken back")
    assert foreign == []
