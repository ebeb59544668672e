"""Clients that take their time, with headers, with reading and while the hub stops: each has a bound and a control."""

from __future__ import annotations

import asyncio
import itertools
import socket
import subprocess
import threading
import time
from contextlib import ExitStack

import pytest

from tests.http.hub_process import HubProcess, ask, headers_of, hub_process, order, raw_socket
from tests.polling import PATIENCE_SECONDS, until
from tests.served_hub import ApiKey

pytestmark = pytest.mark.prove  # each waits for limits to run out

LARGE = "/api/v1/openapi.json"
PATIENT = "import hub.app; hub.app.GRACE_SECONDS = 600.0"
"""A hub that waits longer for what is under way than any test does: one that ends earlier had nothing to wait for."""
LONGEST_STOP = 60.0
QUESTION = f"GET {LARGE} HTTP/1.1\r\nHost: hub\r\n\r\n".encode()


def gone(client: socket.socket, seconds: float) -> bool:
    """Whether the hub ends the connection in time; what it sends before is read and dropped."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        client.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            if client.recv(65_536) == b"":
                return True
        except TimeoutError:
            return False
        except OSError:
            return True
    return False


async def drips(port: int, first: bytes, more: bytes, seconds: float) -> bool:
    """Send `first`, then `more` byte by byte, five in a second; return whether the hub ended the connection in time."""
    with raw_socket(port) as client:
        client.sendall(first)
        deadline = time.monotonic() + seconds
        for place in itertools.count():
            try:
                client.sendall(more[place : place + 1])
            except OSError:
                return True
            if await asyncio.to_thread(gone, client, 0.2):
                return True
            if time.monotonic() > deadline:
                break
    return False


HEADS = {
    "nothing": (b"", b""),
    "a byte at a time": (b"GET /healthz HTTP/1.1\r\nHost: hub\r\nX-Slow: ", b"x" * 100),
    "after a whole request": (b"GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n", b"GET /healthz"),
}


@pytest.mark.parametrize("kind", HEADS)
async def test_headers_must_come_in_time(sqlite_url: str, kind: str) -> None:
    """From the first byte to the last, however they drip; before the first request from the connection's beginning."""
    with hub_process(sqlite_url, HUB_SERVER_HEADERS_TIMEOUT="500ms") as hub:
        assert await drips(hub.port, *HEADS[kind], PATIENCE_SECONDS)
        metrics = await ask(hub.port, b"GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n")
        assert b'hub_refused_total{reason="headers_timeout"} 1.0' in metrics


@pytest.mark.parametrize("kind", HEADS)
async def test_control_of_slow_headers(sqlite_url: str, kind: str) -> None:
    with hub_process(sqlite_url) as hub:
        assert not await drips(hub.port, *HEADS[kind], 3)


async def test_a_body_that_takes_longer_than_headers_may_is_none_of_them(sqlite_url: str, key: ApiKey) -> None:
    with hub_process(sqlite_url, HUB_SERVER_HEADERS_TIMEOUT="300ms") as hub:
        raw = b'{"externalOrderId":"slow","orderAmount":"10.00"}'
        with raw_socket(hub.port) as client:
            client.sendall(f"POST /api/v1/conversions HTTP/1.1\r\n{headers_of(key, raw)}".encode() + raw[:5])
            assert not await asyncio.to_thread(gone, client, 3)
            client.settimeout(PATIENCE_SECONDS)
            client.sendall(raw[5:])
            assert client.recv(4096).startswith(b"HTTP/1.1 202")


def deaf(port: int, questions: int, closing: ExitStack) -> None:
    """Ask and never read, until the stack closes; return once the hub has begun to answer."""
    client = closing.enter_context(raw_socket(port, receive=4096))
    client.sendall(QUESTION * questions)
    client.recv(1, socket.MSG_PEEK)


async def sockets_fall(hub: HubProcess, before: int, seconds: float) -> bool:
    try:
        return await until(lambda: hub.sockets <= before + 2, seconds)
    except TimeoutError:
        return False


async def test_clients_that_do_not_read_are_cut_off(sqlite_url: str, key: ApiKey, closing: ExitStack) -> None:
    """They hold a piece of the answer each, for as long as the setting says; others do not notice them."""
    with hub_process(sqlite_url, HUB_SERVER_WRITE_TIMEOUT="15s") as hub:
        await ask(hub.port, QUESTION)
        await order(hub.port, key, "first")
        before, memory = hub.sockets, hub.memory
        for _ in range(100):
            deaf(hub.port, 30, closing)
        await until(lambda: hub.sockets >= before + 90)
        await order(hub.port, key, "beside them")
        assert hub.memory - memory < 60
        assert await sockets_fall(hub, before, PATIENCE_SECONDS)


async def test_control_of_clients_that_do_not_read(sqlite_url: str, closing: ExitStack) -> None:
    """aiohttp has no such timeout, nor does the kernel."""
    with hub_process(sqlite_url, HUB_SERVER_WRITE_TIMEOUT="1h", HUB_SERVER_KEEPALIVE_TIMEOUT="1s") as hub:
        before = hub.sockets
        for _ in range(10):
            deaf(hub.port, 30, closing)
        await until(lambda: hub.sockets >= before + 10)
        assert not await sockets_fall(hub, before, 5)


