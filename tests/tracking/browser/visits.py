"""What a test asks of a page of a shop that loads the capture script."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page

CLICK = "clk_" + "0a" * 16
LATER = "clk_" + "0b" * 16


async def click_id(page: Page) -> str | None:
    found: str | None = await page.evaluate("() => window.affiliateHub.clickId()")
    return found


async def cookies(page: Page) -> list[Any]:
    return [cookie for cookie in await page.context.cookies() if cookie["name"] == "affiliate_click_id"]


async def click_of(page: Page) -> bool:
    return await click_id(page) == CLICK


async def settle(page: Page) -> None:
    """Lets everything that could still come, come."""
    await page.wait_for_load_state("networkidle")
