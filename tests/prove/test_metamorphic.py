"""The same traffic, doubled, shuffled and split over two nodes that restart, ends in the same books."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from pathlib import Path

import aiohttp
import orjson
import pytest
from attrs import evolve, frozen

from hub.app import Hub
from hub.domain.instants import format_instant
from hub.operations.affiliates.affiliates import create_affiliate
from hub.storage import Store as Database
from hub.testing.clock import NOON, FakeClock
from tests.acme import DELIVERY, SIGNATURE, acme_plugins, signature
from tests.csv_import.test_upload_endpoints import send
from tests.ledger.books import Books, books_of
from tests.platform_webhooks.test_endpoint import Store, connected
from tests.polling import until
from tests.processing.harness import DAY, FOLDERS
from tests.served_hub import Api, Reply, api_of, served
from tests.tracking.test_redirect import Visitor, click_of

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SEED = 20_261_123
ORDERS = min(2_000, max(40, int(SECONDS * 4)))
CLICKS = 5
LIVES = 3
"""How often both nodes are started: in between they stop with what they have not decided yet."""
AT_ONCE = 16
ROWS = 10
"""The rows of a file."""
UNLIMITED = {f"HUB_LIMITS_{name}": "0" for name in ("PER_MINUTE", "PER_HOUR", "IMPORT_PER_MINUTE", "IMPORT_PER_HOUR")}
WAITING = ("RECEIVED", "QUEUED")


@frozen
class Node:
    """A hub as a merchant's server and a platform's shop reach it."""

    hub: Hub
    api: Api
    shop: Store


Message = Callable[[Node], Awaitable[object]]
Row = dict[str, str]


@frozen
class World:
    """A database with a merchant that has a key, another one that has a shop on Acme, and clicks."""

    url: str
    environ: dict[str, str]
    clock: FakeClock
    api: Api
    shop: Store
    clicks: Sequence[str]

    @classmethod
    async def build(cls, url: str, folder: Path) -> World:
        clock, environ = FakeClock(), {**UNLIMITED, "HUB_UPLOADS_DIRECTORY": str(folder / "uploads")}
        async with (
            served(url, clock, acme_plugins(), **environ) as hub,
            api_of(hub, clock) as api,
        ):
            ada = await create_affiliate(hub.parts.store, clock, name="Ada", email="ada@blog.example", coupons=[])
            visitor = Visitor(hub, api, ada.id)
            code = await visitor.link()
            clicks = [click_of((await visitor.visit(code))[1]) for _ in range(CLICKS)]
            shop = await connected(hub, clock, api.session)
        clock.advance(DAY)
        # How often a file is sent while too many wait the machine decides, and a signature counts once.
        return cls(url, environ, clock, evolve(api, nonces=count().__next__), shop, clicks)

    @asynccontextmanager
    async def nodes(self, number: int) -> AsyncIterator[list[Node]]:
        """So many nodes over the database, for as long as the block lasts."""
        async with AsyncExitStack() as stack:
            nodes = []
            for _ in range(number):
                hub = await stack.enter_async_context(served(self.url, self.clock, acme_plugins(), **self.environ))
                session = await stack.enter_async_context(aiohttp.ClientSession(hub.url))
                nodes.append(Node(hub, evolve(self.api, session=session), evolve(self.shop, hub=hub, session=session)))
            yield nodes

    async def books(self) -> Books:
        """What all accounts hold once everything is decided."""
        async with await Database.open(self.url, query_folders=FOLDERS) as store:
            async with store.read() as tx:
                accounts = [row["account_id"] for row in await tx.all("all_accounts")]

            async def all_decided() -> bool:
                async with store.read() as tx:
                    events = [each for account in accounts for each in await tx.all("event_rows", account_id=account)]
                    files = [each for account in accounts for each in await tx.all("uploads_held", account_id=account)]
                waiting = [each for each in events if each["status"] in WAITING]
                return not waiting and not any(each["waiting"] for each in files)

            async with self.nodes(1):
                await until(all_decided)
            return sorted([each for account in accounts for each in await books_of(store, account)], key=repr)


async def test_doubled_shuffled_and_split_traffic_ends_in_the_same_books(
    sqlite_url: str, postgres_url: str, tmp_path: Path
) -> None:
    """Once in order at one node on SQLite; one to three times in any order at two nodes on PostgreSQL."""
    plain, wild = await World.build(sqlite_url, tmp_path / "plain"), await World.build(postgres_url, tmp_path / "wild")
    dice = random.Random(SEED)
    await _sent_in_order(plain)
    sent = await _sent_wildly(wild, dice, _traffic(wild.clicks))
    books = await plain.books()
    assert await wild.books() == books
    print(f"{ORDERS} orders by four doors, {sent} messages, {len(books)} balances and commissions, equal")
    assert {each[1] for each in books} >= {"held", "HOLD", "REJECTED"}


async def test_control_a_refund_that_counts_twice_is_seen(sqlite_url: str, postgres_url: str, tmp_path: Path) -> None:
    """Repeated under another id a refund is another one: the books differ."""
    plain, wild = await World.build(sqlite_url, tmp_path / "plain"), await World.build(postgres_url, tmp_path / "wild")
    again = _webhook(
        "order-refunded", "d-again", {"external_order_id": "O-0", "refund_id": "r-x", "refund_amount": "1"}
    )
    await _sent_in_order(plain)
    await _sent_wildly(wild, random.Random(SEED), [*_traffic(wild.clicks), again])
    assert await wild.books() != await plain.books()


async def _sent_in_order(world: World) -> None:
    async with world.nodes(1) as (node,):
        for message in _traffic(world.clicks):
            await message(node)


async def _sent_wildly(world: World, dice: random.Random, traffic: Sequence[Message]) -> int:
    """Send each message up to three times, in any order, to nodes that stop with what they have in hand."""
    repeated = [message for message in traffic for _ in range(dice.randint(1, 3))]
    dice.shuffle(repeated)
    for life in range(LIVES):
        async with world.nodes(2) as nodes:
            places = asyncio.Semaphore(AT_ONCE)

            async def one(message: Message, node: Node, places: asyncio.Semaphore = places) -> None:
                async with places:
                    await message(node)

            await asyncio.gather(*[one(message, dice.choice(nodes)) for message in repeated[life::LIVES]])
    return len(repeated)


def _traffic(clicks: Sequence[str]) -> list[Message]:
    """A shop's year: orders by the API, by files, by webhooks and by a platform, and what became of them."""
    dice = random.Random(SEED)
    messages: list[Message] = []
    rows: dict[str, list[Row]] = {"orders": [], "statuses": []}
    for number in range(ORDERS):
        order, click, amount = f"O-{number}", dice.choice(clicks), f"{dice.randrange(100, 90_000) / 100:.2f}"
        at = NOON + dice.randrange(60_000, 3_600_000)
        door = dice.choice(("api", "webhook", "file", "platform"))
        if door == "platform":
            messages += _platform_orders(order, click, amount, dice)
            continue
        body = {"externalOrderId": order, "orderAmount": amount, "clickId": click, "orderedAt": format_instant(at)}
        if door == "api":
            messages.append(_post("/v1/conversions", body))
        elif door == "file":
            rows["orders"].append(body)
        else:
            messages.append(_webhook("order-created", f"c-{number}", {
                "external_order_id": order, "order_amount": amount, "click_id": click, "ordered_at": format_instant(at),
            }))  # fmt: skip
        stages = _stages(order, at, dice)
        if number % 5 == 0:
            rows["statuses"] += stages
        else:
            messages += [_post("/v1/order-status", each) for each in stages]
        if number % 3 == 0:
            messages.append(_refund(order, number))
    files = [(kind, rows[kind][start : start + ROWS]) for kind in rows for start in range(0, len(rows[kind]), ROWS)]
    return [*messages, *[_file(kind, part) for kind, part in files]]


