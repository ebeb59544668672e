"""The capture script in a real browser, in a small shop that writes down what reaches it."""

from __future__ import annotations

import time

import pytest
from playwright.async_api import Page, Route, expect

from hub.app import Hub
from hub.http.static_files import STATIC
from hub.testing.chromium import needs_chromium
from hub.tracking.capture_page import without_comments
from tests.polling import until
from tests.tracking.browser.visits import CLICK, LATER, click_id, cookies, settle
from tests.tracking.shop import Shop

DAY = 86_400

# The hub and the browser are the file's, so everything runs in one loop; shops and pages are each test's own.
pytestmark = [needs_chromium("what /capture.js does in a browser"), pytest.mark.asyncio(loop_scope="module")]


class TestCookie:
    @pytest.mark.parametrize(
        ("options", "days"),
        [("", 30), ('data-days="7"', 7), ('data-days="soon"', 30), ('data-days="-3"', 30), ('data-days=""', 30)],
    )
    async def test_lasts_for_the_window(self, shop: Shop, page: Page, options: str, days: int) -> None:
        shop.options = options
        await page.goto(shop.at(f"/lantern?color=red&affiliate_click_id={CLICK}&aff_id=aff_1#buy"))
        (cookie,) = await cookies(page)
        assert (cookie["value"], cookie["path"], cookie["sameSite"]) == (CLICK, "/", "Lax")
        assert (cookie["secure"], cookie["httpOnly"], cookie["domain"]) == (False, False, "127.0.0.1")
        assert abs(cookie["expires"] - time.time() - days * DAY) < 600
        await page.goto(shop.at("/another/page"))
        assert await click_id(page) == CLICK
        assert shop.cookies[-1] == {"affiliate_click_id": CLICK}, "the shop's server finds it too"

    @pytest.mark.parametrize(("options", "days"), [("", 90), ('data-days="7"', 7)])
    async def test_lasts_for_the_campaigns_window_unless_the_shop_says(
        self, shop: Shop, page: Page, options: str, days: int
    ) -> None:
        shop.options = f"{options} data-clean"
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}&aff_id=aff_1&aff_days=90"))
        (cookie,) = await cookies(page)
        assert abs(cookie["expires"] - time.time() - days * DAY) < 600
        assert page.url == shop.at("/")

    async def test_of_no_days_goes_with_the_browser(self, shop: Shop, page: Page) -> None:
        shop.options = 'data-days="0"'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        (cookie,) = await cookies(page)
        assert (cookie["value"], cookie["expires"]) == (CLICK, -1)

    async def test_is_secure_on_https(self, page: Page) -> None:
        async def answer(route: Route) -> None:
            script = without_comments((STATIC / "capture.js").read_text("utf-8"))
            if route.request.url.endswith("/capture.js"):
                await route.fulfill(body=script, content_type="text/javascript")
            else:
                await route.fulfill(body="<script src='/capture.js'></script>", content_type="text/html")

        await page.route("https://tls.example/**", answer)
        await page.goto(f"https://tls.example/?affiliate_click_id={CLICK}")
        (cookie,) = await cookies(page)
        assert (cookie["value"], cookie["secure"]) == (CLICK, True)

    async def test_last_click_wins(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={LATER}"))
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        assert await click_id(page) == CLICK
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}&affiliate_click_id={LATER}"))
        assert await click_id(page) == LATER, "the hub appends"
        assert [cookie["value"] for cookie in await cookies(page)] == [LATER]

    async def test_what_is_no_id_changes_nothing(self, shop: Shop, page: Page) -> None:
        hostile = ("a%20b", "a;b", "a%3Bb", "%3Cscript%3E", "caf%C3%A9", "a%0A", "a%0D%0Ab", "%", "a.b", "%00")
        for value in ("", "a" * 129, *hostile):
            await page.goto(shop.at(f"/?affiliate_click_id={value}"))
            assert (await click_id(page), await cookies(page)) == (None, []), value
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        for value in ("", "a" * 129, *hostile):
            await page.goto(shop.at(f"/?affiliate_click_id={value}"))
            assert await click_id(page) == CLICK, value
        assert [cookie["value"] for cookie in await cookies(page)] == [CLICK]

    async def test_only_the_query_counts(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?other=affiliate_click_id#affiliate_click_id={CLICK}"))
        assert await click_id(page) is None
        assert await cookies(page) == []

    async def test_longest_id_is_kept(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={'aZ_-' * 32}"))
        assert await click_id(page) == "aZ_-" * 32

    async def test_is_shared_by_subdomains(self, shop: Shop, page: Page) -> None:
        """Also where the shop gave its line the domain later, after a cookie of one host alone."""
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}", "www.shop.example"))
        shop.options = 'data-domain="shop.example"'
        await page.goto(shop.at(f"/?affiliate_click_id={LATER}", "www.shop.example"))
        assert await click_id(page) == LATER
        assert [cookie["domain"] for cookie in await cookies(page)] == [".shop.example"]
        await page.goto(shop.at("/", "pay.shop.example"))
        assert await click_id(page) == LATER

    async def test_of_a_strange_domain_is_this_hosts(self, shop: Shop, page: Page) -> None:
        shop.options = 'data-domain="another.example"'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}", "www.shop.example"))
        assert await click_id(page) == CLICK
        assert [cookie["domain"] for cookie in await cookies(page)] == ["www.shop.example"]


