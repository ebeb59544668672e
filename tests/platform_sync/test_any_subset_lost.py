"""Whichever deliveries of a real platform are lost, and in whichever order the rest comes: one reading, same ledger."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.api import Play
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.connections.platform_access import ask_for_read, give_credentials
from hub.platform_sync.access import Platforms
from hub.platform_sync.runner import PlatformRunner
from hub.plugin_host.registry import Registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.outbound.stand_in import Handler, serving
from tests.platform_sync.acme_shop import ROOT, SEALER, platforms_of
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, hire
from tests.standins.stores import (
    Store,
    bigcommerce_store,
    shopify_store,
    shopware_store,
    squarespace_app,
    wix_store,
    woocommerce_store,
)
from tests.standins.trouble import Sent

STORES = {
    "bigcommerce": bigcommerce_store, "shopify": shopify_store, "shopware": shopware_store,
    "squarespace": squarespace_app, "wix": wix_store, "woocommerce": woocommerce_store,
}  # fmt: skip
LIVES = [("created",), ("created", "paid"), ("created", "paid", "refunded"), ("created", "cancelled"), ("paid",)]
SAYS_WHEN_PAID = {"shopify", "wix", "woocommerce"}
"""The others do not, so there a hold begins when the hub learns of the payment."""
_numbers = count(7_000)


def each_of(stores: Iterable[str]) -> list[Any]:
    """Return the names of stores for a story of all of them: WooCommerce's is told in `make test`, too."""
    return [pytest.param(name, marks=() if name == "woocommerce" else pytest.mark.prove) for name in stores]


@frozen
class Connected:
    """A store on a stand-in, connected to a hub without its edge."""

    store: Store
    shop: Shop
    platforms: Platforms
    runner: PlatformRunner

    async def tell(self, sent: Sent) -> None:
        """Deliver what the platform sends, and fetch what it only names."""
        await self.shop.tell(sent.topic, sent.body, f"d-{next(_numbers)}", **sent.headers)
        await self.run()

    async def run(self) -> None:
        """Let the runner and the worker do all that is due."""
        while await self.runner.run_once():
            await self.shop.harness.work()
        await self.shop.harness.work()

    async def read(self) -> None:
        """Read the orders of the last days, once."""
        await ask_for_read(self.platforms, self.shop.connection_id, since="3d")
        await self.run()

    async def end(self, number: str) -> tuple[object, ...] | None:
        """Return what an order came to."""
        conversion = await self.shop.harness.conversion(number)
        commission = await self.shop.harness.commission(number)
        if conversion is None or commission is None:
            return None
        return (
            conversion["order_minor"], json.loads(conversion["lines"] or "[]"), commission["state"],
            commission["amount_minor"], commission["base_minor"],
            commission["hold_until"] if self.store.name in SAYS_WHEN_PAID else None,
        )  # fmt: skip


@asynccontextmanager
async def connected(
    harness: Harness, store: Store, face: Callable[[Handler], Handler] = lambda shop: shop
) -> AsyncIterator[Connected]:
    """Connect a store by its credentials; the hub makes its webhooks. `face` is what stands before the store."""
    async with serving(face(store.standin.answer)) as address:
        registry = Registry((store.connector_at(address),), {})
        hire(harness, registry)
        plugins = InProcessPlugins(registry)
        admin = ConnectionAdmin(harness.store, SEALER, plugins, harness.clock, ROOT)
        made = await create_connection(admin, NewConnection(harness.merchant_id, "test", store.name))
        platforms = platforms_of(harness, plugins)
        shop = Shop(harness, harness.account_id, made["id"])
        one = Connected(store, shop, platforms, PlatformRunner(platforms, harness.submissions))
        await give_credentials(platforms, made["id"], dict(store.credentials), days=0, tokens=store.tokens)
        await one.run()
        yield one


@pytest.mark.parametrize("name", each_of(STORES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LIVES), min_size=1, max_size=3), st.data())
async def test_any_subset_lost_and_one_reading_is_as_if_none_were(
    sqlite_harness: Harness, name: str, lives: list[tuple[str, ...]], data: st.DataObject
) -> None:
    """Orders that are placed, paid, refunded in part and cancelled; any of their deliveries may be lost, even all."""
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(await sqlite_harness.campaign(value="8.75"), before_ms=2 * DAY)
    async with connected(sqlite_harness, STORES[name]()) as one:
        whole = [Play(str(next(_numbers)), click, "USD", NOON) for _ in lives]
        for each in _lived(one.store, whole, lives):
            await one.tell(each)
        holed = [Play(str(next(_numbers)), click, "USD", NOON) for _ in lives]
        sent = list(_lived(one.store, holed, lives))
        arriving = [each for each in sent if data.draw(st.booleans())]
        for each in data.draw(st.permutations(arriving)):
            await one.tell(each)
        sqlite_harness.clock.now += 60 * 60_000
        await one.read()
        ends = [await one.end(play.order_id) for play in whole]
        assert None not in ends
        assert [await one.end(play.order_id) for play in holed] == ends


def _lived(store: Store, plays: list[Play], lives: list[tuple[str, ...]]) -> Iterator[Sent]:
    """Have orders live, and yield what the platform sends after each step."""
    for play, life in zip(plays, lives, strict=True):
        for step in life:
            yield from store.step(step, play)


@pytest.mark.parametrize("name", each_of(STORES))
async def test_control_without_the_reading_what_was_lost_stays_lost(sqlite_harness: Harness, name: str) -> None:
    """Else the property above would hold of a hub that asks nobody."""
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(before_ms=2 * DAY)
    async with connected(sqlite_harness, STORES[name]()) as one:
        play = Play(str(next(_numbers)), click, "USD", NOON)
        assert one.store.step("paid", play)
        await one.run()
        assert await one.end(play.order_id) is None
        await one.read()
        assert await one.end(play.order_id) is not None
