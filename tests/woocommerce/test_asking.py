"""A real WooCommerce that is asked: without any plugin, nothing is lost in an outage that turns its webhooks off."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hub.operations.connections.platform_access import (
    ask_for_read,
    delete_credentials,
    give_credentials,
    look_at_webhooks,
)
from hub.operations.connections.platform_view import show_platform
from tests.woocommerce.walk import FIGURES, FORGET, Walk, becomes, platforms_of

PAID = "$order->payment_complete();"
WEBHOOKS = 8


@pytest.fixture
async def keys(walk: Walk, web_port: int) -> AsyncIterator[dict[str, str]]:
    """Take the plugin away, and make keys as WooCommerce > Settings > Advanced > REST API does.

    At the end the webhooks that the hub made are deleted, since the next test has the same shop.
    """
    await walk.php(FORGET)
    key, secret = await walk.php("return act_api_key();")
    yield {"site": f"http://127.0.0.1:{web_port}", "key": key, "secret": secret}
    await delete_credentials(platforms_of(walk), walk.connection_id)


async def test_an_outage_loses_nothing_without_the_plugin(walk: Walk, keys: dict[str, str]) -> None:
    """The hub makes the webhooks; after the outage it asks for what changed and wakes those that were turned off."""
    given = await give_credentials(platforms_of(walk), walk.connection_id, keys, days=1)
    assert (given["currency"], given["webhookFault"], len(given["webhooksMade"])) == ("EUR", None, WEBHOOKS)
    order = await walk.order({"Lantern": 1}, PAID)
    await walk.comes_to(order, ("50.00", "HOLD", "2.50"))
    clicks = [await walk.click() for _ in range(8)]
    await walk.stop()
    orders = await walk.orders_by(clicks, {"Lantern": 1, "Rope": 1}, PAID)
    assert await walk.php("act_run_actions(); return act_webhook_states();") == ["disabled"]
    await walk.start()
    platforms = platforms_of(walk)
    assert [await walk.earned(order) for order in orders] == [None] * 8
    await ask_for_read(platforms, walk.connection_id, since="1d")

    async def all_earned() -> set[tuple[str, str, str] | None]:
        return {await walk.earned(order) for order in orders}

    await becomes(all_earned, {("70.00", "HOLD", "3.50")})
    await look_at_webhooks(platforms, walk.connection_id)
    assert await walk.php("return act_webhook_states();") == ["active"]
    after = await walk.order({"Rope": 1}, PAID)
    await walk.comes_to(after, ("20.00", "HOLD", "1.00"))
    FIGURES.outages["until the webhooks are off, without the plugin"] = len(orders)


async def test_the_catalogue_and_orders_from_before_are_read(walk: Walk, keys: dict[str, str]) -> None:
    """Credentials are all that a shop needs to give: what was before the connection is read."""
    order = await walk.order({"Lantern": 1}, PAID)
    await give_credentials(platforms_of(walk), walk.connection_id, keys, days=1)
    await becomes(lambda: walk.earned(order), ("50.00", "HOLD", "2.50"))
    await becomes(walk.product_names, ["Lantern", "Rope"])

    async def readings() -> set[str]:
        shown = await show_platform(platforms_of(walk), walk.connection_id)
        return {each["status"] for each in shown["reads"]}

    await becomes(readings, {"DONE"})
