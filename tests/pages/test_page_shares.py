"""One person's many pages take no more than their share, and nobody else waits for them."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from attrs import define, evolve

from hub.app import Hub
from hub.pages import routes
from hub.pages.account import show_account
from hub.pages.page_shares import AT_ONCE, MOST_WAITING, PageShares, TooManyPages
from hub.pages.routes import all_pages
from hub.pages.visit import Visit
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser, enter, user_of
from tests.polling import until
from tests.served_hub import served


@define
class Slow:
    """A page that ends when it may, and counts how many are made at once."""

    may_end: asyncio.Event
    under_way: int = 0
    most: int = 0

    async def show(self, visit: Visit) -> web.StreamResponse:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await self.may_end.wait()
        self.under_way -= 1
        return visit.page("not_found.html", 404)


async def test_one_persons_pages_wait_for_each_other_alone(
    sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six at once of one person are made two at a time; another person's are made meanwhile."""
    slow = Slow(asyncio.Event())
    pages = tuple(evolve(page, handler=slow.show) if page.handler is show_account else page for page in all_pages())
    monkeypatch.setattr(routes, "all_pages", lambda: pages)
    async with served(sqlite_url, clock) as hub, browser(hub) as ann, browser(hub) as bob:
        await signed_in(hub, clock)
        await enter(ann, hub, clock)
        await enter(bob, hub, clock, "bob@hub.example")
        asked = [asyncio.create_task(ann.get("/account")) for _ in range(6)]

        async def are_two() -> bool:
            return slow.under_way == AT_ONCE

        await until(are_two)
        assert (await bob.get("/account/views")).status == 200, "the control: another person's page does not wait"
        slow.may_end.set()
        assert [(await each).status for each in asked] == [404] * 6
    assert slow.most == AT_ONCE


async def signed_in(hub: Hub, clock: FakeClock) -> None:
    for name in ("ann", "bob"):
        await user_of(hub, clock, f"{name}@hub.example")


async def test_more_than_wait_are_refused_and_all_is_forgotten() -> None:
    shares, may_end = PageShares(), asyncio.Event()

    async def page() -> None:
        async with shares.turn("usr_ann"):
            await may_end.wait()

    pages = [asyncio.create_task(page()) for _ in range(AT_ONCE + MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyPages):
        await page()
    pages[-1].cancel()
    may_end.set()
    await asyncio.gather(*pages, return_exceptions=True)
    assert len(shares) == 0
