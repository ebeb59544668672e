"""Every page of every role in Chromium, loaded once each: axe in light, contrast in dark, and the width of a phone.

The pages are made from the routes, and one browser walks them, so a new page is covered without a word here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.async_api import Browser, Page, ViewportSize

from hub.app import Hub
from hub.operations.system.branding import set_branding
from hub.operations.users.users import NewUser, create_user
from hub.pages.routes import all_pages
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from tests.pages.files import FILES
from tests.pages.test_overview import count_figures
from tests.pages.visitor import link_of
from tests.pages.world import World, world_of

pytestmark = needs_chromium("how pages look")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (asked) => {
    const found = await axe.run(document, {...asked, resultTypes: ["violations"], preload: false});
    return found.violations.map(each => [each.id, each.nodes.slice(0, 3).map(node => node.html)]);
}"""
WIDE = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=900)
ONCE = ("/merchant/keys/{key}/secret", "/account/once/{once}", "/login/link/{token}", "/register/{token}")
"""What is shown to one session, once."""
OFF = ("/affiliate/tax-details", "/operator/affiliates/{affiliate}/tax-details")
"""What a network shows that collects what DAC7 asks for: tests/pages/test_tax_details.py."""
WRITTEN = ("/operator/payouts/{payout}/files/{file}/withdraw",)
"""What is about a file of a live run, which this world has not: tests/pages/test_payouts.py."""
SENT_ON = ("/", "/login", "/login/second", "/login/security", "/login/confirm", "/register")
"""Where somebody who has signed in, or has not, is sent on: others' pages are looked at as nobody."""
ROLES = ("nobody", "merchant", "affiliate", "operator-admin")


def places(role: str) -> list[str]:
    """The addresses of the pages that a role reads, with names in braces."""
    shown = [page for page in all_pages() if page.method == "GET" and page.path not in (*ONCE, *OFF, *WRITTEN)]
    shown = [page for page in shown if not FILES.search(page.path)]
    if role == "nobody":
        return [page.path for page in shown if page.public and "{" not in page.path]
    own = [page.path for page in shown if role in page.roles]
    common = [page.path for page in shown if not page.public and not page.roles and page.path not in SENT_ON]
    return own + common if role == "operator-admin" else own


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as opened:
        yield opened


async def signed_in(page: Page, world: World, role: str) -> dict[str, str]:
    """Sign somebody in, and return an id for every name in braces."""
    store, ids = world.hub.parts.store, {**world.ids, "merchant": world.merchant_id, "affiliate": world.affiliate_id}
    if role == "nobody":
        return ids
    merchant_id = world.merchant_id if role == "merchant" else None
    affiliate_id = world.affiliate_id if role == "affiliate" else None
    wanted = NewUser("ann@people.example", role, merchant_id, affiliate_id, name="Ann")
    user = await create_user(store, world.clock, wanted)
    await page.goto(world.hub.url + await link_of(world.hub, world.clock, user["email"]))
    await page.get_by_role("button", name="Sign in").click()
    return {**ids, "user": user["id"]}


async def faults_of(page: Page) -> list[Any]:
    """What is wrong with the page that is shown: in light and wide, in dark, and on a phone."""
    found: list[Any] = []
    if await page.get_by_role("heading", level=1).count() != 1:
        found.append("not one heading of the first level")
    await page.evaluate(AXE)
    found += await page.evaluate(RUN, {"runOnly": {"type": "tag", "values": RULES}})
    await page.emulate_media(color_scheme="dark")
    found += await page.evaluate(RUN, {"runOnly": ["color-contrast"]})
    await page.set_viewport_size(PHONE)
    width = await page.evaluate("document.documentElement.scrollWidth")
    if width > PHONE["width"]:
        found.append(f"{width} px wide on a phone")
    await page.set_viewport_size(WIDE)
    await page.emulate_media(color_scheme="light")
    return found


@pytest.mark.prove
@pytest.mark.parametrize("role", ROLES)
async def test_every_page_can_be_read_by_everybody(browser: Browser, hub: Hub, clock: FakeClock, role: str) -> None:
    """Under the hub's own policy: the script is evaluated, not loaded, and the browser complains of nothing."""
    world = await world_of(hub, clock, "Aurora, the house of green and growing things")
    await count_figures(hub)
    await set_branding(
        hub.parts.store, clock, name="Aurora partners", accent="#1a4fa0", imprint="Aurora AS, Oslo", terms="Be fair."
    )
    page, complaints, found = await browser.new_page(viewport=WIDE, color_scheme="light"), list[str](), {}
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    ids = await signed_in(page, world, role)
    for place in places(role):
        answer = await page.goto(f"{hub.url}{place.format(**ids)}{'' if role == 'nobody' else '?mode=test'}")
        assert answer is not None
        assert answer.status == 200, place
        if faults := await faults_of(page):
            found[place] = faults
    assert (found, complaints) == ({}, [])


@pytest.mark.prove
async def test_control_faults_are_found(browser: Browser) -> None:
    """A field without a label, a colour that nobody reads in the dark, and a line that no phone can show."""
    page = await browser.new_page(viewport=WIDE, color_scheme="light")
    await page.set_content(
        "<style>@media (prefers-color-scheme: dark) { h1 { color: #555; background: #444 } }</style>"
        "<main><h1>A page</h1><input><p style='width: 500px'>long</p></main>"
    )
    found = await faults_of(page)
    assert {"label", "html-has-lang", "color-contrast"} <= {each[0] for each in found}
    assert found[-1].endswith("px wide on a phone")
