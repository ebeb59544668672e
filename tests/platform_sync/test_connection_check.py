"""What the check of a connection finds, each with the platform's fault made for real: see also tests/woocommerce."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web
from attrs import evolve
from hub_shopify import hub_connectors as shopify_connectors
from hub_woocommerce import hub_connectors as woocommerce_connectors

from hub.clock import system_clock
from hub.domain.connectors.delivery_addresses import Sender, address_fault
from hub.domain.durations import HOUR, MINUTE
from hub.domain.instants import parse_instant
from hub.ids import new_id
from hub.observability.request_log import LogRow
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.connections.platform_access import ask_for_read
from hub.operations.connections.platform_problems import PlatformFindings, platform_problems
from hub.plugin_host.catalog import Declaration
from hub.plugin_host.registry import Registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.platform_sync.acme_shop import ROOT, SEALER, Asked, admin_of, asked
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect, hire, order

WORKING = {"fault": None, "hooks": "[]", "hooks_at": None, "certain_at": NOON, "created_at": NOON}
"""Of a platform's access what the check reads, with nothing wrong."""


async def problems(one: Asked) -> list[str]:
    return (await check_connection(admin_of(one.harness), one.shop.connection_id)).problems


async def healthy(one: Asked) -> None:
    """Give credentials, and deliver an order as paid."""
    await one.give(days=0)
    await one.run()
    await one.shop.tell("order", {"number": "A-1", "total": "10.00", "paid": True})


async def test_a_store_that_is_asked_and_delivers_has_none(harness: Harness) -> None:
    """The control of all the others."""
    async with asked(harness) as one:
        await healthy(one)
        assert await problems(one) == []


def disabled(one: Asked) -> None:
    one.acme.fault = lambda r: web.Response(status=403) if r.method == "POST" else None
    one.acme.hooks.clear()


def refused(one: Asked) -> None:
    one.acme.secret = "changed"


def lost(one: Asked) -> None:
    one.acme.orders = [{"number": "L-1", "total": "5.00", "version": NOON}]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (disabled, "has no active webhook for order, product"),
        (refused, "not been able to read the platform since"),
        (lost, "1 orders had never arrived, and were found by reading"),
    ],
)
async def test_what_a_reading_shows_is_named(sqlite_harness: Harness, fault: Any, said: str) -> None:
    """Webhooks that the platform disabled and lets nobody make, keys that were withdrawn, orders that were lost."""
    async with asked(sqlite_harness) as one:
        await healthy(one)
        fault(one)
        await ask_for_read(one.platforms, one.shop.connection_id)
        await one.run()
        assert any(said in each for each in await problems(one))


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ("", None),
        ("2028-11-20", None),
        ("2027-01-20", "The API version 2026-10 that the platform is asked with ends on 2027-01-20"),
        ("2026-11-01", "no longer has to serve the API version 2026-10 since 2026-11-01"),
    ],
)
def test_f5_a_version_of_an_api_that_ends_is_named_ninety_days_before(ends: str, said: str | None) -> None:
    (connector,) = shopify_connectors()
    assert connector.requests is not None
    asks = evolve(connector.requests, version_ends=ends)
    told = list(platform_problems(PlatformFindings({**WORKING}, [], []), asks, "con_1", NOON))
    assert [said in each for each in told] == [True] if said else told == []


def test_the_versions_that_are_pinned_have_an_end_that_is_told() -> None:
    """Shopify's has one; its root asks for no other."""
    (connector,) = shopify_connectors()
    asks = connector.requests
    assert asks is not None
    assert parse_instant(f"{asks.version_ends}T00:00:00Z") > NOON
    assert asks.root.endswith(f"/api/{asks.version}")


