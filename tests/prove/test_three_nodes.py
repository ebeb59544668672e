"""Three nodes on one PostgreSQL under load: one is paused, one killed, the database restarted; nothing is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

import asyncpg
import pytest
from attrs import frozen

from hub.processing.scheduler import LEASE_MS
from hub.processing.timed_jobs import HOLD_SECONDS
from hub.testing.postgres import PostgresServer
from tests.polling import PATIENCE_SECONDS, lasting, until_blocking
from tests.prove.customers import Customers, opened
from tests.prove.shop import HUB, Server, hub

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SENDERS = 24
LEAST_ORDERS, LEAST_TROUBLES = 100, 10
CONTROL_SECONDS = 8.0
COMPARED_SECONDS = 0.5
"""Between two comparisons: longer than any commit takes that a control has put off."""
PAST_THE_LEASE = LEASE_MS / 1000 + HOLD_SECONDS + 1
ENVIRONMENT = {"HUB_MASTER_KEY": "5a" * 32, "HUB_COMMISSION_HOLD": "2s"}


@frozen
class Findings:
    """The difference between what the database holds and what the customers were answered."""

    lost: set[str]
    """Orders that were acknowledged, but are not there or under another event."""
    doubled: set[str]
    """Orders that are there more than once, or were acknowledged under two ids."""
    unsent: set[str]
    """Orders that are there, but were never sent."""

    @property
    def none(self) -> bool:
        return not (self.lost or self.doubled or self.unsent)


async def compared(database: str, customers: Customers) -> Findings:
    """Compare the orders in the database with the customers' answers."""
    connection = await asyncpg.connect(database)
    try:
        events = await connection.fetch("SELECT event_id, external_order_id FROM events")
        conversions = await connection.fetch("SELECT external_order_id FROM conversions")
    finally:
        await connection.close()
    ids = {row["external_order_id"]: row["event_id"] for row in events}
    times = Counter(row["external_order_id"] for row in events)
    times |= Counter(row["external_order_id"] for row in conversions)
    answers = customers.acknowledged
    return Findings(
        lost={order for order, said in answers.items() if ids.get(order) not in said},
        doubled={order for order, count in times.items() if count > 1}
        | {o for o, said in answers.items() if len(said) > 1},
        unsent=ids.keys() - answers.keys() - customers.unanswered,
    )


async def _compared_when_settled(database: str, customers: Customers) -> Findings:
    """Compare until nothing changes any more: commits may follow an answer that came too early."""
    before, found = None, await compared(database, customers)
    while found != before:
        await asyncio.sleep(COMPARED_SECONDS)
        before, found = found, await compared(database, customers)
    return found


@contextmanager
def serving(database: str, program: Sequence[str] = (*HUB, "serve")) -> Iterator[list[Server]]:
    """Start three nodes; kill whatever still runs at the end."""
    nodes = [Server(database, program, dict(ENVIRONMENT)) for _ in range(3)]
    try:
        for node in nodes:
            node.start()
        yield nodes
    finally:
        for node in nodes:
            if node.process is not None and node.process.poll() is None:
                node.kill()


