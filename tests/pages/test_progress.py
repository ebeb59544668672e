"""Long work behind a page shows how far it got, and the page is whole at the end."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from hub.app import Hub
from hub.pages import progress as pages
from hub.pages.progress import Progress, page_of_long_work, streamed
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser
from tests.pages.world import world_of

FRAME = '<html><main id="main">\n  </main></html>'


def page(inside: str) -> web.Response:
    return web.Response(body=FRAME.replace("\n  ", inside).encode())


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits a second here for the next number."""
    monkeypatch.setattr(pages, "EVERY_SECONDS", 0.01)


async def test_work_that_ends_soon_is_an_ordinary_page() -> None:
    async def soon(_: Progress) -> web.Response:
        return page("done")

    assert (await page_of_long_work(soon, lambda: page(""), "Orders")).body == page("done").body


async def test_slow_work_is_counted_until_its_page_is_there() -> None:
    work = asyncio.get_running_loop().create_future()
    progress = Progress()
    pieces = streamed(work, progress, FRAME, "Orders <priced>")
    first = (await anext(pieces)).decode()
    assert first.startswith('<html><main id="main"><section')
    assert "Orders &lt;priced&gt;: " in first
    progress.note(1_500)
    assert b"1,500" in await anext(pieces)
    work.set_result(page("<p>done</p>"))
    rest = b"".join([each async for each in pieces]).decode()
    assert rest.endswith("</p></section><p>done</p></main></html>")


async def test_a_reader_who_leaves_ends_the_work() -> None:
    work = asyncio.get_running_loop().create_future()
    pieces = streamed(work, Progress(), FRAME, "Orders")
    await anext(pieces)
    await pieces.aclose()
    assert work.cancelled()


async def test_a_fault_is_said_in_the_page() -> None:
    """The status is sent by then; the control is a fault at once, which becomes the hub's usual answer."""
    work = asyncio.get_running_loop().create_future()
    pieces = streamed(work, Progress(), FRAME, "Orders")
    await anext(pieces)
    work.set_exception(ValueError("broken"))
    assert "Something went wrong" in b"".join([each async for each in pieces]).decode()

    async def failing(_: Progress) -> web.Response:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await page_of_long_work(failing, lambda: page(""), "Orders")


async def test_the_preview_of_a_rate_counts_its_orders(
    hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For merchant and operator, as a fault is shown; the control is one with patience, to whom nothing is counted."""
    world = await world_of(hub, clock, "Aurora")
    of = f"campaign={world.ids['campaign']}&kind=PERCENTAGE&days=365&mode=test"
    for role, path in (("merchant", "/merchant/rates"), ("operator", "/operator/rates")):
        async with browser(hub) as visitor:
            await world.person(visitor, role, "viewer" if role == "merchant" else None)
            assert "Orders priced" not in (await visitor.get(f"{path}?{of}&value=50")).words
            with monkeypatch.context() as hasty:
                hasty.setattr(pages, "PATIENCE_SECONDS", 0.0)
                seen = await visitor.get(f"{path}?{of}&value=50")
                assert "Orders priced: " in seen.words
                assert "What it would change" in seen.words
                assert [seen.text.count(each) for each in ("<main", "</main>", "</html>")] == [1, 1, 1]
                assert "This needs a correction" in (await visitor.get(f"{path}?{of}&value=x")).words
