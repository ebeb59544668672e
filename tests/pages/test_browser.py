"""Signing in, in a real browser: by a link, with a password, with JavaScript and without."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from hub.acts.authority import FRESH_MS
from hub.app import Hub
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.visitor import PASSWORD, link_of, user_of

pytestmark = needs_chromium("signing in with a browser")

CLEARED = 'Cleared data types: "storage"'
"""What Chromium says of its own accord where somebody has signed out."""


@pytest.fixture(scope="module")
async def started() -> AsyncIterator[Browser]:
    """A browser, for both ways."""
    async with chromium() as browser:
        yield browser


@pytest.fixture(params=["with JavaScript", pytest.param("without JavaScript", marks=pytest.mark.prove)])
async def page(request: pytest.FixtureRequest, started: Browser, hub: Hub) -> AsyncIterator[Page]:
    """A browser's page, closed before its hub; whatever it complains about fails the test."""
    complaints: list[str] = []
    with_javascript = request.param == "with JavaScript"
    async with await started.new_context(base_url=hub.url, java_script_enabled=with_javascript) as context:
        page = await context.new_page()
        page.on("console", lambda message: None if CLEARED in message.text else complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
    assert complaints == []


async def test_a_person_signs_in_by_a_link_sets_a_password_and_comes_back(
    page: Page, hub: Hub, clock: FakeClock
) -> None:
    """The whole way; the browser's own Origin and Sec-Fetch-Site headers pass the check."""
    await user_of(hub, clock)
    await page.goto(hub.url + await link_of(hub, clock))
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(f"{hub.url}/operator")
    await page.goto(f"{hub.url}/account/security")
    await page.get_by_label("New password").fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()
    await expect(page.get_by_role("status")).to_contain_text("Your password is set")
    await page.get_by_role("button", name="Sign out").click()
    await expect(page).to_have_url(f"{hub.url}/login")
    await page.goto(f"{hub.url}/account")
    await page.get_by_label("E-mail address").fill("ann@hub.example")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(f"{hub.url}/account")


async def test_a_second_click_sends_nothing_and_a_kept_form_goes_on(
    started: Browser, hub: Hub, clock: FakeClock
) -> None:
    """A double click makes one token; after ten minutes a proof is asked for, and the form goes on by itself."""
    await user_of(hub, clock)
    async with await started.new_context(base_url=hub.url) as context:
        page, sent = await context.new_page(), list[str]()
        await page.goto(hub.url + await link_of(hub, clock))
        await page.get_by_role("button", name="Sign in").click()
        await page.goto("/account/security")
        await page.get_by_label("New password").fill(PASSWORD)
        await page.get_by_role("button", name="Set the password").click()
        await expect(page.get_by_role("status")).to_contain_text("Your password is set")
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        await page.goto("/account/tokens")
        await page.get_by_label("What it is for").fill("first")
        await page.get_by_role("button", name="Make the token").dblclick()
        await expect(page.get_by_role("heading", name="Your token")).to_be_visible()
        assert [each for each in sent if each.endswith("/account/tokens")] == [f"{hub.url}/account/tokens"]

        clock.now += FRESH_MS
        await page.goto("/account/tokens")
        await page.get_by_label("What it is for").fill("second")
        await page.get_by_role("button", name="Make the token").click()
        await page.get_by_label("Password of ann@hub.example").fill(PASSWORD)
        await page.get_by_role("button", name="Continue", exact=True).click()
        await expect(page.get_by_role("heading", name="Your token")).to_be_visible()
        await page.goto("/account/tokens")
        await expect(page.get_by_role("rowheader")).to_contain_text(["second", "first"])
