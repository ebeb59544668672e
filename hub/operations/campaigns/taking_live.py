"""Take to live: what a merchant tried in its test account is copied to its live one, and its store is taken over.

A campaign keeps its code, and a product the merchant's own id; what the live account has under them stays as it is, so
that doing it again changes nothing. Orders, clicks, links and members stay behind: they were never real.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import evolve

from hub.catalog.campaigns import Campaign, insert_campaign
from hub.catalog.product import Product
from hub.catalog.write_products import write_products
from hub.clock import Clock
from hub.ids import new_id
from hub.operations.errors import OperatorFault, unknown
from hub.operations.merchants.merchant_profiles import show_profile
from hub.operations.merchants.merchants import require_merchant
from hub.operations.trail import current_actor, note_act
from hub.records.merchants import MerchantDocument
from hub.storage import Row, Store, Tx, pick_record

AT_ONCE: Final = 250
"""How many products one transaction copies."""
MOST_PRODUCTS: Final = 50_000
"""A larger catalogue comes from its source: the store's own reading, or the file."""


async def take_to_live(store: Store, clock: Clock, merchant: str, note: Callable[[int], None] = lambda _: None) -> None:
    """Copy campaigns (not the archived ones), products, rates and holds from test to live.

    `note` is told how many things are copied so far. Raise `OperatorFault` before live access is granted, if the test
    account has no campaign, and for more than `MOST_PRODUCTS` products.
    """
    found = await _granted(store, merchant)
    async with store.write() as tx:
        await tx.run("lock_merchant", merchant_id=found.id)
        copied, waiting, same = await _campaigns(tx, clock(), found)
    products = await _products(store, clock, found, same, lambda done: note(copied + done))
    after = {"merchantId": found.id, "campaigns": copied, "waiting": waiting, "products": products}
    async with store.write() as tx:
        await note_act(tx, clock(), "merchant.taken-live", found.id, after=after)


async def take_store_live(store: Store, clock: Clock, merchant: str, connection_id: str) -> None:
    """Make a test connection a live one in place: the store goes on sending to the same address, by the same secrets.

    Raise `OperatorFault` before live access is granted, unless the connection is an open one of the test account, and
    while deliveries of it are still being decided.
    """
    found = await _granted(store, merchant)
    test, live = found.accounts.test, found.accounts.live
    async with store.write() as tx:
        await tx.run("hold_connection", account_id=test, connection_id=connection_id)
        row = await tx.one("connection_anywhere", connection_id=connection_id)
        if row is None or row["account_id"] != test or row["status"] != "ACTIVE":
            raise unknown("open connection of the test account", connection_id)
        waiting = await tx.one("undecided_of_connection", account_id=test, connection_id=connection_id)
        if waiting is not None:
            raise OperatorFault("Deliveries of this store are still being decided. Try again in a few seconds.")
        now, where = clock(), {"account_id": test, "connection_id": connection_id}
        await tx.run("end_reads", **where, fault="The store was taken to live.", now=now)
        await tx.run("delete_fetches", **where)
        await tx.run("move_connection_route", connection_id=connection_id, account_id=live)
        await tx.run("move_connection", **where, to_account=live)
        await tx.run("move_platform_access", **where, to_account=live, now=now)
        await tx.run("move_connection_items", **where, to_account=live)
        await tx.run("move_connection_stock", **where, to_account=live)
        await note_act(tx, now, "connection.taken-live", connection_id, before={"mode": "test"},
                       after={"mode": "live"})  # fmt: skip


async def stores_to_take(store: Store, test_account_id: str) -> list[Row]:
    """Return the open connections of a test account, newest first: rows of `connections_of_account`."""
    async with store.read() as tx:
        rows = await tx.all("connections_of_account", account_id=test_account_id)
    return [row for row in rows if row["status"] == "ACTIVE"]


