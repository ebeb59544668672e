"""All attacks at once beside honest load: nothing is lost, and memory and disk stay within their bounds."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import define, field

from hub.domain.connectors.scenarios import played, posts
from hub.domain.connectors.scenes import Play
from hub.plugin_host.packages import scenes_of
from hub.plugin_host.registry import load_registry
from tests.http.hub_process import MIB, HubProcess, hub_process
from tests.http.test_memory import FORGETTING_NOTHING
from tests.plugin_host.distributions import distributions_in
from tests.polling import PATIENCE_SECONDS, lasting, until
from tests.prove.shop import Shop, database_in, hub
from tests.served_hub import MASTER_KEY

pytestmark = pytest.mark.prove

SECONDS = min(float(os.environ.get("PROVE_SECONDS", "30")), 600.0)
CONTROL_SECONDS = 15.0
ALONE_SECONDS = 5.0
SENDERS = 8
PAUSE_SECONDS = 0.2
"""Between two orders of a sender: 40 orders a second together, if they are answered at once."""
GIVES_UP_SECONDS = 300.0
STOPPED_SECONDS = 60.0
"""Ten for what is under way, and what a slow machine adds."""
BUFFERED = 64 * MIB
MEMORY_MIB = 64 + 192
"""What requests under way may hold, and what the caches, the answers and the allocator add."""
DISK_MIB = 150
"""A hundred thousand rows of refused strangers, the write-ahead log, clicks, and what retries of bad deliveries say."""
ORDER_BYTES = 5_000
"""What an honest order takes with its commission, its indexes and its row in the log."""
SECRET = "shpss_" + "4d" * 16
MISDEEDS = (
    "how = body['bad']\n"
    "    if how == 'hang': time.sleep(600)\n"
    "    if how == 'exit': sys.exit(3)\n"
    "    if how == 'memory': return bytearray(2_000_000_000)\n"
    "    if how == 'raise': raise BaseException('no')\n"
    "    os._exit(3)"
)


@define
class Scene:
    """A database with an honest merchant, a neighbour with a hostile plugin, and a link."""

    folder: Path
    database: str
    shop: Shop
    captured: dict[str, Any]
    neighbour: dict[str, str]
    hostile: dict[str, str]
    code: str

    def target(self, port: int, seconds: float) -> str:
        """Return what the attackers are given."""
        return json.dumps({
            "port": port, "seconds": seconds, "victim_key": self.shop.key, "neighbour_key": self.neighbour["keyId"],
            "neighbour_secret": self.neighbour["signingSecret"], "code": self.code, "forged": self.captured,
            "hostile": self.hostile,
        })  # fmt: skip

    @property
    def disk(self) -> int:
        """The bytes of everything that the hub has written: database, log and uploads."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Everything that is there before the first attack."""
    monkeypatch.setenv("HUB_MASTER_KEY", MASTER_KEY)
    (tmp_path / "site").mkdir()
    (tmp_path / "data").mkdir()
    distributions_in(tmp_path / "site", monkeypatch).hostile(MISDEEDS)
    database = database_in(tmp_path / "data")
    hub(database, "migrate")
    shop = Shop.open(database)
    (merchant,) = hub(database, "merchant", "list")
    other = hub(database, "merchant", "create", "--name", "Other", "--email", "o@other.example", "--domain",
                "other.example", "--approve")  # fmt: skip
    key = hub(database, "key", "create", "--merchant", other["id"], "--mode", "test")
    affiliate = hub(database, "affiliate", "create", "--name", "Ada", "--email", "ada@blog.example")
    link = hub(database, "link", "create", "--merchant", merchant["id"], "--mode", "test", "--affiliate",
               affiliate["id"])  # fmt: skip
    shopify = hub(database, "connection", "create", "--merchant", merchant["id"], "--mode", "test", "--connector",
                  "shopify", "--secret", SECRET)  # fmt: skip
    hostile = hub(database, "connection", "create", "--merchant", other["id"], "--mode", "test", "--connector",
                  "hostile")  # fmt: skip
    return Scene(
        tmp_path / "data", database, shop, _captured(shopify["id"]), key,
        {"path": f"/connect/{hostile['id']}", "secret": hostile["secret"]}, link["code"],
    )  # fmt: skip


