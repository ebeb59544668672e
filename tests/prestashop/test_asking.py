"""A real PrestaShop that is asked by its webservice: what its hooks never told is found, also what is gone."""

from __future__ import annotations

import pytest
from hub_prestashop.requests import RESOURCES

from hub.operations.connections.platform_access import ask_for_read, delete_credentials, give_credentials
from tests.prestashop.test_orders import PAID_AT_ONCE, state
from tests.prestashop.walk import FIGURES
from tests.store_walk import Walk, becomes, platforms_of

pytestmark = pytest.mark.prove
WITHOUT_THE_MODULE = "Db::getInstance()->execute('DELETE FROM ' . _DB_PREFIX_ . 'affiliatehub_outbox'); "
"""What the hooks noted is lost, as if the module had been off."""


@pytest.fixture
async def keys(walk: Walk, web_port: int) -> dict[str, str]:
    """Make a key as Advanced Parameters > Webservice does."""
    resources = ", ".join(f"'{name}'" for name in RESOURCES)
    key = await walk.php(f"return act_key([{resources}]);")
    return {"site": f"http://127.0.0.1:{web_port}", "key": key}


async def test_what_no_hook_told_is_read(walk: Walk, keys: dict[str, str]) -> None:
    """Orders that the module sent are changed while it is off: paid, refunded by a slip, cancelled, deleted."""
    orders = [await walk.order({"Lantern": 2}) for _ in range(4)]
    paid, refunded, cancelled, deleted = orders
    for order in orders:
        await walk.comes_to(order, ("100.00", "PENDING", "5.00"))
    await give_credentials(platforms_of(walk), walk.connection_id, keys, days=1)
    await walk.change(paid, PAID_AT_ONCE + WITHOUT_THE_MODULE)
    lantern = walk.shop.products["Lantern"]
    await walk.change(refunded, f"{PAID_AT_ONCE} act_refund($order, {lantern}, 1, 60); {WITHOUT_THE_MODULE}")
    await walk.change(cancelled, state("PS_OS_CANCELED") + WITHOUT_THE_MODULE)
    await walk.php(f"act_restore({deleted}); {WITHOUT_THE_MODULE} return true;")
    assert await walk.queue() == 0
    assert await walk.earned(paid) == ("100.00", "PENDING", "5.00")
    await ask_for_read(platforms_of(walk), walk.connection_id, since="1d")
    await becomes(lambda: walk.earned(paid), ("100.00", "HOLD", "5.00"))
    await becomes(lambda: walk.earned(refunded), ("100.00", "HOLD", "2.50"))
    await becomes(lambda: walk.earned(cancelled), ("100.00", "REJECTED", "5.00"))
    await becomes(lambda: walk.earned(deleted), ("100.00", "REJECTED", "5.00"))
    FIGURES.outages["the module off, found by asking"] = len(orders)
    await delete_credentials(platforms_of(walk), walk.connection_id)


async def test_the_module_and_the_webservice_say_the_same(walk: Walk, keys: dict[str, str]) -> None:
    """An order with a voucher, an edit and a slip, told by the module first and read by the webservice after that."""
    await walk.php("return act_voucher('SAME', ['reduction_percent' => 10, 'free_shipping' => 1]);")
    rope, lantern = walk.shop.products["Rope"], walk.shop.products["Lantern"]
    order = await walk.php(f"return act_order('{await walk.click()}', [{lantern} => 2], 'SAME');")
    await walk.change(order, f"{PAID_AT_ONCE} act_add($order, {rope}, 1, 20); act_refund($order, {lantern}, 1, 30);")
    await walk.queue()

    async def settled() -> bool:
        return (found := await walk.earned(order)) is not None and found[1] == "HOLD"

    await becomes(settled, due=True)
    said = await walk.earned(order)
    await give_credentials(platforms_of(walk), walk.connection_id, keys, days=1)

    async def read() -> int:
        return await walk.stored_bodies(order)

    before = await read()
    await ask_for_read(platforms_of(walk), walk.connection_id, since="1d")

    async def asked() -> bool:
        return await read() > before

    await becomes(asked, due=True)
    assert await walk.earned(order) == said
    await delete_credentials(platforms_of(walk), walk.connection_id)
