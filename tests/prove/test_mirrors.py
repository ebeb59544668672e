"""Mirrors that follow the change feed of two nodes under load, each side killed again and again, equal the hub.

The control gives numbers as a clock would, in the transaction that writes, before its commit: what commits late is
behind a cursor that has passed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import aiohttp
import asyncpg
import pytest
from attrs import define, field

from tests.merchant_api.mirrors import Ask, Mirror, differences, printed
from tests.merchant_api.test_bearer_tokens import Bearer
from tests.polling import lasting, until
from tests.prove.customers import Customers, opened
from tests.prove.shop import Server, hub
from tests.prove.test_three_nodes import database
from tests.served_hub import Reply

__all__ = ["database"]
pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
WRITERS = 6
PAUSES = (0.0, 1.0, 5.0)
"""Seconds between two readings of each mirror."""
LEAST_KILLS, LEAST_ORDERS = 2, 50
CONTROL_WRITERS = 2
"""Few enough that a reader on a busy machine reaches the end while they write: only there it can pass a late commit."""
PUBLIC = {"HUB_SERVER_PUBLIC_URL": "http://hub.example"}
"""Both nodes print the same addresses of links."""
STAMPED_BEFORE_THE_COMMIT = """
    CREATE FUNCTION stamp(account TEXT, kind TEXT, id TEXT) RETURNS VOID LANGUAGE sql AS $$
        INSERT INTO changes VALUES (
            account, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) * 1024, kind,
            CASE kind WHEN 'commission' THEN substr(id, 1, 36) ELSE id END, NULL
        ) ON CONFLICT (account_id, record_type, record_id) DO UPDATE SET number = excluded.number
    $$;
    CREATE FUNCTION stamp_note() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN PERFORM stamp(NEW.account_id, NEW.record_type, NEW.record_id); RETURN NULL; END
    $$;
    CREATE TRIGGER stamped BEFORE INSERT ON new_changes FOR EACH ROW EXECUTE FUNCTION stamp_note();
    CREATE FUNCTION stamp_conversion() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN PERFORM stamp(NEW.account_id, 'conversion', NEW.conversion_id); RETURN NULL; END
    $$;
    CREATE TRIGGER stamped AFTER INSERT ON conversions FOR EACH ROW EXECUTE FUNCTION stamp_conversion();
    CREATE FUNCTION commit_late() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.05); RETURN NULL; END
    $$;
    CREATE TRIGGER stamped_long_ago AFTER INSERT ON conversions FOR EACH STATEMENT EXECUTE FUNCTION commit_late();
    DROP TABLE change_heads;
    CREATE VIEW change_heads AS SELECT 'hub' AS name, n.ms * 1024 AS number, n.ms AS expired_to
    FROM (SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS ms) AS n;
"""
"""The control's fault: the number is the moment of the statement, and a reader's cursor the moment of the reading.

A commit takes as long as on a slow disk, so that a reader comes between the two however seldom a busy machine lets it.

It is planted before the nodes serve: a change that was noted before would wait for its number for ever, because nobody
can hold the head of the changes once that is a view, and the feed answers 503 until somebody does.
"""


@define
class Following:
    """A mirror's process and its file."""

    file: Path
    pause: float
    token: str
    nodes: Sequence[Server]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        addresses = [node.base_url for node in self.nodes]
        program = [sys.executable, "-m", "tests.prove.mirror", str(self.file), str(self.pause), self.token, *addresses]
        self.process = subprocess.Popen(program)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def copy(self) -> Mirror:
        """What the mirror has in its file."""
        kept = sqlite3.connect(self.file)
        try:
            rows = kept.execute("SELECT type, id, record FROM records").fetchall()
        finally:
            kept.close()
        return Mirror({(kind, record_id): record for kind, record_id, record in rows})


@define
class Stage:
    """Two nodes on one PostgreSQL, customers of both, and three mirrors."""

    nodes: Sequence[Server]
    customers: Customers
    token: str
    mirrors: Sequence[Following]
    kills: int = 0
    dice: random.Random = field(factory=lambda: random.Random(20_261_123))

    async def write(self, seconds: float, tag: str) -> None:
        """Let many write, who cancel some of it, while either side is killed."""

        def has_met_enough() -> bool:
            return self.kills >= LEAST_KILLS and len(self.customers.acknowledged) > LEAST_ORDERS

        goes_on = lasting(seconds, has_met_enough)
        await asyncio.gather(
            self.customers.shop_on(seconds=seconds, senders=WRITERS, tag=tag, has_met_enough=has_met_enough),
            self._cancel(goes_on),
            self._kill(goes_on),
        )

    async def _cancel(self, goes_on: Callable[[], bool]) -> None:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
            while goes_on():
                if self.customers.acknowledged:
                    order = self.dice.choice(sorted(self.customers.acknowledged))
                    node, status = self.dice.choice(self.nodes), self.dice.choice(("cancelled", "delivered"))
                    news = {"externalOrderId": order, "status": status}
                    with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):  # a node is being killed
                        await _asking(session, node, self.token)("POST", "/v1/order-status", news)
                await asyncio.sleep(0.05)

    async def _kill(self, goes_on: Callable[[], bool]) -> None:
        """Kill a node or a mirror, and start it again; the addresses of mirrors follow those of nodes."""
        while goes_on():
            await asyncio.sleep(self.dice.uniform(0.5, 1.5))
            sides: list[Server | Following] = [*self.nodes, *self.mirrors]
            victim = self.dice.choice(sides)
            await asyncio.to_thread(victim.kill)
            await asyncio.to_thread(victim.start)
            if isinstance(victim, Server):
                for mirror in self.mirrors:
                    await asyncio.to_thread(mirror.kill)
                    mirror.start()
            self.kills += 1

    async def differing(self, mirrors: Sequence[Mirror]) -> list[list[str]]:
        """What each mirror has otherwise than the hub prints."""
        async with aiohttp.ClientSession() as session:
            own = await printed(_asking(session, self.nodes[0], self.token))
        return [differences(mirror, own) for mirror in mirrors]

    async def are_equal(self) -> bool:
        found = await self.differing([each.copy() for each in self.mirrors])
        return not any(found) and len(self.mirrors[0].copy().copy) > 0


