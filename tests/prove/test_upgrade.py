"""A release serves under load while the next one migrates beneath it; both are killed at random and started again.

`hub migrate` refuses beside a server. The proof does it all the same, as an operator may who could not stop one in
time: the server of the release before ends by itself, the next one goes on, and so on from release to release. What
counts is that nothing acknowledged is lost or there twice, and that the newest release's audit and ledger hold.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from attrs import define, field

from tests.polling import PATIENCE_SECONDS, lasting, until_blocking
from tests.prove.customers import Customers, opened
from tests.prove.releases import Release, column_of
from tests.prove.shop import Server

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
SENDERS = 8
LEAST_ORDERS = 100
TRIES_KILLED = 2
"""How often a migration is killed before one may end."""
ENVIRONMENT = {"HUB_MASTER_KEY": "5a" * 32, "HUB_COMMISSION_HOLD": "1s"}
MIGRATED = "SELECT max(applied_at) FROM schema_migrations"
VERSION = "SELECT max(version) FROM schema_migrations"


@pytest.fixture(autouse=True)
def _around(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the master key and the hold that servers and commands share."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def rows(database: str, sql: str) -> list[tuple[Any, ...]]:
    """Return what the database answers."""
    if database.startswith("sqlite"):
        with closing(sqlite3.connect(database.removeprefix("sqlite:///"), timeout=30)) as connection:
            return connection.execute(sql).fetchall()

    async def asked() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(database)
        try:
            return [tuple(row) for row in await connection.fetch(sql)]
        finally:
            await connection.close()

    return asyncio.run(asked())


def one(database: str, sql: str) -> int:
    return int(rows(database, sql)[0][0])


def written_late(database: str) -> int:
    """Return how many orders were written since the last migration, which wrote its column in all that were there.

    Until the new release serves, it was the server before that wrote them to a schema that it does not know.
    """
    return one(database, f"SELECT count(*) FROM events WHERE {column_of(one(database, VERSION))} = 0")


@define
class Upgrades:
    """The releases of one database, one after the other, and what happened to them."""

    database: str
    release: Release
    dice: random.Random
    nodes: list[Server] = field(factory=list)
    """The one that serves, for the customers."""
    happened: Counter[str] = field(factory=Counter)
    ended: list[float] = field(factory=list)
    """How many seconds after the migration the server before it ended."""

    def begin(self, *, heedless: bool = False) -> None:
        """Serve the first release."""
        self.nodes[:] = [self.release.server(self.database, heedless=heedless)]
        self.nodes[0].start()

    def while_it(self, goes_on: Callable[[], bool]) -> None:
        """Upgrade again and again."""
        while goes_on():
            self._kill_the_server()
            newer = self.release.next()
            self._refuses_beside_a_server(newer)
            self.migrate_to(newer)
            self._ends_by_itself()
            self._release_before_is_refused()
            self.release = newer
            self.begin()
        self._kill_the_server()

    def _kill_the_server(self) -> None:
        time.sleep(self.dice.uniform(0.3, 1.2))
        self.nodes[0].kill()
        self.nodes[0].start()
        self.happened["servers killed"] += 1

    def _refuses_beside_a_server(self, newer: Release) -> None:
        told = newer.refusal(self.database, "migrate")
        assert "Stop" in told, told
        assert one(self.database, VERSION) == self.release.version, "a refusal changed the schema"

    def migrate_to(self, newer: Release) -> None:
        """Migrate beneath the server, killed a few times; at last it is the server that is killed meanwhile."""
        for _ in range(TRIES_KILLED):
            with_it = newer.migrating(self.database)
            time.sleep(self.dice.uniform(0.1, 1.2))
            self.happened["migrations killed" if with_it.poll() is None else "migrations too fast to be killed"] += 1
            with_it.kill()
            with_it.wait()
            if one(self.database, VERSION) == newer.version:
                return
        last = newer.migrating(self.database)
        self._restart_meanwhile()
        assert last.wait(timeout=PATIENCE_SECONDS) == 0
        assert one(self.database, VERSION) == newer.version

    def _restart_meanwhile(self) -> None:
        """Kill the server and start it again, on whichever schema there is when it looks."""
        time.sleep(self.dice.uniform(0.0, 1.0))
        self.nodes[0].kill()
        try:
            self.nodes[0].start()
            self.happened["servers started beside a migration"] += 1
        except AssertionError:
            self.nodes[0].ended(PATIENCE_SECONDS)
            self.happened["starts refused, as it was over"] += 1

    def _ends_by_itself(self) -> None:
        assert self.nodes[0].ended(PATIENCE_SECONDS) == 1
        self.ended.append(time.time() - one(self.database, MIGRATED) / 1000)
        assert written_late(self.database) == 0

    def _release_before_is_refused(self) -> None:
        told = self.release.refusal(self.database, "serve", "--port", "0")
        assert f"this release knows only {self.release.version}" in told, told


@contextmanager
def upgrading(database: str, folder: Path, *, heedless: bool = False) -> Iterator[Upgrades]:
    """Yield upgrades whose first release serves; kill what serves at the end."""
    upgrades = Upgrades(database, Release.first(folder), random.Random(20_261_123))
    try:
        upgrades.begin(heedless=heedless)
        yield upgrades
    finally:
        for node in upgrades.nodes:
            if node.process is not None and node.process.poll() is None:
                node.kill()


async def under_load(customers: Customers, trouble: Callable[[], Any]) -> None:
    """Let customers shop for as long as the trouble takes; each finishes the order that it has begun."""
    happening = asyncio.create_task(asyncio.to_thread(trouble))
    turn = 0
    while not happening.done():
        turn += 1
        await customers.shop_on(seconds=0.5, senders=SENDERS, tag=f"U{turn}")
    await happening


def test_an_upgrade_beneath_a_loaded_server_loses_nothing(database_url: str, tmp_path: Path) -> None:
    """Release after release: every acknowledged order is there once, the audit and the ledger's proof hold."""
    with upgrading(database_url, tmp_path) as upgrades:
        customers = opened(database_url, upgrades.nodes)
        goes_on = lasting(SECONDS, lambda: bool(upgrades.ended) and len(customers.acknowledged) > LEAST_ORDERS)
        asyncio.run(under_load(customers, lambda: upgrades.while_it(goes_on)))
        newest = upgrades.release
        until_blocking(lambda: newest.ask(database_url, "audit")["waiting"] == 0, pause=0.5)
        audit, verified = newest.ask(database_url, "audit"), newest.ask(database_url, "ledger", "verify")
        assert upgrades.nodes[0].stop() == 0
    events = rows(database_url, "SELECT external_order_id, event_id FROM events")
    kept, said = dict(events), customers.acknowledged
    print(
        f"{len(upgrades.ended)} upgrades, {dict(upgrades.happened)}; servers ended after at most"
        f" {max(upgrades.ended):.1f} s; {len(said)} orders acknowledged, {verified['entries']} entries,"
        f" {dict(customers.outcomes)}"
    )
    assert {order for order, ids in said.items() if ids != {kept.get(order)}} == set(), "lost, or answered twice"
    assert len(events) == len(kept) == len(said), "there twice, or never sent"
    assert customers.unanswered == set()
    assert (audit["violations"], audit["waiting"], audit["failed"]) == ([], 0, 0)
    assert audit["processed"] == audit["accepted"] == len(said) > LEAST_ORDERS
    assert verified["ok"], verified["faults"]
    assert verified["entries"] >= len(said)


def test_the_proof_catches_a_server_that_goes_on_beneath_a_newer_schema(database_url: str, tmp_path: Path) -> None:
    """The control: a server without the guard takes orders for as long as it lives, and the proof counts them."""

    def trouble() -> None:
        assert upgrades.release.next().migrating(database_url).wait(timeout=PATIENCE_SECONDS) == 0
        until_blocking(lambda: written_late(database_url) > 0, pause=0.2)

    with upgrading(database_url, tmp_path, heedless=True) as upgrades:
        customers = opened(database_url, upgrades.nodes)
        asyncio.run(under_load(customers, trouble))
        server = upgrades.nodes[0].process
        assert server is not None
        assert server.poll() is None