async def _granted(store: Store, merchant: str) -> MerchantDocument:
    profile = await show_profile(store, merchant)
    if profile["liveAccess"] != "GRANTED":
        raise OperatorFault("Ask for live access first; once the operator grants it, this takes a moment.")
    async with store.read() as tx:
        return await require_merchant(tx, profile["merchantId"])


async def _campaigns(tx: Tx, now: int, merchant: MerchantDocument) -> tuple[int, int, dict[str, str]]:
    """Copy the campaigns; return how many, how many of them wait, and each test campaign's id with its live one's."""
    live = merchant.accounts.live
    there = {row["campaign_code"]: str(row["campaign_id"])
             for row in await tx.all("campaigns_of_account", account_id=live)}  # fmt: skip
    rows = await tx.all("campaigns_of_account", account_id=merchant.accounts.test)
    if not rows and not there:
        raise OperatorFault("Your test account has no campaign yet. Make one there, or in live.")
    copied = waiting = 0
    same = {}
    for row in rows:
        if row["campaign_code"] not in there and row["status"] != "ARCHIVED":
            made = _live(Campaign.from_row(row), live, now)
            await insert_campaign(tx, made, current_actor().id)
            await _beside(tx, row, made, now)
            await note_act(tx, now, "campaign.created", made.campaign_id, after={"from": row["campaign_id"]})
            there[made.campaign_code], copied = made.campaign_id, copied + 1
            waiting += made.approval_status == "PENDING"
        if row["campaign_code"] in there:
            same[str(row["campaign_id"])] = there[row["campaign_code"]]
    return copied, waiting, same


def _live(stored: Campaign, account_id: str, now: int) -> Campaign:
    """Return a campaign as it begins in the live account; one that needs an approval waits for it as a draft."""
    made = evolve(stored, account_id=account_id, campaign_id=new_id("cmp"), created_at=now, updated_at=now)
    return evolve(made, approval_status="PENDING", status="DRAFT") if stored.approval_required else made


async def _beside(tx: Tx, row: Row, made: Campaign, now: int) -> None:
    """Copy what stands beside the fields of the API: hold, listing, joining and attribution."""
    key = {"account_id": made.account_id, "campaign_id": made.campaign_id, "now": now}
    await tx.run("set_campaign_hold", hold_ms=row["hold_ms"], **key)
    await tx.run("set_campaign_listing", listed=row["listed"], joining=row["joining"], **key)
    await tx.run("set_attribution_policy", attribution=row["attribution"], **key)


async def _products(
    store: Store, clock: Clock, merchant: MerchantDocument, same: Mapping[str, str], note: Callable[[int], None]
) -> int:
    test, live, copied, number = merchant.accounts.test, merchant.accounts.live, 0, 0
    async with store.read() as tx:
        total = await tx.one("products_total", account_id=test)
    if total is not None and total["total"] > MOST_PRODUCTS:
        raise OperatorFault(
            f"The campaigns are copied. The test account has {total['total']} products, more than {MOST_PRODUCTS} that "
            "are copied: let the live store send them, or upload the file in live."
        )
    while True:
        async with store.write() as tx:
            await tx.lock_catalogs([live])
            rows = await tx.all("products_to_take", account_id=test, after=number, limit=AT_ONCE, to_account=live)
            if not rows:
                return copied
            now, number = clock(), rows[-1]["number"]
            fresh = [_product(row, live, same, now) for row in rows if not row["is_there"]]
            await write_products(tx, [(each, None) for each in fresh], current_actor().id)
        copied += len(fresh)
        note(copied)


def _product(row: Row, account_id: str, same: Mapping[str, str], now: int) -> Product:
    stored = pick_record(Product, row)
    campaign_id = None if stored.campaign_id is None else same.get(stored.campaign_id)
    return stored._replace(account_id=account_id, product_id=new_id("prd"), campaign_id=campaign_id, created_at=now,
                           updated_at=now, number=None)  # fmt: skip
