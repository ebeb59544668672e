"""The demo as it runs: the hub on one port, the shop on another, until Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web
from attrs import frozen

from hub.app import Hub, StartFault, running
from hub.clock import Clock, system_clock
from hub.config.settings import Settings
from hub.demo.clock import DemoClock
from hub.demo.goods import CURRENCY, GOODS
from hub.demo.history import DAY_MS
from hub.demo.merchant import MerchantClient
from hub.demo.mistakes import ask_merchant
from hub.demo.network import HOLD, Seller, create_network, open_links
from hub.demo.orders import ShopOrders
from hub.demo.play import play_history
from hub.demo.shop import Shop, create_shop
from hub.demo.stage import (
    JOIN_PAGE,
    Affiliate,
    Merchant,
    SignInLink,
    connect_store,
    create_users,
    engage_affiliate,
    launch_campaign,
    open_merchant,
    sweep,
)
from hub.demo.walk import SETTINGS_FILE, Places, write_settings
from hub.ids import made_at
from hub.operations.affiliates.join_pages import set_join_page
from hub.operations.affiliates.memberships import Member, set_membership
from hub.operations.campaigns.campaigns import DEFAULT_HOLD, set_campaign_hold, set_campaign_listing
from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.orders.conversions import conversions_of_order
from hub.plugin_host.translation import Plugins
from hub.records.wire import write
from hub.sealing import load_sealer

HISTORY_DAYS = 42


async def run_demo(settings: Settings, shop_port: int, announce: Callable[[Places], Any]) -> None:
    """Serve hub and shop until SIGTERM or SIGINT; call `announce` with the addresses once both can be used."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop.set)
    async with demo(settings, shop_port) as places:
        announce(places)
        await stop.wait()


@asynccontextmanager
async def demo(
    settings: Settings,
    shop_port: int,
    real_clock: Clock = system_clock,
    *,
    days: int = HISTORY_DAYS,
    plugins: Plugins | None = None,
) -> AsyncIterator[Places]:
    """Serve a hub over a fresh SQLite file and the shop beside it, for as long as the block lasts.

    Before the block begins, a history of `days` days is played against the hub, none if it is 0. If `shop_port` is
    taken, the shop gets a free one. `plugins` are as those of a hub. Raise `StoreBusy` if a demo over this file runs
    already.
    """
    clock = DemoClock(real_clock)
    database = settings.database.path
    if database is None:
        raise StartFault("The demo lives in an SQLite file; name one with sqlite:///.")
    sweep(database)
    with _listener(settings.server.host, shop_port) as listener:
        async with running(settings, clock=clock, plugins=plugins) as hub, aiohttp.ClientSession() as session:
            shop_url = _beside(hub.server.public_url, listener.getsockname()[1])
            with made_at(clock):
                setup = await _set_up(hub, session, shop_url, clock, days)
            merchant, affiliate, client = setup.merchant, setup.affiliate, setup.client
            shop = Shop(client, _finder(hub, merchant, clock), clock, affiliate.name, ShopOrders())
            async with _serving(create_shop(shop), listener):
                connection_id = await connect_store(_connection_admin(hub, clock), merchant.merchant_id)
                public_url = hub.server.public_url
                sign_in_links = await create_users(
                    hub.parts.store, hub.parts.sealer, clock, public_url, merchant, affiliate
                )
                places = _places(hub, database, setup, shop_url, connection_id, sign_in_links)
                write_settings(places)
                yield places


@frozen
class ShopSetup:
    """The demo's merchant, its affiliate, and the client of its shop."""

    merchant: Merchant
    affiliate: Affiliate
    client: MerchantClient


async def _set_up(hub: Hub, session: aiohttp.ClientSession, shop_url: str, clock: DemoClock, days: int) -> ShopSetup:
    store, public_url, sealer = hub.parts.store, hub.server.public_url, load_sealer(hub.parts.settings)
    end = clock()
    start = end - days * DAY_MS
    clock.set_to(start)
    merchant = await open_merchant(store, sealer, clock, urlsplit(shop_url).netloc)
    client = MerchantClient(session, f"{public_url}/api", merchant.key, clock)
    campaign_id = await launch_campaign(store, clock, client, shop_url)
    affiliate = await engage_affiliate(store, clock, merchant, campaign_id, public_url)
    await set_campaign_listing(store, clock, campaign_id, listed=True)
    await set_join_page(store, clock, merchant.account_id, JOIN_PAGE)
    await set_membership(store, clock, Member(campaign_id, affiliate.affiliate_id), "APPROVED")
    if days:
        prices = {number: good.price for number, good in GOODS.items()}
        shop = Seller(merchant.merchant_id, merchant.account_id, client, CURRENCY, prices, "F")
        network = await create_network(store, sealer, clock, session, f"{public_url}/api")
        links = await open_links(store, clock, public_url, (shop, campaign_id, affiliate.affiliate_id), network)
        await set_campaign_hold(store, clock, campaign_id, HOLD)
        await play_history(hub, clock, client, links, (start, end))
        await set_campaign_hold(store, clock, campaign_id, DEFAULT_HOLD)
        await ask_merchant(store, clock, affiliate.affiliate_id, merchant.merchant_id)
    clock.release()
    return ShopSetup(merchant, affiliate, client)


def _connection_admin(hub: Hub, clock: Clock) -> ConnectionAdmin:
    return ConnectionAdmin(
        store=hub.parts.store,
        sealer=load_sealer(hub.parts.settings),
        plugins=hub.parts.plugins,
        clock=clock,
        root=hub.server.public_url,
    )


def _finder(hub: Hub, merchant: Merchant, clock: Clock) -> Callable[[str], Any]:
    async def find(number: str) -> dict[str, Any] | None:
        found = await conversions_of_order(hub.parts.store, clock, number, merchant.merchant_id)
        return write(found[0]) if found else None

    return find


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError:
        return socket.create_server((host, 0), family=family)


def _beside(url: str, port: int) -> str:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"http://{host}:{port}"


@asynccontextmanager
async def _serving(application: web.Application, listener: socket.socket) -> AsyncIterator[None]:
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await runner.cleanup()


def _places(
    hub: Hub,
    database: Path,
    setup: ShopSetup,
    shop_url: str,
    connection_id: str | None,
    links: tuple[SignInLink, ...],
) -> Places:
    return Places(
        hub_url=hub.server.public_url,
        shop_url=shop_url,
        link=setup.affiliate.link,
        merchant_id=setup.merchant.merchant_id,
        connection_id=connection_id,
        affiliate=setup.affiliate.name,
        database_url=f"sqlite:///{database.absolute()}",
        key_id=setup.merchant.key.key_id,
        secret=setup.merchant.key.secret,
        hold_seconds=hub.parts.settings.commission.hold / 1000,
        settings_file=database.with_name(SETTINGS_FILE),
        sign_in_links=links,
    )
