"""A real WooCommerce loses nothing: connecting, following the package, outages of every length, copies of the shop."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from hub.operations.connections.connections import add_secret, change_site, expire_secret, show_connection
from tests.woocommerce.shop import missing
from tests.woocommerce.walk import ACTIVATE, FIGURES, FORGET, Walk, becomes

if (why := missing()) is not None:
    pytest.skip(f"NO REAL WOOCOMMERCE WAS TRIED: {why}", allow_module_level=True)


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

    async def test_an_order_before_the_daily_look_arrives_too(self, walk: Walk) -> None:
        await walk.php("return act_orphan();")
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("20.00", "HOLD", "1.00"))
        assert not any("orders" in fault for fault in await walk.php("return affiliate_hub_faults();"))

    async def test_what_waits_and_changes_while_the_plugin_is_off_arrives(self, walk: Walk) -> None:
        """An order that the hub has not taken yet, one deleted for good, and one placed while the plugin is off."""
        deleted = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(deleted, ("20.00", "HOLD", "1.00"))
        clicks = [await walk.click() for _ in range(2)]
        await walk.stop()
        waiting = await walk.orders_by(clicks[:1], {"Lantern": 1}, "$order->payment_complete();")
        await walk.change(deleted, "$order->delete( true );")
        assert await walk.php("return act_fail( 1 );") > 0
        await walk.php("deactivate_plugins( 'affiliate-hub/affiliate-hub.php' ); return act_run_queue();")
        orders = await walk.orders_by(clicks[1:], {"Lantern": 1}, "$order->payment_complete();")
        await walk.php("return act_run_actions();")
        await walk.start()
        await walk.php(ACTIVATE)
        for order in waiting + orders:
            await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        await walk.comes_to(deleted, ("20.00", "REJECTED", "1.00"))

    async def test_a_new_package_is_enough_for_a_new_secret(self, walk: Walk) -> None:
        """Uploaded over the old one, with no button pressed: the very next order is signed anew."""
        old = (await show_connection(walk.admin, walk.connection_id)).secrets[0].id
        await add_secret(walk.admin, walk.connection_id, None)
        await expire_secret(walk.admin, walk.connection_id, old, None)
        await walk.upload()
        await asyncio.sleep(2.1)  # the hub may know a connection's secrets for two seconds
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_a_package_of_another_connection_moves_the_webhooks(self, walk: Walk) -> None:
        """From test to live, likewise: the next order is a live one."""
        first = walk.connection_id
        assert await walk.connect("live") != first
        assert await walk.php(
            "return wc_get_webhook( affiliate_hub_known()['order.created'] )->get_delivery_url();"
        ) == (f"http://127.0.0.1:{walk.port}/connect/{walk.connection_id}")
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();", "live")
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        assert await walk.mode_of(order) == "live"

    async def test_the_page_proves_the_secret_both_ways(self, walk: Walk) -> None:
        """A right secret, a wrong one, and something else that answers 200 at the address."""
        assert await walk.php("return act_prove( 'right' );") == ""
        assert "refused the signature" in await walk.php("return act_prove( 'wrong' );")
        assert "not your hub" in await walk.php("return act_prove( 'other' );")

    async def test_nothing_is_left_after_uninstalling(self, walk: Walk) -> None:
        await walk.order({"Rope": 1})
        assert await walk.php("return act_delete_plugin();") == [[], [], []]

    async def test_nothing_is_left_where_woocommerce_goes_first(self, walk: Walk) -> None:
        """Both are deactivated, and the plugin is deleted when no function of WooCommerce is there."""
        await walk.order({"Rope": 1})
        off = "deactivate_plugins( array( 'affiliate-hub/affiliate-hub.php', 'woocommerce/woocommerce.php' ) );"
        await walk.php(off + "return true;")
        try:
            assert await walk.php(FORGET)
        finally:
            left = await walk.php("activate_plugin( 'woocommerce/woocommerce.php' ); return act_left();")
        assert left == [[], [], []]


class TestTheCheck:
    async def test_webhooks_whose_owner_may_not_read_orders_are_named(self, walk: Walk) -> None:
        """WooCommerce sends an error instead of the order: each is a problem with the order's mend beside it."""
        walk.is_unreadable = True
        await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.php("act_nobody(); return act_run_queue();")

        async def named() -> bool:
            return any("may no longer read" in problem for problem in await walk.problems())

        await becomes(named, True)

    async def test_a_secret_that_was_changed_on_one_side_is_named(self, walk: Walk) -> None:
        old = (await show_connection(walk.admin, walk.connection_id)).secrets[0].id
        await add_secret(walk.admin, walk.connection_id, None)
        await expire_secret(walk.admin, walk.connection_id, old, None)
        await asyncio.sleep(2.1)  # the hub may know a connection's secrets for two seconds
        await walk.order({"Rope": 1}, "$order->payment_complete();")
        assert await walk.queue() > 0

        async def named() -> bool:
            return any("refused within a day for their signature" in problem for problem in await walk.problems())

        await becomes(named, True)