class TestAddressBar:
    async def test_stays_unless_asked(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        assert page.url == shop.at(f"/?affiliate_click_id={CLICK}")

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("?affiliate_click_id={}&aff_id=aff_1", ""),
            ("?q=a%20b+c&affiliate_click_id={}&aff_id=aff_1&flag&x=1?2#top", "?q=a%20b+c&flag&x=1?2#top"),
            ("?affiliate_click_id={}&q=1", "?q=1"),
            ("?q=%7E&my_affiliate_click_id={}", "?q=%7E&my_affiliate_click_id={}"),
        ],
    )
    async def test_is_tidied(self, shop: Shop, page: Page, before: str, after: str) -> None:
        """What is not ours stays as it was, to the byte."""
        shop.options = "data-clean"
        await page.goto(shop.at(f"/lantern{before.format(CLICK)}"))
        assert page.url == shop.at(f"/lantern{after.format(CLICK)}")
        assert await click_id(page) == (None if "my_" in before else CLICK)


class TestShopify:
    @pytest.fixture
    def shop(self, shop: Shop) -> Shop:
        shop.shopify = True
        return shop

    async def test_cart_gets_the_click_once(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: bool(shop.updates))
        for _ in range(2):
            await page.goto(shop.at("/lantern"))
            await settle(page)
        assert shop.updates == [{"attributes": {"affiliate_click_id": CLICK}}]
        assert shop.reads == 3, "one look at the cart on each page"

    async def test_other_attributes_stay(self, shop: Shop, page: Page) -> None:
        shop.attributes = {"gift": "yes"}
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: shop.attributes == {"gift": "yes", "affiliate_click_id": CLICK})

    async def test_new_cart_and_new_click(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: len(shop.updates) == 1)
        shop.new_cart("cart-2")
        await page.goto(shop.at("/thanks"))
        await until(lambda: len(shop.updates) == 2)
        await page.goto(shop.at(f"/?affiliate_click_id={LATER}"))
        await until(lambda: shop.attributes == {"affiliate_click_id": LATER})
        assert len(shop.updates) == 3

    async def test_page_that_comes_back_finds_a_new_cart(self, shop: Shop, page: Page) -> None:
        """The back button brings a page from memory, where no script starts anew."""
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: len(shop.updates) == 1)
        shop.new_cart("cart-2")
        await page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        await until(lambda: len(shop.updates) == 2)

    async def test_without_a_click_the_cart_is_left_alone(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at("/"))
        await settle(page)
        assert (shop.reads, shop.updates) == (0, [])

    async def test_failing_cart_is_tried_on_the_next_page(self, shop: Shop, page: Page, complaints: list[str]) -> None:
        shop.broken = True
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert all("500" in complaint for complaint in complaints), "the browser's own, about the shop's answer"
        complaints.clear()
        shop.broken = False
        await page.goto(shop.at("/"))
        await until(lambda: len(shop.updates) == 1)

    async def test_unreachable_cart_is_no_exception(self, shop: Shop, page: Page, complaints: list[str]) -> None:
        await page.route("**/cart.js", lambda route: route.abort())
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert await click_id(page) == CLICK
        complaints.clear()

    async def test_can_be_denied(self, shop: Shop, page: Page) -> None:
        shop.options = 'data-platform="none"'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert shop.reads == 0

    async def test_can_be_named(self, shop: Shop, page: Page) -> None:
        """A storefront of one's own, without Shopify's objects."""
        shop.shopify, shop.options = False, 'data-platform="shopify"'
        shop.policy = f"script-src {shop.hub}; connect-src 'self'"
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await until(lambda: len(shop.updates) == 1)


