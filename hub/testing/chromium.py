"""The machine's Chromium, for tests of what a page does in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from playwright.async_api import Browser, async_playwright, expect

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
"""Where it is; None where there is none."""
PATIENCE_MS: Final = 60_000
"""How long `expect` waits for what a page should show; a browser's own five seconds pass on a busy machine."""


def needs_chromium(what: str) -> pytest.MarkDecorator:
    """Skip, saying that `what` ("how /docs looks") was not tested, where there is no Chromium."""
    return pytest.mark.skipif(CHROMIUM is None, reason=f"{what} was NOT tested: no chromium on PATH")


@asynccontextmanager
async def chromium(*arguments: str) -> AsyncIterator[Browser]:
    """Start a headless browser; it takes a second, so the tests of a file share one and open a context each."""
    async with async_playwright() as playwright:
        # Containers run as root, for whom there is no sandbox.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *arguments])
        expect.set_options(timeout=PATIENCE_MS)
        try:
            yield browser
        finally:
            await browser.close()
