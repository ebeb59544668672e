"""A real WooCommerce loses nothing: each finding of the first walk through one, on both ways to store orders."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import define, field
from yarl import URL

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    add_secret,
    create_connection,
    expire_secret,
    package_connection,
    show_connection,
)
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.system.audit import audit
from hub.sealing import load_sealer
from tests.served_hub import new_merchant, served
from tests.woocommerce.shop import RealShop, missing, real_shop

PATIENCE_SECONDS = 30.0
WHY_NOT = missing()
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=f"NO REAL WOOCOMMERCE WAS TRIED: {WHY_NOT}")


@define
class Walk:
    """A shop, its hub, and the connection between them."""

    shop: RealShop
    url: str
    port: int
    hub: Hub | None = None
    merchant_id: str = ""
    connection_id: str = ""
    affiliate_id: str = ""
    running: AsyncExitStack = field(factory=AsyncExitStack)

    async def start(self) -> Hub:
        """Serve the hub where the shop knows it."""
        self.hub = await self.running.enter_async_context(
            served(self.url, system_clock, HUB_SERVER_PORT=str(self.port))
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

    async def connect(self, mode: str = "test") -> str:
        """Connect the shop, and install the package as an upload does."""
        assert self.hub is not None
        made = await create_connection(self.admin, NewConnection(self.merchant_id, mode, "woocommerce"))
        self.connection_id = made["id"]
        await self.upload()
        return made["id"]

    async def upload(self) -> None:
        """Install the newest package; nobody activates anything or presses a button."""
        _, package = await package_connection(self.admin, self.connection_id)
        await asyncio.to_thread(self.shop.install, package)

    async def php(self, code: str) -> Any:
        return await asyncio.to_thread(self.shop.php, code)

    async def queue(self) -> int:
        return await asyncio.to_thread(self.shop.run_queue)

    async def click(self, mode: str = "test") -> str:
        """Follow a link of the affiliate's, as a buyer does."""
        assert self.hub is not None
        link = await create_link(
            self.hub.parts.store, system_clock, f"http://127.0.0.1:{self.port}",
            NewLink(self.merchant_id, mode, self.affiliate_id),
        )  # fmt: skip
        async with (
            aiohttp.ClientSession() as session,
            session.get(link["url"], headers={"User-Agent": "Mozilla/5.0 Firefox/140"}, allow_redirects=False) as reply,
        ):
            return str(URL(reply.headers["Location"]).query["affiliate_click_id"])

    async def order(self, lines: dict[str, int], then: str = "") -> int:
        return await asyncio.to_thread(self.shop.order, await self.click(), lines, then)

    async def change(self, order_id: int, then: str) -> None:
        await asyncio.to_thread(self.shop.change, order_id, then)

    async def earned(self, order_id: int) -> tuple[str, str, str] | None:
        """The order's amount, and its commission's state and amount, as the hub has them; None without an order."""
        assert self.hub is not None
        found = await conversions_of_order(self.hub.parts.store, system_clock, str(order_id))
        if not found or (commission := found[0]["commission"]) is None:
            return None
        return found[0]["orderAmount"], commission["state"], commission["amount"]

    async def comes_to(self, order_id: int, due: tuple[str, str, str]) -> None:
        """Let the shop send what waits, and wait until the hub has this of an order."""
        await self.queue()
        await until(lambda: self.earned(order_id), due)


