"""A real PrestaShop loses nothing: connecting, clicks, outages, what is not the hub, and a copy of its clock."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from hub.clock import system_clock
from hub.operations.orders.conversions import conversions_of_order
from tests.prestashop.shop import RealShop, missing
from tests.prestashop.walk import FIGURES, module
from tests.store_walk import Walk, becomes

if (why := missing()) is not None:
    pytest.skip(f"NO REAL PRESTASHOP WAS TRIED: {why}", allow_module_level=True)
pytestmark = pytest.mark.prove
PAID = ("50.00", "PENDING", "2.50")


class TestConnecting:
    async def test_an_order_arrives_with_its_click(self, walk: Walk) -> None:
        order = await walk.order({"Lantern": 1})
        await walk.comes_to(order, PAID)
        assert await walk.php("return act_log();") == []

    async def test_the_catalogue_arrives_as_it_changes(self, walk: Walk) -> None:
        product = await walk.php("return act_product('Candle', 10);")
        await walk.queue()
        await becomes(lambda: walk.stock_of(product), "IN_STOCK")
        await walk.php(f"StockAvailable::setQuantity({product}, 0, 0); return true;")
        await walk.queue()
        await becomes(lambda: walk.stock_of(product), "OUT_OF_STOCK")
        await walk.php(f"$product = new Product({product}); return $product->delete();")

    async def test_nothing_is_left_after_uninstalling_but_the_clicks(self, walk: Walk) -> None:
        await walk.order({"Rope": 1})
        assert isinstance(walk.shop, RealShop)
        await module(walk.shop, "uninstall")
        tables = await walk.php("return Db::getInstance()->executeS(\"SHOW TABLES LIKE '%affiliatehub%'\");")
        assert [next(iter(each.values())) for each in tables] == ["ps_affiliatehub_click"]


ASKED = (
    "Configuration::updateGlobalValue('AFFILIATEHUB_ASKED', 0); Module::getInstanceByName('affiliatehub')->send(1);"
    "return (int) Configuration::getGlobalValue('AFFILIATEHUB_PROVED');"
)


async def test_the_hub_proves_itself_every_day(walk: Walk) -> None:
    """Whatever is sold; the control is something else that answers 200 there."""
    first = await walk.php(ASKED)
    assert abs(first - time.time()) < 600
    assert not any("has not asked for this hub" in each for each in await walk.problems())
    await walk.php("Configuration::updateGlobalValue('AFFILIATEHUB_PROVED', 1); return true;")
    await walk.stop()
    async with something_else(walk.port, 200):
        assert await walk.php(ASKED) == 1
    await walk.start()
    assert await walk.php(ASKED) >= first


class TestClicks:
    async def test_an_order_that_the_payments_server_makes_has_the_click_of_its_cart(self, walk: Walk) -> None:
        """The buyer filled the cart; the order is made by a request without any cookie of theirs."""
        cart = await walk.php(f"return act_cart('{await walk.click()}', [{walk.shop.products['Lantern']} => 1])->id;")
        order = await walk.php(f"return act_place(new Cart({cart}));")
        await walk.comes_to(order, PAID)

    async def test_an_order_that_an_employee_writes_has_none(self, walk: Walk) -> None:
        """Although the employee once followed a link; the control is every other order."""
        assert isinstance(walk.shop, RealShop)
        click, lantern = await walk.click(), walk.shop.products["Lantern"]
        order = walk.shop.php(f"return act_order('{click}', [{lantern} => 1]);", as_employee=True)
        await walk.queue()

        async def of_the_order() -> list[str]:
            assert walk.hub is not None
            found = await conversions_of_order(walk.hub.parts.store, system_clock, str(order))
            return ["none" if each.commission is None else each.commission.state for each in found]

        await becomes(of_the_order, ["none"])

    async def test_an_order_in_another_currency_is_told_in_it(self, walk: Walk) -> None:
        currency = await walk.php("return act_currency('USD', 2);")
        lantern = walk.shop.products["Lantern"]
        order = await walk.php(f"return act_place(act_cart('{await walk.click()}', [{lantern} => 1], '', {currency}));")
        await walk.queue()

        async def told() -> list[tuple[str, str]]:
            assert walk.hub is not None
            found = await conversions_of_order(walk.hub.parts.store, system_clock, str(order))
            return [(each.order_amount, each.currency) for each in found]

        await becomes(told, [("100.00", "USD")])


class TestPages:
    async def test_a_page_of_the_shop_loads_the_script_and_the_page_that_sends_sends(
        self, walk: Walk, web_port: int
    ) -> None:
        """A stranger without its token is refused."""
        root = f"http://127.0.0.1:{web_port}"
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{root}/") as page:
                assert f"http://127.0.0.1:{walk.port}/capture.js" in await page.text()
            order = await walk.order({"Lantern": 1})
            send = f"{root}/module/affiliatehub/send?token="
            async with session.get(f"{send}guessed") as refused:
                assert refused.status == 403
            assert await walk.earned(order) is None
            token = await walk.php("return Module::getInstanceByName('affiliatehub')->sendToken();")
            async with session.get(f"{send}{token}") as sent:
                assert (sent.status, await sent.text()) == (200, "waiting: 0")
        await becomes(lambda: walk.earned(order), PAID)


@asynccontextmanager
async def something_else(port: int, status: int) -> AsyncIterator[None]:
    """Have something at the hub's address that answers everything alike."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text="Parked", headers={"X-Affiliate-Hub-Proof": "0" * 64})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield
    await runner.cleanup()


class TestOutages:
    @pytest.mark.parametrize(
        ("status", "said"), [(200, "that is not the hub"), (301, "the hub answered 301"), (503, "the hub answered 503")]
    )
    async def test_what_is_not_the_hub_takes_nothing(self, walk: Walk, status: int, said: str) -> None:
        """A parked domain, a redirect, a maintenance page: a forged proof is none."""
        clicks = [await walk.click() for _ in range(3)]
        await walk.stop()
        async with something_else(walk.port, status):
            orders = await walk.orders_by(clicks, {"Lantern": 1})
            assert await walk.queue() >= len(orders)
        assert any(said in each for each in await walk.php("return act_log();"))
        await walk.start()
        for order in orders:
            await walk.comes_to(order, PAID)
        FIGURES.outages[f"{status} from something else"] = len(orders)

    @pytest.mark.parametrize(("length", "attempts"), [("a minute", 1), ("a week", 36)])
    async def test_orders_of_an_outage_all_arrive(self, walk: Walk, length: str, attempts: int) -> None:
        clicks = [await walk.click() for _ in range(4)]
        await walk.stop()
        orders = await walk.orders_by(clicks, {"Lantern": 1})
        assert await walk.php(f"return act_fail({attempts});") >= len(orders)
        await walk.start()
        for order in orders:
            await walk.comes_to(order, PAID)
        assert await walk.queue() == 0
        FIGURES.outages[f"{length}"] = len(orders)