def _stages(order: str, at: int, dice: random.Random) -> list[Row]:
    """What a merchant says of an order later: confirmed, then perhaps delivered or cancelled."""
    stages = ["confirmed", *dice.choice((["delivered"], ["cancelled"], []))]
    moments = [format_instant(at + 1_000 * (place + 1)) for place in range(len(stages))]
    return [
        {"externalOrderId": order, "status": status, "statusUpdatedAt": moment}
        for status, moment in zip(stages, moments, strict=True)
    ]


def _refund(order: str, number: int) -> Message:
    body = {
        "external_order_id": order,
        "refund_id": "r-1",
        "refund_amount": "0.50",
        "occurred_at": format_instant(NOON),
    }
    return _webhook("order-refunded", f"r-{number}", body)


def _platform_orders(order: str, click: str, amount: str, dice: random.Random) -> list[Message]:
    """Snapshots of an order, each with its version: placed, perhaps edited, perhaps cancelled."""
    placed = NOON + 60_000
    first = {"number": order, "total": amount, "extra": {"click": click}, "placed": placed, "version": placed}
    later = first | dice.choice(({"total": "7.77"}, {"cancelled": True}, {"paid": True})) | {"version": placed + 30_000}
    return [_delivered(each, f"{order}-{each['version']}") for each in (first, later)]


def _post(path: str, body: Row) -> Message:
    async def send_it(node: Node) -> None:
        _taken(await node.api("POST", path, body))

    return send_it


def _webhook(kind: str, delivery: str, body: Row) -> Message:
    async def send_it(node: Node) -> None:
        _taken(await node.api("POST", f"/v1/webhooks/{kind}", body, headers={"X-External-Event-Id": delivery}))

    return send_it


def _file(kind: str, rows: Sequence[Row]) -> Message:
    """A file, sent again while too many wait."""
    raw = "\n".join([",".join(rows[0]), *[",".join(row.values()) for row in rows], ""]).encode()

    async def send_it(node: Node) -> None:
        async def taken() -> Reply | None:
            reply = await send(node.api, kind, raw)
            return None if reply.status == 429 else reply

        _taken(await until(taken))

    return send_it


def _delivered(body: object, delivery: str) -> Message:
    async def send_it(node: Node) -> None:
        raw = orjson.dumps(body)
        reply = await node.shop.send(raw, {SIGNATURE: signature(node.shop.secret, raw), DELIVERY: delivery})
        assert reply.status in {200, 202}, reply.raw

    return send_it


def _taken(reply: Reply) -> None:
    assert reply.status == 202, reply.raw