async def test_two_nights_without_a_reading_are_named(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await healthy(one)
        sqlite_harness.clock.now += 3 * DAY
        assert any("No reading of its orders has finished since" in each for each in await problems(one))


async def test_an_order_that_could_not_be_fetched_is_named(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await healthy(one)
        await one.shop.tell("order/thin", {"order": "T-9"})
        await one.run()
        found = await problems(one)
        assert any("The order T-9, which a delivery named, was given up: The platform answers 404" in e for e in found)


async def found_of(shop: Shop) -> list[str]:
    return (await check_connection(admin_of(shop.harness), shop.connection_id)).problems


async def log_answer(shop: Shop, method: str, status: int, code: str | None = None) -> None:
    """Write a request to the connection's address into the log, as the endpoint does."""
    path, now = f"/connect/{shop.connection_id}", shop.harness.clock()
    row = LogRow(shop.account_id, now, new_id("log"), "r", method, path, status, code, None, "", 1, None)
    async with shop.harness.store.write() as tx:
        await tx.run("insert_request_log", rows=[row])


@pytest.mark.parametrize(("method", "said"), [("POST", "a ping arrived"), ("GET", "its secret is proved")])
async def test_after_pings_alone_no_order_has_ever_arrived(sqlite_harness: Harness, method: str, said: str) -> None:
    """What was answered shows that the URL is right; before, and after a refusal, nothing has arrived."""
    shop = await connect(sqlite_harness)
    await log_answer(shop, method, 401, "bad_signature")
    assert any("Nothing has arrived yet" in each for each in await found_of(shop))
    await log_answer(shop, method, 200)
    found = await found_of(shop)
    assert any(each.startswith(f"No order has ever arrived, although {said} (last at 2") for each in found), found
    assert not any("Nothing has arrived yet" in each for each in found)


@pytest.mark.parametrize("is_alive", [True, False])
async def test_f14_what_the_platform_showed_to_be_active_is_not_doubted(
    sqlite_harness: Harness, is_alive: bool
) -> None:
    """Before the first order an owner is told to place one, not to look at webhooks that the page shows as active."""
    async with asked(sqlite_harness) as one:
        await one.give(days=0)
        if not is_alive:
            async with sqlite_harness.store.write() as tx:
                where = {"account_id": one.shop.account_id, "connection_id": one.shop.connection_id}
                await tx.run("write_hooks", **where, hooks="[]", now=sqlite_harness.clock())
        found = " ".join(await problems(one))
        assert ("they are active: place a test order" in found, "Check in Acme" in found) == (is_alive, False)
        assert ("Nothing has arrived yet" in found) == (not is_alive)


async def test_f10c_a_secret_that_was_put_right_is_no_problem_from_the_next_delivery_on(harness: Harness) -> None:
    """Not only after a day; a delivery that is refused later is one again, and another site is one all the while."""
    shop = await connect(harness)
    await shop.tell("order", order())

    async def named() -> list[str]:
        shop.harness.clock.now += 1_000
        words = ("for their signature", "from another site")
        return [word for word in words if any(word in each for each in await found_of(shop))]

    await log_answer(shop, "POST", 401, "bad_signature")
    await log_answer(shop, "POST", 403, "another_site")
    assert await named() == ["for their signature", "from another site"]
    await log_answer(shop, "GET", 200)
    assert await named() == ["for their signature", "from another site"]
    await log_answer(shop, "POST", 200)
    assert await named() == ["from another site"]
    await log_answer(shop, "POST", 401, "bad_signature")
    assert await named() == ["for their signature", "from another site"]


async def test_a_shop_that_still_delivers_to_its_test_connection_is_named(harness: Harness) -> None:
    """The webhooks kept the address of the test connection; once the live one is delivered to, all is well."""
    test = await connect(harness)
    live = await connect(harness, "live")
    harness.clock.now += 60_000
    assert not any("test connection" in each for each in await found_of(live))
    await test.tell("order", {"number": "A-1", "total": "10.00", "paid": True})
    assert any(f"still go to the test connection {test.connection_id}" in each for each in await found_of(live))
    await live.tell("order", {"number": "A-2", "total": "10.00", "paid": True})
    assert await found_of(live) == []


async def test_orders_that_stay_away_while_products_come_are_named(sqlite_harness: Harness) -> None:
    """Platforms turn off each webhook by itself; a shop that is read every night loses nothing by it."""
    async with asked(sqlite_harness) as one:
        await one.shop.tell("order", {"number": "A-1", "total": "10.00", "paid": True})
        sqlite_harness.clock.now += 8 * DAY
        await one.shop.tell("product", {"id": "p1", "name": "Cup"})
        assert any("No order has arrived since 2" in each for each in await problems(one))
        await one.give(days=0)
        await one.run()
        assert await problems(one) == []


async def test_a_copy_of_the_shop_is_named(sqlite_harness: Harness) -> None:
    shop = await connect(sqlite_harness)
    await log_answer(shop, "POST", 403, "another_site")
    assert any("1 deliveries within a day came from another site" in each for each in await found_of(shop))


async def test_webhooks_whose_owner_may_not_read_orders_are_named(sqlite_harness: Harness) -> None:
    """WooCommerce then delivers an error in the order's place, and is answered 200."""
    connect_woo = ConnectionAdmin(sqlite_harness.store, SEALER, _woocommerce(), sqlite_harness.clock, ROOT)
    made = await create_connection(connect_woo, NewConnection(sqlite_harness.merchant_id, "test", "woocommerce"))
    hire(sqlite_harness, Registry(tuple(woocommerce_connectors()), {}))
    shop = Shop(sqlite_harness, sqlite_harness.account_id, made["id"])
    error = {"code": "woocommerce_rest_cannot_view", "message": "Sorry.", "data": {"status": 401}}
    await shop.tell("order.created", error)
    found = (await check_connection(connect_woo, made["id"])).problems
    assert any("may no longer read" in each for each in found), found


def _woocommerce() -> InProcessPlugins:
    return InProcessPlugins(Registry(tuple(woocommerce_connectors()), {}))


async def test_what_could_not_be_read_is_a_problem_for_a_week(sqlite_harness: Harness) -> None:
    """It names its order, and a monitor turns green at last."""
    sqlite_harness.clock.now = system_clock()
    shop = await connect(sqlite_harness)
    await shop.tell("order", {"number": "A-1", "total": "10.00", "paid": True})
    await shop.tell("order", {"number": "A-2", "total": "10.00", "currency": "POINTS", "paid": True})
    assert any("Order A-2 could not be read (evt_" in each for each in await found_of(shop))
    sqlite_harness.clock.now += 8 * DAY
    await shop.tell("order", {"number": "A-1", "total": "10.00", "paid": True, "note": "again"}, "d-2")
    assert await found_of(shop) == []


async def test_what_only_may_go_wrong_is_a_note(sqlite_harness: Harness) -> None:
    """No credentials to ask with, no product yet, questions for a person: none is a fault of the connection."""
    shop = await connect(sqlite_harness)
    await shop.tell("order", {"number": "A-1", "total": "10.00", "paid": True, "unclear": "it says both"})
    found = await check_connection(admin_of(sqlite_harness), shop.connection_id)
    assert found.problems == []
    unasked, empty, questions = found.notes
    assert empty.startswith("No product of the shop is known yet")
    assert f"hub connection credentials {shop.connection_id} --from FILE" in unasked
    assert questions.startswith("1 questions about its orders wait for a person")
    await shop.tell("product", {"id": "p1", "name": "Cup", "url": "https://shop.example/p1"})
    assert len((await check_connection(admin_of(sqlite_harness), shop.connection_id)).notes) == 2


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://hub.example/connect/con_1", None),
        ("https://hub.example:8080/connect/con_1", None),
        ("https://hub.example:8443/connect/con_1", "sends to the ports 80, 443 and 8080 only"),
        ("http://hub.example/connect/con_1", None),
        ("http://127.0.0.1:8080/connect/con_1", "not a public address"),
        ("http://10.0.0.7/connect/con_1", "not a public address"),
        ("http://[::1]/connect/con_1", "not a public address"),
        ("http://localhost/connect/con_1", "not a public address"),
        ("https://shop.lan/connect/con_1", "not a public address"),
    ],
)
def test_addresses_that_platforms_refuse(url: str, said: str | None) -> None:
    """As WordPress's `wp_http_validate_url` does: by `connection create`, and by the check until something arrives."""
    (woocommerce,) = woocommerce_connectors()
    fault = address_fault(url, Declaration.of(woocommerce, "hub-woocommerce 1").sender)
    assert fault is None if said is None else said in (fault or "")


