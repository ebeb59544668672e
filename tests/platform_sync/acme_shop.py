"""A stand-in for Acme's API: orders, products and webhooks that a test sets, faults that it injects."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import encode_basic_auth, web
from attrs import define, field

from hub.mail.outbox import Outbox
from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.connections.platform_access import give_credentials
from hub.platform_sync.access import Platforms
from hub.platform_sync.runner import PlatformRunner
from hub.plugin_host.translation import Plugins
from hub.sealing import Sealer
from tests.acme import acme_plugins
from tests.outbound.stand_in import LOCAL, serving
from tests.processing.harness import Harness
from tests.processing.test_deliveries import Shop, connect

ROOT = "https://hub.example"
SEALER = Sealer.of([bytes(32)])


@define
class AcmeShop:
    """What the stand-in answers; `fault(request)` may answer instead, None lets the request through."""

    orders: list[dict[str, Any]] = field(factory=list)
    products: list[dict[str, Any]] = field(factory=list)
    hooks: list[dict[str, Any]] = field(factory=list)
    scopes: list[str] = field(factory=lambda: ["orders"])
    currency: str = "USD"
    site: str = "shop.example"
    secret: str = "s3cret"
    fault: Callable[[web.Request], web.StreamResponse | None] = lambda _: None
    asked: list[str] = field(factory=list)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer as Acme does."""
        self.asked.append(f"{request.method} {request.path_qs}")
        fault = self.fault(request)
        if fault is not None:
            return fault
        if request.headers["Authorization"] != encode_basic_auth("key", self.secret):
            return web.Response(status=401)
        _, _, what, *one = request.path.split("/")
        if what == "shop":
            return web.json_response({"currency": self.currency, "site": self.site, "name": "Shop"})
        if what == "scopes":
            return web.json_response({"scopes": self.scopes})
        if what == "hooks" and request.method != "GET":
            return await self._change_hooks(request, one)
        listed: list[dict[str, Any]] = getattr(self, what)
        name = "number" if what == "orders" else "id"
        if one:
            found = next((each for each in listed if str(each[name]) == one[0]), None)
            return web.Response(status=404) if found is None else web.json_response(found)
        if "ids" in request.query:
            listed = [each for each in listed if str(each[name]) in request.query["ids"].split(",")]
        page, size = int(request.query["page"]), int(request.query["size"])
        return web.json_response({what: listed[(page - 1) * size : page * size]})

    async def _change_hooks(self, request: web.Request, one: list[str]) -> web.Response:
        if request.method == "DELETE":
            self.hooks = [each for each in self.hooks if str(each["id"]) != one[0]]
            return web.Response(status=204)
        made = {**await request.json(), "id": len(self.asked) * 10, "status": "active"}
        self.hooks.append(made)
        return web.json_response(made, status=201)


@define
class Asked:
    """A connection to a stand-in that is asked: the shop, its connection, the hub's runner."""

    acme: AcmeShop
    shop: Shop
    platforms: Platforms
    runner: PlatformRunner
    address: str

    @property
    def harness(self) -> Harness:
        """The hub."""
        return self.shop.harness

    @property
    def key(self) -> dict[str, str]:
        """The connection's key."""
        return {"account_id": self.shop.account_id, "connection_id": self.shop.connection_id}

    async def give(self, **more: Any) -> dict[str, Any]:
        """Give the stand-in's credentials."""
        typed = {"site": self.address, "key": "key", "secret": "s3cret", **more.pop("typed", {})}
        return dict(await give_credentials(self.platforms, self.shop.connection_id, typed, **more))

    async def run(self) -> None:
        """Let the runner and the worker do all that is due."""
        while await self.runner.run_once():
            await self.harness.work()
        await self.harness.work()

    async def access(self) -> dict[str, Any]:
        """The stored access."""
        async with self.platforms.store.read() as tx:
            row = await tx.one("platform_access_of", **self.key)
        assert row is not None
        return dict(row)

    async def reads(self) -> list[dict[str, Any]]:
        """The readings, newest first."""
        async with self.platforms.store.read() as tx:
            return [dict(row) for row in await tx.all("newest_reads", **self.key, limit=50)]

    async def fetches(self) -> list[dict[str, Any]]:
        """What waits to be fetched."""
        async with self.platforms.store.read() as tx:
            return [dict(row) for row in await tx.all("fetches_of_connection", **self.key, limit=50)]


@asynccontextmanager
async def asked(harness: Harness, **shown: Any) -> AsyncIterator[Asked]:
    """Connect a stand-in over a harness; nothing is given to the connection yet."""
    acme = AcmeShop(**shown)
    shop = await connect(harness)
    async with serving(acme.serve) as address:
        platforms = platforms_of(harness)
        yield Asked(acme, shop, platforms, PlatformRunner(platforms, harness.submissions), address)


def platforms_of(harness: Harness, plugins: Plugins | None = None) -> Platforms:
    """Return what asks platforms for a harness; Acme alone unless `plugins` are given."""

    async def root() -> str:
        return ROOT

    async def rest(_: float) -> None:
        return

    outbox = Outbox(SEALER, is_on=True)
    here = plugins or acme_plugins()
    return Platforms(harness.store, SEALER, here, harness.clock, outbox, root, LOCAL, rest=rest)


def admin_of(harness: Harness) -> ConnectionAdmin:
    """Return what acts on connections for a harness."""
    return ConnectionAdmin(harness.store, SEALER, acme_plugins(), harness.clock, ROOT)
