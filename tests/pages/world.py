"""A merchant with people, an affiliate and one object of every kind, for tests of who may see what.

`World.ids` has a value for every name in braces of the merchant's and the affiliate's routes.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import aiohttp
from attrs import frozen
from yarl import URL

from hub.app import Hub
from hub.config.payout_section import PayoutSettings
from hub.csv_import.job import COMMAND, new_upload
from hub.csv_import.job_store import insert
from hub.domain.messages.payload_versions import newest_version
from hub.ids import new_id
from hub.operations import lists
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.join_pages import WantedPage, set_join_page
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.affiliates.materials import NewMaterial, add_material
from hub.operations.affiliates.memberships import Member, set_membership
from hub.operations.campaigns.products import show_product
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.merchants.domains import add_domain
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.books.exchange_rates import propose_rates
from hub.operations.money.payouts.payout_gathering import create_run
from hub.operations.money.payouts.payout_release import release_run
from hub.operations.money.payouts.payout_runs import Wanted
from hub.operations.money.rates.rates import draft_rate
from hub.operations.money.receipts.bank_report_runs import BankReports, read_now
from hub.operations.money.receipts.bank_report_store import Sent
from hub.operations.money.receipts.receipts import first_receipts
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.orders.order_messages import write_message
from hub.operations.orders.request_log import account_requests
from hub.operations.references import account_id_of
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
from hub.operations.webhooks.subscriptions import NewSubscription, create_subscription
from hub.records.wire import write
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, enter
from tests.polling import until
from tests.served_hub import Api, ApiKey, new_key, new_merchant

HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'


@frozen
class World:
    """Who there is, and what they have; `marks` are texts that nobody else may ever read."""

    hub: Hub
    clock: FakeClock
    name: str
    merchant_id: str
    account_id: str
    key: ApiKey
    affiliate_id: str
    ids: Mapping[str, str]

    @property
    def marks(self) -> list[str]:
        """Texts of this world alone."""
        own = [f"{self.name} order", f"{self.name} product", self.merchant_id, self.affiliate_id, self.account_id]
        return [*own, *(value for name, value in self.ids.items() if name != "mode" and len(value) > 8)]

    def address(self, path: str) -> str:
        """A route's address with this world's ids; a KeyError names what the world has to learn."""
        return path.format(**self.ids)

    async def person(self, visitor: Visitor, role: str, level: str | None = None) -> None:
        """Sign somebody in: a person of the merchant, or the affiliate."""
        email = f"{level or role}-{self.merchant_id.lower()}@people.example"
        merchant_id = self.merchant_id if role == "merchant" else None
        affiliate_id = self.affiliate_id if role == "affiliate" else None
        wanted = NewUser(email, role, merchant_id, affiliate_id, name=f"{self.name} person", level=level)
        await create_user(self.hub.parts.store, self.clock, wanted)
        await enter(visitor, self.hub, self.clock, email)


async def world_of(hub: Hub, clock: FakeClock, name: str, *, subscribed: bool = True) -> World:
    """Make a merchant's world by the hub's own ways: links, clicks, the signed API and the worker.

    `name` is part of every text that is stored, and may be hostile. `subscribed` gives the merchant and the affiliate
    a webhook each.
    """
    store = hub.parts.store
    merchant_id = await new_merchant(hub, clock, f"{name} shop", approve=True)
    key = await new_key(hub, clock, merchant_id)
    account_id = await account_id_of(store, merchant_id, "test")
    affiliate = await create_affiliate(store, clock, name=f"{name} blog", email=f"{merchant_id.lower()}@blog.example")
    link = await create_link(store, clock, hub.url, NewLink(merchant_id, "test", affiliate.id))
    async with aiohttp.ClientSession(hub.url, connector=aiohttp.TCPConnector(limit=0)) as session:
        ids = {"link": link.code, "mode": "test"}
        api = Api(session, key, clock)
        ids |= await _orders(hub, api, name, link.code)
        ids["campaign"] = (await _sent(api, "/v1/campaigns", title=f"{name} campaign"[:160]))["id"]
        await _sent(api, f"/v1/campaigns/{ids['campaign']}/activate")
    await write_message(store, clock, ids["order"], "affiliate", f"{name} asks")
    await set_membership(store, clock, Member(ids["campaign"], affiliate.id), "APPROVED")
    ids |= {"key": key.key_id, "affiliate": affiliate.id}
    ids["domain"] = (await add_domain(store, clock, merchant_id, f"{merchant_id[4:]}.example"))["domain"]
    ids["product"] = (await show_product(store, account_id, "SKU-1"))["id"]
    upload = new_upload(account_id, "products", dry_run=True, source=COMMAND, size=1, sha256="", now=clock())
    async with store.write() as tx:
        await insert(tx, upload)
    ids["upload"] = upload.upload_id
    ids["connection"] = await _connection(hub, clock, name, merchant_id)
    await hub.parts.services.request_log.flush()
    ids["request"] = (await account_requests(store, account_id, lists.Wanted())).entries[0].id
    if subscribed:
        ids |= await _subscriptions(hub, clock, merchant_id, affiliate.id)
    ids |= await _payout(hub, clock, name, merchant_id, affiliate.id)
    ids |= {"user": "usr_none", "token": "tok_none", "once": "once_none"}
    material = NewMaterial("TEXT", f"{name} banner"[:255], f"{name} says: {{link}}"[:500], campaign_id=ids["campaign"])
    ids["material"] = (await add_material(store, clock, account_id, material)).id
    ids["name"] = await _join_page(hub, clock, name, merchant_id)
    rate = await draft_rate(store, clock, commission="PERCENTAGE:11", mode="test", campaign=ids["campaign"])
    ids["rate"] = rate.id
    return World(hub, clock, name, merchant_id, account_id, key, affiliate.id, ids)


async def _join_page(hub: Hub, clock: FakeClock, name: str, merchant_id: str) -> str:
    """A page for partners that is switched off: one that is on is everybody's."""
    wanted = WantedPage(merchant_id.lower().replace("_", "-"), f"{name} partners"[:120], f"{name} text")
    account_id = await account_id_of(hub.parts.store, merchant_id, "live")
    return (await set_join_page(hub.parts.store, clock, account_id, wanted))["name"]