def _captured(connection_id: str) -> dict[str, Any]:
    """Return a genuine delivery of an order, with the topics under which it would erase or cancel something."""
    shopify = load_registry().named("shopify")
    assert shopify is not None
    now = int(time.time() * 1000)
    order = Play("777001", None, "USD", now - 10_000)
    (post,) = posts(shopify, played(scenes_of(shopify), order), "order", order, SECRET, now)
    return {
        "path": f"/connect/{connection_id}", "headers": dict(post.headers),
        "body": base64.b64encode(post.body).decode(),
        "topicHeader": "X-Shopify-Topic", "idHeader": "X-Shopify-Webhook-Id",
        "topics": ["shop/redact", "customers/redact", "orders/delete", "orders/cancelled", "products/delete"],
    }  # fmt: skip


@define
class Honest:
    """The honest merchant's load; `latencies` are in seconds, of first answers."""

    shop: Shop
    latencies: list[float] = field(factory=list)
    retries: Counter[str] = field(factory=Counter)
    given_up: list[str] = field(factory=list)

    async def load(self, port: int, seconds: float, prefix: str) -> None:
        """Send orders until the time is over, each again until it is accepted."""
        deadline = time.monotonic() + seconds
        timeout = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=timeout) as session, asyncio.TaskGroup() as senders:
            for sender in range(SENDERS):
                senders.create_task(self._send(session, f"http://127.0.0.1:{port}", deadline, f"{prefix}-{sender}"))

    async def _send(self, session: aiohttp.ClientSession, url: str, deadline: float, prefix: str) -> None:
        number = 0
        while time.monotonic() < deadline:
            number += 1
            began = time.monotonic()
            first = await self._attempt(session, url, f"{prefix}-{number}")
            self.latencies.append(time.monotonic() - began)
            while not first and f"{prefix}-{number}" not in self.shop.acknowledged:
                if time.monotonic() - began > GIVES_UP_SECONDS:
                    self.given_up.append(f"{prefix}-{number}")
                    break
                await asyncio.sleep(0.5)
                await self._attempt(session, url, f"{prefix}-{number}")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _attempt(self, session: aiohttp.ClientSession, url: str, number: str) -> bool:
        try:
            status = await self.shop.order(session, url, number)
        except (aiohttp.ClientError, OSError, TimeoutError) as fault:
            self.retries[type(fault).__name__] += 1
            return False
        if status != 202:
            self.retries[str(status)] += 1
        return status == 202

    def percentile(self, percent: int) -> float:
        """Return a percentile of the latencies, in milliseconds."""
        return statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1] * 1_000


async def test_nothing_is_lost_under_all_attacks_at_once(scene: Scene) -> None:
    alone, beside = Honest(scene.shop), Honest(scene.shop)
    with hub_process(scene.database, errors=scene.folder / "hub.log", limit_files=0, **_settings(scene)) as process:
        await _deliver_captured(process.port, scene.captured)
        await alone.load(process.port, ALONE_SECONDS, "A")
        disk = scene.disk
        peak, found = await _under_attack(process, scene, beside, SECONDS)
        await until(lambda: _is_ready(process.port), pause=0.5)
        await asyncio.to_thread(_settle, scene)
        grown = (scene.disk - disk - found["acceptedBytes"] - ORDER_BYTES * len(scene.shop.acknowledged)) / MIB
        audit = hub(scene.database, "audit")
        erasures = hub(scene.database, "connection", "erasures")
        (genuine,) = hub(scene.database, "conversion", "list", "--order", "777001")
        stopped = process.terminate(PATIENCE_SECONDS)
    _show(alone, beside, found["counts"], peak, grown, stopped)
    lost = _undecided(scene)
    attacks = {name.partition(":")[0] for name in found["counts"]}
    assert len(attacks) == 14
    assert beside.given_up == []
    assert lost == set()
    assert audit["violations"] == []
    assert peak < MEMORY_MIB
    assert grown < DISK_MIB
    assert erasures == [], "a topic that nobody signed erases nothing"
    assert genuine["commission"] is None or genuine["commission"]["state"] != "CANCELLED"
    assert stopped < STOPPED_SECONDS


