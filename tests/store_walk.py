"""A real shop of any platform and its hub, and what people do with both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Protocol

import aiohttp
from attrs import define, field
from yarl import URL

from hub.app import Hub
from hub.clock import system_clock
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.audits.audit import audit
from hub.operations.campaigns.products import list_products
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connection_packages import package_connection
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    create_connection,
)
from hub.operations.lists import Wanted
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.references import account_id_of
from hub.platform_sync.access import Platforms
from hub.sealing import load_sealer
from tests.outbound.stand_in import LOCAL
from tests.polling import until
from tests.served_hub import new_merchant, served

PATIENCE_SECONDS = 90.0
HOST = "shop.example"


@define
class Figures:
    """What the whole walk did, for the summary at its end."""

    orders: int = 0
    outages: dict[str, int] = field(factory=dict)
    lost: int = 0


class Shop(Protocol):
    """What the walk does with a real shop, whatever its platform."""

    products: dict[str, int]

    def php(self, code: str) -> Any:
        """Run PHP inside the shop and return what it returns."""

    def install(self, package: bytes) -> None:
        """Do what the upload of a connection's package does."""

    def run_queue(self) -> int:
        """Let everything that waits be sent now; return how much waits on."""

    def order(self, click: str, lines: dict[str, int], then: str = "") -> int:
        """Place an order by its click; return its number."""

    def change(self, order_id: int, then: str) -> Any:
        """Run PHP that changes an order."""