async def test_a_client_that_reads_slowly_gets_everything(sqlite_url: str) -> None:
    """Progress counts, not speed: the whole takes several times as long as the setting."""
    with hub_process(sqlite_url, HUB_SERVER_WRITE_TIMEOUT="3s") as hub:
        whole = await ask(hub.port, QUESTION)
        with raw_socket(hub.port, receive=4096) as client:
            client.sendall(QUESTION * 8)
            received = bytearray()
            began = time.monotonic()
            while len(received) < 8 * len(whole):
                piece = client.recv(65_536)
                assert piece, "it was cut off"
                received += piece
                await asyncio.sleep(max(0.0, began + 10 * len(received) / (8 * len(whole)) - time.monotonic()))
            assert time.monotonic() - began > 9
        assert bytes(received).count(whole.partition(b"\r\n\r\n")[2]) == 8


class TestStop:
    """SIGTERM ends the server within 10 seconds, whatever clients do."""

    async def test_with_every_kind_of_client_at_once(self, sqlite_url: str, key: ApiKey, closing: ExitStack) -> None:
        body = headers_of(key, b"", length=1000, **{"X-Signature": "0" * 64})
        kinds = {
            "half a request line": b"GET /heal",
            "half the headers": b"GET /healthz HTTP/1.1\r\nHost: hub\r\n",
            "half a body": f"POST /api/v1/conversions HTTP/1.1\r\n{body}{{".encode(),
            "nothing": b"",
            "an answered question": b"GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n",
            "an answered question and half another": b"GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\nGET /",
            "an upgrade": b"GET /healthz HTTP/1.1\r\nHost: hub\r\nUpgrade: foo\r\nConnection: Upgrade\r\n\r\nmore",
        }
        with hub_process(sqlite_url) as hub:
            clients = [closing.enter_context(raw_socket(hub.port)) for _ in range(3) for _ in kinds]
            for client, sent in zip(clients, list(kinds.values()) * 3, strict=True):
                client.sendall(sent)
            for _ in range(20):
                deaf(hub.port, 30, closing)
            await order(hub.port, key, "before")
            over = threading.Event()
            knocking = [threading.Thread(target=knock, args=(hub.port, over)) for _ in range(4)]
            for thread in knocking:
                thread.start()
            try:
                # It promises ten, on a machine of its own.
                assert await asyncio.to_thread(hub.terminate, PATIENCE_SECONDS) < LONGEST_STOP
                assert hub.process.returncode == 0
            finally:
                over.set()
                for thread in knocking:
                    thread.join()

    async def test_a_body_under_way_is_waited_for(self, sqlite_url: str, key: ApiKey) -> None:
        raw = b'{"externalOrderId":"late","orderAmount":"10.00"}'
        with hub_process(sqlite_url, before=PATIENT) as hub, raw_socket(hub.port) as client:
            client.sendall(f"POST /api/v1/conversions HTTP/1.1\r\n{headers_of(key, raw)}".encode() + raw[:5])
            stopping = asyncio.create_task(asyncio.to_thread(hub.terminate, PATIENCE_SECONDS))
            await until(lambda: refused(hub.port))
            client.sendall(raw[5:])
            assert client.recv(4096).startswith(b"HTTP/1.1 202")
            assert await stopping < PATIENCE_SECONDS

    async def test_without_clients_it_takes_a_moment(self, sqlite_url: str, key: ApiKey, closing: ExitStack) -> None:
        with hub_process(sqlite_url, before=PATIENT) as hub:
            for _ in range(50):
                closing.enter_context(raw_socket(hub.port))
            await order(hub.port, key, "before")
            assert await asyncio.to_thread(hub.terminate, PATIENCE_SECONDS) < PATIENCE_SECONDS

    async def test_control(self, sqlite_url: str, closing: ExitStack) -> None:
        """With requests under way waited for as long as aiohttp does by default, deaf clients hold the hub up."""
        with hub_process(sqlite_url, before=PATIENT) as hub:
            for _ in range(5):
                deaf(hub.port, 30, closing)
            await until(lambda: resting(hub))
            with pytest.raises(subprocess.TimeoutExpired):
                await asyncio.to_thread(hub.terminate, LONGEST_STOP / 4)


def resting(hub: HubProcess) -> bool:
    """Return whether the hub uses no processor for a while: every answer is written, or waits for its client."""
    before = hub.cpu_seconds
    time.sleep(0.3)
    return hub.cpu_seconds == before


def knock(port: int, over: threading.Event) -> None:
    """Connect again and again, so that a connection is accepted in the very turn in which the server stops."""
    while not over.is_set():
        try:
            raw_socket(port).close()
        except OSError:
            time.sleep(0.001)


def refused(port: int) -> bool:
    try:
        raw_socket(port).close()
    except OSError:
        return True
    return False
