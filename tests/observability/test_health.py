"""Liveness, readiness, metrics and the hub's own log."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import structlog

from hub.app import Hub
from hub.observability import backlog
from hub.observability.heartbeat import MIGRATED, Heartbeat
from hub.operations.lists import Wanted, read
from hub.operations.orders.request_log import REQUESTS
from hub.storage import Store, StoreUnavailable
from hub.testing.clock import FakeClock
from tests.logged import server_log
from tests.merchant_api.test_events import decided
from tests.observability.test_readiness import answered
from tests.served_hub import Api
from tests.sqlite_first import database_url

__all__ = ["database_url"]


async def fetch(api: Api, path: str) -> tuple[int, str]:
    async with api.session.get(path) as reply:
        return reply.status, await reply.text()


async def samples(api: Api) -> dict[str, float]:
    """Return the exposition's samples by name and labels."""
    status, text = await fetch(api, "/metrics")
    assert status == 200
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


async def noticed_at_start(store: Store) -> bool:
    """Whether a process that starts on the open store notices that its schema moved since."""
    heartbeat = Heartbeat(store, FakeClock(), master_keys=[], clock_jump_ms=lambda: 0, on_confirmed=lambda: None)
    await heartbeat.start()
    await heartbeat.stop()
    return heartbeat.migrated.is_set()


def move_schema(sqlite_url: str) -> None:
    """Note one more migration, as another process would."""
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), timeout=30)) as newer, newer:
        newer.execute("INSERT INTO schema_migrations SELECT max(version) + 1, 'n', 'c', 0 FROM schema_migrations")


class TestReadiness:
    async def test_a_hub_that_serves_is_alive_and_ready(self, either_api: Api) -> None:
        assert await fetch(either_api, "/healthz") == (200, '{"status":"ok"}')
        assert await fetch(either_api, "/readyz") == (200, '{"status":"ok"}')

    async def test_a_probe_needs_no_signature_and_is_not_in_the_request_log(self, api: Api, hub: Hub) -> None:
        await fetch(api, "/readyz")
        await hub.parts.services.request_log.flush()
        async with hub.parts.store.read() as tx:
            assert (await read(tx, REQUESTS, Wanted(limit=10), {"account_id": ""})).entries == []

    async def test_a_hub_whose_schema_was_migrated_meanwhile_is_not_ready_and_takes_nothing(
        self, api: Api, hub: Hub, sqlite_url: str
    ) -> None:
        await asyncio.to_thread(move_schema, sqlite_url)  # a job of the hub may be writing, which this loop must end
        await hub.parts.heartbeat.migrated.wait()
        body, _ = await answered(hub, 503)
        assert body["reasons"] == [MIGRATED]
        assert (await api("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"})).status == 503
        assert (await fetch(api, "/healthz"))[0] == 200

    async def test_a_schema_that_moved_while_the_hub_started_is_noticed_by_the_first_sign_of_life(
        self, sqlite_url: str
    ) -> None:
        """The control is the same start on the schema that the store was opened on."""
        async with await Store.open(sqlite_url) as store:
            assert not await noticed_at_start(store)
            move_schema(sqlite_url)
            assert await noticed_at_start(store)

    async def test_a_hub_whose_worker_stopped_is_not_ready(self, api: Api, hub: Hub) -> None:
        assert hub.parts.worker is not None
        await hub.parts.worker.stop()
        status, text = await fetch(api, "/readyz")
        assert (status, json.loads(text)["reasons"]) == (503, ["The worker does not run; restart the hub."])


class TestMetrics:
    async def test_requests_are_counted_by_route_and_status(self, either_api: Api) -> None:
        for body in ({"externalOrderId": "A", "orderAmount": "1"}, {}):
            await either_api("POST", "/v1/conversions", body)
        await either_api("GET", "/v1/products/whatever")
        await either_api("GET", "/v1/nothing/at/all")
        values = await samples(either_api)
        assert values['hub_requests_total{route="POST /v1/conversions",status="202"}'] == 1
        assert values['hub_requests_total{route="POST /v1/conversions",status="400"}'] == 1
        assert values['hub_requests_total{route="GET /v1/products/{id}",status="404"}'] == 1
        assert values['hub_requests_total{route="* /*",status="404"}'] == 1
        assert values['hub_request_seconds_count{route="POST /v1/conversions"}'] == 2
        assert values["hub_submission_batch_size_count"] == 2
        assert values["hub_store_up"] == 1

    async def test_events_are_counted_by_outcome_and_while_they_wait(
        self, either_api: Api, either_hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert either_hub.parts.worker is not None
        await either_hub.parts.worker.stop()
        sent = await either_api("POST", "/v1/conversions", {"externalOrderId": "A", "orderAmount": "1"})
        clock.advance(90_000)
        monkeypatch.setattr(backlog, "MEASURED_SECONDS", 0.0)
        found = await samples(either_api)
        assert (found["hub_events_waiting"], found["hub_oldest_waiting_event_seconds"]) == (1, 90)
        await either_hub.parts.worker.start()
        await decided(either_api, sent.json["eventId"])
        values = await samples(either_api)
        assert (values["hub_events_waiting"], values["hub_oldest_waiting_event_seconds"]) == (0, 0)
        assert values['hub_events_total{outcome="PROCESSED"}'] == 1

    async def test_metrics_are_served_without_a_store(
        self, api: Api, hub: Hub, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def gone() -> Any:
            raise StoreUnavailable("gone")

        monkeypatch.setattr(hub.parts.store, "read", gone)
        assert (await samples(api))["hub_store_up"] == 0


class TestLog:
    @pytest.fixture
    def lines(self) -> Iterator[io.StringIO]:
        with server_log() as stream:
            yield stream

    def test_each_entry_is_one_json_object_on_one_line(self, lines: io.StringIO) -> None:
        structlog.get_logger("a").info("it\nhappened", order="A-1", odd=object, number={1: 2})
        structlog.get_logger("a").debug("not logged")
        logging.getLogger("some.library").warning("said %s", "this")
        logging.getLogger("apscheduler.executors").info("chatter")
        logging.getLogger("apscheduler.scheduler").warning("a run was skipped: it still runs")
        first, second = map(json.loads, lines.getvalue().splitlines())
        assert (first["event"], first["level"], first["order"]) == ("it\nhappened", "info", "A-1")
        assert first["at"].endswith("Z")
        assert (second["event"], second["level"]) == ("said this", "warning")

    def test_an_exception_is_logged_with_its_traceback(self, lines: io.StringIO) -> None:
        try:
            raise RuntimeError("inside")
        except RuntimeError:
            structlog.get_logger("a").exception("failed", request_id="req_1")
        entry = json.loads(lines.getvalue())
        assert (entry["request_id"], entry["level"]) == ("req_1", "error")
        assert "RuntimeError: inside" in entry["exception"]
