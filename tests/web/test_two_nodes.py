"""Two hubs over one PostgreSQL: what must happen once happens once, whichever of them is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import aiohttp
import pytest

from hub.app import Hub
from hub.testing.clock import FakeClock

from .conftest import Api, api_of, served
from .test_replay import ORDER, events_of

Nodes = tuple[Api, Api]


@pytest.fixture
async def hubs(postgres_url: str, clock: FakeClock) -> AsyncIterator[tuple[Hub, Hub]]:
    async with served(postgres_url, clock) as first, served(postgres_url, clock) as second:
        yield first, second


@pytest.fixture
async def nodes(hubs: tuple[Hub, Hub], clock: FakeClock) -> AsyncIterator[Nodes]:
    """The same key at either node."""
    async with api_of(hubs[0], clock) as first, aiohttp.ClientSession(hubs[1].url) as session:
        yield first, Api(session, first.key, clock, first.ticks)


async def test_equal_orders(nodes: Nodes, hubs: tuple[Hub, Hub]) -> None:
    body = {"externalOrderId": "A-1", "orderAmount": "1"}
    replies = await asyncio.gather(*(nodes[n % 2]("POST", "/v1/conversions", body) for n in range(50)))
    assert {reply.status for reply in replies} == {202}
    assert Counter(reply.json["status"] for reply in replies) == {"RECEIVED": 1, "DUPLICATE": 49}
    assert len({reply.json["eventId"] for reply in replies}) == 1
    assert await events_of(hubs[0]) == 1


async def test_equal_signatures(nodes: Nodes, hubs: tuple[Hub, Hub]) -> None:
    headers = nodes[0].headers(ORDER)
    sent = [nodes[n % 2].send("POST", "/v1/conversions", ORDER, headers) for n in range(50)]
    assert Counter(reply.status for reply in await asyncio.gather(*sent)) == {202: 1, 401: 49}
    assert await events_of(hubs[0]) == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/conversions", {"externalOrderId": "A-1", "orderAmount": "1"}), ("/v1/campaigns", {"title": "T"})],
)
async def test_equal_idempotency_keys(nodes: Nodes, hubs: tuple[Hub, Hub], path: str, body: object) -> None:
    sent = [nodes[n % 2]("POST", path, body, headers={"Idempotency-Key": "once"}) for n in range(50)]
    replies = await asyncio.gather(*sent)
    done = [reply for reply in replies if reply.status != 409]
    assert {reply.status for reply in done} <= {201, 202}
    assert len({reply.raw for reply in done}) == 1
    assert sum("Idempotency-Replayed" not in reply.headers for reply in done) == 1
    assert (await nodes[1]("GET", "/v1/campaigns")).json["total"] == (path == "/v1/campaigns")
    assert await events_of(hubs[1]) == (path == "/v1/conversions")


async def test_imports_of_one_catalogue(nodes: Nodes) -> None:
    """Neither loses an update of the other, and each product is created once."""

    def items(brand: str) -> object:
        return {
            "products": [
                {
                    "externalProductId": str(n),
                    "name": "P",
                    "productUrl": "https://shop.example/",
                    "price": "1",
                    brand: "x",
                }
                for n in range(600)
            ]
        }

    replies = await asyncio.gather(
        *(nodes[n % 2]("POST", "/v1/products/upsert", items("brand" if n % 2 else "category")) for n in range(4))
    )
    assert {reply.status for reply in replies} == {202}
    assert sum(reply.json["created"] for reply in replies) == 600
    listed = (await nodes[0]("GET", "/v1/products?pageSize=200&page=2")).json
    assert listed["total"] == 600
    assert {(each["brand"], each["category"]) for each in listed["data"]} == {("x", "x")}
