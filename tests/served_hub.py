"""A real hub on a real socket, merchants with keys, and a client that signs."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import pytest
from attrs import field, frozen
from multidict import CIMultiDict
from yarl import URL

from hub.app import Hub, running
from hub.clock import Clock
from hub.config.settings import load_settings
from hub.domain.signing import sign
from hub.operations.merchants.keys import issue_key
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.plugin_host.registry import load_registry
from hub.plugin_host.translation import Plugins
from hub.sealing import load_sealer
from hub.testing.clock import FakeClock
from hub.testing.in_process_plugins import InProcessPlugins
from tests.polling import PATIENCE_SECONDS

MASTER_KEY = "5e" * 32


@frozen
class Reply:
    """An HTTP response."""

    status: int
    headers: Mapping[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


@frozen
class ApiKey:
    """A key as its owner holds it."""

    key_id: str
    secret: str = field(repr=False)
    merchant_id: str


@frozen
class Api:
    """Signs requests with one key and sends them, each with a timestamp of its own within the tolerance.

    After four hundred the timestamps come again; with `nonces` equal bodies are other requests all the same.
    """

    session: aiohttp.ClientSession
    key: ApiKey
    clock: FakeClock
    ticks: Callable[[], int] = field(factory=lambda: itertools.cycle(range(-200, 200)).__next__)
    nonces: Callable[[], int] | None = None

    def with_key(self, key: ApiKey) -> Api:
        return Api(self.session, key, self.clock)

    def headers(self, raw: bytes, timestamp: str | None = None) -> dict[str, str]:
        stamp = timestamp or str(self.clock() // 1000 + self.ticks())
        nonce = None if self.nonces is None else str(self.nonces())
        signature = sign(self.key.secret.encode(), stamp, raw, nonce)
        signed = {"X-API-Key": self.key.key_id, "X-Timestamp": stamp, "X-Signature": signature}
        return signed if nonce is None else {**signed, "X-Nonce": nonce}

    async def __call__(
        self, method: str, path: str, body: object = None, *, headers: Mapping[str, str | None] | None = None
    ) -> Reply:
        """Send a request; `body` is sent as JSON, bytes as they are, and a header of None is left out."""
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {**self.headers(raw), **({"Content-Type": "application/json"} if raw else {}), **(headers or {})}
        return await self.send(method, path, raw, {k: v for k, v in sent.items() if v is not None})

    async def send(self, method: str, path: str, raw: bytes, headers: Mapping[str, str] | CIMultiDict[str]) -> Reply:
        """Send exactly these bytes and headers."""
        data = io.BytesIO(raw) if raw else None
        url = URL(f"/api{path}", encoded=True)
        async with self.session.request(
            method, url, data=data, headers=headers, skip_auto_headers=["Content-Type"]
        ) as r:
            return Reply(r.status, r.headers.copy(), await r.read())


@cache
def installed_plugins() -> Plugins:
    """The installed plugins, called in this process: a process of their own takes longer to start than most tests."""
    return InProcessPlugins(load_registry())


@asynccontextmanager
async def served(url: str, clock: Clock, plugins: Plugins | None = None, /, **environ: str) -> AsyncIterator[Hub]:
    """Serve a hub over the database at `url`, with the installed plugins in this process unless others are given.

    `environ` are HUB_ settings. Its uploads are removed at its end.
    """
    async with _served(url, clock, plugins or installed_plugins(), environ) as hub:
        yield hub


@asynccontextmanager
async def served_with_host(url: str, clock: Clock, **environ: str) -> AsyncIterator[Hub]:
    """The same with a plugin host, as `hub serve` has it: for tests whose matter are plugins in processes."""
    async with _served(url, clock, None, environ) as hub:
        yield hub


@asynccontextmanager
async def _served(url: str, clock: Clock, plugins: Plugins | None, environ: Mapping[str, str]) -> AsyncIterator[Hub]:
    with TemporaryDirectory() as uploads:
        usual = {"HUB_SERVER_PORT": "0", "HUB_MASTER_KEY": MASTER_KEY, "HUB_UPLOADS_DIRECTORY": f"{uploads}/files"}
        settings = load_settings(None, {"HUB_DATABASE_URL": url, **usual, **environ})
        async with running(settings, clock=clock, plugins=plugins) as hub:
            yield hub


async def new_key(hub: Hub, clock: Clock, merchant_id: str, mode: str = "test", **how: Any) -> ApiKey:
    sealer = load_sealer(hub.parts.settings)
    made = await issue_key(hub.parts.store, sealer, clock, merchant_id=merchant_id, mode=mode, **how)
    return ApiKey(made.key_id, made.signing_secret, merchant_id)


async def new_merchant(hub: Hub, clock: Clock, name: str = "Shop", **how: Any) -> str:
    wanted = NewMerchant(name, "ann@shop.example", how.pop("domains", ["shop.example"]), **how)
    made: str = (await create_merchant(hub.parts.store, clock, wanted)).id
    return made


@asynccontextmanager
async def api_of(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    """Yield a client with a test key of a fresh, approved merchant."""
    merchant_id = await new_merchant(hub, clock, approve=True)
    key = await new_key(hub, clock, merchant_id)
    async with aiohttp.ClientSession(hub.url, connector=aiohttp.TCPConnector(limit=0)) as session:
        yield Api(session, key, clock)


def noted_requests(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that grows by one with each signed request that the hub begins to serve."""
    limits, arrived = type(hub.parts.services.limits), list[object]()
    take = limits.take

    def noted(*given: Any) -> Any:
        arrived.append(given)
        return take(*given)

    monkeypatch.setattr(limits, "take", noted)
    return arrived


async def exchange(hub: Hub, request: bytes) -> tuple[str, dict[str, str], bytes]:
    """Send exactly these bytes; return the status line, the headers and the body, as far as its length says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(request)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)).decode()
    line, *fields = head.removesuffix("\r\n\r\n").split("\r\n")
    headers = dict(field.split(": ", 1) for field in fields)
    body = await asyncio.wait_for(reader.readexactly(int(headers.get("Content-Length", "0"))), PATIENCE_SECONDS)
    writer.close()
    return line, headers, body


async def log_of(hub: Hub, key: ApiKey | None = None) -> list[dict[str, Any]]:
    """Return the request log, oldest first: of a key's merchant, or of requests without a known caller."""
    from hub.operations.lists import Wanted
    from hub.operations.orders.request_log import read_log, read_strangers_log
    from hub.records.wire import write

    await hub.parts.services.request_log.flush()
    store = hub.parts.store
    if key is None:
        rows = (await read_strangers_log(store, Wanted(limit=500))).entries
    else:
        rows = (await read_log(store, key.merchant_id, Wanted(limit=500))).entries
    return [write(each) for each in reversed(rows)]
