"""One client's share of the memory: its bodies, its headers, and what a refused request leaves behind."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import pytest
from aiohttp import web

from hub.http import response
from hub.http.response import Reply
from hub.merchant_api import exchange
from hub.testing.clock import FakeClock
from tests.http.hub_process import MIB, HubProcess, ask, headers_of, hub_process, order, raw_socket
from tests.polling import until
from tests.served_hub import ApiKey, served

HOLDING_FAULTS = """
import hub.merchant_api.pipeline as pipeline
from hub.http.errors import ApiError

answer = pipeline.Pipeline._answer

async def holding(self, call, request):
    body = call.raw
    reply = await answer(self, call, request)
    if reply.status == 400:
        try:
            raise ApiError(400, "x", "validation_failed")
        except ApiError as fault:
            refusal = fault
        raise refusal
    return reply

pipeline.Pipeline._answer = holding
"""


async def test_a_client_behind_a_proxy_has_a_share_of_its_own(sqlite_url: str, key: ApiKey) -> None:
    """One that holds too much is refused; the next behind the same proxy is not."""
    with ExitStack() as closing:
        hub = closing.enter_context(
            hub_process(sqlite_url, HUB_TRUSTED_PROXIES="127.0.0.1", HUB_SERVER_MAX_BUFFERED_PER_ADDRESS=str(2 * MIB))
        )

        def begin(address: str, size: int) -> socket.socket:
            changed = {"X-Signature": "0" * 64, "X-Forwarded-For": address}
            head = headers_of(key, b"", length=4 * MIB, **changed)
            client = closing.enter_context(raw_socket(hub.port))
            client.sendall(f"POST /api/v1/products/import HTTP/1.1\r\n{head}".encode() + b" " * size)
            return client

        greedy = await asyncio.to_thread(begin, "203.0.113.1", 3 * MIB)
        assert (await asyncio.to_thread(greedy.recv, 4096)).startswith(b"HTTP/1.1 503 ")
        await asyncio.to_thread(begin, "203.0.113.1", MIB)
        modest = await asyncio.to_thread(begin, "203.0.113.2", MIB)
        modest.settimeout(1)
        with pytest.raises(TimeoutError):
            modest.recv(1)
        metrics = await ask(hub.port, b"GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n")
        assert b'hub_refused_total{reason="buffered_per_address"} 1.0' in metrics


async def test_the_body_is_dropped_before_the_answer_is_written(
    sqlite_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing may wait for half a minute for a client that does not read."""
    seen = list[tuple[int, int]]()
    headers_of_reply = exchange._headers

    def headers(concluded: exchange.Exchange, reply: Reply) -> Mapping[str, str]:
        async def respond(*given: Any, **options: Any) -> web.StreamResponse:
            seen.append((received, len(concluded.raw)))
            return await response.respond(*given, **options)

        received = len(concluded.raw)
        monkeypatch.setattr(exchange, "respond", respond)
        return headers_of_reply(concluded, reply)

    monkeypatch.setattr(exchange, "_headers", headers)
    async with served(sqlite_url, clock) as hub:
        await ask(hub.server.port, b"POST /api/v1/conversions HTTP/1.1\r\nHost: hub\r\nContent-Length: 5\r\n\r\nhello")
    assert seen == [(5, 0)]


async def held_by_headers(hub: HubProcess, strangers: int, awaited: float = 0) -> float:
    """Return by how many MiB the hub grows while so many clients send headers that never end.

    It is waited for until it has grown by what is `awaited`.
    """
    head = b"GET /healthz HTTP/1.1\r\nHost: hub\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"x" * 8_000) for n in range(100))
    before = hub.memory
    with ExitStack() as closing:
        clients = [closing.enter_context(raw_socket(hub.port)) for _ in range(strangers)]
        for client in clients:
            try:
                await asyncio.to_thread(client.sendall, head)
            except OSError:
                continue
        await asyncio.sleep(1)
        if awaited:
            await until(lambda: hub.memory - before > awaited)
        return hub.memory - before


async def test_headers_are_counted_too(sqlite_url: str, key: ApiKey) -> None:
    with hub_process(sqlite_url, HUB_SERVER_MAX_BUFFERED=str(4 * MIB)) as hub:
        await order(hub.port, key, "before")
        assert await held_by_headers(hub, 100) < 4 + 30
        await until(lambda: buffered_nothing(hub))
        await order(hub.port, key, "after")


async def buffered_nothing(hub: HubProcess) -> bool:
    return b"hub_buffered_bytes 0.0" in await ask(hub.port, b"GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n")


@pytest.mark.prove
async def test_control_of_headers(sqlite_url: str) -> None:
    with hub_process(sqlite_url) as hub:
        assert await held_by_headers(hub, 100, 60) > 60


async def growth_after_refused_bodies(hub: HubProcess, key: ApiKey) -> float:
    """Return by how many MiB the hub grows by signed requests of 1 MiB whose content is refused with 400."""
    before = hub.memory
    for number in range(60):
        raw = f'{{"number":{number},"a":"'.encode() + b"x" * (MIB - 100) + b'"}'
        answer = await ask(hub.port, f"POST /api/v1/conversions HTTP/1.1\r\n{headers_of(key, raw)}".encode() + raw)
        assert answer.startswith(b"HTTP/1.1 400 ")
    return hub.memory - before


async def test_a_refused_body_is_not_left_to_the_collector(sqlite_url: str, key: ApiKey) -> None:
    with hub_process(sqlite_url) as hub:
        assert await growth_after_refused_bodies(hub, key) < 25


@pytest.mark.prove
async def test_control_of_refused_bodies(sqlite_url: str, key: ApiKey) -> None:
    """An error that is kept in a variable of a frame on its own traceback keeps the frame, and the body with it."""
    with hub_process(sqlite_url, before=HOLDING_FAULTS) as hub:
        assert await growth_after_refused_bodies(hub, key) > 40
