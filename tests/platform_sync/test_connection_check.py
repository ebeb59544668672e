"""What the check of a connection finds, each with the platform's fault made for real: see also tests/woocommerce."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web

from hub.domain.delivery_addresses import address_fault
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.platform_access import ask_for_read
from tests.platform_sync.acme_shop import Asked, admin_of, asked
from tests.processing.harness import DAY, NOON, Harness


async def problems(one: Asked) -> list[str]:
    return (await check_connection(admin_of(one.harness), one.shop.connection_id))["problems"]


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
        (refused, "cannot be asked since"),
        (lost, "1 orders had never arrived, and were found by asking"),
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


async def test_two_nights_without_a_reading_are_named(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await healthy(one)
        sqlite_harness.clock.now += 3 * DAY
        assert any("No reading of its orders has ended since" in each for each in await problems(one))


async def test_an_order_that_could_not_be_fetched_is_named(sqlite_harness: Harness) -> None:
    async with asked(sqlite_harness) as one:
        await healthy(one)
        await one.shop.tell("order/thin", {"order": "T-9"})
        await one.run()
        found = await problems(one)
        assert any("The order T-9, which a delivery named, was given up: The platform answers 404" in e for e in found)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://hub.example/connect/con_1", None),
        ("https://hub.example:8080/connect/con_1", None),
        ("https://hub.example:8443/connect/con_1", "no port but 80, 443 and 8080"),
        ("http://hub.example/connect/con_1", "https addresses only"),
        ("http://127.0.0.1:8080/connect/con_1", "not a public address"),
        ("http://10.0.0.7/connect/con_1", "not a public address"),
        ("http://[::1]/connect/con_1", "not a public address"),
        ("http://localhost/connect/con_1", "not a public address"),
        ("https://shop.lan/connect/con_1", "not a public address"),
    ],
)
def test_addresses_that_platforms_refuse(url: str, said: str | None) -> None:
    """As WordPress's `wp_http_validate_url` does: by `connection create`, and by the check until something arrives."""
    fault = address_fault(url)
    assert fault is None if said is None else said in (fault or "")
