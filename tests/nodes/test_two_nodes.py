"""Two hubs over one PostgreSQL: what must happen once happens once, whichever of them is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import aiohttp
import pytest
from attrs import evolve

from hub.operations.affiliates.affiliates import create_affiliate
from hub.testing.clock import FakeClock
from tests.merchant_api.test_events import decided, webhook
from tests.merchant_api.test_replay import ORDER, events_of
from tests.nodes.conftest import Hubs
from tests.platform_webhooks.test_endpoint import connected
from tests.served_hub import Api, api_of
from tests.tracking.test_redirect import Visitor, click_of

Nodes = tuple[Api, Api]


@pytest.fixture
async def nodes(hubs: Hubs, clock: FakeClock) -> AsyncIterator[Nodes]:
    """The same key at either node."""
    async with api_of(hubs[0], clock) as first, aiohttp.ClientSession(hubs[1].url) as session:
        yield first, Api(session, first.key, clock, first.ticks)


async def test_equal_orders(nodes: Nodes, hubs: Hubs) -> None:
    body = {"externalOrderId": "A-1", "orderAmount": "1"}
    replies = await asyncio.gather(*(nodes[n % 2]("POST", "/v1/conversions", body) for n in range(50)))
    assert {reply.status for reply in replies} == {202}
    assert Counter(reply.json["status"] for reply in replies) == {"RECEIVED": 1, "DUPLICATE": 49}
    assert len({reply.json["eventId"] for reply in replies}) == 1
    assert await events_of(hubs[0], nodes[0]) == 1


async def test_equal_signatures(nodes: Nodes, hubs: Hubs) -> None:
    headers = nodes[0].headers(ORDER)
    sent = [nodes[n % 2].send("POST", "/v1/conversions", ORDER, headers) for n in range(50)]
    assert Counter(reply.status for reply in await asyncio.gather(*sent)) == {202: 1, 401: 49}
    assert await events_of(hubs[0], nodes[0]) == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/conversions", {"externalOrderId": "A-1", "orderAmount": "1"}), ("/v1/campaigns", {"title": "T"})],
)
async def test_equal_idempotency_keys(nodes: Nodes, hubs: Hubs, path: str, body: object) -> None:
    sent = [nodes[n % 2]("POST", path, body, headers={"Idempotency-Key": "once"}) for n in range(50)]
    replies = await asyncio.gather(*sent)
    done = [reply for reply in replies if reply.status != 409]
    assert {reply.status for reply in done} <= {201, 202}
    assert len({reply.raw for reply in done}) == 1
    assert sum("Idempotency-Replayed" not in reply.headers for reply in done) == 1
    assert (await nodes[1]("GET", "/v1/campaigns")).json["total"] == (path == "/v1/campaigns")
    assert await events_of(hubs[1], nodes[1]) == (path == "/v1/conversions")


@pytest.mark.parametrize(
    ("path", "body"),
    [("/v1/conversions", {"externalOrderId": "A-1", "orderAmount": "1"}), ("/v1/products/upsert", {"products": []})],
)
async def test_a_stored_answer_is_every_nodes(nodes: Nodes, path: str, body: dict[str, object]) -> None:
    """The other node repeats it byte by byte, and refuses the key for another body."""
    here, there = nodes
    key = {"Idempotency-Key": "once"}
    first = await here("POST", path, body, headers=key)
    again = await there("POST", path, body, headers=key)
    assert (again.status, again.raw) == (first.status, first.raw)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (await there("POST", path, {**body, "unknown": 1}, headers=key)).status == 422


@pytest.mark.parametrize("body", [b"no json", b'{"externalOrderId":1}'])
async def test_a_signature_that_was_refused_is_spent_everywhere(nodes: Nodes, body: bytes) -> None:
    """A 400 at one node leaves nothing to try at another."""
    headers = nodes[0].headers(body)
    assert (await nodes[0].send("POST", "/v1/conversions", body, headers)).status == 400
    assert (await nodes[1].send("POST", "/v1/conversions", body, headers)).status == 401


async def test_reads_are_remembered_by_each_node(nodes: Nodes) -> None:
    """By decision: a read that is replayed changes nothing, so its memory is not worth a write."""
    headers = nodes[0].headers(b"")
    statuses = [(await node.send("GET", "/v1/products", b"", headers)).status for node in (*nodes, *nodes)]
    assert statuses == [200, 200, 401, 401]


async def test_equal_webhooks(nodes: Nodes, hubs: Hubs) -> None:
    sent = [webhook(nodes[n % 2], "order-paid", {"external_order_id": "A-1"}) for n in range(50)]
    replies = await asyncio.gather(*sent)
    assert Counter(reply.json["duplicate"] for reply in replies) == {False: 1, True: 49}
    assert await events_of(hubs[0], nodes[0]) == 1


async def test_equal_deliveries(hubs: Hubs, clock: FakeClock) -> None:
    """A platform that tries again reaches another node."""
    async with aiohttp.ClientSession(hubs[0].url) as first, aiohttp.ClientSession(hubs[1].url) as second:
        here = await connected(hubs[0], clock, first)
        there = evolve(here, session=second)
        answers = await asyncio.gather(*((here, there)[n % 2].send() for n in range(50)))
        assert Counter((answer.status, answer.json["duplicate"]) for answer in answers) == {
            (200, False): 1,
            (200, True): 49,
        }
        assert len(await here.kept()) == 1


async def test_a_click_at_one_node_is_an_order_at_the_other(nodes: Nodes, hubs: Hubs) -> None:
    affiliate = await create_affiliate(hubs[0].parts.store, nodes[0].clock, name="A", email="a@a.example", coupons=[])
    visitor = Visitor(hubs[0], nodes[0], affiliate.id)
    click = click_of((await visitor.visit(await visitor.link()))[1])
    body = {"externalOrderId": "A-1", "orderAmount": "10.00", "clickId": click}
    event = await decided(nodes[0], (await nodes[1]("POST", "/v1/conversions", body)).json["eventId"])
    assert event["explanation"]["attribution"]["reason"] == "matched"


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
