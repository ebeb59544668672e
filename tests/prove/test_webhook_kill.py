"""kill -9 between a change and the delivery of its message: it is told at least once, and in order for each order."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from tests.notifications.receiver import Receiver, receiving
from tests.polling import until
from tests.prove.shop import Server, Shop, database_in, hub

pytestmark = pytest.mark.prove

ORDERS = 5
LOCAL = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}
"""The receiver is on this machine."""
TOLD = ["commission.created", "commission.held", "commission.rejected"]


async def test_what_was_committed_is_told_after_kill_minus_nine(tmp_path: Path) -> None:
    """The receiver hangs while orders are decided; the hub is killed; a new process tells all of it."""
    async with receiving("hang") as receiver:
        server = await _killed_before_delivery(tmp_path, receiver, Server(database_in(tmp_path)))
        receiver.requests.clear()
        receiver.answer = 200
        await _retried(server.database)
        await asyncio.to_thread(server.start)
        try:
            await until(lambda: len(_first_tellings(receiver)) == ORDERS and _all_told(receiver))
        finally:
            await asyncio.to_thread(server.stop)
        assert _first_tellings(receiver) == dict.fromkeys(_first_tellings(receiver), TOLD)


async def test_the_proof_catches_an_outbox_outside_of_the_transaction(tmp_path: Path) -> None:
    """The control: messages that only the process knew are gone with it."""
    careless = Server(database_in(tmp_path), program=[sys.executable, "-m", "tests.prove.careless_outbox", "serve"])
    async with receiving("hang") as receiver:
        careless = await _killed_before_delivery(tmp_path, receiver, careless, told=False)
        receiver.answer = 200
        honest = Server(careless.database, environment=careless.environment)
        await asyncio.to_thread(honest.start)
        try:
            await _order(Shop(*_key(careless.database)), honest.base_url, "AFTER", None)
            await until(lambda: bool(receiver.requests))
        finally:
            await asyncio.to_thread(honest.stop)
        assert set(receiver.types) == {"conversion.review"}, "what was changed before the kill was never told"


async def _killed_before_delivery(tmp_path: Path, receiver: Receiver, server: Server, *, told: bool = True) -> Server:
    """Have orders decided, each with three messages that none of is accepted, and kill the hub."""
    database = server.database
    await asyncio.to_thread(hub, database, "migrate")
    shop = await asyncio.to_thread(Shop.open, database)
    (merchant,) = await asyncio.to_thread(hub, database, "merchant", "list")
    affiliate = await asyncio.to_thread(
        hub, database, "affiliate", "create", "--name", "Ann", "--email", "ann@blog.example"
    )
    link = await asyncio.to_thread(
        hub, database, "link", "create", "--merchant", merchant["id"], "--mode", "test", "--affiliate", affiliate["id"]
    )
    await asyncio.to_thread(
        hub, database, "subscription", "create", "--merchant", merchant["id"], "--mode", "test", "--url",
        receiver.url, "--events", "commission.*,conversion.review", environment=LOCAL,
    )  # fmt: skip
    server.environment.update(LOCAL)
    await asyncio.to_thread(server.start)
    async with aiohttp.ClientSession(server.base_url) as session:
        path = f"/t/{link['code']}"
        async with session.get(path, allow_redirects=False, headers={"User-Agent": "A"}) as redirect:
            click = URL(redirect.headers["Location"]).query["affiliate_click_id"]
    for number in range(ORDERS):
        await _order(shop, server.base_url, f"A-{number}", click)
    await _until_decided(database, "HOLD")
    for number in range(ORDERS):
        await _send(shop, server.base_url, "order-status", {"externalOrderId": f"A-{number}", "status": "cancelled"})
    await _until_decided(database, "REJECTED")
    if told:
        await until(lambda: bool(receiver.requests))
    server.kill()
    return server


async def _retried(database: str) -> None:
    """Have what waits tried now: a receiver that hung for long, as before a slow machine, is left alone for minutes."""
    (subscription,) = await asyncio.to_thread(hub, database, "subscription", "list")
    await asyncio.to_thread(hub, database, "subscription", "retry", subscription["id"])


def _key(database: str) -> tuple[str, str]:
    (merchant,) = hub(database, "merchant", "list")
    made = hub(database, "key", "create", "--merchant", merchant["id"], "--mode", "test")
    return made["keyId"], made["signingSecret"]


async def _order(shop: Shop, base_url: str, order: str, click: str | None) -> None:
    body: dict[str, Any] = {"externalOrderId": order, "orderAmount": "49.90", "orderStatus": "confirmed"}
    await _send(shop, base_url, "conversions", body if click is None else {**body, "clickId": click})


async def _send(shop: Shop, base_url: str, name: str, body: dict[str, Any]) -> None:
    raw = json.dumps(body).encode()
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base_url}/api/v1/{name}", data=raw, headers=shop.headers(raw)) as response,
    ):
        assert response.status == 202, await response.text()


async def _until_decided(database: str, state: str) -> None:

    async def all_of_them() -> bool:
        return len(await asyncio.to_thread(hub, database, "commission", "list", "--state", state)) == ORDERS

    await until(all_of_them, pause=0.2)


def _all_told(receiver: Receiver) -> bool:
    return all(len(types) == len(TOLD) for types in _first_tellings(receiver).values())


def _first_tellings(receiver: Receiver) -> dict[str, list[str]]:
    """Return the types told of each order, in the order in which they were first told: a repeat is no news."""
    told: dict[str, list[str]] = defaultdict(list)
    known: set[str] = set()
    for headers, body, _ in receiver.requests:
        if headers["webhook-id"] not in known:
            known.add(headers["webhook-id"])
            message = json.loads(body)
            told[message["data"]["conversionId"]].append(message["type"])
    return dict(told)
