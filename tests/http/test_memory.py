"""What strangers' unfinished requests leave in memory, measured on a hub in a process of its own."""

from __future__ import annotations

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from tests.http.hub_process import (
    MIB,
    HubProcess,
    ask,
    headers_of,
    hub_process,
    order,
    raw_socket,
)
from tests.polling import PATIENCE_SECONDS, until
from tests.served_hub import ApiKey

pytestmark = pytest.mark.prove  # each fills a hub with bodies and waits for their limits

IMPORT = "POST /api/v1/products/import HTTP/1.1\r\n"
BODY = 8 * MIB
FORGETTING_NOTHING = """
import hub.http.request as bodies
import hub.merchant_api.pipeline as pipeline

async def read_body(request, limit, seconds, body):
    pieces = []
    try:
        while not request.content.at_eof():
            pieces.append(await request.content.readany())
    except bodies.BROKEN:
        raise bodies.ApiError(400, "The body broke off.", "body_incomplete", close=True) from None
    return b"".join(pieces)

pipeline.read_body = read_body
"""


def forged(key: ApiKey, **changed: str) -> bytes:
    """The headers of an import by somebody who knows the key's id and not its secret."""
    return f"{IMPORT}{headers_of(key, b'', length=BODY, **{'X-Signature': '0' * 64, **changed})}".encode()


def break_off(port: int, headers: bytes) -> None:
    """Send all of a body but its last byte, and leave."""
    with raw_socket(port) as client:
        client.sendall(headers + b" " * (BODY - 1))


async def growth_after_broken_bodies(hub: HubProcess, key: ApiKey, count: int, seconds: float) -> float:
    """Return by how many MiB the hub is larger after so many bodies that broke off, and some seconds."""
    await asyncio.to_thread(break_off, hub.port, forged(key))
    before = hub.memory
    for _ in range(count):
        await asyncio.to_thread(break_off, hub.port, forged(key))
    with suppress(TimeoutError):
        await until(lambda: hub.memory - before < 30, seconds)
    return hub.memory - before


async def test_bodies_that_break_off_leave_nothing_behind(sqlite_url: str, key: ApiKey) -> None:
    with hub_process(sqlite_url) as hub:
        assert await growth_after_broken_bodies(hub, key, 50, PATIENCE_SECONDS) < 30
        assert "hub_buffered_bytes 0.0" in await metrics(hub)


async def test_control_of_broken_bodies(sqlite_url: str, key: ApiKey) -> None:
    """Left to the frames of a traceback that the reader keeps, they stay until the collector runs."""
    with hub_process(sqlite_url, before=FORGETTING_NOTHING) as hub:
        assert await growth_after_broken_bodies(hub, key, 20, 3) > 100


HELD_SECONDS = 8.0
"""How long strangers wait for an answer: a slow machine takes some seconds for two hundred MiB."""


async def held_by(hub: HubProcess, headers: bytes, strangers: int, seconds: float) -> tuple[float, list[bytes]]:
    """Return the MiB that so many strangers hold who send all but the last byte, and the answers to some of them."""
    before, peak = hub.memory, 0.0
    clients = [raw_socket(hub.port) for _ in range(strangers)]

    def send(client: socket.socket) -> bytes:
        client.settimeout(PATIENCE_SECONDS)
        with suppress(OSError):  # one that was refused is closed while it sends; its answer came before
            client.sendall(headers + b" " * (BODY - 1))
        client.settimeout(seconds)
        with suppress(OSError):
            return client.recv(4096)
        return b""

    with ThreadPoolExecutor(strangers) as pool:
        sending = [pool.submit(send, client) for client in clients]
        while not all(task.done() for task in sending):
            peak = max(peak, hub.memory - before)
            await asyncio.sleep(0.05)
    for client in clients:
        client.close()
    return peak, [task.result() for task in sending]


async def test_unfinished_bodies_are_bounded_together(sqlite_url: str, key: ApiKey) -> None:
    """What goes over the bound is answered with 503; small requests of others are served meanwhile."""
    with hub_process(sqlite_url, HUB_SERVER_MAX_BUFFERED=str(32 * MIB)) as hub:
        await order(hub.port, key, "before")
        held = asyncio.create_task(held_by(hub, forged(key), 24, HELD_SECONDS))
        await asyncio.sleep(0.5)
        assert await asyncio.gather(*(order(hub.port, key, f"order-{n}") for n in range(20)))
        peak, answers = await held
        assert peak < 32 + 40
        refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503")]
        assert refused, "some never read their answer, because they send on"
        assert all(b"Retry-After: 1\r\n" in answer and b"Connection: close\r\n" in answer for answer in refused)
        await until(lambda: drained(hub))
        count = re.search(r'hub_refused_total\{reason="buffered"\} (\d+)', await metrics(hub))
        assert count is not None
        assert int(count[1]) >= 24 - 32 // 8


async def test_control_of_the_bound(sqlite_url: str, key: ApiKey) -> None:
    with hub_process(sqlite_url, HUB_SERVER_MAX_BUFFERED=str(2**40)) as hub:
        peak, answers = await held_by(hub, forged(key), 24, HELD_SECONDS)
        assert peak > 24 * 8 * 0.8
        assert not any(answer.startswith(b"HTTP/1.1 503") for answer in answers)


async def test_the_body_of_an_unknown_key_is_not_kept(sqlite_url: str, key: ApiKey) -> None:
    """It is read all the same, so that nobody learns which keys exist."""
    with hub_process(sqlite_url) as hub:
        await order(hub.port, key, "before")
        unknown = forged(key, **{"X-API-Key": "ak_test_" + "0" * 32})
        peak, answers = await held_by(hub, unknown, 24, HELD_SECONDS)
        assert peak < 24 * 8 / 3, "it would be three times as much"
        assert set(answers) == {b""}


async def drained(hub: HubProcess) -> bool:
    return "hub_buffered_bytes 0.0" in await metrics(hub)


async def metrics(hub: HubProcess) -> str:
    return (await ask(hub.port, b"GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n")).decode()