async def _subscriptions(hub: Hub, clock: FakeClock, merchant_id: str, affiliate_id: str) -> dict[str, str]:
    """A subscription of the merchant, and one of the affiliate."""
    store, sealer, url = hub.parts.store, hub.parts.sealer, f"https://{merchant_id[4:]}.example/hook"
    of_merchant = NewSubscription(url, ["commission.*"], merchant_id, "test")
    of_affiliate = NewSubscription(url, ["commission.*"], affiliate_id=affiliate_id)
    ids = {
        "webhook": (await create_subscription(store, sealer, clock, (), of_merchant)).id,
        "subscription": (await create_subscription(store, sealer, clock, (), of_affiliate)).id,
    }
    sent = {f"{name}_message": new_id("msg") for name in ids}
    account_id = await account_id_of(store, merchant_id, "test")
    async with store.write() as tx:
        for name, own in ids.items():
            message = {"message_id": sent[f"{name}_message"], "event_type": "commission.paid", "data": "{}"}
            await tx.run("insert_delivery", account_id=account_id, subscription_id=own, subject="world", **message,
                         version=newest_version(), now=clock())  # fmt: skip
    return {**ids, **sent}


async def _payout(hub: Hub, clock: FakeClock, name: str, merchant_id: str, affiliate_id: str) -> dict[str, str]:
    """A correction that a second person approved, in a run of test accounts that is released."""
    store, settings = hub.parts.store, hub.parts.settings.payouts
    made = await create_adjustment(store, clock, affiliate=affiliate_id, account=f"{merchant_id}:test",
                                   amount="12.00", currency="USD", reason=f"{name} bonus"[:400])  # fmt: skip
    with acting_as(Actor("user", "usr_second", "page")):
        await approve_adjustment(store, clock, PayoutSettings(), made["id"])
    clock.advance(1)
    run = await create_run(store, clock, settings, Wanted("test"))
    await release_run(store, clock, settings, str(run["id"]))
    payer = name.replace('"', '""')
    lines = f'bookedOn,amount,currency,payer,remittance\n2026-11-30,7.00,USD,"{payer}",of nothing that is known\n'
    sent = Sent(lines.encode(), f"{name} statement.csv")
    report = await read_now(BankReports(store, hub.parts.sealer, clock), sent, lambda _: None, 60)
    (came_in,) = await first_receipts(store, lists.Wanted(limit=1))
    (rate,) = await propose_rates(store, clock, "USD:EUR:0.9231", "ECB reference rates")
    return {"adjustment": made["id"], "payout": str(run["id"]), "receipt": came_in["id"], "rates": rate.set_id,
            "report": report.id}  # fmt: skip


