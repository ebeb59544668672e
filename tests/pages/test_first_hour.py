"""The bar of the first hour: an owner without a shell, from registration to the first live commission, in a browser.

Whatever the owner, the operator and the partner do, they do by clicks on what they see and by the mails that they get.
The shop alone is played: it shows the token of its domain, and its WooCommerce sends the order of a buyer who came
through the partner's link, as the plugin `hub_woocommerce` plays one.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define
from playwright.async_api import Page, expect
from yarl import URL

from hub.app import Hub
from hub.clock import system_clock
from hub.domain.connectors.deliveries import secret_identity
from hub.domain.connectors.scenarios import posts
from hub.domain.connectors.scenes import Play
from hub.operations.connections.connections import ConnectionAdmin, connection_row, list_connections
from hub.operations.connections.connectors import connector_named
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.mail.smtp_server import Inbox
from tests.pages.test_registration import link_in, mailing, sent
from tests.pages.visitor import link_of, user_of
from tests.polling import until

pytestmark = needs_chromium("the first hour in a browser")

MOST_OF_OWNER, MOST_OF_PARTNER = 30, 10
ENVIRON = {"HUB_PEOPLE_REGISTRATION": "open", "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}
SHELL = ("hub connection", "hub serve", "hub simulate", "HUB_", "docs/", " --", "clickId", "externalOrderId")
"""What no page of an owner says: commands, environment variables, files of the repository, fields of the API."""


@define
class Shop:
    """The owner's shop: where it is, and what its owner put into its file."""

    domain: str = ""
    token: str = ""


@define
class Person:
    """Somebody at a browser who counts clicks: a press, a choice and a link of a mail are one each, typing is none."""

    page: Page
    hub: Hub
    clicks: int = 0
    reads: bool = False
    """Whether each page that comes up is read for what an owner cannot use."""

    async def click(self, role: Any, name: str) -> None:
        """Press a button, follow a link or choose; a name of the left column may have its unread notices behind it."""
        whole = re.compile(rf"^{re.escape(name)}( \d+ new)?$")
        await self.page.get_by_role(role, name=whole).first.click()
        self.clicks += 1
        await self.read()

    async def open(self, path: str) -> None:
        """Follow a link of a mail."""
        await self.page.goto(self.hub.url + path)
        self.clicks += 1
        await self.read()

    async def fill(self, label: str, text: str) -> None:
        await self.page.get_by_label(label, exact=True).fill(text)

    async def read(self) -> None:
        await self.page.wait_for_load_state()
        if self.reads:
            words = await self.page.locator("main").inner_text()
            assert [each for each in SHELL if each in words.replace(self.hub.url, "")] == [], words
            assert "Something went wrong" not in words


@asynccontextmanager
async def shop() -> AsyncIterator[Shop]:
    """A shop on this machine."""
    place = Shop()

    async def token(_: web.Request) -> web.StreamResponse:
        return web.Response(text=place.token + "\n")

    app = web.Application()
    app.router.add_get("/{path:.*}", token)
    async with TestServer(app, host="127.0.0.1") as server:
        place.domain = f"127.0.0.1:{server.port}"
        yield place


@asynccontextmanager
async def people(hub: Hub, *names: str) -> AsyncIterator[list[Person]]:
    async with AsyncExitStack() as stack:
        browser = await stack.enter_async_context(chromium())
        pages = [await browser.new_page() for _ in names]
        for page in pages:
            page.set_default_timeout(8_000)
        together = zip(pages, names, strict=True)
        yield [Person(page, hub, reads=name == "owner") for page, name in together]


async def registers(owner: Person, hub: Hub, inbox: Inbox) -> None:
    await owner.page.goto(f"{hub.url}/register")
    await owner.click("radio", "WooCommerce")
    await owner.fill("Name", "Fjord & Fern")
    await owner.fill("E-mail address", "ann@shop.example")
    await owner.click("button", "Email me a link")
    await owner.open(await link_in(hub, inbox, "ann@shop.example"))
    await owner.click("button", "Create my account")
    await expect(owner.page.get_by_role("heading", name="Set up", exact=True)).to_be_visible()


async def tries(owner: Person, place: Shop) -> None:
    """The seven steps of the test account."""
    await owner.click("link", "Fill in the profile")
    for label, text in (("Legal name", "Fjord & Fern GmbH"), ("Contact name", "Ann"),
                        ("Website", "https://shop.example"), ("Postal address", "Way 1\n10115 Berlin"),
                        ("What you sell, and to whom", "Ferns in pots.")):  # fmt: skip
        await owner.fill(label, text)
    await owner.page.get_by_label("Country").select_option("Germany")
    await owner.click("button", "Save")
    await owner.click("link", "Prove the domain")
    await owner.fill("Domain", place.domain)
    await owner.click("button", "Add it")
    place.token = await owner.page.locator("#token").inner_text()  # and puts it into the file, as the page says
    await owner.click("button", "Check now")
    await owner.click("link", "Connect WooCommerce")
    await owner.click("button", "Connect WooCommerce")
    await owner.click("link", "Set up")
    await owner.click("button", "Start the campaign")
    for press in ("Follow the test link", "Place a test order", "Deliver it"):
        await owner.click("button", press)
    await expect(owner.page.locator("#happened")).to_contain_text("5.00")
    await expect(owner.page.locator("#happened")).to_contain_text("On hold")


