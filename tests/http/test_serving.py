"""A hub starts whole or says why not, and stops without losing what it accepted."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub, StartFault, running
from hub.config.settings import load_settings
from hub.storage import SchemaTooOld, StoreBusy
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresServer
from tests.merchant_api.test_replay import events_of
from tests.polling import until
from tests.served_hub import MASTER_KEY, Api, Reply, api_of, noted_requests, served

ROOT = Path(__file__).resolve().parents[2]


class TestStart:
    async def test_the_embedded_database_is_made(self, tmp_path: Path, clock: FakeClock) -> None:
        """Directory, file, schema and master key."""
        settings = load_settings(None, {"HUB_DATABASE_URL": f"sqlite:///{tmp_path}/new/hub.db", "HUB_SERVER_PORT": "0"})
        async with running(settings, clock=clock) as hub, api_of(hub, clock) as api:
            assert (await api("GET", "/v1/products")).status == 200
        assert (tmp_path / "new" / "hub.db.key").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700

    async def test_postgresql_must_be_migrated_first(self, postgres: PostgresServer, clock: FakeClock) -> None:
        url = postgres.create_empty()
        with pytest.raises(SchemaTooOld, match="hub migrate"):
            async with served(url, clock):
                pass
        postgres.drop(url)

    async def test_one_server_for_a_file(self, hub: Hub, sqlite_url: str, clock: FakeClock) -> None:
        with pytest.raises(StoreBusy):
            async with served(sqlite_url, clock):
                pass

    async def test_a_port_that_is_taken(self, hub: Hub, tmp_path: Path, clock: FakeClock) -> None:
        with pytest.raises(StartFault, match=f"Cannot listen on 127.0.0.1:{hub.server.port}"):
            async with served(f"sqlite:///{tmp_path}/other.db", clock, HUB_SERVER_PORT=str(hub.server.port)):
                pass

    async def test_without_the_fast_parser(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AIOHTTP_NO_EXTENSIONS", "1")
        with pytest.raises(StartFault, match="C parser"):
            async with served(sqlite_url, clock):
                pass

    async def test_without_a_worker(self, sqlite_url: str, clock: FakeClock) -> None:
        """The events wait for another process."""
        async with served(sqlite_url, clock, HUB_WORKER_ENABLED="false") as hub, api_of(hub, clock) as api:
            sent = await api("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"})
            await asyncio.sleep(0.3)
            assert (await api("GET", f"/v1/events/{sent.json['eventId']}")).json["status"] == "RECEIVED"
            async with api.session.get("/readyz") as ready:
                assert ready.status == 200


async def is_refused(hub: Hub) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    except ConnectionError:  # in the very moment of the stop it is reset instead
        return True
    writer.close()
    return False


class TestStop:
    async def test_requests_under_way_are_answered(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They arrive while the hub serves and are answered while it stops; a new connection is refused."""
        stack = served(sqlite_url, clock)
        hub = await stack.__aenter__()
        async with api_of(hub, clock) as api:
            transact, gate = hub.parts.store.transact, asyncio.Event()

            async def held(work: Any) -> Any:
                await gate.wait()
                return await transact(work)

            monkeypatch.setattr(hub.parts.store, "transact", held)
            arrived = noted_requests(hub, monkeypatch)
            bodies = [{"externalOrderId": f"A-{n}", "orderAmount": "1"} for n in range(20)]
            sent = [asyncio.create_task(api("POST", "/v1/conversions", body)) for body in bodies]
            await until(lambda: len(arrived) == 20)
            stopping = asyncio.create_task(stack.__aexit__(None, None, None))
            await until(partial(is_refused, hub))
            gate.set()
            replies: list[Reply] = await asyncio.gather(*sent)
            assert {reply.status for reply in replies} == {202}
            await stopping
        async with served(sqlite_url, clock) as again:
            assert await events_of(again, api) == 20

    async def test_idle_connections_do_not_hold_it_up(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
            await api("GET", "/v1/products")
            silent = await asyncio.open_connection("127.0.0.1", hub.server.port)
            started = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - started < 5
        silent[1].close()

    async def test_the_request_log_is_written_to_the_end(self, sqlite_url: str, clock: FakeClock) -> None:
        async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
            for _ in range(5):
                await api("GET", "/v1/products")
        with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as database:
            assert database.execute("SELECT COUNT(*) FROM request_log WHERE path = '/api/v1/products'").fetchone() == (
                5,
            )
        database.close()


@pytest.mark.prove
def test_the_command_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    """`hub serve` says where it listens, ends with 0 on SIGTERM, and logs one JSON object a line."""
    environ = {**os.environ, "HUB_DATABASE_URL": f"sqlite:///{tmp_path}/hub.db", "HUB_MASTER_KEY": MASTER_KEY}
    command = [sys.executable, "-m", "hub", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:"), process.communicate(timeout=300)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert [entry[:1] for entry in errors.splitlines()] == ["{"] * len(errors.splitlines())


async def test_every_answer_is_one_of_those_described(api: Api) -> None:
    """The table of endpoints promises statuses; the pipeline's own are among them for every endpoint.

    The 415 of an encoded body that an endpoint does not expect is described for all of them together.
    """
    from hub.merchant_api.v1 import ENDPOINTS

    for endpoint in ENDPOINTS:
        path = endpoint.path.replace("{id}", "x").replace("{eventId}", "x")
        for headers in ({"X-Signature": "0"}, {"Content-Encoding": "gzip"}, {"Content-Type": "a/b"}):
            reply = await api(endpoint.method, path, None if endpoint.body is None else {}, headers=headers)
            general = set() if endpoint.body else {415}
            assert reply.status in {endpoint.success, *endpoint.errors, *general}, endpoint.route
