"""kill -9 at any moment loses no order that got its 202, and makes nothing happen twice."""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from tests.polling import lasting, until_blocking
from tests.prove.shop import Server, Shop, database_in, hub

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SENDERS = 24
LEAST_KILLS = 2
LEAST_ORDERS = 100


def test_every_acknowledged_order_survives_kill_minus_nine(tmp_path: Path) -> None:
    """Kill a loaded server again and again: every acknowledged id is there, decided once, and the audit is clean."""
    database = database_in(tmp_path)
    hub(database, "migrate")
    shop = Shop.open(database)
    kills = _kill_in_a_loop(Server(database), shop, seconds=SECONDS, orders=LEAST_ORDERS)
    server = Server(database)
    server.start()
    _wait_until_settled(database)
    audit = hub(database, "audit")
    assert server.stop() == 0
    stored = _event_ids(tmp_path)
    lost = {order for order, event_id in shop.acknowledged.items() if event_id not in stored}
    print(f"{kills} kills, {shop.sent} orders sent, {len(shop.acknowledged)} acknowledged, {len(lost)} lost")
    assert kills >= LEAST_KILLS
    assert len(shop.acknowledged) > LEAST_ORDERS
    assert not lost
    assert audit["violations"] == []
    assert audit["waiting"] == 0
    assert audit["processed"] >= len(shop.acknowledged)


def test_the_proof_catches_a_hub_that_answers_before_it_commits(tmp_path: Path) -> None:
    """The control: with the commit after the answer, the same loop finds lost orders."""
    database = database_in(tmp_path)
    hub(database, "migrate")
    shop = Shop.open(database)
    careless = Server(database, program=[sys.executable, "-m", "tests.prove.careless", "serve"])
    lost = set[str]()
    goes_on = lasting(0, lambda: bool(lost))
    while goes_on():
        _kill_in_a_loop(careless, shop, seconds=0, prefix=f"K{time.monotonic_ns()}")
        lost = set(shop.acknowledged.values()) - _event_ids(tmp_path)
    assert lost


def _kill_in_a_loop(server: Server, shop: Shop, *, seconds: float, orders: int = 0, prefix: str = "K") -> int:
    dice = random.Random(20_261_120)
    kills = 0
    goes_on = lasting(seconds, lambda: kills >= LEAST_KILLS and len(shop.acknowledged) > orders)
    while goes_on():
        server.start()
        asyncio.run(_load_and_kill(server, shop, after=dice.uniform(0.2, 1.5), prefix=f"{prefix}-{kills}"))
        kills += 1
    return kills


async def _load_and_kill(server: Server, shop: Shop, *, after: float, prefix: str) -> None:
    load = asyncio.create_task(shop.load(server.base_url, seconds=after + 5, senders=SENDERS, prefix=prefix))
    await asyncio.sleep(after)
    await asyncio.to_thread(server.kill)
    await load


def _wait_until_settled(database: str) -> None:
    until_blocking(lambda: hub(database, "audit", check=False)["waiting"] == 0, pause=0.5)


def _event_ids(folder: Path) -> set[str]:
    connection = sqlite3.connect(folder / "hub.db")
    try:
        return {row[0] for row in connection.execute("SELECT event_id FROM events")}
    finally:
        connection.close()