@pytest.fixture
def database(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Create a fresh database, and set the master key that its nodes and commands share."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    url = postgres.create()
    yield url
    postgres.drop(url)


def _pause(node: Server, seconds: float) -> None:
    assert node.process is not None
    node.process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    node.process.send_signal(signal.SIGCONT)


def _kill_and_start(node: Server) -> None:
    node.kill()
    time.sleep(1)
    node.start()


def _go_wrong(
    nodes: Sequence[Server], postgres: PostgresServer, seconds: float, has_met_enough: Callable[[], bool]
) -> Counter[str]:
    """Pause and kill the nodes and restart the database in turn, at least once each."""
    happened: Counter[str] = Counter()
    goes_on = lasting(seconds, lambda: bool(happened) and has_met_enough())
    while goes_on():
        turn = happened["pauses"]
        _pause(nodes[turn % 3], PAST_THE_LEASE)
        happened["pauses"] += 1
        time.sleep(1)
        _kill_and_start(nodes[(turn + 1) % 3])
        happened["kills"] += 1
        time.sleep(1)
        postgres.restart(crash=turn % 2 == 1)
        happened["restarts"] += 1
        time.sleep(2)
    return happened


async def _under_load(customers: Customers, seconds: float, trouble: Callable[[], Any], *, tag: str = "N") -> Any:
    """Let customers shop for so many seconds, and for as long as the trouble takes; return what the trouble does."""
    happening = asyncio.create_task(asyncio.to_thread(trouble))
    await customers.shop_on(seconds=seconds, senders=SENDERS, tag=tag, has_met_enough=happening.done)
    return await happening


def _wait(holds: Callable[[], bool], what: str) -> float:
    """Wait until it holds; return for how many seconds."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > PATIENCE_SECONDS:
            raise AssertionError(f"{what}: not within {PATIENCE_SECONDS:g} seconds")
        time.sleep(0.2)
    return time.monotonic() - began


def _ready(node: Server) -> bool:
    try:
        with urllib.request.urlopen(f"{node.base_url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


async def _count(database: str, sql: str) -> int:
    connection = await asyncpg.connect(database)
    try:
        return int(await connection.fetchval(sql))
    finally:
        await connection.close()


def test_nothing_is_lost_and_nothing_doubled(postgres: PostgresServer, database: str) -> None:
    """Every acknowledged order is there once and earned once, and the nodes recover by themselves."""
    with serving(database) as nodes:
        customers = opened(database, nodes)

        def has_met_enough() -> bool:
            return customers.troubles > LEAST_TROUBLES and len(customers.acknowledged) > LEAST_ORDERS

        going_wrong = partial(_go_wrong, nodes, postgres, SECONDS - 18, has_met_enough)
        happened = asyncio.run(_under_load(customers, SECONDS, going_wrong))
        well = _wait(lambda: all(_ready(node) for node in nodes), "every node is ready")
        drained = _wait(lambda: hub(database, "audit", check=False)["waiting"] == 0, "the backlog drains")
        held = "SELECT count(*) FROM commissions WHERE state <> 'PAYABLE'"
        _wait(lambda: asyncio.run(_count(database, held)) == 0, "the timers release every hold")
        audit = hub(database, "audit")
        found = asyncio.run(compared(database, customers))
        commissions = asyncio.run(_count(database, "SELECT count(*) FROM commissions"))
        codes = [node.stop() for node in nodes]
    orders = len(customers.acknowledged)
    print(
        f"{dict(happened)}, {orders} orders acknowledged, {dict(customers.outcomes)}, longest silence"
        f" {customers.longest_silence():.1f} s, ready after {well:.1f} s, drained after {drained:.1f} s"
    )
    assert found.none, found
    assert customers.unanswered == set()
    assert orders > LEAST_ORDERS
    assert (audit["violations"], audit["waiting"], audit["failed"]) == ([], 0, 0)
    assert audit["processed"] == audit["accepted"] == commissions == orders
    assert codes == [0, 0, 0]
    assert customers.troubles > LEAST_TROUBLES, "nothing went wrong, so nothing was proved"


@pytest.mark.parametrize(("module", "fault"), [("careless", "lost"), ("forgetful", "doubled")])
def test_the_proof_catches_lost_and_doubled_orders(
    postgres: PostgresServer, database: str, module: str, fault: str
) -> None:
    """The controls: a hub that answers before it commits loses orders, one that forgets its claims doubles them."""

    def trouble() -> None:
        before = len(customers.acknowledged)
        time.sleep(1.5)
        until_blocking(lambda: len(customers.acknowledged) > before + SENDERS)
        _kill_and_start(nodes[1])
        _pause(nodes[0], 4)
        postgres.restart(crash=True)

    with serving(database, [sys.executable, "-m", f"tests.prove.{module}", "serve"]) as nodes:
        customers, found = opened(database, nodes), Findings(set(), set(), set())
        attempts, goes_on = count(), lasting(0, lambda: bool(getattr(found, fault)))
        while goes_on():
            asyncio.run(_under_load(customers, CONTROL_SECONDS, trouble, tag=f"N{next(attempts)}"))
            found = asyncio.run(_compared_when_settled(database, customers))
    print(f"{module}: {len(customers.acknowledged)} acknowledged, {len(found.lost)} lost, {len(found.doubled)} doubled")
    assert getattr(found, fault), found
