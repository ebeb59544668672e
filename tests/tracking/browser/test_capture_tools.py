"""The capture script beside consent tools, several domains and BigCommerce's cart, in a real browser."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from hub.testing.chromium import needs_chromium
from tests.polling import until
from tests.tracking.browser.visits import CLICK, LATER, click_id, click_of, cookies, settle
from tests.tracking.shop import Shop

pytestmark = [
    pytest.mark.prove,
    needs_chromium("what /capture.js does beside a shop's tools"),
    pytest.mark.asyncio(loop_scope="module"),
]

REGIONS = """window.dataLayer = [["consent", "default", {ad_storage: "granted", region: ["US"]}],
    ["consent", "default", {ad_storage: "denied"}]]"""
TOOLS = {
    "wp": """window.wp_consent_type = "optin"; window.agreed = false;
        window.wp_has_consent = (category) => category === "marketing" && window.agreed;
        window.decide = (yes) => { window.agreed = yes;
            document.dispatchEvent(new CustomEvent("wp_listen_for_consent_change", {detail: {marketing: yes}})); };""",
    "shopify": """window.Shopify = {loadFeatures: (_, then) => then(), routes: {root: "/"},
            customerPrivacy: {marketingAllowed: () => Boolean(window.agreed)}};
        window.decide = (marketingAllowed) =>
            document.dispatchEvent(new CustomEvent("visitorConsentCollected", {detail: {marketingAllowed}}));""",
    "tcf": """window.__tcfapi = (what, version, hear) => {
            window.hear = hear; hear({eventStatus: "cmpuishown"}, true); };
        window.decide = (yes) => window.hear({eventStatus: "useractioncomplete", gdprApplies: true,
            purpose: {consents: {1: true, 7: yes}}}, true);""",
    "google": """window.dataLayer = []; function gtag() { dataLayer.push(arguments); }
        gtag("js", new Date()); dataLayer.push({event: "x"}); gtag("consent", "default", {ad_storage: "denied"});
        window.decide = (yes) => gtag("consent", "update", {ad_storage: yes ? "granted" : "denied"});""",
}


class TestConsentTools:
    """Each tool as its own documentation has it; nothing is kept before it says yes, and a no takes all back."""

    @pytest.mark.parametrize("tool", TOOLS)
    async def test_nothing_before_yes_and_nothing_after_no(self, shop: Shop, page: Page, tool: str) -> None:
        shop.options = f'data-consent="{tool}" data-platform="none"'
        shop.before = TOOLS[tool]
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert (await click_id(page), await cookies(page)) == (None, [])
        await page.evaluate("() => decide(true)")
        assert await click_id(page) == CLICK
        assert [cookie["value"] for cookie in await cookies(page)] == [CLICK]
        await page.evaluate("() => decide(false)")
        assert (await click_id(page), await cookies(page)) == (None, [])

    @pytest.mark.parametrize(
        ("tool", "before"),
        [
            ("wp", "window.wp_consent_type = 'optin'; window.wp_has_consent = () => true"),
            ("wp", "window.wp_has_consent = () => true"),
            ("shopify", TOOLS["shopify"] + "window.agreed = true"),
            ("tcf", "window.__tcfapi = (a, b, hear) => hear({eventStatus: 'tcloaded', gdprApplies: false}, true)"),
            ("google", "window.dataLayer = [['consent', 'default', {ad_storage: 'granted'}]]"),
        ],
    )
    async def test_who_agreed_before_is_not_asked_again(self, shop: Shop, page: Page, tool: str, before: str) -> None:
        shop.options = f'data-consent="{tool}" data-platform="none"'
        shop.before = before
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: click_of(page))

    @pytest.mark.parametrize(
        ("tool", "before"),
        [
            ("wp", ""),
            ("wp", "window.wp_consent_type = 'optin'; window.wp_has_consent = () => false"),
            ("shopify", ""),
            ("shopify", TOOLS["shopify"]),
            ("tcf", ""),
            ("tcf", "window.__tcfapi = (a, b, hear) => hear({eventStatus: 'tcloaded', gdprApplies: true}, true)"),
            ("tcf", "window.__tcfapi = () => { throw new Error('broken') }"),
            ("google", ""),
            ("google", REGIONS),
            ("of-tomorrow", ""),
        ],
    )
    async def test_no_word_is_no(self, shop: Shop, page: Page, tool: str, before: str) -> None:
        """A tool that is not there, broken, unknown, or whose default is yes in some regions alone."""
        shop.options = f'data-consent="{tool}" data-platform="none"'
        shop.before = before
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert (await click_id(page), await cookies(page)) == (None, [])


class TestSeveralDomains:
    OPTIONS = 'data-domain="shop.example tienda.example"'

    async def test_the_one_that_is_the_shops_shares_its_cookie(self, shop: Shop, page: Page) -> None:
        shop.options = self.OPTIONS
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}", "www.shop.example"))
        assert [cookie["domain"] for cookie in await cookies(page)] == [".shop.example"]

    async def test_a_way_to_another_one_carries_the_click(self, shop: Shop, page: Page) -> None:
        """And no way to a stranger, nor to the same domain, which has the cookie."""
        shop.options = self.OPTIONS
        hosts = ("tienda.example", "pay.tienda.example", "pay.shop.example", "stranger.example", "nottienda.example")
        shop.body = "".join(f"<a href='http://{host}/buy?a=%7E#x'>{host}</a>" for host in hosts)
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}", "www.shop.example"))
        told = "() => [...document.links].map((link) => { link.addEventListener('click', (event) => "
        told += "event.preventDefault()); link.click(); link.click(); return link.href; })"
        passed = f"buy?a=%7E&affiliate_click_id={CLICK}#x"
        assert await page.evaluate(told) == [
            f"http://tienda.example/{passed}", f"http://pay.tienda.example/{passed}",
            *(f"http://{host}/buy?a=%7E#x" for host in hosts[2:]),
        ]  # fmt: skip


class TestBigCommerce:
    @pytest.fixture
    def shop(self, shop: Shop) -> Shop:
        shop.options = 'data-platform="bigcommerce"'
        shop.policy = f"script-src {shop.hub} 'self'; connect-src 'self'"
        return shop

    async def test_the_order_gets_the_click_beside_the_buyers_message(self, shop: Shop, page: Page) -> None:
        shop.message = "Please ring twice"
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: shop.messages == [f"Please ring twice\naffiliate_click_id={CLICK}"])
        await page.goto(shop.at("/cart.php"))
        await settle(page)
        assert len(shop.messages) == 1
        await page.goto(shop.at(f"/?affiliate_click_id={LATER}"))
        await until(lambda: shop.message == f"Please ring twice\naffiliate_click_id={LATER}")

    async def test_is_recognised_and_waits_for_a_cart(self, shop: Shop, page: Page) -> None:
        shop.options, shop.token = "", ""
        shop.before = "window.BCData = {}"
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert shop.messages == []
        shop.token = "cart-1"
        await page.goto(shop.at("/cart.php"))
        await until(lambda: shop.message == f"affiliate_click_id={CLICK}")