async def test_the_soak_catches_a_hub_that_keeps_what_breaks_off(scene: Scene) -> None:
    """The control: without two of the guards, memory leaves its bound within seconds."""
    boundless = _settings(scene, str(2**40))
    with hub_process(scene.database, before=FORGETTING_NOTHING, errors=None, limit_files=0, **boundless) as process:
        before, peak, turns = process.memory, 0.0, count()
        goes_on = lasting(0, lambda: peak > MEMORY_MIB)
        while goes_on():
            above, tag = process.memory - before, f"C{next(turns)}"
            highest, _ = await _under_attack(process, scene, Honest(scene.shop), CONTROL_SECONDS, tag)
            peak = above + highest
    print(f"memory +{peak:.0f} MiB without the guards")
    assert peak > MEMORY_MIB


def _settings(scene: Scene, buffered: str = str(BUFFERED)) -> dict[str, str]:
    return {
        "HUB_TRUSTED_PROXIES": "127.0.0.1", "HUB_SERVER_MAX_BUFFERED": buffered,
        "HUB_SERVER_MAX_BUFFERED_PER_ADDRESS": buffered,
        "HUB_UPLOADS_DIRECTORY": str(scene.folder / "uploads"), "HUB_PLUGINS_BODY_TIME": "1s",
    }  # fmt: skip


async def _under_attack(
    process: HubProcess, scene: Scene, honest: Honest, seconds: float, tag: str = "B"
) -> tuple[float, dict[str, Any]]:
    """Attack and load the hub; return by how many MiB it was larger at most, and what the attackers say."""
    attackers = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.prove.attackers", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    before, peak = process.memory, 0.0
    talking = asyncio.create_task(attackers.communicate(scene.target(process.port, seconds).encode()))
    loading = asyncio.create_task(honest.load(process.port, seconds, tag))
    while not (talking.done() and loading.done()):
        assert process.process.poll() is None, "the hub has ended"
        peak = max(peak, process.memory - before)
        await asyncio.sleep(0.2)
    await loading
    printed, _ = await talking
    return peak, json.loads(printed)


async def _deliver_captured(port: int, captured: dict[str, Any]) -> None:
    """Deliver the order that will be captured, as its platform does."""
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        body = base64.b64decode(captured["body"])

        async def accepted() -> bool:  # the plugins load while the hub serves
            async with session.post(captured["path"], data=body, headers=captured["headers"]) as answer:
                return answer.status == 200

        await until(accepted, pause=0.2)


async def _is_ready(port: int) -> bool:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session, session.get("/readyz") as answer:
        return answer.status == 200


def _settle(scene: Scene) -> None:
    """Wait until every honest order is decided, or there is no hope that it will be."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _undecided(scene) and time.monotonic() < deadline:
        time.sleep(0.5)


def _undecided(scene: Scene) -> set[str]:
    """Return the honest merchant's acknowledged events that are not stored as decided."""
    connection = sqlite3.connect(scene.folder / "hub.db")
    try:
        decided = {row[0] for row in connection.execute("SELECT event_id FROM events WHERE status = 'PROCESSED'")}
    finally:
        connection.close()
    return set(scene.shop.acknowledged.values()) - decided


def _show(alone: Honest, beside: Honest, counts: dict[str, int], peak: float, grown: float, stopped: float) -> None:
    for name, times in sorted(counts.items()):
        print(f"  {name}: {times}")
    print(
        f"{SECONDS:.0f} s: {len(beside.latencies)} honest orders, p50 {beside.percentile(50):.0f} ms, "
        f"p99 {beside.percentile(99):.0f} ms (alone {alone.percentile(50):.0f} and {alone.percentile(99):.0f} ms), "
        f"sent again {dict(beside.retries)}; memory +{peak:.0f} MiB, disk +{grown:.0f} MiB, stop {stopped:.1f} s"
    )