class TestForms:
    CHECKOUT = """<form id="a" action="/order" method="post">
        <input name="affiliate_click_id" value="old"><button>A</button></form>
      <form id="b" action="/order" method="post" data-affiliate-click>
        <input name="sku" value="1"><button>B</button></form>
      <form id="c" action="/order" method="post" data-affiliate-click="properties[_affiliate_click_id]">
        <button>C</button></form>
      <form id="d" action="/order" method="post"><input name="q" value="2"><button>D</button></form>"""

    async def test_carry_the_click(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        shop.body = self.CHECKOUT
        for button in "ABCD":
            await page.goto(shop.at("/checkout"))
            await page.get_by_role("button", name=button, exact=True).click()
            await page.wait_for_url("**/order")
        assert shop.orders == [
            {"affiliate_click_id": CLICK},
            {"sku": "1", "affiliate_click_id": CLICK},
            {"properties[_affiliate_click_id]": CLICK},
            {"q": "2"},
        ]

    async def test_without_a_click_stay_as_they_are(self, shop: Shop, page: Page) -> None:
        shop.body = self.CHECKOUT
        await page.goto(shop.at("/checkout"))
        assert await page.locator("input").count() == 3
        await expect(page.locator("#a input")).to_have_value("old")

    async def test_that_come_late_are_filled_when_sent(self, shop: Shop, page: Page) -> None:
        """A form that a script draws after the page was ready."""
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await page.evaluate(
            """() => { const form = Object.assign(document.createElement("form"), {method: "post", action: "/order"});
            form.dataset.affiliateClick = ""; form.append(document.createElement("button")); document.body.append(form);
            document.forms[0].requestSubmit(); }"""
        )
        await until(lambda: shop.orders == [{"affiliate_click_id": CLICK}])


class TestConsent:
    @pytest.fixture
    def shop(self, shop: Shop) -> Shop:
        shop.shopify, shop.options, shop.body = True, 'data-consent="wait" data-clean', TestForms.CHECKOUT
        return shop

    async def test_nothing_happens_before(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert await click_id(page) is None
        assert (await cookies(page), shop.reads, page.url) == ([], 0, shop.at(f"/?affiliate_click_id={CLICK}"))
        await expect(page.locator("#a input")).to_have_value("old")

    async def test_everything_happens_after(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await page.evaluate("() => { affiliateHub.allow(); affiliateHub.allow(); }")
        assert await click_id(page) == CLICK
        await until(lambda: len(shop.updates) == 1)
        assert ([cookie["value"] for cookie in await cookies(page)], page.url) == ([CLICK], shop.at("/"))
        await expect(page.locator("#a input")).to_have_value(CLICK)
        await settle(page)
        assert shop.reads == 1

    async def test_is_asked_for_on_every_page(self, shop: Shop, page: Page) -> None:
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await page.evaluate("() => affiliateHub.allow()")
        await page.goto(shop.at("/"))
        assert await click_id(page) is None
        await page.evaluate("() => affiliateHub.allow()")
        assert await click_id(page) == CLICK

    async def test_may_come_before_the_script(self, shop: Shop, page: Page) -> None:
        shop.before = "window.affiliateHub = { allowed: true }"
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        assert await click_id(page) == CLICK


class TestPeace:
    async def test_refused_cookies(self, shop: Shop, page: Page) -> None:
        """The click still counts on the page where the visitor arrives."""
        refuse = "{ get() { throw new Error('no') }, set() { throw new Error('no') } }"
        shop.before = f"Object.defineProperty(Document.prototype, 'cookie', {refuse})"
        shop.body = TestForms.CHECKOUT
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        assert await click_id(page) == CLICK
        await expect(page.locator("#a input")).to_have_value(CLICK)

    async def test_sandboxed_frame(self, shop: Shop, page: Page) -> None:
        """Where the browser itself refuses cookies and history, as in a theme's preview."""
        shop.options, shop.policy = "data-clean", "script-src * 'unsafe-inline'"
        shop.body = f"<iframe sandbox='allow-scripts' src='/in?affiliate_click_id={CLICK}'></iframe>"
        await page.goto(shop.at("/out"))
        frame = page.frames[1]
        assert await frame.evaluate("() => affiliateHub.clickId()") == CLICK

    async def test_loaded_twice(self, shop: Shop, page: Page) -> None:
        shop.shopify = True
        shop.head = f'<script src="{shop.hub}/capture.js"></script>'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        await settle(page)
        assert (len(shop.updates), shop.reads) == (1, 1)

    async def test_names_are_taken(self, shop: Shop, page: Page) -> None:
        """Elements become properties of the window by their ids."""
        shop.body = (
            '<a id="affiliateHub"></a><form id="Shopify" data-affiliate-click=\'"]\'><input name="dataset"></form>'
        )
        shop.options = 'data-platform="none"'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        assert await click_id(page) == CLICK

    async def test_isolated_shop(self, shop: Shop, page: Page) -> None:
        """A module, asked for with CORS: options are still found."""
        shop.options = 'type="module" crossorigin data-days="0"'
        await page.goto(shop.at(f"/?affiliate_click_id={CLICK}"))
        (cookie,) = await cookies(page)
        assert (cookie["value"], cookie["expires"]) == (CLICK, -1)


class TestExplanation:
    async def test_writes_the_line(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/capture")
        line = page.locator("#line")
        await expect(line).to_have_text(f'<script async src="{hub.url}/capture.js"></script>')
        await page.get_by_label("Days to remember").fill("7")
        await page.get_by_label("Shared by").fill("https://shop.example/")
        await page.get_by_role("combobox", name="Consent").select_option("tcf")
        await page.get_by_label("Tidy").check()
        await page.get_by_label("Platform").select_option("shopify")
        written = 'data-days="7" data-domain="shop.example" data-platform="shopify" data-consent="tcf" data-clean'
        await expect(line).to_have_text(f'<script async src="{hub.url}/capture.js" {written}></script>')
        await page.get_by_role("button", name="Copy").click()
        await expect(page.locator("#copied")).not_to_be_empty()
