"""Webhooks that a platform disabled or lost are seen and made anew; those of others are left alone."""

from __future__ import annotations

from aiohttp import web

from hub.operations.connections.platform_access import look_at_webhooks
from hub.operations.connections.platform_view import show_platform
from tests.platform_sync.acme_shop import ROOT, asked
from tests.processing.harness import Harness


async def test_disabled_lost_and_double_ones_are_put_right(harness: Harness) -> None:
    async with asked(harness) as one:
        await one.give(days=0)
        url = f"{ROOT}/connect/{one.shop.connection_id}"
        foreign = {"id": 1, "topic": "order", "url": "https://other.example/", "status": "disabled"}
        one.acme.hooks = [
            foreign,
            {"id": 2, "topic": "order", "url": url, "status": "disabled"},
            {"id": 3, "topic": "product", "url": url, "status": "active"},
            {"id": 4, "topic": "product", "url": url, "status": "active"},
        ]
        kept = await look_at_webhooks(one.platforms, one.shop.connection_id)
        assert (kept["made"], kept["deleted"]) == (["order"], ["order", "product"])
        own = [each for each in one.acme.hooks if each["url"] == url]
        assert sorted((each["topic"], each["status"]) for each in own) == [("order", "active"), ("product", "active")]
        assert foreign in one.acme.hooks
        again = await look_at_webhooks(one.platforms, one.shop.connection_id)
        assert (again["made"], again["deleted"]) == ([], [])


async def test_they_are_made_with_the_connections_secret(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await one.give(days=0)
        assert {len(each["secret"]) for each in one.acme.hooks} == {32}


async def test_every_reading_of_orders_looks_at_them(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await one.give()
        one.acme.hooks.clear()
        await one.run()
        assert len(one.acme.hooks) == 2
        shown = await show_platform(one.platforms, one.shop.connection_id)
        assert {each["topic"]: each["alive"] for each in shown["webhooks"]} == {"order": True, "product": True}


async def test_orders_are_read_though_none_can_be_made(sqlite_harness: Harness) -> None:
    """A permission that lacks for webhooks must not keep what was lost from being found."""
    async with asked(sqlite_harness, orders=[{"number": "T-1", "total": "10.00"}]) as one:
        one.acme.fault = lambda r: web.Response(status=403) if "/hooks" in r.path else None
        await one.give()
        await one.run()
        assert {each["status"] for each in await one.reads()} == {"DONE"}
        assert (await one.access())["fault"] is None
        assert len(await one.shop.rows("conversion_rows")) == 1


async def test_a_platform_that_makes_none_is_said_so(sqlite_harness: Harness) -> None:
    """The credentials are stored all the same: what is lost is found by asking."""
    async with asked(sqlite_harness) as one:
        one.acme.fault = lambda r: web.Response(status=403) if r.method == "POST" else None
        given = await one.give()
        assert given["webhooksMade"] == []
        assert "lack a permission" in given["webhookFault"]
