"""A hub that is stopped serves on for a while, and says so: to whatever balances, and to each client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from hub.app import Hub, drain
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, api_of, served


@pytest.fixture
async def hub(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    async with served(sqlite_url, clock, HUB_SERVER_DRAIN="60s") as hub:
        yield hub


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    async with api_of(hub, clock) as api:
        yield api


async def ready(hub: Hub) -> int:
    async with aiohttp.ClientSession(hub.url) as session, session.get("/readyz") as answer:
        return answer.status


async def test_it_is_not_ready_takes_orders_and_ends_each_connection(hub: Hub, api: Api) -> None:
    order = {"externalOrderId": "A", "orderAmount": "1"}
    before = await api("POST", "/v1/conversions", order)
    assert (before.status, before.headers.get("Connection"), await ready(hub)) == (202, None, 200), "the control"
    stop = asyncio.Event()
    stop.set()
    draining = asyncio.create_task(drain(hub, stop))
    await until(lambda: hub.parts.services.admission.draining)
    assert await ready(hub) == 503
    during = await api("POST", "/v1/conversions", {**order, "externalOrderId": "B"})
    assert (during.status, during.headers["Connection"]) == (202, "close")
    assert not draining.done()
    stop.set()  # the second signal
    await asyncio.wait_for(draining, 5)


async def test_without_a_time_it_does_not_wait(sqlite_url: str, clock: FakeClock) -> None:
    async with served(sqlite_url, clock) as hub:
        await asyncio.wait_for(drain(hub, asyncio.Event()), 5)
