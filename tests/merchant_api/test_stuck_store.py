"""A request never waits for a stuck store for longer than it is worth; nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

import pytest

from hub.app import Hub
from hub.deadlines import Deadlines
from hub.intake.submission_batcher import SubmissionBatcher
from hub.storage import bounded_wait
from hub.storage.postgresql.connection import GIVEN_UP_SECONDS
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresServer
from tests.frozen import frozen
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import Api, Reply, api_of, log_of, served

pytestmark = pytest.mark.prove  # a story that takes seconds

SHORT = 1.5
"""Seconds that requests wait here, instead of eight."""
SLACK = PATIENCE_SECONDS / 2
"""A busy machine may be late by this much; without a bound the answers would not come at all."""


@asynccontextmanager
async def locked(url: str) -> AsyncIterator[None]:
    """Another process writes to the file, and does not end."""
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, timeout=0)
    with closing(other):
        while not other.in_transaction:  # the hub needs the event loop to end what it has begun
            with suppress(sqlite3.OperationalError):
                other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(0)
        yield


@asynccontextmanager
async def hurried(url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Hub, Api]]:
    """A hub whose requests wait for SHORT seconds."""
    monkeypatch.setattr(bounded_wait, "WAIT_SECONDS", SHORT)
    async with served(url, clock) as hub, api_of(hub, clock) as api:
        yield hub, api


def order(api: Api, number: int) -> Coroutine[Any, Any, Reply]:
    return api("POST", "/v1/conversions", {"externalOrderId": f"A-{number}", "orderAmount": "10"})


async def timed(reply: Coroutine[Any, Any, Reply]) -> tuple[float, Reply]:
    began = time.monotonic()
    answer = await reply
    return time.monotonic() - began, answer


async def stored_orders(hub: Hub) -> int:
    async with hub.parts.store.read() as tx:
        claims = await tx.all("audited_claims", account_id="", scope="", claim_key="", limit=10_000)
    return len({row["event_id"] for row in claims})


async def recovered(api: Api, number: int) -> Reply:
    """Repeat an order, signed anew each time, until it is accepted."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        reply = await order(api, number)
        while reply.status != 202:
            await asyncio.sleep(int(reply.headers["Retry-After"]) / 20)
            reply = await order(api, number)
    return reply


class TestLockedFile:
    async def test_requests_are_answered_in_time_and_a_repeat_counts_once(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with hurried(sqlite_url, clock, monkeypatch) as (hub, api):
            await recovered(api, 0)
            async with locked(sqlite_url):
                asked = [timed(order(api, number)) for number in range(1, 9)]
                asked.append(timed(api("POST", "/v1/products/import", {"products": [product()]})))
                answers = await asyncio.gather(*asked)
            assert {reply.status for _, reply in answers} == {503}
            assert max(seconds for seconds, _ in answers) < SHORT + SLACK
            assert all("Retry-After" in reply.headers for _, reply in answers)
            for number in range(1, 9):
                await recovered(api, number)
            assert await stored_orders(hub) == 9

    async def test_control_without_the_bound_they_wait_as_long_as_the_lock_is_held(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Deadlines, "watch", lambda *_: None)
        async with hurried(sqlite_url, clock, monkeypatch) as (_, api):
            await recovered(api, 0)
            async with locked(sqlite_url):
                waiting = asyncio.ensure_future(order(api, 1))
                _, late = await asyncio.wait({waiting}, timeout=SHORT * 3)
                assert late
            await waiting

    async def test_what_waits_for_its_batch_is_withdrawn_and_never_stored(
        self, sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with hurried(sqlite_url, clock, monkeypatch) as (hub, api):
            await recovered(api, 0)
            begun, write = asyncio.Event(), SubmissionBatcher._write_as_new

            async def noted(batcher: SubmissionBatcher, items: Any) -> Any:
                begun.set()
                return await write(batcher, items)

            monkeypatch.setattr(SubmissionBatcher, "_write_as_new", noted)
            async with locked(sqlite_url):
                first = asyncio.ensure_future(order(api, 1))
                await begun.wait()  # its batch has begun, the next one has not
                second = await order(api, 2)
                first_reply = await first
            assert (second.status, "nothing was kept" in second.json["message"]) == (503, True)
            assert (first_reply.status, "may have been kept" in first_reply.json["message"]) == (503, True)
            await recovered(api, 3)
            await recovered(api, 1)
            assert await stored_orders(hub) == 3
            codes = [row["errorCode"] for row in await log_of(hub, api.key) if row["status"] == 503]
            assert sorted(codes) == ["store_silent", "store_unavailable"]


class TestFrozenPostgres:
    async def test_every_kind_of_request_is_answered_in_time_and_a_repeat_counts_once(
        self, postgres: PostgresServer, postgres_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with hurried(postgres_url, clock, monkeypatch) as (hub, api):
            await recovered(api, 0)
            with frozen(postgres):
                asked = [timed(order(api, number)) for number in range(1, 5)]
                asked.append(timed(api("GET", "/v1/products")))
                asked.append(timed(api("GET", "/v1/campaigns")))
                asked.append(timed(api("POST", "/v1/products/import", {"products": [product()]})))
                answers = await asyncio.gather(*asked)
                clock.advance(60_000)  # what is cached of the key is too old now
                answers.append(await timed(order(api, 5)))
            assert {reply.status for _, reply in answers} == {503}
            assert max(seconds for seconds, _ in answers) < SHORT + SLACK
            for number in range(1, 6):
                await recovered(api, number)
            assert await stored_orders(hub) == 6

    async def test_control_a_wait_that_ends_by_cancellation_lasts_as_long_as_the_server_stands_still(
        self, postgres: PostgresServer, postgres_url: str, clock: FakeClock
    ) -> None:
        begun, frozen_now = asyncio.Event(), asyncio.Event()

        async def by_timeout(hub: Hub) -> None:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(None) as limit, hub.parts.store.read() as tx:
                    begun.set()
                    await frozen_now.wait()
                    limit.reschedule(asyncio.get_running_loop().time() + SHORT)
                    await tx.all("all_accounts")

        async with served(postgres_url, clock) as hub:
            waiting = asyncio.ensure_future(by_timeout(hub))
            await begun.wait()  # with a connection in hand: whoever waits for one is not stuck
            with frozen(postgres):
                frozen_now.set()
                _, late = await asyncio.wait({waiting}, timeout=SHORT + GIVEN_UP_SECONDS / 2)
                assert late
            await waiting


def product() -> dict[str, Any]:
    return {
        "externalProductId": "P",
        "name": "P",
        "productUrl": "https://shop.example/p",
        "price": "1",
        "currency": "USD",
    }
