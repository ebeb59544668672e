"""Readiness is true: a hub that can make nothing durable says so within five seconds, and says it at once."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import asyncpg
import pytest

from hub.app import Hub
from hub.observability import heartbeat
from hub.storage import Store
from hub.storage.sqlite import file_identity
from hub.storage.sqlite.file_identity import FileIdentity
from hub.storage.sqlite.version import has_wal_reset_fault
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresServer, free_port
from tests.frozen import frozen
from tests.merchant_api.test_stuck_store import locked, order
from tests.polling import until
from tests.served_hub import Api, api_of, served

pytestmark = pytest.mark.prove  # a story that takes seconds

SEEN_SECONDS = 60.0
ANSWERED_SECONDS = 7.0
"""Several times what is promised, since the machine may be busy; tests/prove/test_stuck_store.py measures it."""


async def readiness(hub: Hub) -> tuple[int, Any, float]:
    """The status, the body, and how long the answer took."""
    began = time.monotonic()
    async with aiohttp.ClientSession() as session, session.get(f"{hub.url}/readyz") as reply:
        return reply.status, await reply.json(), time.monotonic() - began


async def answered(hub: Hub, status: int) -> tuple[Any, float]:
    """Ask until readiness has this status; return its body and how long that took."""
    began = time.monotonic()

    async def body_of_that_status() -> Any:
        found, body, _ = await readiness(hub)
        return body if found == status else None

    return await until(body_of_that_status, pause=0.1), time.monotonic() - began


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


class TestSqlite:
    async def test_a_file_that_another_process_locks(self, hub: Hub, sqlite_url: str) -> None:
        await answered(hub, 200)
        async with locked(sqlite_url):
            body, seconds = await answered(hub, 503)
            assert seconds < SEEN_SECONDS
            assert body["reasons"][0] in (heartbeat.NOT_ANSWERING, heartbeat.NOT_WRITABLE)
            # The control: whoever only reads sees nothing of it.
            assert await hub.parts.store.schema_version() > 0
        await answered(hub, 200)

    async def test_a_file_that_is_renamed_takes_no_order_and_back_in_its_place_all_of_them(
        self, hub: Hub, api: Api, sqlite_url: str
    ) -> None:
        file = file_of(sqlite_url)
        aside = file.rename(file.with_name("aside.db"))
        body, seconds = await answered(hub, 503)
        assert (body["reasons"], seconds < SEEN_SECONDS) == ([heartbeat.NOT_WRITABLE], True)
        assert (await order(api, 1)).status == 503
        aside.rename(file)
        await answered(hub, 200)
        assert (await order(api, 1)).status == 202

    async def test_a_file_that_is_replaced(self, hub: Hub, api: Api, sqlite_url: str) -> None:
        file = file_of(sqlite_url)
        shutil.copyfile(file, file.with_name("copy.db"))
        file.with_name("copy.db").replace(file)
        assert (await order(api, 1)).status == 503
        assert (await answered(hub, 503))[1] < SEEN_SECONDS

    async def test_control_without_the_look_at_the_file_orders_go_where_nobody_finds_them(
        self, hub: Hub, api: Api, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(FileIdentity, "check", lambda self: None)
        file = file_of(sqlite_url)
        file.rename(file.with_name("aside.db"))
        answers = [(await order(api, number)).status for number in range(5)]
        assert 202 in answers  # a connection that is opened only now does not find the file

    async def test_a_disk_without_room(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(file_identity, "LEAST_FREE_BYTES", 2**62)
            assert (await answered(hub, 503))[1] < SEEN_SECONDS
        await answered(hub, 200)

    async def test_a_database_that_may_not_grow_is_seen_by_the_orders_that_it_refuses(
        self, hub: Hub, api: Api, store_writer: Any
    ) -> None:
        """The heartbeat changes a row where it is, which a full disk allows."""
        number = 0
        store_writer.execute("PRAGMA max_page_count = 1")  # it is as large as it is, and not a page larger
        while (await order(api, number)).status == 202:
            number += 1
        assert (await readiness(hub))[0] == 503
        store_writer.execute("PRAGMA max_page_count = 1000000")
        assert (await order(api, number)).status == 202
        await answered(hub, 200)

    @pytest.fixture
    async def store_writer(self, hub: Hub) -> Any:
        """The connection that writes, as it is in the pool."""
        driver: Any = hub.parts.store._driver
        async with hub.parts.store.write():
            pass
        return driver._writer.idle.direct


class TestPostgres:
    async def test_a_frozen_server_is_seen_and_the_answer_never_waits_for_it(
        self, postgres: PostgresServer, postgres_url: str, clock: FakeClock
    ) -> None:
        async with served(postgres_url, clock) as hub:
            await answered(hub, 200)
            with frozen(postgres):
                _, seconds = await answered(hub, 503)
                assert seconds < SEEN_SECONDS
                answers = await asyncio.gather(*(readiness(hub) for _ in range(5)))
                assert max(each[2] for each in answers) < ANSWERED_SECONDS
                async with aiohttp.ClientSession() as session, session.get(f"{hub.url}/metrics") as reply:
                    assert "hub_store_up 0.0" in await reply.text()
            await answered(hub, 200)

    async def test_a_server_that_only_reads(self, postgres_url: str, clock: FakeClock) -> None:
        """As a standby does, and a primary after a failover that left it behind."""
        name = urlsplit(postgres_url).path.removeprefix("/")
        async with served(postgres_url, clock) as hub, api_of(hub, clock) as api:
            await answered(hub, 200)
            await _reconnected(postgres_url, f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
            body, seconds = await answered(hub, 503)
            assert (body["reasons"], seconds < SEEN_SECONDS) == ([heartbeat.NOT_WRITABLE], True)
            assert (await order(api, 1)).status == 503
            assert await hub.parts.store.schema_version() > 0  # the control: reading is as good as ever
            await _reconnected(postgres_url, f'ALTER DATABASE "{name}" RESET default_transaction_read_only')
            await answered(hub, 200)

    async def test_strangers_do_not_learn_where_the_database_is(
        self, postgres: PostgresServer, postgres_url: str, clock: FakeClock
    ) -> None:
        address = urlsplit(postgres_url)
        async with served(postgres_url, clock) as hub:
            with frozen(postgres):
                body, _ = await answered(hub, 503)
        assert str(address.port) not in json.dumps(body)
        assert str(address.hostname) not in json.dumps(body)


async def _reconnected(url: str, command: str) -> None:
    """Run a command, and end every other session of the database so that it holds for the next ones."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("SET default_transaction_read_only = off")
        await connection.execute(command)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    finally:
        await connection.close()