async def operator_decides(operator: Person, button: str) -> None:
    """The operator finds who waits and decides, in another browser."""
    await operator.page.goto(f"{operator.hub.url}/operator/approvals")
    await operator.page.get_by_role("link", name="Fjord & Fern").first.click()
    if button == "Decide":
        await operator.page.get_by_text("Decide on live access", exact=True).click()
    await operator.page.get_by_role("button", name=button, exact=True).click()
    await expect(operator.page.get_by_role("status").first).to_be_visible()


async def goes_live(owner: Person) -> None:
    await owner.page.reload()
    await owner.click("button", "Take to live")
    await owner.click("button", "Use this store for live: WooCommerce")
    await owner.click("link", "Invite a partner")
    await owner.fill("E-mail addresses", "bea@blog.example")
    await owner.click("button", "Send the invitations")


async def joins(partner: Person, hub: Hub, inbox: Inbox) -> str:
    """The partner, from the mail to the first click of a buyer; return the click."""
    await partner.open(await link_in(hub, inbox, "bea@blog.example"))
    await partner.fill("Name", "Bea's blog")
    await partner.click("button", "Create my account")
    link = await partner.page.locator("tbody code").first.inner_text()
    partner.clicks += 1  # a buyer follows it
    async with (
        aiohttp.ClientSession(headers={"User-Agent": "Mozilla/5.0"}) as session,
        session.get(link, allow_redirects=False) as led,
    ):
        return URL(led.headers["Location"]).query["affiliate_click_id"]


async def sells(hub: Hub, clock: FakeClock, click: str) -> None:
    """What the shop's WooCommerce sends by itself: an order of the buyer, by the connection's own secret."""
    parts = hub.parts
    admin = ConnectionAdmin(parts.store, parts.sealer, parts.plugins, clock, hub.url)
    (connection,) = await list_connections(admin, None)
    async with parts.store.read() as tx:
        row = await connection_row(tx, connection.id)
    entry = json.loads(row["secrets"])[-1]
    secret = parts.sealer.open(entry["sealed"], secret_identity(row["connection_id"], entry["id"])).decode()
    connector = await connector_named(parts.plugins, "woocommerce")
    play = Play("4711", click, "USD", clock() - 1_000)
    deliveries = await parts.plugins.played("woocommerce", play)
    async with aiohttp.ClientSession(hub.url) as session:
        for each in posts(connector, deliveries, "delivered", play, secret, clock()):
            headers = {"content-type": "application/json", **each.headers}
            async with session.post(f"/connect/{row['connection_id']}", data=each.body, headers=headers) as answer:
                assert answer.status == 200


async def the_first_hour(url: str, clock: FakeClock) -> tuple[int, int]:
    """Walk it all; return how many clicks the owner and the partner made.

    Ids are made by the machine's time, and a list of live orders in a state looks for them around the days on which
    they were placed: so the clock begins at the machine's.
    """
    clock.now = system_clock()
    async with mailing(url, clock, **ENVIRON) as (hub, inbox), shop() as place:
        await user_of(hub, clock)
        async with people(hub, "owner", "operator", "partner") as (owner, operator, partner):
            await operator.page.goto(hub.url + await link_of(hub, clock))
            await operator.page.get_by_role("button", name="Sign in").click()
            await registers(owner, hub, inbox)
            await tries(owner, place)
            await operator_decides(operator, "Approve")
            await owner.page.reload()
            await owner.click("button", "Ask for live access")
            await operator_decides(operator, "Decide")
            await goes_live(owner)
            click = await joins(partner, hub, inbox)
            clock.advance(3_000)  # every process has noticed whose the store is now
            await sells(hub, clock, click)
            await owner.click("link", "Set up")

            async def is_done() -> bool:
                await owner.page.reload()
                return await owner.page.get_by_role("heading", name="You are set up").count() > 0

            await until(is_done, pause=0.1)
            await owner.click("link", "Money")

            async def is_held() -> bool:  # the delivery is decided after the order, by which the steps are done
                await owner.page.reload()
                return await owner.page.locator("tbody tr").count() > 0

            await until(is_held, pause=0.1)
            await expect(owner.page.locator("tbody tr").first).to_contain_text("Bea's blog")
            await expect(owner.page.locator(".band")).to_have_count(0)
            await sent(hub)
            return owner.clicks, partner.clicks


@pytest.mark.prove
async def test_an_owner_without_a_shell_comes_to_the_first_live_commission(sqlite_url: str, clock: FakeClock) -> None:
    owner, partner = await the_first_hour(sqlite_url, clock)
    assert owner <= MOST_OF_OWNER
    assert partner <= MOST_OF_PARTNER


@pytest.mark.prove
async def test_so_it_is_on_postgresql(postgres_url: str, clock: FakeClock) -> None:
    owner, partner = await the_first_hour(postgres_url, clock)
    assert owner <= MOST_OF_OWNER
    assert partner <= MOST_OF_PARTNER
