"""What becomes of a real PrestaShop's orders: states, edits, credit slips, vouchers, and what is deleted."""

from __future__ import annotations

import asyncio

import pytest

from hub.clock import system_clock
from hub.operations.orders.conversions import conversions_of_order
from tests.store_walk import Walk, becomes

pytestmark = pytest.mark.prove
LANTERN = ("50.00", "PENDING", "2.50")
SECOND = 1.1
"""PrestaShop's times have no fractions."""


def state(name: str) -> str:
    """Return PHP that sets an order's state as the back office does."""
    return f"act_state($order, '{name}');"


PAID = state("PS_OS_PAYMENT")


class TestStates:
    @pytest.mark.parametrize(
        ("then", "due"),
        [
            (PAID, ("50.00", "HOLD", "2.50")),
            (state("PS_OS_PREPARATION"), ("50.00", "HOLD", "2.50")),
            (PAID + state("PS_OS_DELIVERED"), ("50.00", "HOLD", "2.50")),
            (state("PS_OS_ERROR"), LANTERN),
            (state("PS_OS_CANCELED"), ("50.00", "REJECTED", "2.50")),
            (PAID + state("PS_OS_REFUND"), ("50.00", "REJECTED", "2.50")),
        ],
        ids=["paid", "in preparation", "delivered", "payment error", "cancelled", "refunded"],
    )
    async def test_a_state_says_what_the_order_is_worth(self, walk: Walk, then: str, due: tuple[str, str, str]) -> None:
        order = await walk.order({"Lantern": 1})
        await walk.comes_to(order, LANTERN)
        await walk.change(order, then)
        await walk.comes_to(order, due)

    async def test_money_after_a_cancel_counts(self, walk: Walk) -> None:
        order = await walk.order({"Lantern": 1})
        await walk.change(order, state("PS_OS_CANCELED"))
        await walk.comes_to(order, ("50.00", "REJECTED", "2.50"))
        await asyncio.sleep(SECOND)
        await walk.change(order, PAID)
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))


class TestOrdersThatChange:
    @pytest.mark.parametrize(
        ("edit", "due"),
        [
            ("act_take_out($order, ROPE);", ("50.00", "2.50")),
            ("act_add($order, CANDLE, 2, 10);", ("90.00", "4.50")),
            ("act_pieces($order, ROPE, 5, 20);", ("150.00", "7.50")),
            ("act_pieces($order, ROPE, 1, 15);", ("65.00", "3.25")),
            ("act_reduce($order, 10);", ("63.00", "3.15")),
        ],
        ids=["removed", "added", "more", "cheaper", "reduced"],
    )
    async def test_an_edit_counts(self, walk: Walk, edit: str, due: tuple[str, str]) -> None:
        """In the back office, which changes no state: before the payment, after the first sight."""
        candle = await walk.php("return act_product('Candle', 10);")
        order = await walk.order({"Lantern": 1, "Rope": 1})
        await walk.comes_to(order, ("70.00", "PENDING", "3.50"))
        php = edit.replace("ROPE", str(walk.shop.products["Rope"])).replace("CANDLE", str(candle))
        await asyncio.sleep(SECOND)
        await walk.change(order, php)
        await walk.comes_to(order, (due[0], "PENDING", due[1]))
        await walk.change(order, PAID)
        await walk.comes_to(order, (due[0], "HOLD", due[1]))

    async def test_an_order_that_is_deleted_is_gone(self, walk: Walk) -> None:
        """By another module, since PrestaShop has no button for it."""
        order = await walk.order({"Lantern": 1}, PAID_AT_ONCE)
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        await asyncio.sleep(SECOND)
        await walk.change(order, "$order->delete();")
        await walk.comes_to(order, ("50.00", "REJECTED", "2.50"))

    async def test_a_shop_that_was_restored_gives_a_number_to_another_order(self, walk: Walk) -> None:
        """Neither commission is the other's, and the check says what happened."""
        first = await walk.order({"Lantern": 1}, PAID_AT_ONCE)
        await walk.comes_to(first, ("50.00", "HOLD", "2.50"))
        await asyncio.sleep(SECOND)
        await walk.php(f"act_restore({first}); return true;")
        second = await walk.order({"Rope": 1}, PAID_AT_ONCE)
        assert second == first
        await walk.queue()

        async def told() -> bool:
            return any("Another order came under a number that is known" in each for each in await walk.problems())

        await becomes(told, due=True)
        assert await walk.earned(first) == ("50.00", "HOLD", "2.50")