class TestOutages:
    @pytest.mark.parametrize(
        ("length", "attempts"), [("1 minute", 1), ("31 minutes", 5), ("8 hours", 9), ("2 days", 16), ("6 days", 32)]
    )
    async def test_orders_of_an_outage_all_arrive(self, walk: Walk, length: str, attempts: int) -> None:
        """Orders while the hub is down: none is lost, no webhook is turned off, and the owner sees a notice."""
        clicks = [await walk.click() for _ in range(4)]
        await walk.stop()
        orders = await walk.orders_by(clicks, {"Lantern": 1, "Rope": 1}, "$order->payment_complete();")
        assert await walk.php(f"return act_fail( {attempts} );") >= len(orders)
        assert await walk.php("return affiliate_hub_faults();") == []
        assert "has not taken deliveries" in await walk.php("return act_notices();")
        await walk.start()
        for order in orders:
            await walk.comes_to(order, ("70.00", "HOLD", "3.50"))
        assert await walk.queue() == 0
        assert await walk.php("return get_option( 'affiliate_hub_failing' );") is False
        FIGURES.outages[length] = FIGURES.outages.get(length, 0) + len(orders)

    async def test_the_first_answer_after_hours_sends_the_rest(self, walk: Walk) -> None:
        """Their own next attempt would be hours away."""
        clicks = [await walk.click() for _ in range(5)]
        await walk.stop()
        orders = await walk.orders_by(clicks[:4], {"Lantern": 1}, "$order->payment_complete();")
        assert await walk.php("return act_fail( 9 );") >= len(orders)
        assert await walk.php("act_hours( 8 ); return act_run_due();") >= len(orders)
        await walk.start()
        orders += await walk.orders_by(clicks[4:], {"Lantern": 1}, "$order->payment_complete();")

        async def runs() -> int:
            return int(await walk.php("return act_run_due();"))

        await becomes(runs, 0)
        for order in orders:
            await becomes(partial(walk.earned, order), ("50.00", "HOLD", "2.50"))
        FIGURES.outages["8 hours, by wp-cron alone"] = len(orders)

    async def test_a_delivery_that_is_stopped_in_the_middle_is_made_again(self, walk: Walk) -> None:
        """PHP ends while it delivers, at the first attempt and at the second."""
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        assert await walk.php("return act_crash();") > 0
        assert await walk.php("return act_crash();") > 0
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))

    async def test_an_order_deleted_before_it_was_sent_is_no_problem(self, walk: Walk) -> None:
        """What was to be sent of it is an error by then; `connected` sees that nothing of it is called unreadable."""
        order = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.change(order, "$order->delete( true );")
        seen = await walk.order({"Rope": 1}, "$order->payment_complete();")
        await walk.comes_to(seen, ("20.00", "HOLD", "1.00"))

    @pytest.mark.parametrize("by", ["the daily look", "the page's button", "the next order"])
    async def test_orders_of_an_outage_beyond_the_week_come_back(self, walk: Walk, by: str) -> None:
        """What is given up after a week is sent again once the hub answers."""
        clicks = [await walk.click() for _ in range(2)]
        await walk.stop()
        orders = await walk.orders_by(clicks, {"Lantern": 1}, "$order->payment_complete();")
        assert await walk.php("return act_fail( 40 );") == 0
        await walk.start()
        if by == "the daily look":
            await walk.php("do_action( 'affiliate_hub_daily' ); return true;")
        elif by == "the page's button":
            assert await walk.php("return act_mend();") == ""
        else:
            orders.append(await walk.order({"Lantern": 1}, "$order->payment_complete();"))
            await walk.queue()
        for order in orders:
            await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
        FIGURES.outages["8 days"] = FIGURES.outages.get("8 days", 0) + 2

    async def test_without_the_plugins_queue_they_would_be_lost(self, walk: Walk) -> None:
        """The control: WooCommerce alone sends nothing again, and turns its webhooks off."""
        clicks = [await walk.click() for _ in range(7)]
        await walk.stop()
        orders = await walk.orders_by(clicks, {"Lantern": 1}, "act_without_queue(); $order->payment_complete();")
        assert await walk.php("act_without_queue(); return act_fail( 2 );") == 0
        await walk.start()
        assert await walk.queue() == 0
        assert [await walk.earned(order) for order in orders] == [None] * 7
        assert any("disabled" in fault for fault in await walk.php("return affiliate_hub_faults();"))

    async def test_what_was_lost_before_is_sent_again_on_request(self, walk: Walk) -> None:
        """For orders from before the plugin kept what failed: everything that changed since a date."""
        order = await walk.order({"Rope": 2}, "$order->payment_complete();")
        await walk.php("as_unschedule_all_actions( 'woocommerce_deliver_webhook_async' ); return true;")
        assert await walk.queue() == 0
        assert await walk.earned(order) is None
        await walk.php("affiliate_hub_resend_since( time() - DAY_IN_SECONDS ); return true;")
        await walk.comes_to(order, ("40.00", "HOLD", "2.00"))

    async def test_a_copy_of_the_shop_goes_quiet(self, walk: Walk) -> None:
        """A clone with the same webhooks sends nothing, until its owner says that the shop moved; then what it has."""
        first = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        await walk.comes_to(first, ("50.00", "HOLD", "2.50"))
        await walk.php("update_option( 'home', 'http://staging.example' ); return true;")
        order = await walk.order({"Lantern": 1}, "$order->payment_complete();")
        assert await walk.queue() == 0
        assert await walk.earned(order) is None
        notice = await walk.php("return act_notices();")
        assert "copy of the shop" in notice
        await walk.php("affiliate_hub_move_here(); return true;")
        await change_site(walk.admin, walk.connection_id, None)
        await asyncio.sleep(2.1)  # the hub may know a connection's site for two seconds
        await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
