"""The WordPress plugin's script in a real browser: what it keeps of an affiliate's link, and what it leaves alone."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.resources import files
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Error, Page, Route

from hub.testing.chromium import chromium, needs_chromium

SHOP = "http://shop.example/"
DAY = 86_400
SCRIPT = files("hub_woocommerce").joinpath("wordpress/affiliate-hub/assets/capture.js").read_text("utf-8")

Visit = Callable[..., Awaitable[tuple[list[dict[str, Any]], list[str]]]]

# The tests share a browser, so they run in one loop.
pytestmark = [
    needs_chromium("what the WordPress plugin's script does in a browser"),
    pytest.mark.asyncio(loop_scope="module"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    async with chromium() as browser:
        yield await browser.new_page()


@pytest.fixture
def visit(page: Page) -> Visit:
    """Opens pages of a shop one after the other; returns the cookies at the end and what went wrong on the pages."""

    async def visit(*addresses: str, before: str = "") -> tuple[list[dict[str, Any]], list[str]]:
        faults: list[str] = []

        async def answer(route: Route) -> None:
            shown = f"<!doctype html><title>Shop</title><script>{before}</script><script>{SCRIPT}</script>"
            await route.fulfill(body=shown, content_type="text/html")

        def note(error: Error) -> None:
            faults.append(str(error))

        await page.context.clear_cookies()
        await page.route("**/*", answer)
        page.on("pageerror", note)
        for address in addresses:
            await page.goto(SHOP + address)
        page.remove_listener("pageerror", note)
        await page.unroute_all()
        return [dict(cookie) for cookie in await page.context.cookies()], faults

    return visit


async def test_a_click_is_kept_for_thirty_days_and_survives_the_next_page(visit: Visit) -> None:
    (cookie,), faults = await visit("?affiliate_click_id=clk_1", "checkout/")
    assert (cookie["name"], cookie["value"], cookie["path"]) == ("affiliate_click_id", "clk_1", "/")
    assert abs(cookie["expires"] - time.time() - 30 * DAY) < 600
    assert (cookie["sameSite"], faults) == ("Lax", [])


async def test_the_last_click_wins(visit: Visit) -> None:
    (cookie,), _ = await visit("?affiliate_click_id=clk_1", "?utm_source=x&affiliate_click_id=clk_2")
    assert cookie["value"] == "clk_2"


async def test_the_campaign_sets_the_days(visit: Visit) -> None:
    (cookie,), _ = await visit("?affiliate_click_id=clk_1&aff_days=90")
    assert abs(cookie["expires"] - time.time() - 90 * DAY) < 600


async def test_the_shop_sets_the_days(visit: Visit) -> None:
    (cookie,), _ = await visit("?affiliate_click_id=clk_1", before="window.affiliateHubCapture = {days: 7}")
    assert abs(cookie["expires"] - time.time() - 7 * DAY) < 600


@pytest.mark.parametrize(
    "value",
    [
        "%3Cscript%3E",
        *(pytest.param(each, marks=pytest.mark.prove) for each in ("", "a%3Bb", "a%20b", "x" * 129, "%F0%9F%98%80")),
    ],
)
async def test_what_is_no_click_is_left_alone(visit: Visit, value: str) -> None:
    assert await visit(f"?affiliate_click_id={value}") == ([], [])


async def test_a_browser_that_refuses_cookies_feels_nothing(visit: Visit) -> None:
    refuse = "Object.defineProperty(document, 'cookie', {set: function () { throw new Error('refused'); }})"
    assert await visit("?affiliate_click_id=clk_1", before=refuse) == ([], [])


CONSENT = """window.affiliateHubCapture = {url: '/told'}; window.told = [];
    window.fetch = function (url, how) { told.push(how.body); return Promise.resolve(); };
    window.wp_consent_type = 'optin';
    window.wp_has_consent = function () { return document.cookie.indexOf('agreed=1') >= 0; };
    window.choose = function (yes) { document.cookie = 'agreed=' + (yes ? 1 : 0);
        document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change')); };"""


async def test_the_consent_api_is_asked_first_and_heard_later(visit: Visit) -> None:
    """Nothing before yes, the cookie and the server's on yes, nothing after no."""

    async def after(*choices: str) -> list[tuple[str, str]]:
        chosen = f"addEventListener('load', function () {{ {''.join(f'choose({each});' for each in choices)} }});"
        cookies, faults = await visit("?affiliate_click_id=clk_1", before=CONSENT + chosen)
        assert faults == []
        return sorted((cookie["name"], cookie["value"]) for cookie in cookies)

    assert await after() == []
    assert await after("1") == [("affiliate_click_id", "clk_1"), ("agreed", "1")]
    assert await after("1", "0") == [("agreed", "0")]


async def test_without_a_tool_that_asks_nobody_has_to_agree(visit: Visit) -> None:
    """The WP Consent API alone, with no notice that sets a type: it says yes, once the page is whole."""
    (cookie,), _ = await visit(
        "?affiliate_click_id=clk_1", before="window.wp_has_consent = function () { return true; }"
    )
    assert cookie["value"] == "clk_1"


async def test_the_server_is_told_of_the_click(visit: Visit, page: Page) -> None:
    await visit("?affiliate_click_id=clk_1", before=CONSENT + "document.cookie = 'agreed=1'")
    assert await page.evaluate("() => told") == ['{"click":"clk_1","days":30}']
