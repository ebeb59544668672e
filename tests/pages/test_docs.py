"""/docs, as a stranger, a merchant's person and a browser see it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, expect
from yarl import URL

from hub.app import Hub
from hub.clock import system_clock
from hub.docs_site.documents import documents
from hub.operations.merchants.keys import revoke_key
from hub.operations.users.users import NewUser, create_user
from hub.pages import docs
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.openapi_documents import merchant_groups
from tests.pages.visitor import browser, enter
from tests.served_hub import ApiKey, new_key, new_merchant
from tests.shared_hub import file_of_the_hub, hub

__all__ = ["file_of_the_hub", "hub"]

ADDRESSES = [
    "/docs", "/docs/reference", "/docs/signature", "/docs/search?q=refund", "/docs/search",
    *(f"/docs/reference/{group.name}" for group in merchant_groups()),
    *(f"/docs/{name}" for name in documents()),
    "/docs/reference/admin", "/docs/reference/affiliate", "/docs/reference/admin/payouts",
    "/docs/reference/affiliate/links",
]  # fmt: skip


@pytest.fixture(scope="module")
def clock_of_the_file() -> FakeClock:
    """Start at the real time: browsers sign by their own clocks."""
    return FakeClock(system_clock())


@pytest.fixture
def clock(clock_of_the_file: FakeClock) -> FakeClock:
    """It goes on from test to test."""
    return clock_of_the_file


@pytest.fixture
async def key(hub: Hub, clock: FakeClock) -> ApiKey:
    return await new_key(hub, clock, await new_merchant(hub, clock, approve=True), signature_version=2)


async def test_everybody_may_read_every_page(hub: Hub) -> None:
    async with browser(hub) as stranger:
        for address in ADDRESSES:
            seen = await stranger.get(address)
            assert seen.status == 200, address
            assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|<style", seen.text), "inline"
            assert "script-src 'self'; style-src 'self';" in seen.headers["Content-Security-Policy"]
            assert len(re.findall("<h1", seen.text)) == 1, address


async def test_the_menu_leads_to_headings_that_exist(hub: Hub) -> None:
    async with browser(hub) as stranger:
        links = set(re.findall(r'href="/docs/(\w[\w-]*)#([^"]+)"', (await stranger.get("/docs")).text))
        assert ("api", "signing") in links
        for name, anchor in links:
            assert f' id="{anchor}"' in (await stranger.get(f"/docs/{name}")).text, (name, anchor)


async def test_ids_of_a_page_are_unique(hub: Hub) -> None:
    async with browser(hub) as stranger:
        for address in ADDRESSES:
            ids = re.findall(r'\sid="([^"]+)"', (await stranger.get(address)).text)
            assert sorted(set(ids)) == sorted(ids), address


async def test_what_does_not_exist_is_not_found(hub: Hub) -> None:
    async with browser(hub) as stranger:
        for address in (
            "/docs/none",
            "/docs/none.md",
            "/docs/reference/none",
            "/docs/reference/admin/none",
            "/docs/reference/none/links",
        ):
            assert (await stranger.get(address)).status == 404
        assert (await stranger.get("/docs/")).location == "../docs"
        for page in ("clients", "reference"):
            led = await stranger.get(f"/docs/{page}/")
            assert (led.status, led.location) == (308, f"../{page}"), "what stands below it is known by that address"
            assert (await stranger.get(f"/docs/{page}")).status == 200


async def test_an_error_is_explained_at_its_address(hub: Hub) -> None:
    """Both at the address of today and, by a link, at the one that older answers named."""
    async with browser(hub) as stranger:
        assert '<h3 id="signature_replayed">' in (await stranger.get("/docs/errors")).text
        assert (
            '<li id="signature_replayed"><a href="/docs/errors#signature_replayed">'
            in (await stranger.get("/docs")).text
        )


async def test_programs_read_markdown_and_a_list_of_what_there_is(hub: Hub) -> None:
    async with browser(hub) as stranger:
        listed = await stranger.get("/llms.txt")
        assert listed.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert listed.text.startswith("# Affiliate hub\n\n> ")
        named = {URL(link).path for link in re.findall(r"\]\(([^)]+)\)", listed.text)}
        assert {f"/docs/{name}.md" for name in documents()} <= named
        source = await stranger.get("/docs/refunds.md")
        assert source.headers["Content-Type"] == "text/markdown; charset=utf-8"
        assert source.text == documents()["refunds"].source


async def test_programs_read_the_reference_as_markdown_and_all_of_it_at_once(hub: Hub) -> None:
    """Every address of llms.txt is what it says; the documents and operations of all three APIs are in the one file."""
    async with browser(hub) as stranger:
        listed = (await stranger.get("/llms.txt")).text
        links = [URL(link).path for link in re.findall(r"\]\(([^)]+)\)", listed)]
        assert {"/api/v1/openapi.json", "/api/admin/v1/openapi.json", "/api/affiliate/v1/openapi.json"} <= set(links)
        for link in links:
            kind = {"json": "application/json", "md": "text/markdown", "txt": "text/plain"}[link.rpartition(".")[2]]
            seen = await stranger.get(link)
            assert (seen.status, seen.headers["Content-Type"].partition(";")[0]) == (200, kind), link
        group = await stranger.get("/docs/reference/conversions.md")
        assert "## Report an order\n\n`POST /v1/conversions` (`reportConversion`)" in group.text
        assert "- `externalOrderId` (string, required" in group.text
        whole = (await stranger.get("/llms-full.txt")).text
        assert group.text.strip() in whole
        assert all(each.source.strip() in whole for each in documents().values())
        for named in ("reportConversion", "createMerchant", "joinCampaign"):
            assert f"(`{named}`)" in whole
        for missing in ("/docs/reference/nothing.md", "/docs/reference/admin/nothing.md"):
            assert (await stranger.get(missing)).status == 404


async def test_an_operation_is_found_by_its_name_in_generated_clients(hub: Hub) -> None:
    async with browser(hub) as stranger:
        for name, group in (("listConversions", "conversions"), ("createMerchant", "admin/merchants")):
            found = (await stranger.get(f"/docs/search?q={name}")).text
            assert f'href="/docs/reference/{group}#{name}"' in found


async def test_ids_of_a_page_are_names_and_each_is_there_once(hub: Hub) -> None:
    """The menu of a phone has the same search once more, under an id of its own."""
    async with browser(hub) as stranger:
        ids = re.findall(r'\sid="([^"]*)"', (await stranger.get("/docs")).text)
    assert {"docs-q", "docs-q-menu"} <= set(ids)
    assert sorted(ids) == sorted(set(ids))
    assert [each for each in ids if not re.fullmatch(r"[\w-]+", each)] == []


async def test_the_environment_names_the_readers_own_test_key(hub: Hub, clock: FakeClock, key: ApiKey) -> None:
    """The newest that is not revoked, and of nobody else; the secret is a placeholder for everybody."""
    live = await new_key(hub, clock, key.merchant_id, mode="live")
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", key.merchant_id))
    async with browser(hub) as ann, browser(hub) as stranger:
        await enter(ann, hub, clock, "ann@shop.example")
        own = (await ann.get("/docs")).text
        assert f"export HUB_KEY={key.key_id}\nexport HUB_SECRET=sec_test_..." in own
        assert live.key_id not in own
        assert key.secret not in own
        assert "export HUB_KEY=ak_test_...\n" in (await stranger.get("/docs")).text
        await revoke_key(hub.parts.store, clock, key.key_id)
        assert key.key_id not in (await ann.get("/docs")).text


async def test_a_page_that_a_stranger_has_is_not_sent_again(hub: Hub, clock: FakeClock, key: ApiKey) -> None:
    """The same bytes have the same tag, made once; what a signed-in person sees is never kept."""
    await create_user(hub.parts.store, clock, NewUser("bea@shop.example", "merchant", key.merchant_id))
    async with browser(hub) as stranger, browser(hub) as bea:
        first, again = await stranger.get("/docs/reference/events"), await stranger.get("/docs/reference/events")
        assert first.text == again.text
        kept = {"If-None-Match": first.headers["ETag"]}
        unchanged = await stranger.get("/docs/reference/events", **kept)
        assert (unchanged.status, unchanged.text, unchanged.headers["Vary"]) == (304, "", "Cookie")
        assert (await stranger.get("/docs/reference/links", **kept)).status == 200
        await enter(bea, hub, clock, "bea@shop.example")
        own = await bea.get("/docs/reference/events", **kept)
        assert (own.status, own.headers["Cache-Control"]) == (200, "no-store")
        assert key.key_id in own.text
        assert "ETag" not in own.headers


async def test_bodies_of_pages_are_bounded(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "MOST_BODIES", 2)
    monkeypatch.setattr(docs, "_bodies", {})
    async with browser(hub) as stranger:
        for name in ("refunds", "webhooks", "testing"):
            assert (await stranger.get(f"/docs/{name}")).status == 200
        assert len(docs._bodies) == 2


@needs_chromium("how /docs works in a browser")
@pytest.mark.prove
class TestBrowser:
    """In a real browser, which holds the page to its own policy; anything it complains about fails the test."""

    @pytest.fixture
    async def page(self) -> AsyncIterator[Page]:
        complaints: list[str] = []
        async with chromium() as browser:
            page = await browser.new_page(viewport={"width": 1280, "height": 900})
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            yield page
        assert complaints == []

    async def test_a_test_key_signs_what_is_tried(self, hub: Hub, key: ApiKey, page: Page) -> None:
        """An order is reported and looked up; the key stays in the tab, and nothing goes elsewhere."""
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.url} {request.headers} {request.post_data}"))
        await page.goto(f"{hub.url}/docs/reference/conversions")
        await page.get_by_label("Test key").fill(key.key_id)
        await page.get_by_label("Signing secret").fill(key.secret)
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.locator("[data-key-state]")).to_have_text(f"Signing as {key.key_id}")
        await expect(page.get_by_label("Signing secret")).to_have_value("")
        report = page.locator("#reportConversion .try")
        await report.locator("summary").click()
        await report.get_by_role("button", name="Send").click()
        await expect(report.locator("[data-result]")).to_contain_text("Answer 202 Accepted")
        await expect(report.locator("[data-result] pre").last).to_contain_text("call POST '/v1/conversions' '{")
        event = re.search(r"evt_\w+", await report.locator("[data-result] pre").first.inner_text())
        assert event is not None
        await page.goto(f"{hub.url}/docs/reference/events")
        look = page.locator("#getEvent .try")
        await look.locator("summary").click()
        await look.get_by_label("eventId").fill(event[0])
        await look.get_by_role("button", name="Send").click()
        await expect(look.locator("[data-result]")).to_contain_text("Answer 200 OK")
        assert all(each.startswith(hub.url) for each in asked)
        assert [each for each in asked if key.secret in each] == []

    async def test_the_rest_of_the_script(self, hub: Hub, page: Page) -> None:
        """In one browser, because starting it takes longer than all of this."""
        await self.a_live_key_is_refused(hub, page)
        await self.a_language_is_chosen_for_all_code(hub, page)
        await self.the_checker_computes_the_signature_of_the_guide(hub, page)
        await self.an_old_address_of_an_error_leads_to_its_paragraph(hub, page)

    async def a_live_key_is_refused(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/docs")
        await page.get_by_label("Test key").fill("ak_live_0123456789abcdef")
        await page.get_by_label("Signing secret").fill("sec_live_secret")
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.locator("[data-key-state]")).to_have_text("")

    async def a_language_is_chosen_for_all_code(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/docs/reference/conversions")
        await page.locator('label[for="reportConversion-php"]').click()
        await expect(page.locator("#getConversion [data-language=php]")).to_be_visible()
        await page.goto(f"{hub.url}/docs")
        await expect(page.locator(".code [data-language=php]").first).to_be_visible()
        await expect(page.locator(".code [data-language=curl]").first).to_be_hidden()

    async def the_checker_computes_the_signature_of_the_guide(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/docs/signature")
        await page.get_by_label("Signing secret").fill("sec_test_an-example-that-signs-nothing")
        await page.get_by_label("X-Timestamp").fill("1795176000")
        await page.get_by_label("X-Nonce").fill("n-1")
        await page.get_by_label("Body").fill('{"externalOrderId":"ORDER-1042","orderAmount":"49.90"}')
        signature = "c1bf4c01190e38ba74bd2c40097133aa7d9a8b53f3abce76ea8fc3e65b5504d1"
        await expect(page.locator("[data-signature]")).to_have_text(signature)
        await page.get_by_label("Your X-Signature").fill(signature)
        await expect(page.locator("[data-opinion]")).to_contain_text("The signatures are equal.")
        await page.get_by_label("Method").select_option("POST")
        await page.get_by_label("Path and query").fill("/api/v1/conversions")
        second = "4a48c75dd6174bfe777421b227cbb9e0624aedbf8f819a9b3536fac8fff2fc31"
        await expect(page.locator("[data-signature]")).to_have_text(second)

    async def an_old_address_of_an_error_leads_to_its_paragraph(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/docs#signature_replayed")
        await page.wait_for_url(f"{hub.url}/docs/errors#signature_replayed")
        await expect(page.locator("h3#signature_replayed")).to_be_in_viewport()