class TestOperationsAddress:
    async def test_probes_and_metrics_leave_the_public_address_and_say_more_on_their_own(
        self, sqlite_url: str, clock: FakeClock
    ) -> None:
        own = f"127.0.0.1:{free_port()}"
        async with served(sqlite_url, clock, HUB_SERVER_OPERATIONS_ADDRESS=own) as hub, aiohttp.ClientSession() as http:
            statuses = {}
            for root in (hub.url, f"http://{own}"):
                for path in ("/healthz", "/readyz", "/metrics", "/docs"):
                    async with http.get(root + path) as reply:
                        statuses[path, root == hub.url] = reply.status
            assert statuses == {
                ("/healthz", True): 200, ("/readyz", True): 404, ("/metrics", True): 404, ("/docs", True): 200,
                ("/healthz", False): 200, ("/readyz", False): 200, ("/metrics", False): 200, ("/docs", False): 404,
            }  # fmt: skip
            file = file_of(sqlite_url)
            aside = file.rename(file.with_name("aside.db"))
            body = await _not_ready(http, f"http://{own}/readyz")
            aside.rename(file)
            assert str(file) in body["details"]["store"]
            assert str(file) not in json.dumps(body["reasons"])

    async def test_one_that_is_taken_is_a_sentence(self, hub: Hub, tmp_path: Path, clock: FakeClock) -> None:
        with pytest.raises(Exception, match=f"Cannot listen on 127.0.0.1:{hub.server.port}"):
            async with served(
                f"sqlite:///{tmp_path}/other.db", clock,
                HUB_SERVER_OPERATIONS_ADDRESS=f"127.0.0.1:{hub.server.port}",
            ):  # fmt: skip
                pass


async def _not_ready(http: aiohttp.ClientSession, address: str) -> Any:
    async def body() -> Any:
        async with http.get(address) as reply:
            return await reply.json() if reply.status == 503 else None

    return await until(body, pause=0.1)


class TestMetrics:
    async def test_the_release_of_sqlite_is_named(self, hub: Hub) -> None:
        faulty = "yes" if has_wal_reset_fault() else "no"
        series = f'hub_sqlite_release{{version="{sqlite3.sqlite_version}",wal_reset_fault="{faulty}"}} 1.0'
        async with aiohttp.ClientSession() as http, http.get(f"{hub.url}/metrics") as reply:
            assert series in await reply.text()

    async def test_a_scrape_counts_the_backlog_once_in_a_while(self, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
        counted = 0
        read = Store.read

        def counting(store: Store) -> Any:
            nonlocal counted
            counted += 1
            return read(store)

        monkeypatch.setattr(Store, "read", counting)
        async with aiohttp.ClientSession() as http:
            for _ in range(10):
                async with http.get(f"{hub.url}/metrics") as reply:
                    assert "hub_events_waiting 0.0" in await reply.text()
        assert counted <= 1
