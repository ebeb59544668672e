"""A real WooCommerce whose past is changed: refunds taken back, orders gone unseen, numbers that are given again."""

from __future__ import annotations

import asyncio

import pytest

from hub.clock import system_clock
from hub.domain.connectors.request_pages import Place
from hub.operations.connections.connections import connection_row
from hub.operations.connections.platform_access import ask_for_read, give_credentials
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.orders.other_orders import separate_orders
from tests.woocommerce.test_asking import keys
from tests.woocommerce.walk import Walk, becomes, platforms_of

__all__ = ["keys"]

PAID = "$order->payment_complete();"
REFUND = "act_refund( $order, 'line_item', 'Rope', 20 );"
UNDO = {
    "on the order's page": "act_undo_refunds( $order );",
    "by the REST API": "act_rest_undo_refunds( $order );",
    "by another plugin": "foreach ( $order->get_refunds() as $refund ) { $refund->delete( true ); }",
}
SECOND = 1.1
"""WooCommerce's times have no fractions."""


@pytest.mark.parametrize("undo", UNDO.values(), ids=UNDO)
async def test_a_refund_that_is_undone_is_taken_back(walk: Walk, undo: str) -> None:
    """WooCommerce says it to nobody, and leaves the order's own times as they were."""
    order = await walk.order({"Lantern": 1, "Rope": 1}, PAID)
    await walk.comes_to(order, ("70.00", "HOLD", "3.50"))
    await walk.change(order, REFUND)
    await walk.comes_to(order, ("70.00", "HOLD", "2.50"))
    await asyncio.sleep(SECOND)
    await walk.change(order, undo)
    await walk.comes_to(order, ("70.00", "HOLD", "3.50"))


async def test_a_shop_that_was_restored_gives_a_number_to_an_order_of_its_own(walk: Walk) -> None:
    """The shop goes back to before an order, and its number to the next one: neither commission is the other's."""
    first = await walk.order({"Lantern": 1}, PAID)
    await walk.comes_to(first, ("50.00", "HOLD", "2.50"))
    await asyncio.sleep(SECOND)
    await walk.php(f"act_restore( {first} ); return true;")
    second = await walk.order({"Rope": 1}, PAID)
    assert second == first
    await walk.queue()

    async def told() -> bool:
        return any("Another order came under a number that is known" in problem for problem in await walk.problems())

    await becomes(told, due=True)
    assert await walk.earned(first) == ("50.00", "HOLD", "2.50")
    assert walk.hub is not None
    store = walk.hub.parts.store
    (known,) = await conversions_of_order(store, system_clock, str(first))
    assert (await separate_orders(store, system_clock, known.id))["orders"] == [f"{first}~2"]

    async def of_its_own() -> list[tuple[str, str, str]]:
        found = await conversions_of_order(store, system_clock, f"{first}~2")
        return [(each.order_amount, each.commission.state, each.commission.amount) for each in found if each.commission]

    await becomes(of_its_own, [("20.00", "HOLD", "1.00")])
    await walk.change(second, "$order->update_status( 'cancelled' );")
    await walk.queue()
    await becomes(of_its_own, [("20.00", "REJECTED", "1.00")])
    assert await walk.earned(first) == ("50.00", "HOLD", "2.50")


@pytest.mark.usefixtures("keys")
class TestAsked:
    """Without the plugin: only what the platform answers is known."""

    async def test_a_reading_asks_for_orders_that_it_did_not_show(self, walk: Walk, keys: dict[str, str]) -> None:
        order = await walk.order({"Lantern": 1}, PAID)
        await give_credentials(platforms_of(walk), walk.connection_id, keys, days=1)
        await becomes(lambda: walk.earned(order), ("50.00", "HOLD", "2.50"))
        await walk.php(f"act_restore( {order} ); return true;")
        await ask_for_read(platforms_of(walk), walk.connection_id, since="1d")
        await becomes(lambda: walk.earned(order), ("50.00", "REJECTED", "2.50"))

    async def test_several_orders_are_shown_by_one_request(self, walk: Walk, keys: dict[str, str]) -> None:
        """Not one in the trash, nor one that is gone: each of these is asked for alone."""
        shown = [await walk.order({"Lantern": 1}, PAID) for _ in range(2)]
        trashed, gone = await walk.order({"Rope": 1}, "$order->delete();"), await walk.order({"Rope": 1}, PAID)
        await walk.php(f"act_restore( {gone} ); return true;")
        platforms, store = platforms_of(walk), walk.hub.parts.store if walk.hub is not None else None
        assert store is not None
        await give_credentials(platforms, walk.connection_id, keys, days=0)
        async with store.read() as tx:
            row = await connection_row(tx, walk.connection_id)
        async with platforms.asked(await platforms.load(row["account_id"], walk.connection_id)) as client:
            several = client.requests.several
            assert several is not None
            asked = {"ids": ",".join(str(each) for each in (*shown, trashed, gone))}
            page = await client.page(several, asked, Place())
        assert [each["id"] for each in page.items] == shown
