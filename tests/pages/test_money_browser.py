"""A payout in a real browser, from its preview to the bank's answer, by two people; no page is wider than a phone."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from hub.testing.chromium import chromium, needs_chromium
from tests.pages.conftest import Network
from tests.pages.visitor import link_of

pytestmark = needs_chromium("walking a payout with a browser")
PHONE = ViewportSize(width=390, height=800)


async def signed_in(browser: Browser, network: Network, email: str, complaints: list[str]) -> Page:
    """A browser's page of somebody; whatever it complains about is noted."""
    page = await (await browser.new_context()).new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(network.hub.url + await link_of(network.hub, network.clock, email))
    await page.get_by_role("button", name="Sign in").click()
    return page


@pytest.mark.prove
async def test_a_payout_from_its_preview_to_the_banks_answer(network: Network) -> None:
    """Created by one person, released by another, downloaded, settled; then its pages on a phone."""
    complaints: list[str] = []
    async with chromium() as browser:
        olu = await signed_in(browser, network, "olu@hub.example", complaints)
        await olu.goto(f"{network.hub.url}/operator/payouts")
        await olu.get_by_role("button", name="Show the preview").click()
        await expect(olu.locator(".lead")).to_contain_text("12,004.00\N{NO-BREAK SPACE}EUR to 2 affiliates")
        await olu.get_by_role("button", name="Create the run").click()
        await expect(olu.get_by_role("status").first).to_contain_text("reserved")
        await olu.get_by_role("link", name="Release the run").click()
        await expect(olu.get_by_text("another person has to release it")).to_be_visible()
        una = await signed_in(browser, network, "una@hub.example", complaints)
        await una.goto(olu.url)
        await una.get_by_role("button", name="Release it").click()
        await expect(una.get_by_role("status").first).to_contain_text("The run is released.")
        async with una.expect_download() as waiting:
            await una.get_by_role("button", name="Plain CSV").click()
        assert (await waiting.value).suggested_filename.endswith("-csv.csv")
        await una.get_by_label("The bank's reference").fill("SEPA-2210")
        await una.get_by_role("button", name="Settle").click()
        await expect(una.get_by_role("status").first).to_contain_text("are recorded")
        await una.get_by_role("link", name="Ada").click()
        await expect(una.get_by_text("SEPA-2210").first).to_be_visible()
        statement = una.url
        await una.set_viewport_size(PHONE)
        owed = f"owed/{network.merchant_id}"
        places = ("payouts", "payouts/preview?mode=live", "receipts", "receipts/by-hand", "adjustments", "owed", owed,
                  f"{owed}/deposit", "ledger", "rates", f"affiliates/{network.ada}/payee")  # fmt: skip
        for address in (statement, *(f"{network.hub.url}/operator/{place}" for place in places)):
            await una.goto(address)
            assert await una.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
    assert complaints == []
