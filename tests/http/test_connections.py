"""How many connections there may be, in all and from one address, and what the hub says when there are too many."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import AsyncIterator
from contextlib import ExitStack
from ipaddress import ip_network
from pathlib import Path

import pytest
from aiohttp import web

from hub.http import admission
from hub.http.admission import Admission, Bounds, address_group
from hub.http.connection import Timeouts
from hub.http.descriptors import RESERVED, raise_descriptor_limit, room_for_connections
from hub.http.router import PathValues, Router, get
from hub.http.server import HttpServer
from tests.http.hub_process import HubProcess, ask, headers_of, hub_process, order, raw_socket
from tests.http.test_slow_clients import gone
from tests.polling import until
from tests.served_hub import ApiKey

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n"
PLAIN_ASYNCIO = "import sys; sys.modules['uvloop'] = None"


class TestAdmission:
    """The counts alone."""

    def test_each_bound_has_its_reason(self) -> None:
        refused = list[str]()
        counts = Admission(Bounds(3, 2, 100, 60), on_refused=refused.append)
        one, two = counts.share_of("203.0.113.1"), counts.share_of("203.0.113.2")
        assert [counts.connect(one) for _ in range(3)] == [True, True, False]
        assert [counts.connect(two) for _ in range(2)] == [True, False]
        assert [counts.reserve(one, 50), counts.reserve(one, 20), counts.reserve(two, 60)] == [True, False, False]
        assert refused == ["connections_per_address", "connections", "buffered_per_address", "buffered"]
        assert (counts.connections, counts.buffered) == (3, 50)

    def test_what_is_given_back_can_be_had_again_and_nothing_is_remembered(self) -> None:
        counts = Admission(Bounds(1, 1, 10, 10))
        for number in range(50):
            share = counts.share_of(f"203.0.113.{number}")
            assert counts.connect(share)
            assert counts.reserve(share, 10)
            assert counts.share_of(f"203.0.113.{number}") is share
            counts.release(share, 10)
            counts.disconnect(share)
        assert (len(counts), counts.connections, counts.buffered) == (0, 0, 0)

    def test_loopback_and_trusted_proxies_have_no_bound_of_their_own(self) -> None:
        """One address there stands for many clients; the bound of all holds for them too."""
        counts = Admission(Bounds(5, 1, 100, 1), (ip_network("10.0.0.0/8"),))
        for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3"):
            share = counts.share_of(address)
            assert [counts.connect(share) for _ in range(6)] == [True] * 5 + [False]
            assert counts.reserve(share, 100)
            counts.release(share, 100)
            for _ in range(5):
                counts.disconnect(share)

    @pytest.mark.parametrize(
        ("address", "group"),
        [
            ("203.0.113.9", "203.0.113.9"),
            ("::ffff:203.0.113.9", "203.0.113.9"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:DB8:1:2::1", "2001:db8:1:2::/64"),
            ("", ""),
            ("unknown", "unknown"),
        ],
    )
    def test_groups(self, address: str, group: str) -> None:
        assert address_group(address) == group


class TestDescriptors:
    def test_a_few_are_shared_and_of_many_some_are_kept_back(self) -> None:
        assert [room_for_connections(files) for files in (32, 300, 1_024)] == [16, 150, 1_024 - RESERVED]

    def test_the_limit_is_never_lowered(self) -> None:
        import resource

        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert raise_descriptor_limit(1) == 1
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


async def small_server(bounds: Bounds) -> tuple[HttpServer, int]:
    async def hello(_: web.BaseRequest) -> web.StreamResponse:
        return web.Response(text="hello")

    async def nothing(_: web.BaseRequest, __: PathValues) -> web.StreamResponse:
        return web.Response(status=404)

    server = HttpServer(Router(get("/healthz", hello)), nothing, Admission(bounds), Timeouts())
    return server, await server.start("127.0.0.1", 0, reuse_port=False)


@pytest.fixture
async def strict(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """The port of a server that lets an address have three connections, loopback too."""
    monkeypatch.setattr(admission, "_is_loopback", lambda _: False)
    server, port = await small_server(Bounds(connections_per_address=3))
    yield port
    await server.stop()


async def test_an_address_has_so_many_connections(strict: int, closing: ExitStack) -> None:
    """One more is closed at once, those that are open go on, and one that closes makes room."""
    clients = [closing.enter_context(raw_socket(strict)) for _ in range(3)]
    assert (await ask_on(clients[0])).startswith(b"HTTP/1.1 200")
    late = closing.enter_context(raw_socket(strict))
    assert await asyncio.to_thread(gone, late, 60)
    assert (await ask_on(clients[1])).startswith(b"HTTP/1.1 200")
    clients[2].close()

    async def admitted() -> bool:
        try:
            return (await ask(strict, HEALTH)).startswith(b"HTTP/1.1 200")
        except (asyncio.IncompleteReadError, ConnectionError):
            return False

    await until(admitted)


async def ask_on(client: object) -> bytes:
    def talk() -> bytes:
        client.sendall(HEALTH)  # type: ignore[attr-defined]  # a socket, handed to a thread
        return bytes(client.recv(4096))  # type: ignore[attr-defined]  # as above

    return await asyncio.to_thread(talk)


@pytest.mark.prove
async def test_beyond_the_bound_of_all_connections_are_closed_at_once(
    sqlite_url: str, key: ApiKey, closing: ExitStack
) -> None:
    """Whoever is connected is served as before, and notices nothing of those who are not let in."""
    with hub_process(sqlite_url, HUB_SERVER_MAX_CONNECTIONS="20") as hub:
        reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
        await latencies(reader, writer, key, "first")
        before = hub.sockets
        for _ in range(19):
            closing.enter_context(raw_socket(hub.port))
        late = [closing.enter_context(raw_socket(hub.port)) for _ in range(200)]
        assert all(await asyncio.gather(*(asyncio.to_thread(gone, client, 60) for client in late)))
        await until(lambda: hub.sockets <= before + 20)
        figures = list[tuple[float, float]]()
        while not figures or (figures[-1][1] >= 2 * figures[-1][0] and len(figures) < 10):  # a busy machine has moments
            calm = await latencies(reader, writer, key, f"calm-{len(figures)}")
            knocking = asyncio.create_task(asyncio.to_thread(knock, hub.port, 300))
            beside = await latencies(reader, writer, key, f"beside-{len(figures)}")
            await knocking
            figures.append((calm, beside))
        assert figures[-1][1] < 2 * figures[-1][0], figures
        writer.close()


def knock(port: int, times: int) -> None:
    for _ in range(times):
        try:
            raw_socket(port).close()
        except OSError:
            continue


async def latencies(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, key: ApiKey, name: str) -> float:
    """Return the median of the seconds that orders on one connection take."""
    loop, seconds = asyncio.get_running_loop(), []
    for number in range(60):
        raw = f'{{"externalOrderId":"{name}-{number}","orderAmount":"10.00"}}'.encode()
        began = loop.time()
        writer.write(f"POST /api/v1/conversions HTTP/1.1\r\n{headers_of(key, raw)}".encode() + raw)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 202")
        (length,) = (int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:"))
        await reader.readexactly(length)
        seconds.append(loop.time() - began)
    return statistics.median(seconds)


async def flooded(hub: HubProcess, closing: ExitStack) -> None:
    """Open more connections than the process may have files."""
    for _ in range(150):
        closing.enter_context(raw_socket(hub.port))
    await asyncio.sleep(2)


@pytest.mark.prove  # waits for the limits of a hub without descriptors
@pytest.mark.parametrize("before", [PLAIN_ASYNCIO, ""], ids=["asyncio", "uvloop"])
async def test_where_files_are_short_the_hub_serves_on(
    sqlite_url: str, key: ApiKey, closing: ExitStack, tmp_path: Path, before: str
) -> None:
    """The cap follows the process's own limit, and what cannot be accepted is a line a minute in the log."""
    log = tmp_path / "log"
    with hub_process(sqlite_url, before=before, errors=log, limit_files=64) as hub:
        await flooded(hub, closing)
        closing.close()

        async def accepted() -> bool:
            try:
                return await order(hub.port, key, "after") > 0
            except (OSError, asyncio.IncompleteReadError):
                return False

        await until(accepted)
        metrics = (await ask(hub.port, b"GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n")).decode()
        assert 'hub_refused_total{reason="connections"}' in metrics
    lines = log.read_text("utf-8").splitlines()
    assert len(lines) <= 5
    assert all("Traceback" not in line for line in lines)


@pytest.mark.prove
async def test_control_of_the_log(sqlite_url: str, key: ApiKey, closing: ExitStack, tmp_path: Path) -> None:
    """Without a cap and a guard asyncio writes a traceback for each attempt."""
    log = tmp_path / "log"
    unguarded = (
        f"{PLAIN_ASYNCIO}\nimport hub.http.server as s, hub.http.descriptors as d\n"
        "s.throttle_accept_faults = lambda loop: None\nd.raise_descriptor_limit = lambda connections: connections"
    )

    def entries() -> int:
        whole = log.read_text("utf-8").rpartition("\n")[0]  # the hub may have been ended in the midst of a line
        return len([json.loads(line) for line in whole.split("\n") if line.startswith("{")])

    with hub_process(sqlite_url, before=unguarded, errors=log, limit_files=64) as hub:
        await flooded(hub, closing)
        await until(lambda: entries() > 50)
    assert entries() > 50
