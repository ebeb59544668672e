"""Whole stores against a real hub: connected by credentials alone, half of their webhooks lost, all there at last."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import field, frozen
from yarl import URL

from hub.api import Play
from hub.app import Hub
from hub.clock import system_clock
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.connections.consents import begin_consent, return_from_platform
from hub.operations.connections.platform_access import (
    ask_for_read,
    give_credentials,
    look_at_webhooks,
)
from hub.operations.connections.platform_apps import set_app
from hub.operations.connections.platform_view import show_platform
from hub.operations.orders.conversions import conversions_of_order
from hub.platform_sync.access import Platforms
from hub.plugin_host.registry import Registry
from hub.sealing import load_sealer
from hub.testing.in_process_plugins import InProcessPlugins
from tests.outbound.stand_in import LOCAL, serving
from tests.polling import until
from tests.served_hub import new_merchant, served
from tests.standins import shopify
from tests.standins.bigcommerce import BigCommerce
from tests.standins.shopify import Shopify
from tests.standins.stores import Store, bigcommerce_store, shopify_store
from tests.standins.trouble import Sent

LOCALLY = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8", "HUB_OUTBOUND_HOST_PER_SECOND": "0"}
ENDS = {"created": ("PENDING", "2.50"), "paid": ("HOLD", "2.50"), "cancelled": ("REJECTED", "2.50"),
        "refunded": ("HOLD", "1.75")}  # fmt: skip
HISTORIES = [("created", "paid"), ("created", "paid", "refunded"), ("created", "cancelled"), ("created",)] * 3


@frozen
class Connected:
    """A store that is connected to a hub."""

    store: Store
    hub: Hub
    platforms: Platforms
    merchant_id: str
    affiliate_id: str
    connection_id: str
    session: aiohttp.ClientSession = field(repr=False)

    async def click(self) -> str:
        link = await create_link(
            self.hub.parts.store, system_clock, self.hub.url, NewLink(self.merchant_id, "test", self.affiliate_id)
        )
        headers = {"User-Agent": "Mozilla/5.0 Firefox/140"}
        async with self.session.get(link.url, headers=headers, allow_redirects=False) as reply:
            return str(URL(reply.headers["Location"]).query["affiliate_click_id"])

    async def send(self, deliveries: list[Sent]) -> None:
        for each in deliveries:
            async with self.session.post(each.url, data=each.body, headers=each.headers) as reply:
                assert reply.status == 200, (each.topic, await reply.text())

    async def earned(self, order_id: str) -> tuple[str, str] | None:
        found = await conversions_of_order(self.hub.parts.store, system_clock, order_id)
        commission = found[0].commission if found else None
        return None if commission is None else (commission.state, commission.amount)

    async def ask_now(self) -> None:
        """Have the hub ask for what is due, without waiting for its next look."""
        assert self.hub.parts.asker is not None
        await self.hub.parts.asker.run_once()

    async def read_all(self) -> int:
        """Ask the platform for the orders of the last day; return how many of them the hub did not know."""
        read_id = await ask_for_read(self.platforms, self.connection_id, since="1d")

        async def done() -> bool:
            await self.ask_now()
            reads = (await show_platform(self.platforms, self.connection_id))["reads"]
            return next(each["status"] for each in reads if each["id"] == read_id) == "DONE"

        await until(done)
        reads = (await show_platform(self.platforms, self.connection_id))["reads"]
        return int(next(each["unknownOrders"] for each in reads if each["id"] == read_id))


@asynccontextmanager
async def connected(store: Store, folder: Path) -> AsyncIterator[Connected]:
    """Connect a store by its credentials alone: the hub makes its webhooks."""
    async with serving(store.standin.answer) as address, aiohttp.ClientSession() as session:
        here = store.connector_at(address)
        plugins = InProcessPlugins(Registry((here,), {}))
        url = f"sqlite:///{folder}/hub.db"
        async with served(url, system_clock, plugins, **LOCALLY) as hub:
            sealer = load_sealer(hub.parts.settings)

            async def at() -> str:
                return hub.url

            outbox = Outbox(sealer, is_on=False)
            platforms = Platforms(hub.parts.store, sealer, plugins, system_clock, outbox, at, LOCAL)
            admin = ConnectionAdmin(hub.parts.store, sealer, plugins, system_clock, hub.url)
            merchant_id = await new_merchant(hub, system_clock, approve=True)
            affiliate = await create_affiliate(hub.parts.store, system_clock, name="Ada", email="ada@blog.example")
            made = await create_connection(admin, NewConnection(merchant_id, "test", store.name))
            yield Connected(store, hub, platforms, merchant_id, affiliate.id, made["id"], session)


@pytest.mark.parametrize("make", [bigcommerce_store, shopify_store], ids=["bigcommerce", "shopify"])
async def test_whatever_webhooks_are_lost_one_reading_finds_every_order(
    make: Callable[[], Store], tmp_path: Path
) -> None:
    """Twelve orders; of each third one nothing arrives, of each other one the last news is lost."""
    async with connected(make(), tmp_path) as one:
        given = await give_credentials(one.platforms, one.connection_id, one.store.credentials, days=0)
        requests = one.store.connector.requests
        assert requests is not None
        assert requests.webhooks is not None
        assert (sorted(given["webhooksMade"]), given["webhookFault"]) == (sorted(requests.webhooks.topics), None)
        now = system_clock()
        plays = [Play(str(7_000 + number), await one.click(), "USD", now) for number in range(len(HISTORIES))]
        lost = []
        for number, (play, history) in enumerate(zip(plays, HISTORIES, strict=True)):
            for name in history:
                sent = one.store.step(name, play)
                assert sent
                if number % 3 == 0 or (number % 3 == 1 and name == history[-1]):
                    lost += sent
                else:
                    await one.send(sent)
        ends = {play.order_id: ENDS[history[-1]] for play, history in zip(plays, HISTORIES, strict=True)}
        arrived = {play.order_id for number, play in enumerate(plays) if number % 3 == 2}

        async def those_that_arrived() -> bool:
            await one.ask_now()
            return all([await one.earned(order) == ends[order] for order in arrived])

        await until(those_that_arrived)
        assert len(lost) > len(plays) / 2
        assert await one.earned(plays[0].order_id) is None
        unknown = await one.read_all()
        assert unknown >= len(plays) // 3

        async def all_of_them() -> bool:
            await one.ask_now()
            return all([await one.earned(order) == end for order, end in ends.items()])

        await until(all_of_them)
        assert await one.read_all() == 0


@pytest.mark.parametrize("make", [bigcommerce_store, shopify_store], ids=["bigcommerce", "shopify"])
async def test_webhooks_that_the_platform_turned_off_live_again(make: Callable[[], Store], tmp_path: Path) -> None:
    """BigCommerce turns them off after 48 hours, Shopify deletes them after eight failures."""
    async with connected(make(), tmp_path) as one:
        await give_credentials(one.platforms, one.connection_id, one.store.credentials, days=0)
        assert isinstance(one.store.standin, BigCommerce | Shopify)
        hooks: list[dict[str, Any]] = list(one.store.standin.hooks.values())
        for hook in hooks[:2]:
            one.store.turn_off(hook)
        kept = await look_at_webhooks(one.platforms, one.connection_id)
        assert len(kept["made"]) == 2
        assert sorted(each["topic"] for each in kept["webhooks"] if each["alive"]) == sorted(
            hook.get("scope") or hook["topic"] for hook in hooks
        )


async def test_shopify_is_connected_by_installing_the_operators_app(tmp_path: Path) -> None:
    """The owner agrees on Shopify's page; the code that comes back, signed, becomes a token, webhooks and a secret."""
    store = shopify_store()
    async with connected(store, tmp_path) as one:
        await set_app(one.platforms, "shopify", shopify.CLIENT_ID, shopify.CLIENT_SECRET)
        page = URL(await begin_consent(one.platforms, one.connection_id, "usr_1", {"shop": shopify.SHOP}))
        assert (page.host, page.path) == (shopify.SHOP, "/admin/oauth/authorize")
        assert page.query["scope"] == "read_orders,read_products,read_fulfillments,read_inventory"
        answer = {"code": "c0de", "shop": shopify.SHOP, "state": page.query["state"], "timestamp": "1337178173"}
        signed = "&".join(f"{name}={answer[name]}" for name in sorted(answer))
        digest = hmac.digest(shopify.CLIENT_SECRET.encode(), signed.encode(), "sha256").hex()
        await return_from_platform(one.platforms, [*answer.items(), ("hmac", digest)], "usr_1")
        play = Play("8002", await one.click(), "USD", system_clock())
        sent = store.step("paid", play)
        assert sent
        await one.send(sent)

        async def earned() -> bool:
            return await one.earned("8002") == ENDS["paid"]

        await until(earned)


async def test_shopifys_privacy_topics_reach_an_app_that_is_connected_by_its_credentials(tmp_path: Path) -> None:
    """They are signed with the same client secret; a customer's request erases what is kept of the order."""
    store = shopify_store()
    assert isinstance(store.standin, Shopify)
    async with connected(store, tmp_path) as one:
        await give_credentials(one.platforms, one.connection_id, store.credentials, days=0)
        play = Play("8001", await one.click(), "USD", system_clock())
        await one.send(store.step("paid", play))

        async def earned() -> bool:
            return await one.earned("8001") == ENDS["paid"]

        await until(earned)
        body = {
            "shop_id": 690933842, "shop_domain": shopify.SHOP, "orders_to_redact": [8001],
            "customer": {"id": 191167, "email": "ann@buyer.example", "phone": "555-625-1199"},
        }  # fmt: skip
        url = f"{one.hub.url}/connect/{one.connection_id}"

        async def erased() -> bool:
            (found,) = await conversions_of_order(one.hub.parts.store, system_clock, "8001")
            return found.metadata is None

        assert not await erased()
        await one.send([store.standin.signed("customers/redact", body, url)])
        await until(erased)
        assert await one.earned("8001") == ENDS["paid"]
