"""Each speed technique can be left out: its plain counterpart runs in its place, and answers the same.

The control is the hub as users get it, on which the technique runs and the counterpart does not.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import frozen

from bench.databases import Database
from bench.measures.techniques import TECHNIQUES
from bench.plain import LEAVE_OUT, SingleCommits, put
from bench.servers import server
from hub.clock import system_clock
from hub.domain.signing import sign
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.storage import Tx
from hub.storage.named_queries.compiler import load_queries
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.group_commit import GroupCommit
from hub.testing.clock import FakeClock
from hub.testing.postgres import free_port
from tests.served_hub import ApiKey, new_key, new_merchant, served

ROOT = Path(__file__).resolve().parents[2]
TRACED_HUB = Path(__file__).with_name("traced_hub.py")
ORDERS = 60
SECONDS = 30

SQLITE = {
    "statements-on-the-loop": ("sqlite/sessions.py:LoopSession.execute", "bench/plain.py:StatementsInThread.execute"),
    "reads-on-the-loop": ("sqlite/driver.py:SqliteDriver.fetch_one", "bench/plain.py:ReadsInThread.fetch_one"),
    "values-chunks": ("named_queries/query.py:with_rows", "bench/plain.py:no_chunks"),
    "stored-json": (None, "bench/plain.py:PagesFromColumns.fetch_one"),
    "raw-response": ("http/response.py:head_of", "bench/plain.py:respond_by_fields"),
    "collector-settings": ("freeze", "bench/plain.py:ignore"),
    "uvloop": ("cli/serve.py:run_fast", "asyncio/base_events.py:BaseEventLoop.run_forever"),
    "group-commit": (None, "bench/plain.py:SingleCommits.__init__"),
    "intake-batches": (None, None),
}
POSTGRESQL = {
    "single-insert": (
        "postgresql/combined_statements.py:combine_inserts", "bench/plain.py:SeparateTransactions.transact",
    ),
    "combined-statements": (
        "postgresql/driver.py:PostgresSession.execute_together", "bench/plain.py:SeparateStatements.execute_together",
    ),
}  # fmt: skip
"""For each technique the function that it runs, and the one that runs in its place if it is left out; None for none."""


@frozen
class Shop:
    """A merchant's key and an affiliate's link on a database with the hub's schema."""

    url: str
    key: ApiKey
    link: str

    async def use(self, names: Sequence[str], notes: Path) -> tuple[Counter[str], list[Any]]:
        """Serve the database without these techniques; return the calls that were made, and the answers."""
        port = free_port()
        program = ["bench.launch", ",".join(names)] if names else ["hub"]
        command = [sys.executable, str(TRACED_HUB), str(notes), *program, "serve", "--port", str(port)]
        environment = {**Database(self.url).environment, "HUB_LOG_LEVEL": "warning", "PYTHONPATH": str(ROOT)}
        with server(command, port, environment) as started:
            async with aiohttp.ClientSession(started.base_url, connector=aiohttp.TCPConnector(limit=0)) as session:
                answers = await self._buy(session, names)
        return Counter(calls_in(notes)), answers

    async def _buy(self, session: aiohttp.ClientSession, names: Sequence[str]) -> list[Any]:
        """Take orders all at once, have the first decided, and read it and the products."""
        tag = "-".join(names)
        orders = [{"externalOrderId": f"{tag}-{number}", "orderAmount": "10"} for number in range(ORDERS)]
        taken = await asyncio.gather(*(self._call(session, "POST", "/v1/conversions", order) for order in orders))
        assert {each["status"] for each in taken} == {"RECEIVED"}
        event = f"/v1/events/{taken[0]['eventId']}"
        async with asyncio.timeout(SECONDS):
            decided = await self._call(session, "GET", event)
            while decided["status"] == "RECEIVED":
                await asyncio.sleep(0.01)
                decided = await self._call(session, "GET", event)
        item = {"externalProductId": "SKU-1", "name": "Lantern", "price": "10", "currency": "USD",
                "productUrl": "https://shop.example/p/1"}  # fmt: skip
        await self._call(session, "POST", "/v1/products/upsert", {"products": [item]})
        page = await self._call(session, "GET", "/v1/products")
        async with session.get(self.link, allow_redirects=False) as visit:
            return [decided["status"], page, visit.status]

    async def _call(self, session: aiohttp.ClientSession, method: str, path: str, body: object = None) -> Any:
        raw = b"" if body is None else json.dumps(body).encode()
        async with asyncio.timeout(SECONDS):
            while True:  # a signature counts once, and those of one second are equal for a GET
                stamp = str(system_clock() // 1000)
                headers = {"X-API-Key": self.key.key_id, "X-Timestamp": stamp,
                           "X-Signature": sign(self.key.secret.encode(), stamp, raw),
                           **({"Content-Type": "application/json"} if raw else {})}  # fmt: skip
                async with session.request(method, f"/api{path}", data=raw or None, headers=headers) as reply:
                    if reply.status != 401:
                        assert reply.ok, await reply.text()
                        return await reply.json()
                await asyncio.sleep(0.05)


def calls_in(notes: Path) -> dict[str, int]:
    calls: dict[str, int] = json.loads(notes.read_text())
    return calls


@pytest.fixture
async def shop(database_url: str) -> Shop:
    clock = FakeClock(system_clock())
    async with served(database_url, clock) as hub:
        merchant = await new_merchant(hub, clock, approve=True)
        key = await new_key(hub, clock, merchant)
        affiliate = await create_affiliate(hub.parts.store, clock, name="Ada", email="ada@blog.example")
        link = await create_link(hub.parts.store, clock, "", NewLink(merchant, "test", affiliate.id))
    return Shop(database_url, key, f"/t/{link.code}")


def test_every_technique_that_is_measured_can_be_left_out() -> None:
    assert {each.name for each in TECHNIQUES} == LEAVE_OUT.keys() == SQLITE.keys() | POSTGRESQL.keys()
    assert [each.file for each in TECHNIQUES if not (ROOT / each.file).is_file()] == []


@pytest.mark.prove
async def test_a_plain_counterpart_runs_instead_of_each_technique_and_answers_the_same(
    shop: Shop, tmp_path: Path
) -> None:
    functions = SQLITE if shop.url.startswith("sqlite") else POSTGRESQL
    techniques = {technique for technique, _ in functions.values() if technique}
    counterparts = {plain for _, plain in functions.values() if plain}

    usual, usual_answers = await shop.use([], tmp_path / "usual")
    assert sorted(techniques - usual.keys()) == []
    assert sorted(counterparts & usual.keys()) == []

    plain, plain_answers = await shop.use(sorted(functions), tmp_path / "plain")
    assert sorted(counterparts - plain.keys()) == []
    assert sorted(techniques & plain.keys()) == []
    assert plain_answers == usual_answers

    if "intake-batches" in functions:
        batches = "intake/rules.py:IntakePlan.rows"
        assert usual[batches] < ORDERS <= plain[batches]


@pytest.mark.parametrize(("kind", "commits"), [(GroupCommit, 1), (SingleCommits, 3)])
async def test_without_group_commit_each_transaction_is_committed_by_itself(
    sqlite_url: str, kind: type[GroupCommit], commits: int
) -> None:
    async def work(tx: Tx) -> None:
        await tx.run("spend_signatures", uses=[])

    pool = ConnectionPool(Path(sqlite_url.removeprefix("sqlite:///")), "writer", 1)
    groups, queries = kind(pool), load_queries("sqlite")
    await asyncio.gather(*(groups.transact(queries, work) for _ in range(3)))
    assert pool.commits == commits
    await groups.close()
    await pool.close()


def test_a_technique_that_is_gone_cannot_be_left_out() -> None:
    with pytest.raises(AttributeError):
        put("hub.domain.signing:no_longer_there", None)
