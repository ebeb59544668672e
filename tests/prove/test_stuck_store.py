"""A database that stands still for half a minute costs each request nine seconds at most, and no order."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import aiohttp
import pytest

from hub.testing.postgres import PostgresServer
from tests.frozen import frozen
from tests.prove.shop import Server, Shop, database_in, hub

pytestmark = pytest.mark.prove

LOCKED_SECONDS = 24.0
FROZEN_SECONDS = 19.0
LONGEST_ANSWER = 9.5
"""Eight seconds for the store, and what a busy machine adds."""
SENDERS = 16
ENVIRONMENT = {"HUB_MASTER_KEY": "5e" * 32}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process writes to the file, and does not end."""
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")
    other.close()


def test_a_locked_file_costs_nine_seconds_and_no_order(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    hub(database, "migrate")
    _prove(database, lambda: locked(tmp_path / "hub.db"), LOCKED_SECONDS)


def test_a_frozen_server_costs_nine_seconds_and_no_order(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    database = postgres.create()
    _prove(database, lambda: frozen(postgres), FROZEN_SECONDS)
    postgres.drop(database)


def _prove(database: str, trouble: Callable[[], AbstractContextManager[None]], seconds: float) -> None:
    shop = Shop.open(database)
    server = Server(database)
    server.start()
    try:
        answers = asyncio.run(_load(server, shop, trouble, seconds))
        assert asyncio.run(_first_after(server, shop)) < LONGEST_ANSWER
        _wait_until_decided(database)
        audit = hub(database, "audit")
    finally:
        server.stop()
    refused = [each for each, status in answers if status == 503]
    print(
        f"{len(answers)} answers, {len(refused)} of them 503, the longest after {max(refused):.1f} s; "
        f"{len(shop.acknowledged)} acknowledged, {audit['accepted']} stored"
    )
    assert {status for _, status in answers} == {202, 503}
    assert max(each for each, _ in answers) < LONGEST_ANSWER
    assert audit["violations"] == []
    assert audit["accepted"] >= len(shop.acknowledged)
    assert audit["processed"] == audit["accepted"]


async def _load(
    server: Server, shop: Shop, trouble: Callable[[], AbstractContextManager[None]], seconds: float
) -> list[tuple[float, int]]:
    """Send orders before, during and after the trouble; return how long each answer took and its status."""
    answers: list[tuple[float, int]] = []
    stop = asyncio.Event()

    async def send(session: aiohttp.ClientSession, sender: int) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            began = time.monotonic()
            status = await shop.order(session, server.base_url, f"{sender}-{number}")
            answers.append((time.monotonic() - began, status))
            if status != 202:
                await asyncio.sleep(0.5)

    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as senders:
        for sender in range(SENDERS):
            senders.create_task(send(session, sender))
        await asyncio.sleep(2)
        with trouble():
            await asyncio.sleep(seconds)
        await asyncio.sleep(2)
        stop.set()
    return answers


async def _first_after(server: Server, shop: Shop) -> float:
    """How many seconds after the trouble an order is accepted again."""
    began = time.monotonic()
    async with aiohttp.ClientSession() as session:
        status = await shop.order(session, server.base_url, "after")
        while status != 202:
            await asyncio.sleep(0.2)
            status = await shop.order(session, server.base_url, "after")
    return time.monotonic() - began


def _wait_until_decided(database: str) -> None:
    deadline = time.monotonic() + 60
    while hub(database, "audit", check=False)["waiting"] and time.monotonic() < deadline:
        time.sleep(0.5)
