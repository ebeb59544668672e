"""What becomes of a real WooCommerce's orders: statuses, edits, ends that are taken back, and what is deleted."""

from __future__ import annotations

import asyncio

import pytest

from tests.woocommerce.walk import Walk, becomes

EDITS = {
    "removed": ("50.00", "2.50"),
    "added": ("130.00", "6.50"),
    "more": ("190.00", "9.50"),
    "coupon": ("81.00", "4.05"),
}
SECOND = 1.1
"""WooCommerce counts in seconds: what comes later must be a second later."""


class TestStatuses:
    @pytest.mark.parametrize(
        ("then", "due"),
        [
            ("$order->update_status( 'on-hold' );", ("50.00", "PENDING", "2.50")),
            ("$order->update_status( 'processing' );", ("50.00", "HOLD", "2.50")),
            ("$order->update_status( 'completed' );", ("50.00", "HOLD", "2.50")),
            ("$order->update_status( 'failed' );", ("50.00", "PENDING", "2.50")),
            ("$order->update_status( 'failed' ); $order->payment_complete();", ("50.00", "HOLD", "2.50")),
            ("$order->update_status( 'cancelled' );", ("50.00", "REJECTED", "2.50")),
            ("$order->payment_complete(); $order->update_status( 'refunded' );", ("50.00", "REJECTED", "0.00")),
        ],
        ids=["on hold", "processing", "completed", "failed", "failed, then paid", "cancelled", "refunded"],
    )
    async def test_a_status_says_what_the_order_is_worth(
        self, walk: Walk, then: str, due: tuple[str, str, str]
    ) -> None:
        order = await walk.order({"Lantern": 1}, then)
        await walk.comes_to(order, due)


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
        await asyncio.sleep(SECOND)
        await walk.change(order, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_trashed_restored_and_deleted_for_good(self, walk: Walk) -> None:
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        await walk.change(order, "$order->delete( false );")
        await walk.comes_to(order, ("20.00", "REJECTED", "1.00"))
        await asyncio.sleep(SECOND)
        await walk.change(order, "act_untrash( $order );")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        await asyncio.sleep(SECOND)
        await walk.change(order, "$order->delete( true );")
        await walk.comes_to(order, ("20.00", "REJECTED", "1.00"))

    async def test_deleted_by_the_rest_api_for_good(self, walk: Walk) -> None:
        """WooCommerce sends nothing of its own for that."""
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        assert await walk.php(f"return act_rest_delete( {order} );") == 200
        await walk.comes_to(order, ("20.00", "REJECTED", "1.00"))

    async def test_a_note_changes_nothing(self, walk: Walk) -> None:
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.change(order, "$order->add_order_note( 'Called twice.', 1 ); $order->save();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    @pytest.mark.parametrize(
        ("currency", "decimals", "each", "due"),
        [
            ("JPY", 0, "5000", ("5000", "HOLD", "250")),
            ("KWD", 3, "12.345", ("12.345", "HOLD", "0.617")),
            ("USD", 2, "19.99", ("19.99", "HOLD", "1.00")),
            ("USD", 4, "19.9951", ("20.00", "HOLD", "1.00")),
        ],
    )
    async def test_each_currency_has_its_own_decimals(
        self, walk: Walk, currency: str, decimals: int, each: str, due: tuple[str, str, str]
    ) -> None:
        """Whatever number of them the shop shows."""
        try:
            order = await walk.order({"Lantern": 1}, f"act_currency( $order, '{currency}', {decimals}, '{each}' );")
            await walk.comes_to(order, due)
        finally:
            await walk.php("return update_option( 'woocommerce_price_num_decimals', 2 );")


class TestPrivacy:
    async def test_an_erased_buyer_is_erased_in_the_hub(self, walk: Walk) -> None:
        """By WordPress's own tool: the click leaves the order, and the hub deletes what it keeps of it."""
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        assert (await walk.stored_bodies(order)) > 0
        await walk.php(f"return act_erase_buyer( {order} );")
        assert await walk.php(f"return wc_get_order( {order} )->get_meta( 'affiliate_click_id' );") == ""
        await walk.queue()
        await becomes(lambda: walk.stored_bodies(order), 0)
        assert await walk.earned(order) == ("50.00", "HOLD", "2.50")

    async def test_wordpress_own_tool_erases_in_the_hub_what_the_shop_keeps(self, walk: Walk) -> None:
        """WooCommerce's settings say by default that orders stay as they are."""
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        said = await walk.php(f"return act_erase_by_tool( {order}, 'ann@buyer.example' );")
        assert (said["items_removed"], said["done"]) == (True, True)
        await walk.queue()
        await becomes(lambda: walk.stored_bodies(order), 0)


class TestCatalogue:
    async def test_products_from_before_are_sent_after_the_activation(self, walk: Walk) -> None:
        await walk.queue()
        await becomes(walk.product_names, ["Lantern", "Rope"])

    async def test_a_variable_product_sells_out_with_its_last_variation(self, walk: Walk) -> None:
        """WooCommerce itself sends only the variation, which says nothing about its product."""
        parent = await walk.php("return act_variable();")
        await walk.queue()
        await becomes(lambda: walk.stock_of(parent), "IN_STOCK")
        await walk.php(f"return act_sell_out( {parent} );")
        await walk.queue()
        await becomes(lambda: walk.stock_of(parent), "OUT_OF_STOCK")
        await walk.php(f"return wc_get_product( {parent} )->delete( true );")

    async def test_a_product_deleted_for_good_is_sold_out(self, walk: Walk) -> None:
        product = await walk.php("return act_product( 'Candle' );")
        await walk.queue()
        await becomes(lambda: walk.stock_of(product), "IN_STOCK")
        await walk.php(f"return wc_get_product( {product} )->delete( true );")
        await walk.queue()
        await becomes(lambda: walk.stock_of(product), "OUT_OF_STOCK")