def _asking(session: aiohttp.ClientSession, node: Server, token: str) -> Bearer:
    return Bearer(session, token, node.base_url)


@contextmanager
def staged(database: str, folder: Path, *, mirrored: bool = True) -> Iterator[Stage]:
    """Start nodes, and mirrors that read from before the first order; kill whatever still runs at the end."""
    nodes = [Server(database, environment=dict(PUBLIC)) for _ in range(2)]
    mirrors: list[Following] = []
    try:
        for node in nodes:
            node.start()
        customers = opened(database, nodes)
        (merchant,) = hub(database, "merchant", "list")
        scopes = [word for name in ("orders:write", "products:read", "campaigns:read", "links:read", "affiliates:read",
                                    "payouts:read", "webhooks:read") for word in ("--scope", name)]  # fmt: skip
        token = hub(database, "token", "create", "--merchant", merchant["id"], *scopes)["token"]
        if mirrored:
            mirrors = [Following(folder / f"{pause}.db", pause, token, nodes) for pause in PAUSES]
        for mirror in mirrors:
            mirror.start()
        yield Stage(nodes, customers, token, mirrors)
    finally:
        started: list[Server | Following] = [*nodes, *mirrors]
        for each in started:
            if each.process is not None and each.process.poll() is None:
                each.kill()


def test_mirrors_equal_the_hub_whatever_is_killed(database: str, tmp_path: Path) -> None:
    """Read tightly, every second and every five, byte for byte, once all is decided and told."""
    with staged(database, tmp_path) as stage:
        asyncio.run(stage.write(SECONDS, "M"))
        asyncio.run(_settled(stage))
        sizes = [len(each.copy().copy) for each in stage.mirrors]
    answered = len(stage.customers.acknowledged)
    print(f"{answered} orders, {stage.kills} kills, mirrors of {sizes} records, all equal")
    assert answered > LEAST_ORDERS
    assert stage.kills >= LEAST_KILLS


async def _settled(stage: Stage) -> None:
    try:
        await until(stage.are_equal, pause=1.0)
    except TimeoutError:
        found = await stage.differing([each.copy() for each in stage.mirrors])
        raise AssertionError([texts[:5] for texts in found]) from None


def test_control_numbers_from_before_the_commit_lose_changes(database: str, tmp_path: Path) -> None:
    """A tight mirror misses orders; one that reads all of it at rest has them: the stamps are there, only too early."""
    asyncio.run(_run(database, STAMPED_BEFORE_THE_COMMIT))
    with staged(database, tmp_path, mirrored=False) as stage:
        missed, attempts = list[str](), count()
        goes_on = lasting(0, lambda: bool(missed))
        while goes_on():
            missed = asyncio.run(_read_while_written(stage, f"C{next(attempts)}"))
    print(f"{len(stage.customers.acknowledged)} orders, {len(missed)} conversions and events never told")
    assert missed


async def _read_while_written(stage: Stage, tag: str) -> list[str]:
    """Follow while many write; return what a reader at rest knows of, and the follower was never told."""
    mirror, done = Mirror(), asyncio.Event()
    async with aiohttp.ClientSession() as session:
        ask = _again(_asking(session, stage.nodes[0], stage.token))

        async def follow() -> None:
            while not done.is_set():
                await mirror.follow(ask)

        reader = asyncio.create_task(follow())
        await stage.customers.shop_on(seconds=max(5.0, SECONDS / 4), senders=CONTROL_WRITERS, tag=tag)
        done.set()
        await reader
        await until(lambda: asyncio.to_thread(_all_decided, stage.nodes[0].database))
        await mirror.follow(ask)
        at_rest = Mirror()
        await at_rest.follow(ask)
    told = ("conversion", "event")
    return sorted(str(key) for key in at_rest.copy.keys() - mirror.copy.keys() if key[0] in told)


def _again(ask: Bearer) -> Ask:
    """Ask again after a 503, as mirrors do."""

    async def asked(method: str, path: str) -> Reply:
        async def served() -> Reply | None:
            reply = await ask(method, path)
            return None if reply.status == 503 else reply

        found: Reply = await until(served)
        return found

    return asked


def _all_decided(database: str) -> bool:
    return bool(hub(database, "audit", check=False)["waiting"] == 0)


async def _run(database: str, sql: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(sql)
    finally:
        await connection.close()
