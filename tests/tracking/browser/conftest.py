"""A hub and a browser for each file of this folder; shops and pages are each test's own."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Error, Page

from hub.app import Hub
from hub.testing.chromium import chromium
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import served
from tests.tracking.shop import Shop, serving


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hub(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hub]:
    file = shutil.copyfile(migrated_file, tmp_path_factory.mktemp("capture") / "hub.db")
    async with served(f"sqlite:///{file}", FakeClock()) as hub:
        yield hub


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium("--host-resolver-rules=MAP *.shop.example 127.0.0.1, MAP shop.example 127.0.0.1") as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def shop(hub: Hub) -> AsyncIterator[Shop]:
    async with serving(Shop(hub=hub.url)) as shop:
        yield shop


@pytest.fixture
def complaints() -> list[str]:
    """What the browser says on its console; what is left at the end fails the test."""
    return []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tab(browser: Browser) -> AsyncIterator[Page]:
    """A page for most tests: a new one for each would cost more than what it shows."""
    async with await browser.new_context() as context:
        yield await context.new_page()


@pytest_asyncio.fixture(loop_scope="module")
async def page(tab: Page, complaints: list[str]) -> AsyncIterator[Page]:
    """The page without cookies and routes; the shop and what is stored for it are at a port of its own."""

    async def left() -> bool:
        with suppress(Error):  # what the test before began may still interrupt it
            await tab.goto("about:blank")
        return tab.url == "about:blank"

    await until(left)
    await tab.context.clear_cookies()
    async with _without_errors(tab, complaints):
        yield tab
    await tab.unroute_all()


@asynccontextmanager
async def _without_errors(page: Page, complaints: list[str]) -> AsyncIterator[None]:
    errors: list[str] = []

    def complain(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    def fail(error: Error) -> None:
        errors.append(str(error))

    page.on("console", complain)
    page.on("pageerror", fail)
    yield
    page.remove_listener("console", complain)
    page.remove_listener("pageerror", fail)
    assert errors == [], "the shop's page must never see an exception"
    assert complaints == []