async def until(ask: Callable[[], Any], due: Any) -> None:
    """Wait until something is as it should be."""
    ends = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while (found := await ask()) != due:
        assert asyncio.get_running_loop().time() < ends, f"it is {found} and should be {due}"
        await asyncio.sleep(0.1)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module", params=["orders in tables", "orders as posts"])
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A shop for all tests of this file."""
    with real_shop(tmp_path_factory.mktemp("shop"), free_port(), hpos=request.param == "orders in tables") as shop:
        yield shop


@pytest.fixture
async def walk(real: RealShop, tmp_path: Path) -> AsyncIterator[Walk]:
    """The shop with a fresh hub, connected by command line without a user."""
    made = Walk(real, f"sqlite:///{tmp_path}/hub.db", real.hub_port)
    hub = await made.start()
    made.merchant_id = await new_merchant(hub, system_clock, approve=True)
    affiliate = await create_affiliate(hub.parts.store, system_clock, name="Ada", email="ada@blog.example")
    made.affiliate_id = affiliate["id"]
    await made.connect()
    await made.php("return activate_plugin( 'affiliate-hub/affiliate-hub.php' );")
    yield made
    if made.hub is None:
        await made.start()
    assert made.hub is not None
    assert (await audit(made.hub.parts.store, system_clock))["violations"] == []
    await made.php(
        "deactivate_plugins( 'affiliate-hub/affiliate-hub.php' ); update_option( 'home', 'http://shop.example' );"
        "return uninstall_plugin( 'affiliate-hub/affiliate-hub.php' );"
    )
    await made.stop()


class TestConnecting:
    async def test_activated_without_a_user_orders_arrive(self, walk: Walk) -> None:
        """As host panels and containers do it: the webhooks find an owner who may read orders."""
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_an_owner_who_goes_is_replaced(self, walk: Walk) -> None:
        """Deleted without reassigning: WordPress sets the owner to 0, and the daily look finds another."""
        await walk.php("act_orphan(); do_action( 'affiliate_hub_daily' ); return true;")
        assert await walk.php("return affiliate_hub_faults();") == []
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))

    async def test_a_new_package_is_enough_for_a_new_secret(self, walk: Walk) -> None:
        """Uploaded over the old one, with no button pressed: the very next order is signed anew."""
        old = (await show_connection(walk.admin, walk.connection_id))["secrets"][0]["id"]
        await add_secret(walk.admin, walk.connection_id, None)
        await expire_secret(walk.admin, walk.connection_id, old, None)
        await walk.upload()
        await asyncio.sleep(2.1)  # the hub may know a connection's secrets for two seconds
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_a_package_of_another_connection_moves_the_webhooks(self, walk: Walk) -> None:
        """From test to live, likewise."""
        first = walk.connection_id
        assert await walk.connect() != first
        assert await walk.php(
            "return wc_get_webhook( affiliate_hub_known()['order.created'] )->get_delivery_url();"
        ) == (f"http://127.0.0.1:{walk.port}/connect/{walk.connection_id}")

    async def test_the_page_proves_the_secret_both_ways(self, walk: Walk) -> None:
        """A right secret, a wrong one, and something else that answers 200 at the address."""
        assert await walk.php("return act_prove( 'right' );") == ""
        assert "refused the signature" in await walk.php("return act_prove( 'wrong' );")
        assert "not your hub" in await walk.php("return act_prove( 'other' );")

    async def test_nothing_is_left_after_uninstalling(self, walk: Walk) -> None:
        await walk.order({"Rope": 1})
        assert await walk.php("return act_delete_plugin();") == [[], [], []]


class TestOutages:
    async def test_orders_of_an_outage_all_arrive(self, walk: Walk) -> None:
        """Eight orders while the hub is down: none is lost, no webhook is turned off, and its owner sees a notice."""
        clicks = [await walk.click() for _ in range(8)]
        await walk.stop()
        orders = []
        for click in clicks:
            then = "$order->payment_complete();"
            orders.append(await asyncio.to_thread(walk.shop.order, click, {"Lantern": 1, "Rope": 1}, then))
            assert await walk.queue() > 0
        assert await walk.php("return affiliate_hub_faults();") == []
        notice = await walk.php("return act_notices();")
        assert "has not taken deliveries" in notice
        await walk.start()
        for order in orders:
            await walk.comes_to(order, ("70.00", "HOLD", "3.50"))
        assert await walk.queue() == 0
        assert await walk.php("return get_option( 'affiliate_hub_failing' );") is False

    async def test_what_was_lost_before_is_sent_again_on_request(self, walk: Walk) -> None:
        """For orders from before the plugin kept what failed: everything that changed since a date."""
        order = await walk.order({"Rope": 2}, "$order->payment_complete();")
        await walk.php("as_unschedule_all_actions( 'woocommerce_deliver_webhook_async' ); return true;")
        assert await walk.queue() == 0
        assert await walk.earned(order) is None
        await walk.php("affiliate_hub_resend_since( time() - DAY_IN_SECONDS ); return true;")
        await walk.comes_to(order, ("40.00", "HOLD", "2.00"))

    async def test_a_copy_of_the_shop_goes_quiet(self, walk: Walk) -> None:
        """A clone with the same webhooks under another address sends nothing, until its owner says that it moved."""
        await walk.php("update_option( 'home', 'http://staging.example' ); return true;")
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        assert await walk.queue() == 0
        assert await walk.earned(order) is None
        notice = await walk.php("return act_notices();")
        assert "copy of the shop" in notice
        await walk.php("update_option( 'affiliate_hub_site', affiliate_hub_site() ); return true;")
        await walk.change(order, "$order->save();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))


EDITS = {
    "removed": ("50.00", "2.50"),
    "added": ("130.00", "6.50"),
    "more": ("190.00", "9.50"),
    "coupon": ("81.00", "4.05"),
}


class TestOrdersThatChange:
    @pytest.mark.parametrize("edit", EDITS)
    async def test_an_edit_counts(self, walk: Walk, edit: str) -> None:
        """Goods taken out or added, more pieces of one, a coupon: before the payment, after the first sight."""
        order = await walk.order({"Lantern": 1, "Rope": 2})
        await walk.comes_to(order, ("90.00", "PENDING", "4.50"))
        amount, commission = EDITS[edit]
        await walk.change(order, f"act_{edit}( $order, {walk.shop.products['Rope']} );")
        await walk.comes_to(order, (amount, "PENDING", commission))
        await walk.change(order, "$order->payment_complete();")
        await walk.comes_to(order, (amount, "HOLD", commission))

    async def test_an_order_saved_empty_and_then_filled_counts(self, walk: Walk) -> None:
        order = await walk.order({})
        await walk.comes_to(order, ("0.00", "PENDING", "0.00"))
        lantern = walk.shop.products["Lantern"]
        await walk.change(
            order, f"$order->add_product( wc_get_product( {lantern} ), 2 ); $order->calculate_totals(); $order->save();"
        )
        await walk.comes_to(order, ("100.00", "PENDING", "5.00"))

    async def test_money_after_a_cancel_counts(self, walk: Walk) -> None:
        """ "Hold stock" cancelled the unpaid order; then the buyer paid."""
        order = await walk.order({"Lantern": 1})
        await walk.change(order, "$order->update_status( 'cancelled' );")
        await walk.comes_to(order, ("50.00", "REJECTED", "2.50"))
        await asyncio.sleep(1.1)  # WooCommerce counts in seconds
        await walk.change(order, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_trashed_restored_and_deleted_for_good(self, walk: Walk) -> None:
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        await walk.change(order, "$order->delete( false );")
        await walk.comes_to(order, ("20.00", "REJECTED", "1.00"))
        await asyncio.sleep(1.1)  # WooCommerce counts in seconds
        await walk.change(order, "act_untrash( $order );")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        await asyncio.sleep(1.1)
        await walk.change(order, "$order->delete( true );")
        await walk.comes_to(order, ("20.00", "REJECTED", "1.00"))


class TestRefunds:
    @pytest.mark.parametrize(
        ("what", "name", "money", "left"),
        [
            ("shipping", "Parcel", "5.83", ("50.00", "HOLD", "2.50")),
            ("fee", "Wrapping", "10", ("50.00", "HOLD", "2.50")),
            ("line_item", "Lantern", "50", ("50.00", "REJECTED", "0.00")),
        ],
    )
    async def test_only_money_for_goods_is_taken_back(
        self, walk: Walk, what: str, name: str, money: str, left: tuple[str, str, str]
    ) -> None:
        order = await walk.order({"Lantern": 1}, "act_extras( $order );")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        await walk.change(order, f"act_refund( $order, '{what}', '{name}', {money} );")
        await walk.comes_to(order, left)