async def _connection(hub: Hub, clock: FakeClock, name: str, merchant_id: str) -> str:
    parts = hub.parts
    admin = ConnectionAdmin(parts.store, parts.sealer, parts.plugins, clock, hub.url)
    title = f"{name} store"[:100]
    return (await create_connection(admin, NewConnection(merchant_id, "test", "woocommerce", title=title)))["id"]


async def _orders(hub: Hub, api: Api, name: str, code: str) -> dict[str, str]:
    """A product, an attributed order with a refund, an order to review, and news of an unknown order."""
    visited = URL(f"/t/{code}").with_query(sub1=name[:64])
    async with api.session.get(visited, allow_redirects=False, headers={"User-Agent": name}) as response:
        click = URL(response.headers["Location"]).query["affiliate_click_id"]
    item = {"externalProductId": "SKU-1", "name": f"{name} product", "price": "20.00", "currency": "USD",
            "productUrl": "https://shop.example/p"}  # fmt: skip
    await _sent(api, "/v1/products/import", products=[item])
    more: dict[str, Any] = {"currency": "USD", "metadata": {name[:20]: f"{name} metadata"}, "orderStatus": "confirmed"}
    event = await _sent(api, "/v1/conversions", externalOrderId=f"{name} order", orderAmount="60.00", clickId=click,
                        externalProductId="SKU-1", **more)  # fmt: skip
    await _sent(api, "/v1/conversions", externalOrderId=f"{name} order low", orderAmount="9.00",
                couponCode=name[:64], **more)  # fmt: skip
    await _sent(api, "/v1/order-status", externalOrderId=f"{name} order", status="delivered", reason=f"{name} reason")
    parked = await _sent(api, "/v1/order-status", externalOrderId=f"{name} order none", status="delivered")
    order = await settled(hub, f"{name} order", _is_delivered)
    low = await settled(hub, f"{name} order low", lambda found: found["review"] == "OPEN")
    return {"order": order["id"], "review": low["id"], "commission": order["commission"]["id"], "click": click,
            "event": event["eventId"], "parked": parked["eventId"]}  # fmt: skip


def _is_delivered(order: Any) -> bool:
    """Whether the worker has taken in the last of an order's news: it would else change while a test reads it twice."""
    return bool(order["commission"]) and any(fact["status"] == "delivered" for fact in order["facts"])


async def _sent(api: Api, path: str, **body: Any) -> Any:
    reply = await api("POST", path, body)
    assert reply.status < 300, reply.raw
    return json.loads(reply.raw)


async def settled(hub: Hub, order: str, ready: Callable[[Any], bool]) -> Any:
    """Wait until the worker has decided an order."""

    async def found() -> Any:
        every = write(await conversions_of_order(hub.parts.store, hub.parts.clock, order))
        return next((each for each in every if ready(each)), None)

    return await until(found)


async def place_orders_earlier(hub: Hub, milliseconds: int) -> None:
    """Have all orders of a hub on SQLite placed that much earlier, though they came when they came.

    In a thread: the hub, which is in this process, may be in the midst of a transaction that is to end first.
    """
    await asyncio.to_thread(_place_earlier, hub.parts.settings.database.url.removeprefix("sqlite:///"), milliseconds)


def _place_earlier(path: str, milliseconds: int) -> None:
    with closing(sqlite3.connect(path, timeout=60)) as db, db:
        db.execute("UPDATE conversions SET ordered_at = ordered_at - ?", (milliseconds,))
