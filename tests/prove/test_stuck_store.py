"""A database that stands still costs each request nine seconds at most, and no order; readiness says so at once."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest

from hub.testing.postgres import PostgresServer
from tests.frozen import frozen
from tests.polling import PATIENCE_SECONDS, until, until_blocking
from tests.prove.shop import Server, Shop, database_in, hub

pytestmark = pytest.mark.prove

LOCKED_SECONDS = 24.0
FROZEN_SECONDS = 19.0
LONGEST_ANSWER = 9.5
"""Eight seconds for the store, and what the rest takes."""
SEEN_SECONDS = 5.0
PROBED_SECONDS = 7.0
"""How soon readiness knows, and how long it may take to say so on any machine: it does not wait for the store."""
SLOWER = 10
"""What the machine adds to an answer: so many times what it adds to a probe, which needs next to nothing of it."""
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
        answers, probes = asyncio.run(_load(server, shop, trouble, seconds))
        asyncio.run(_accepted_after(server, shop))
        _wait_until_decided(database)
        audit = hub(database, "audit")
    finally:
        server.stop()
    refused = [each for each, status in answers if status == 503]
    print(
        f"{len(answers)} answers, {len(refused)} of them 503, the longest after {max(refused):.1f} s; "
        f"{len(shop.acknowledged)} acknowledged, {audit['accepted']} stored"
    )
    unready = [probe.at for probe in probes if probe.status == 503]
    print(
        f"not ready after {unready[0]:.1f} s, the slowest of {len(probes)} probes {max(p.took for p in probes):.2f} s"
    )
    slowest = max(probe.took for probe in probes)
    assert slowest < PROBED_SECONDS
    assert unready[0] < SEEN_SECONDS + SLOWER * slowest
    assert unready[-1] > seconds - PROBED_SECONDS
    assert {status for _, status in answers} == {202, 503}
    assert max(each for each, _ in answers) < LONGEST_ANSWER + SLOWER * slowest
    assert audit["violations"] == []
    assert audit["accepted"] >= len(shop.acknowledged)
    assert audit["processed"] == audit["accepted"]


class Probe(NamedTuple):
    """An answer of /readyz: when it was asked for since the trouble began, how long it took, and its status."""

    at: float
    took: float
    status: int


async def _watch(server: Server, seconds: float) -> list[Probe]:
    """Ask for readiness ten times a second."""
    probes: list[Probe] = []
    began = time.monotonic()
    async with aiohttp.ClientSession() as session:
        while time.monotonic() - began < seconds:
            asked = time.monotonic()
            async with session.get(f"{server.base_url}/readyz") as reply:
                probes.append(Probe(asked - began, time.monotonic() - asked, reply.status))
            await asyncio.sleep(0.1)
    return probes


async def _load(
    server: Server, shop: Shop, trouble: Callable[[], AbstractContextManager[None]], seconds: float
) -> tuple[list[tuple[float, int]], list[Probe]]:
    """Send orders before, during and after the trouble; return how long each took, its status, and the probes."""
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

    timeout = aiohttp.ClientTimeout(total=PATIENCE_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as senders:
        for sender in range(SENDERS):
            senders.create_task(send(session, sender))
        await asyncio.sleep(2)
        with trouble():
            probes = await _watch(server, seconds)
        await asyncio.sleep(2)
        stop.set()
    return answers, probes


async def _accepted_after(server: Server, shop: Shop) -> None:
    """Wait until an order is accepted again."""
    async with aiohttp.ClientSession() as session:

        async def accepted() -> bool:
            return await shop.order(session, server.base_url, "after") == 202

        await until(accepted, pause=0.2)


def _wait_until_decided(database: str) -> None:
    until_blocking(lambda: not hub(database, "audit", check=False)["waiting"], pause=0.5)
