"""The typeface of the pages: the hub serves it, and a browser draws the pages in it."""

from __future__ import annotations

import re

import aiohttp
import pytest

from hub.app import Hub
from hub.pages.rendering import FONTS, STYLE_PATH
from hub.testing.chromium import chromium


async def test_each_font_of_the_stylesheet_is_served_for_good_as_it_is(hub: Hub) -> None:
    """Its address has its version, and what is compressed already is not compressed again."""
    async with aiohttp.ClientSession(hub.url, auto_decompress=False) as session:
        async with session.get(STYLE_PATH, headers={"Accept-Encoding": "identity"}) as answer:
            addresses = re.findall(r'url\("([^"]+)"\)', await answer.text())
        assert [address.partition("?")[0] for address in addresses] == list(FONTS)
        for address in addresses:
            async with session.get(address, headers={"Accept-Encoding": "gzip"}) as answer:
                assert answer.headers["Content-Type"] == "font/woff2"
                assert "immutable" in answer.headers["Cache-Control"]
                assert "Content-Encoding" not in answer.headers
                assert (await answer.read()).startswith(b"wOF2")


@pytest.mark.prove
async def test_a_page_is_drawn_in_the_font_that_the_hub_serves(hub: Hub) -> None:
    """The policy lets it in, and English letters need one file of the four."""
    async with chromium() as browser:
        page = await browser.new_page()
        await page.goto(f"{hub.url}/login")
        loaded = await page.evaluate(
            "document.fonts.ready.then(all => [...all].filter(one => one.status == 'loaded').length)"
        )
        assert loaded == 1
        assert await page.evaluate("document.fonts.check('16px Inter')")
