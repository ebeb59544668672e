"""The database's machine is lost under load and its standby takes over: with a synchronous one, nothing is lost."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Iterator

import asyncpg
import pytest

from hub.operations.money.ledger.ledger import verify_ledger
from hub.storage import Store, StoreUnavailable
from hub.testing.postgres import PostgresMissing, place_of_server
from tests.ledger.test_verify import entries_of
from tests.polling import lasting, until
from tests.processing.harness import FOLDERS, Harness
from tests.prove.standby import Pair

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SENDERS = 8
LEAST, MOST = 2, 20
LEAST_TOLD = 100
SEED = 20_261_123
UNHEARD_SECONDS = 0.5
"""How long the hub goes on while nothing reaches the standby any more."""
UNHEARD = 10
"""How much the hub tells of meanwhile, where a commit waits for no standby."""


def _pair(*, synchronous: bool) -> Iterator[Pair]:
    try:
        with place_of_server() as place:
            if not (place.programs / "pg_basebackup").exists():
                pytest.skip("No failover is tried: this PostgreSQL has no pg_basebackup.")
            pair = Pair(place, synchronous)
            yield pair
            pair.close()
    except PostgresMissing as fault:
        pytest.skip(str(fault))


@pytest.fixture
def synchronous() -> Iterator[Pair]:
    """Two servers; a commit is one when both have it."""
    yield from _pair(synchronous=True)


@pytest.fixture
def asynchronous() -> Iterator[Pair]:
    """Two servers; the second follows as it can."""
    yield from _pair(synchronous=False)


def test_a_synchronous_standby_has_all_that_was_acknowledged(synchronous: Pair) -> None:
    """Machine after machine is lost while orders come in and are decided; each time the next one has them all."""
    told, dice, times = set[str](), random.Random(SEED), 0
    goes_on = lasting(SECONDS, lambda: times >= LEAST and len(told) > LEAST_TOLD)
    while times < MOST and goes_on():
        told |= asyncio.run(_loaded(synchronous, dice.uniform(0.3, 1.0), f"S{times}"))
        synchronous.fail_over()
        assert told - asyncio.run(_kept(synchronous.url)) == set()
        times += 1
    assert asyncio.run(_verified(synchronous.url))
    print(f"{times} failovers, {len(told)} acknowledged, 0 lost")
    assert len(told) > LEAST_TOLD


def test_control_one_that_follows_as_it_can_lacks_the_last_orders(asynchronous: Pair) -> None:
    """The same without `synchronous_standby_names`: orders that got their answer are gone."""
    told = asyncio.run(_loaded(asynchronous, 0.5, "A", unheard=UNHEARD))
    asynchronous.fail_over()
    assert told - asyncio.run(_kept(asynchronous.url))


async def _loaded(pair: Pair, seconds: float, prefix: str, *, unheard: int = 0) -> set[str]:
    """Send orders and decide them, cut the line to the standby, go on for a while; return what was acknowledged.

    So much at least is acknowledged `unheard`, after the line was cut.
    """
    store = await Store.open(pair.url, migrate=True, query_folders=FOLDERS)
    hub = await Harness.over(store)
    told = set[str]()
    await hub.join("live", prefix)
    click = await hub.click()
    tasks = [asyncio.create_task(_send(hub, f"{prefix}-{n}", click, told)) for n in range(SENDERS)]
    tasks.append(asyncio.create_task(_decide(hub, told)))
    await asyncio.sleep(seconds)
    await asyncio.to_thread(pair.cut_line)
    heard = len(told)
    await asyncio.sleep(UNHEARD_SECONDS)
    await until(lambda: len(told) >= heard + unheard)
    said = set(told)  # before the machine is lost
    await asyncio.to_thread(pair.lose)
    for each in tasks:
        each.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await hub.close()
    return said


async def _send(hub: Harness, prefix: str, click: str, told: set[str]) -> None:
    number = 0
    while True:
        number += 1
        try:
            accepted = await hub.order(f"{prefix}-{number}", "20.00", clickId=click, orderStatus="confirmed")
        except StoreUnavailable:
            await asyncio.sleep(0.01)
        else:
            told.add(accepted.event_id)


async def _decide(hub: Harness, told: set[str]) -> None:
    while True:
        try:
            await hub.worker.run_once()
            told.update(e.hash for e in (await entries_of(hub))[-20:])
        except StoreUnavailable:
            await asyncio.sleep(0.01)


async def _kept(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch("SELECT event_id FROM events UNION ALL SELECT hash FROM ledger_entries")
    finally:
        await connection.close()
    return {row[0] for row in rows}


async def _verified(url: str) -> bool:
    async with await Store.open(url) as store:
        return (await verify_ledger(store))["ok"]