PAID_AT_ONCE = (
    "$history = new OrderHistory(); $history->id_order = $order->id;"
    "$history->changeIdOrderState((int) Configuration::get('PS_OS_PAYMENT'), $order->id); $history->addWithemail();"
)
"""As a payment module does it."""


class TestCreditSlips:
    @pytest.mark.parametrize(
        ("refund", "left"),
        [
            ("act_refund($order, LANTERN, 1, 60);", ("140.00", "HOLD", "4.50")),
            ("act_refund($order, LANTERN, 2, 120);", ("140.00", "HOLD", "2.00")),
            ("act_refund($order, LANTERN, 1, 24);", ("140.00", "HOLD", "6.00")),
            ("act_refund($order, LANTERN, 1, 60); act_refund($order, ROPE, 1, 24);", ("140.00", "HOLD", "3.50")),
            ("act_refund($order, LANTERN, 1, 60, 5);", ("140.00", "HOLD", "4.50")),
            ("act_refund($order, 0, 0, 0, 5);", ("140.00", "HOLD", "7.00")),
        ],
        ids=["a piece", "a line", "a part of a piece's money", "two slips", "with shipping", "shipping alone"],
    )
    async def test_only_what_went_back_is_taken_back(self, walk: Walk, refund: str, left: tuple[str, str, str]) -> None:
        order = await walk.order({"Lantern": 2, "Rope": 2}, PAID_AT_ONCE)
        await walk.comes_to(order, ("140.00", "HOLD", "7.00"))
        await asyncio.sleep(SECOND)
        products = walk.shop.products
        await walk.change(
            order, refund.replace("LANTERN", str(products["Lantern"])).replace("ROPE", str(products["Rope"]))
        )
        await walk.comes_to(order, left)

    async def test_a_slip_that_is_deleted_is_undone(self, walk: Walk) -> None:
        """By another module: a slip that is gone took nothing back."""
        order = await walk.order({"Lantern": 2}, PAID_AT_ONCE)
        await walk.comes_to(order, ("100.00", "HOLD", "5.00"))
        await walk.change(order, f"act_refund($order, {walk.shop.products['Lantern']}, 1, 60);")
        await walk.comes_to(order, ("100.00", "HOLD", "2.50"))
        await asyncio.sleep(SECOND)
        await walk.change(order, "foreach ($order->getOrderSlipsCollection() as $slip) { $slip->delete(); }")
        await walk.comes_to(order, ("100.00", "HOLD", "5.00"))


class TestPrices:
    @pytest.mark.parametrize(
        ("gives", "due"),
        [
            ({"reduction_percent": 10}, ("63.00", "3.15")),
            ({"reduction_amount": 12}, ("60.00", "3.00")),
            ({"free_shipping": 1}, ("70.00", "3.50")),
            ({"reduction_percent": 10, "free_shipping": 1}, ("63.00", "3.15")),
        ],
        ids=["percent", "an amount with tax", "free shipping", "both"],
    )
    async def test_a_voucher_takes_off_the_goods_and_nothing_else(
        self, walk: Walk, gives: dict[str, int], due: tuple[str, str]
    ) -> None:
        code = "V" + "".join(sorted(name[0] for name in gives)) + str(sum(gives.values()))
        php = ", ".join(f"'{name}' => {value}" for name, value in gives.items())
        await walk.php(f"return act_voucher('{code}', [{php}]);")
        products = walk.shop.products
        lines = f"{products['Lantern']} => 1, {products['Rope']} => 1"
        order = await walk.php(f"return act_order('{await walk.click()}', [{lines}], '{code}');")
        await walk.comes_to(order, (due[0], "PENDING", due[1]))
        assert walk.hub is not None
        (found,) = await conversions_of_order(walk.hub.parts.store, system_clock, str(order))
        assert found.order_amount == due[0]

    async def test_a_shop_whose_commissions_are_from_prices_with_tax(self, walk: Walk) -> None:
        """By the connection's option: 20 % on top, also of what goes back."""
        await walk.connect(options=["tax=included"])
        order = await walk.order({"Lantern": 2}, PAID_AT_ONCE)
        await walk.comes_to(order, ("120.00", "HOLD", "6.00"))
        await walk.change(order, f"act_refund($order, {walk.shop.products['Lantern']}, 1, 60);")
        await walk.comes_to(order, ("120.00", "HOLD", "3.00"))
