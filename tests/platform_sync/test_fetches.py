"""Deliveries that only name an order: stored and answered at once, and the order is fetched behind them."""

from __future__ import annotations

from aiohttp import web

from hub.operations.connections.platform_access import fetch_again
from hub.operations.connections.platform_view import show_platform
from tests.platform_sync.acme_shop import asked
from tests.processing.harness import DAY, Harness

ORDER = {"number": "T-1", "total": "10.00", "version": 5}


async def test_several_deliveries_are_one_fetch_of_the_newest_state(harness: Harness) -> None:
    async with asked(harness, orders=[ORDER]) as one:
        await one.give(days=0)
        await one.run()
        for delivery in ("d-1", "d-2", "d-3"):
            assert await one.shop.outcome("order/thin", {"order": "T-1", "at": delivery}, delivery) == (
                "SKIPPED", "fetching: order T-1",
            )  # fmt: skip
        (waiting,) = await one.fetches()
        assert (waiting["kind"], waiting["item_id"], waiting["wanted"]) == ("order", "T-1", 3)
        await one.run()
        assert await one.fetches() == []
        assert [each["external_order_id"] for each in await one.shop.rows("conversion_rows")] == ["T-1"]
        assert sum("/orders/T-1" in each for each in one.acme.asked) == 1


async def test_products_are_fetched_too(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness, products=[{"id": "p1", "name": "Cup"}]) as one:
        await one.give(days=0)
        await one.shop.tell("product/thin", {"product": "p1"})
        await one.run()
        assert await one.fetches() == []


async def test_news_that_comes_while_an_order_is_fetched_fetches_it_again(sqlite_harness: Harness) -> None:
    """What the platform answered may be older than the news."""
    async with asked(sqlite_harness, orders=[ORDER]) as one:
        await one.give(days=0)
        await one.run()
        await one.shop.tell("order/thin", {"order": "T-1", "at": 1}, "d-1")
        async with sqlite_harness.store.read() as tx:
            rows = await tx.all("due_fetches", now=sqlite_harness.clock(), each=10, limit=10)
        await one.shop.tell("order/thin", {"order": "T-1", "at": 2}, "d-2")
        await one.runner._fetcher.fetch(rows)
        (again,) = await one.fetches()
        assert again["wanted"] == 1
        await one.run()
        assert await one.fetches() == []
        assert sum("/orders/T-1" in each for each in one.acme.asked) == 2


async def test_what_cannot_be_fetched_waits_and_is_seen(harness: Harness) -> None:
    async with asked(harness, orders=[ORDER]) as one:
        await one.give(days=0)
        await one.run()
        one.acme.fault = lambda _: web.Response(status=401)
        await one.shop.tell("order/thin", {"order": "T-1"})
        await one.run()
        (waiting,) = (await show_platform(one.platforms, one.shop.connection_id))["fetches"]
        assert (waiting["kind"], waiting["id"], waiting["attempts"]) == ("order", "T-1", 1)
        assert "refuses the credentials" in (waiting["reason"] or "")
        assert waiting["continuesAt"] is not None
        one.acme.fault = lambda _: None
        assert await fetch_again(one.platforms, one.shop.connection_id) == 1
        await one.run()
        assert await one.fetches() == []
        assert len(await one.shop.rows("conversion_rows")) == 1


async def test_what_is_not_there_or_never_comes_is_given_up(sqlite_harness: Harness) -> None:
    """One that is gone at once, the others after three days; both stay in sight."""
    async with asked(sqlite_harness, orders=[{**ORDER, "number": "T-2"}]) as one:
        await one.give(days=0)
        await one.run()
        one.acme.fault = lambda r: web.json_response([]) if r.path.endswith("T-2") else None
        await one.shop.tell("order/thin", {"order": "T-1"}, "d-1")
        await one.shop.tell("order/thin", {"order": "T-2"}, "d-2")
        for _ in range(13):
            await one.run()
            sqlite_harness.clock.now += DAY
        gone, broken = sorted(await one.fetches(), key=lambda each: each["item_id"])
        assert (gone["due_at"], gone["attempts"], broken["due_at"], broken["attempts"]) == (None, 1, None, 12)


async def test_without_credentials_it_waits(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness, orders=[ORDER]) as one:
        await one.shop.tell("order/thin", {"order": "T-1"})
        await one.run()
        (waiting,) = await one.fetches()
        assert "no credentials" in waiting["fault"]
        await one.give(days=0)
        sqlite_harness.clock.now += DAY
        await one.run()
        assert await one.fetches() == []