def test_a_platform_that_sends_to_https_alone_says_so() -> None:
    sender = Sender("Acme", ports=(443,), needs_https=True)
    assert address_fault("https://hub.example/connect/con_1", sender) is None
    assert "Acme sends to https addresses only" in (address_fault("http://hub.example/connect/con_1", sender) or "")
    assert "Acme sends to port 443 only" in (address_fault("https://hub.example:8443/connect/con_1", sender) or "")
    assert address_fault("http://hub.example:8443/connect/con_1", Sender("Any")) is None


@pytest.mark.parametrize(
    ("off", "said"),
    [
        (-3 * HOUR, "The shop's clock is 3 h behind, as its delivery of 20"),
        (40 * DAY, "The shop's clock is 40 days ahead, as its delivery of 20"),
        (-20 * MINUTE, "The shop's clock is 20 minutes behind, as its delivery of 20"),
        (4 * MINUTE, None),
    ],
)
async def test_f10a_a_shop_whose_clock_is_off_is_named(sqlite_harness: Harness, off: int, said: str | None) -> None:
    """By its newest delivery about an order: a product's says nothing of the clock, the next order mends it."""
    async with asked(sqlite_harness) as one:
        await healthy(one)
        await one.shop.tell(
            "order", {"number": "C-1", "total": "5.00", "extra": {"clock": sqlite_harness.clock() + off}}
        )
        await one.shop.tell("product", {"id": "p1", "name": "Cup"})
        assert [each.partition("26")[0] for each in await problems(one)] == ([] if said is None else [said])
        await one.shop.tell("order", {"number": "C-1", "total": "5.00", "extra": {"clock": sqlite_harness.clock()}})
        assert await problems(one) == []


async def test_the_clock_of_the_newest_delivery_is_found_in_both_databases(harness: Harness) -> None:
    async with asked(harness) as one:
        await healthy(one)
        await one.shop.tell("order", {"number": "C-1", "total": "5.00", "extra": {"clock": harness.clock() - 3 * HOUR}})
        assert any("clock is 3 h behind" in each for each in await problems(one))


@pytest.mark.parametrize("shown", ["", "soon", -1, 2**53, True, None, "9" * 300, [1], "1²"])
async def test_what_is_no_time_is_no_clock(sqlite_harness: Harness, shown: Any) -> None:
    async with asked(sqlite_harness) as one:
        await healthy(one)
        await one.shop.tell("order", {"number": "C-1", "total": "5.00", "extra": {"clock": shown}})
        assert await problems(one) == []
