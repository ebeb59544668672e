"""The thief's, the colleague's and the token's stories in a real browser: each ends in a refusal and in mails.

The same presses without a browser, more of them and their controls are in test_thief.py and test_second_person.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, expect

from hub.acts.authority import FRESH_MS
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.test_second_person import Office, office
from tests.pages.test_thief import Shop, shop
from tests.pages.visitor import PASSWORD
from tests.token_api.callers import ADMIN, program

__all__ = ["shop"]

pytestmark = [pytest.mark.prove, needs_chromium("the thief, the colleague and the token in a browser")]


async def signs_in(page: Page, url: str, email: str) -> None:
    await page.goto(f"{url}/login")
    await page.get_by_label("E-mail address").fill(email)
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(page.get_by_role("heading", name="Sign in", exact=True)).to_have_count(0)


@asynccontextmanager
async def alices_browser(url: str, clock: FakeClock) -> AsyncIterator[tuple[Office, Browser, Page]]:
    """An office with the administrator Alice signed in, in a browser of her own."""
    async with AsyncExitStack() as stack:
        here = await office(stack, url, clock)
        browser = await stack.enter_async_context(chromium())
        page = await browser.new_page()
        await signs_in(page, here.hub.url, "alice@hub.example")
        yield here, browser, page


async def approves(page: Page) -> None:
    await page.get_by_text("Approve it").click()
    await page.get_by_role("button", name="Approve", exact=True).click()


async def test_a_thief_moves_an_affiliates_address_and_the_old_ones_hear_of_it(shop: Shop) -> None:
    async with chromium() as browser:
        page = await browser.new_page()
        await signs_in(page, shop.hub.url, "ada@post.example")
        shop.clock.now += FRESH_MS
        await page.goto(f"{shop.hub.url}/affiliate/settings")
        await page.get_by_label("E-mail address").fill("thief@evil.example")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
        assert "thief@evil.example" not in await shop.mails("desk@post.example")
        await page.get_by_label("Password of ada@post.example").fill(PASSWORD)
        await page.get_by_role("button", name="Continue", exact=True).click()
        await page.get_by_label("E-mail address").fill("thief@evil.example")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("Saved.")).to_be_visible()
    for address in ("desk@post.example", "ada@post.example"):
        assert "go to thief@evil.example from now on" in await shop.mails(address), address


async def test_a_colleague_with_a_link_of_theirs_approves_nothing(sqlite_url: str, clock: FakeClock) -> None:
    async with alices_browser(sqlite_url, clock) as (here, browser, page):
        await page.goto(here.hub.url + here.proposal)
        await approves(page)
        await expect(page.get_by_text("you did the first act yourself")).to_be_visible()
        other = await (await browser.new_context()).new_page()
        await other.goto(here.hub.url + await here.link())
        await other.get_by_role("button", name="Sign in").click()
        await other.goto(here.hub.url + here.proposal)
        await approves(other)
        await expect(other.get_by_text("Someone else recently let you in")).to_be_visible()
        wrote = " ".join(await here.mails("bob@hub.example"))
        assert "Alice (alice@hub.example) made a link that signs in as you" in wrote


async def test_a_token_made_on_the_page_brings_nobody_in(sqlite_url: str, clock: FakeClock) -> None:
    async with alices_browser(sqlite_url, clock) as (here, _, page):
        await page.goto(f"{here.hub.url}/account/tokens")
        await page.get_by_label("What it is for").fill("ci")
        await page.get_by_label("Access").select_option("admin:write")
        await page.get_by_label("people:write").check()
        await page.get_by_role("button", name="Make the token").click()
        made = await page.locator("#token").inner_text()
        async with program(here.hub, made) as ask:
            reply = await ask("POST", f"{ADMIN}/users/invite", {"email": "eve@evil.example", "role": "operator-admin"})
        assert "A token lets no administrator in" in reply.json["message"]
        await page.goto(f"{here.hub.url}/operator/users")
        await expect(page.get_by_text("bob@hub.example")).to_be_visible()
        await expect(page.get_by_text("eve@evil.example")).to_have_count(0)
        assert await here.mails("eve@evil.example") == []
