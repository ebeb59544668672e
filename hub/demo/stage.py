"""The demo's data: a fresh database with a merchant, a campaign, products, an affiliate and a link in it.

The acts of a merchant go through the API, signed, as the shop's own server sends them; the acts of an operator are
those of the operator's commands.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from attrs import frozen

from hub.clock import Clock
from hub.demo.goods import CURRENCY, GOODS
from hub.demo.merchant import ApiKey, MerchantClient
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.join_pages import WantedPage
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.campaigns.campaigns import approve_campaign
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection, issue_secret
from hub.operations.merchants.keys import issue_key
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.trail import note_act
from hub.operations.users.login_links import issue_login_link
from hub.operations.users.users import NewUser, create_user
from hub.people.passwords import Passwords
from hub.sealing import Sealer
from hub.storage import Store
from hub.storage.sqlite.server_lock import ServerLock

AFFILIATE = "The Evening Post"
LINKED = "lantern"
PLATFORMS = ("shopify", "woocommerce", "prestashop")
"""The platforms that `hub simulate` may play against the demo: it plays the first whose plugin is installed."""
JOIN_PAGE = WantedPage(
    name="fjord-fern",
    title="Recommend Fjord & Fern",
    text="Lanterns, mugs and notebooks for slow evenings, made to last.\n\nTell your readers and earn from each order.",
    is_on=True,
)
LEFTOVERS = ("", "-wal", "-shm", ".key")


@frozen
class Merchant:
    """The demo's merchant and the live key of its shop."""

    merchant_id: str
    account_id: str
    key: ApiKey


@frozen
class Affiliate:
    """The demo's affiliate and its tracking link."""

    name: str
    affiliate_id: str
    link: str


@frozen
class SignInLink:
    """A way into the demo: for whom, as what, by which link, and with which password once that is used up."""

    role: str
    email: str
    url: str
    password: str


def sweep(database: Path) -> None:
    """Remove an earlier demo's database; raise `StoreBusy` while that demo still runs."""
    database.parent.mkdir(parents=True, exist_ok=True)
    lock = ServerLock(database)
    lock.acquire(transient=True)
    try:
        for suffix in LEFTOVERS:
            database.with_name(database.name + suffix).unlink(missing_ok=True)
    finally:
        lock.release()


async def open_merchant(store: Store, sealer: Sealer, clock: Clock, shop_host: str) -> Merchant:
    """Create the merchant, approved, with a live key; its shop's host and port are its approved domain."""
    wanted = NewMerchant(
        name="Fjord & Fern",
        email="hello@fjord-and-fern.example",
        domains=[shop_host],
        currency=CURRENCY,
        commission="PERCENTAGE:8",
        approve=True,
    )
    made = await create_merchant(store, clock, wanted)
    issued = await issue_key(store, sealer, clock, merchant_id=made.id, mode="live")
    return Merchant(made.id, made.accounts.live, ApiKey(issued.key_id, issued.signing_secret))


async def launch_campaign(store: Store, clock: Clock, client: MerchantClient, shop_url: str) -> str:
    """Create an active campaign of 12 percent with all goods in it, approved by the operator; return its id."""
    campaign = await client.post(
        "/v1/campaigns",
        {
            "title": "Slow evenings",
            "defaultCommissionType": "PERCENTAGE",
            "defaultCommissionValue": "12",
            "cookieDurationDays": 30,
            "approvalRequired": True,
        },
    )
    campaign_id = str(campaign["id"])
    await approve_campaign(store, clock, campaign_id)
    await client.post(f"/v1/campaigns/{campaign_id}/activate", {})
    goods = [good.product_input(shop_url, campaign_id) for good in GOODS.values()]
    await client.post("/v1/products/import", {"products": goods})
    return campaign_id


async def engage_affiliate(
    store: Store, clock: Clock, merchant: Merchant, campaign_id: str, public_url: str
) -> Affiliate:
    """Create the affiliate, with a coupon and a link to the campaign's first product."""
    made = await create_affiliate(store, clock, name=AFFILIATE, email="ada@evening-post.example", coupons=["ADA10"])
    link = await create_link(
        store,
        clock,
        public_url,
        NewLink(
            merchant_id=merchant.merchant_id,
            mode="live",
            affiliate_id=made.id,
            campaign_id=campaign_id,
            external_product_id=LINKED,
        ),
    )
    return Affiliate(made.name, made.id, link.url)


async def connect_store(admin: ConnectionAdmin, merchant_id: str) -> str | None:
    """Create a connection for a simulated store; return its id, None if no plugin for one is installed."""
    catalog = await admin.plugins.catalog()
    found = [catalog.named(platform) for platform in PLATFORMS]
    connector = next((each for each in found if each is not None), None)
    if connector is None:
        return None
    wanted = NewConnection(
        merchant_id=merchant_id,
        mode="live",
        connector=connector.name,
        secrets=[issue_secret(connector.secret_length)],
        title="Simulated store",
    )
    return str((await create_connection(admin, wanted))["id"])


async def create_users(
    store: Store, sealer: Sealer, clock: Clock, public_url: str, merchant: Merchant, affiliate: Affiliate
) -> tuple[SignInLink, ...]:
    """Create a user of each kind with one password for all, and a sign-in link for each."""
    people = (
        NewUser("marit@fjord-and-fern.example", "merchant", merchant_id=merchant.merchant_id, name="Marit Fjell"),
        NewUser("ada@evening-post.example", "affiliate", affiliate_id=affiliate.affiliate_id, name="Ada Holm"),
        NewUser("olu@hub.example", "operator-admin", name="Olu Bright"),
    )
    silent, sign_in_links = Outbox(sealer, is_on=False), []
    passwords = Passwords()
    password = secrets.token_hex(6)  # another one for each demo, which is shown on the screen
    hashed = await passwords.hash(password)
    passwords.close()
    for person in people:
        made_user = await create_user(store, clock, person)
        async with store.write() as tx:
            await tx.run("set_password", user_id=made_user["id"], password_hash=hashed, since=clock())
            await note_act(tx, clock(), "user.password-set", made_user["id"])
        made = await issue_login_link(store, clock, silent, public_url, person.email)
        sign_in_links.append(SignInLink(person.role.removesuffix("-admin"), person.email, made["url"], password))
    return tuple(sign_in_links)