@define
class Walk:
    """A shop, its hub, and the connection between them."""

    shop: Shop
    connector: str
    figures: Figures
    url: str
    port: int
    hub: Hub | None = None
    merchant_id: str = ""
    connection_id: str = ""
    affiliate_id: str = ""
    is_unreadable: bool = False
    """Whether the test lets the shop send what cannot be read; else that is a fault of the whole test."""
    running: AsyncExitStack = field(factory=AsyncExitStack)

    async def start(self) -> Hub:
        """Serve the hub where the shop knows it."""
        self.hub = await self.running.enter_async_context(
            served(self.url, system_clock, HUB_SERVER_PORT=str(self.port), HUB_OUTBOUND_ALLOWED_NETWORKS="127.0.0.0/8")
        )
        return self.hub

    async def stop(self) -> None:
        """Be down."""
        self.hub = None
        await self.running.aclose()

    @property
    def admin(self) -> ConnectionAdmin:
        """What the acts on connections work with."""
        assert self.hub is not None
        parts = self.hub.parts
        return ConnectionAdmin(
            parts.store, load_sealer(parts.settings), parts.plugins, system_clock, f"http://127.0.0.1:{self.port}"
        )

    async def connect(self, mode: str = "test", options: Sequence[str] = ()) -> str:
        """Connect the shop, and install the package as an upload does."""
        assert self.hub is not None
        made = await create_connection(
            self.admin, NewConnection(self.merchant_id, mode, self.connector, options=options)
        )
        self.connection_id = made["id"]
        await self.upload()
        return made["id"]

    async def upload(self) -> None:
        """Install the newest package; nobody activates anything or presses a button."""
        _, package = await package_connection(self.admin, self.connection_id)
        await asyncio.to_thread(self.shop.install, package)

    async def php(self, code: str) -> Any:
        return await asyncio.to_thread(self.shop.php, code)

    async def begin(self) -> None:
        """Serve a fresh hub with a merchant and an affiliate, and connect the shop to it."""
        hub = await self.start()
        self.merchant_id = await new_merchant(hub, system_clock, approve=True)
        affiliate = await create_affiliate(hub.parts.store, system_clock, name="Ada", email="ada@blog.example")
        self.affiliate_id = affiliate.id
        await self.connect()

    async def end(self) -> None:
        """Audit what the hub has, and see that it could read all that the shop sent."""
        if self.hub is None:
            await self.start()
        assert self.hub is not None
        assert (await audit(self.hub.parts.store, system_clock))["violations"] == []
        unread = [problem for problem in await self.problems() if "could not be read" in problem]
        assert self.is_unreadable or not unread, unread

    async def queue(self) -> int:
        return await asyncio.to_thread(self.shop.run_queue)

    async def link(self, mode: str = "test") -> str:
        """Return the address of a new link of the affiliate's to the shop."""
        assert self.hub is not None
        link = await create_link(
            self.hub.parts.store, system_clock, f"http://127.0.0.1:{self.port}",
            NewLink(self.merchant_id, mode, self.affiliate_id, destination=f"http://{HOST}/"),
        )  # fmt: skip
        return link.url

    async def click(self, mode: str = "test") -> str:
        """Follow a link of the affiliate's, as a buyer does; return the click's id."""
        link = await self.link(mode)
        async with (
            aiohttp.ClientSession() as session,
            session.get(link, headers={"User-Agent": "Mozilla/5.0 Firefox/140"}, allow_redirects=False) as reply,
        ):
            return str(URL(reply.headers["Location"]).query["affiliate_click_id"])

    async def order(self, lines: dict[str, int], then: str = "", mode: str = "test") -> int:
        self.figures.orders += 1
        return await asyncio.to_thread(self.shop.order, await self.click(mode), lines, then)

    async def orders_by(self, clicks: list[str], lines: dict[str, int], then: str = "") -> list[int]:
        """Place an order for each click, which may happen while the hub is down."""
        self.figures.orders += len(clicks)
        return [await asyncio.to_thread(self.shop.order, click, lines, then) for click in clicks]

    async def change(self, order_id: int, then: str) -> None:
        await asyncio.to_thread(self.shop.change, order_id, then)

    async def earned(self, order_id: int) -> tuple[str, str, str] | None:
        """The order's amount, and its commission's state and amount, as the hub has them; None without an order."""
        assert self.hub is not None
        found = await conversions_of_order(self.hub.parts.store, system_clock, str(order_id))
        if not found or (commission := found[0].commission) is None:
            return None
        return found[0].order_amount, commission.state, commission.amount

    async def mode_of(self, order_id: int) -> str:
        """The mode of the account that has the order."""
        assert self.hub is not None
        found = await conversions_of_order(self.hub.parts.store, system_clock, str(order_id))
        return str(found[0].mode)

    async def problems(self) -> list[str]:
        """What `hub connection check` says."""
        assert self.hub is not None
        await self.hub.parts.services.request_log.flush()
        return list((await check_connection(self.admin, self.connection_id)).problems)

    async def stored_bodies(self, order_id: int) -> int:
        """Return of how many events about the order the hub keeps the body."""
        assert self.hub is not None
        store = self.hub.parts.store
        account = await account_id_of(store, self.merchant_id, "test")
        async with store.read() as tx:
            rows = await tx.all(
                "events_of_orders", account_id=account, connection_id=self.connection_id, orders=[str(order_id)]
            )
            events = [(account, row["event_id"]) for row in rows]
            return len(await tx.all("kept_payloads", events=events))

    async def products(self) -> dict[str, dict[str, Any]]:
        """The hub's catalogue, by the shop's ids."""
        assert self.hub is not None
        account = await account_id_of(self.hub.parts.store, self.merchant_id, "test")
        listed = await list_products(self.hub.parts.store, account, Wanted())
        return {product["externalProductId"]: product for product in listed}

    async def product_names(self) -> list[str]:
        return sorted(product["name"] for product in (await self.products()).values())

    async def stock_of(self, product_id: int) -> str | None:
        product = (await self.products()).get(str(product_id))
        return None if product is None else str(product["stockStatus"])

    async def comes_to(self, order_id: int, due: tuple[str, str, str]) -> None:
        """Let the shop send what waits, and wait until the hub has this of an order."""
        await self.queue()
        await becomes(lambda: self.earned(order_id), due)


async def becomes(ask: Callable[[], Any], due: Any) -> None:
    """Wait until something is as it should be."""

    async def is_due() -> bool:
        return bool(await ask() == due)

    await until(is_due, PATIENCE_SECONDS, 0.1)


def platforms_of(walk: Walk, public_root: str | None = None) -> Platforms:
    """Return what asks the shop, for acts of the test's own."""
    assert walk.hub is not None
    parts = walk.hub.parts
    sealer = load_sealer(parts.settings)

    async def root() -> str:
        return public_root or f"http://127.0.0.1:{walk.port}"

    return Platforms(parts.store, sealer, parts.plugins, parts.clock, Outbox(sealer, is_on=False), root, LOCAL)
