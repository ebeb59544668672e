"""A real shop in a browser: its owner uploads, activates and checks; a buyer clicks a link and orders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from hub.operations.connections.connection_packages import package_connection
from hub.operations.connections.consents import begin_consent
from hub.operations.connections.platform_view import show_platform
from hub.testing.chromium import chromium, needs_chromium
from tests.store_walk import HOST
from tests.woocommerce.walk import FIGURES, FORGET, Walk, becomes, platforms_of

pytestmark = needs_chromium("a real WooCommerce in a browser")
SHOP = f"http://{HOST}"
SLOW_MS = 180_000
"""PHP's own web server takes its time for the block checkout."""


@asynccontextmanager
async def browsing(port: int) -> AsyncIterator[Page]:
    """Open a page for which the shop's host is on this machine, and nothing else is anywhere."""
    rules = f"MAP {HOST}:80 127.0.0.1:{port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    async with chromium(f"--host-resolver-rules={rules}") as browser:
        page = await browser.new_page()
        page.set_default_timeout(SLOW_MS)
        yield page


async def log_in(page: Page) -> None:
    await page.goto(f"{SHOP}/wp-login.php")
    await page.fill("#user_login", "owner")
    await page.fill("#user_pass", "secret")
    await page.click("#wp-submit")
    await page.wait_for_url("**/wp-admin/**")


async def upload(page: Page, walk: Walk, folder: Path) -> None:
    """Choose the newest package under Plugins > Add New Plugin > Upload Plugin, and press Install Now."""
    name, package = await package_connection(walk.admin, walk.connection_id)
    file = folder / name
    await asyncio.to_thread(file.write_bytes, package)
    await page.goto(f"{SHOP}/wp-admin/plugin-install.php?tab=upload")
    await page.set_input_files("#pluginzip", file)
    await page.click("#install-plugin-submit")


async def mend(page: Page) -> None:
    await page.goto(f"{SHOP}/wp-admin/admin.php?page=affiliate-hub")
    await page.click("text=Repair and check the connection")


class TestTheOwner:
    async def test_uploads_activates_and_proves_the_connection(self, walk: Walk, web_port: int, tmp_path: Path) -> None:
        """By page alone; then the live package replaces the test one, and nothing else is done."""
        await walk.php(FORGET)
        await walk.php("return delete_plugins( array( 'affiliate-hub/affiliate-hub.php' ) );")
        async with browsing(web_port) as page:
            await log_in(page)
            await upload(page, walk, tmp_path)
            await page.click("text=Activate Plugin")
            await mend(page)
            await expect(page.locator("body")).to_contain_text(
                "this shop and the hub know the same secret", timeout=SLOW_MS
            )
            order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
            await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
            await walk.connect("live")
            await upload(page, walk, tmp_path)
            await page.click("text=Replace current with uploaded")
            await expect(page.locator("body")).to_contain_text("Plugin updated successfully", timeout=SLOW_MS)
            order = await walk.order({"Lantern": 1}, "$order->payment_complete();", "live")
            await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
            assert await walk.mode_of(order) == "live"
            await page.goto(f"{SHOP}/wp-admin/admin.php?page=affiliate-hub")
            await expect(page.locator("body")).to_contain_text(walk.connection_id, timeout=SLOW_MS)

    async def test_agrees_on_the_shops_own_page_instead_of_typing_keys(self, walk: Walk, web_port: int) -> None:
        """WooCommerce posts keys to the hub, over an address that only its test turns into the hub's."""
        await walk.php(FORGET)
        site = f"http://127.0.0.1:{web_port}"
        asked = platforms_of(walk, "https://hub.example")
        url = await begin_consent(asked, walk.connection_id, "usr_owner", {"site": site})
        async with browsing(web_port) as page:
            await log_in(page)
            await page.goto(url.replace(site, SHOP))
            await expect(page.locator("body")).to_contain_text("Affiliate hub", timeout=SLOW_MS)
            await page.click("text=Approve", no_wait_after=True)

            async def is_connected() -> bool:
                return bool((await show_platform(platforms_of(walk), walk.connection_id))["hasCredentials"])

            await becomes(is_connected, True)
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))


class TestTheBuyer:
    @pytest.mark.parametrize("checkout", ["block", "classic"])
    async def test_a_buyers_click_reaches_the_order(self, walk: Walk, web_port: int, checkout: str) -> None:
        """From the affiliate's link to the button that places the order, in either checkout."""
        path = await walk.php(f"return act_checkout_page( '{checkout}' );")
        async with browsing(web_port) as page:
            await page.goto(await walk.link())
            await page.wait_for_url(f"{SHOP}/**")
            cookies = {cookie["name"]: cookie["value"] for cookie in await page.context.cookies(SHOP)}
            assert cookies["affiliate_click_id"].startswith("clk_")
            await page.goto(f"{SHOP}/?add-to-cart={walk.shop.products['Lantern']}")
            await page.goto(f"{SHOP}{path}")
            await (_block if checkout == "block" else _classic)(page)
            await page.wait_for_url("**/order-received/**")
        FIGURES.orders += 1
        order = await walk.php("return wc_get_orders( array( 'limit' => 1, 'return' => 'ids' ) )[0];")
        await walk.comes_to(order, ("50.00", "PENDING", "2.50"))
        await walk.change(order, "$order->update_status( 'completed' );")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))


async def _block(page: Page) -> None:
    await page.fill("#email", "ann@buyer.example")
    fields = {"first_name": "Ann", "last_name": "Lee", "address_1": "Weg 1", "city": "Berlin", "postcode": "10115"}
    for name, value in fields.items():
        await page.fill(f"#billing-{name}", value)
    await page.click("text=Place Order")


async def _classic(page: Page) -> None:
    fields = {
        "first_name": "Ann", "last_name": "Lee", "address_1": "Weg 1", "city": "Berlin", "postcode": "10115",
        "phone": "030123", "email": "ann@buyer.example",
    }  # fmt: skip
    for name, value in fields.items():
        await page.fill(f"#billing_{name}", value)
    await page.click("#place_order")
