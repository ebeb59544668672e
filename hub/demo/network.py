"""The network around the demo's shop: more merchants, campaigns and affiliates, so that no page of the hub is empty."""

from __future__ import annotations

from typing import Any, Final

import aiohttp
from attrs import evolve, frozen

from hub.clock import Clock
from hub.demo.merchant import ApiKey, MerchantClient
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.campaigns.campaigns import approve_campaign
from hub.operations.merchants.keys import issue_key
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.sealing import Sealer
from hub.storage import Store

HOLD: Final = "14d"
"""The hold of the history; the shop's own campaign goes back to the demo's short one after it."""


@frozen
class Seller:
    """A merchant of the network, whose account is the live one; `prices` are money text by product number."""

    merchant_id: str
    account_id: str
    client: MerchantClient
    currency: str
    prices: dict[str, str]
    orders: str
    """What the numbers of its orders begin with."""


@frozen
class TrackedLink:
    """A link of an affiliate to a product; `weight` is how many clicks it has on a usual day."""

    seller: Seller
    code: str
    affiliate_id: str
    campaign_id: str
    product: str
    weight: int
    coupon: str | None = None


BICYCLES: Final[dict[str, tuple[str, str]]] = {
    "tourer": ("Tern touring frame", "890.00"),
    "saddle": ("Osprey saddle", "129.00"),
    "bell": ("Kestrel bell", "24.50"),
    "bags": ("Weekend panniers", "148.00"),
}
AFFILIATES: Final = {
    "Slow Living Weekly": ("editor@slow-living.example", "SLOW15"),
    "Ragnhild cooks": ("ragnhild@kitchen.example", "RAGNHILD"),
    "Gravel & Grit": ("team@gravel-grit.example", "GRAVEL5"),
    "Bargain Burrow": ("deals@burrow.example", "BURROW"),
}


@frozen
class Network:
    """What the network adds to the shop: a second merchant, and affiliates by name as (id, coupon)."""

    bicycles: Seller
    campaign_id: str
    affiliates: dict[str, tuple[str, str]]


async def create_network(
    store: Store, sealer: Sealer, clock: Clock, session: aiohttp.ClientSession, base_url: str
) -> Network:
    """Create the affiliates, a second merchant with its campaigns, and a third one that waits for its approval."""
    affiliates = {}
    for name, (email, coupon) in AFFILIATES.items():
        made = await create_affiliate(store, clock, name=name, email=email, coupons=[coupon])
        affiliates[name] = (made.id, coupon)
    wanted = NewMerchant(
        name="Kestrel Cycles",
        email="office@kestrel-cycles.example",
        domains=["kestrel-cycles.example"],
        currency="EUR",
        commission="PERCENTAGE:5",
        hold=HOLD,
        approve=True,
    )
    made_merchant = await create_merchant(store, clock, wanted)
    issued = await issue_key(store, sealer, clock, merchant_id=made_merchant.id, mode="live")
    client = MerchantClient(session, base_url, ApiKey(issued.key_id, issued.signing_secret), clock)
    campaign_id = await _launch(store, clock, client)
    waiting = NewMerchant(name="Mole & Moss", email="hello@mole-moss.example", domains=["mole-moss.example"])
    await create_merchant(store, clock, waiting)
    prices = {number: price for number, (_, price) in BICYCLES.items()}
    seller = Seller(made_merchant.id, made_merchant.accounts.live, client, "EUR", prices, "K")
    return Network(seller, campaign_id, affiliates)


async def open_links(
    store: Store, clock: Clock, public_url: str, shop: tuple[Seller, str, str], network: Network
) -> list[TrackedLink]:
    """Create a link for each affiliate; `shop` is the demo's own seller, its campaign and its affiliate's id."""
    seller, campaign_id, evening_post = shop
    ids, bicycles = network.affiliates, network.bicycles

    def link(name: str, of: Seller, product: str, weight: int) -> TrackedLink:
        affiliate_id, coupon = ids[name]
        campaign = campaign_id if of is seller else network.campaign_id
        return TrackedLink(of, "", affiliate_id, campaign, product, weight, coupon)

    wanted = [
        TrackedLink(seller, "", evening_post, campaign_id, "mug", 14, "ADA10"),
        TrackedLink(seller, "", evening_post, campaign_id, "notebook", 9, "ADA10"),
        TrackedLink(bicycles, "", evening_post, network.campaign_id, "bell", 5, "ADA10"),
        link("Slow Living Weekly", seller, "lantern", 12),
        link("Slow Living Weekly", seller, "notebook", 6),
        link("Ragnhild cooks", seller, "mug", 16),
        link("Gravel & Grit", bicycles, "tourer", 11),
        link("Gravel & Grit", bicycles, "bags", 8),
        link("Bargain Burrow", bicycles, "saddle", 7),
        link("Bargain Burrow", seller, "lantern", 3),
    ]
    return [evolve(each, code=await _code(store, clock, public_url, each)) for each in wanted]


async def _code(store: Store, clock: Clock, public_url: str, wanted: TrackedLink) -> str:
    made = await create_link(
        store,
        clock,
        public_url,
        NewLink(
            merchant_id=wanted.seller.merchant_id,
            mode="live",
            affiliate_id=wanted.affiliate_id,
            campaign_id=wanted.campaign_id,
            external_product_id=wanted.product,
        ),
    )
    return str(made.code)


async def _launch(store: Store, clock: Clock, client: MerchantClient) -> str:
    """Create the second merchant's campaigns: one that is live, and one that waits for the operator."""
    tier = {"from": "6", "commissionType": "PERCENTAGE", "commissionValue": "8"}
    rising = {"volumeRates": {"period": "MONTH", "measure": "ORDERS", "tiers": [tier]}}
    live = await client.post("/v1/campaigns", _campaign("Ride further", "PERCENTAGE", "6") | rising)
    await approve_campaign(store, clock, live["id"])
    await client.post(f"/v1/campaigns/{live['id']}/activate", {})
    await client.post("/v1/campaigns", _campaign("Winter service", "FIXED", "5.00"))
    products = [
        {
            "externalProductId": number,
            "name": name,
            "productUrl": f"https://kestrel-cycles.example/{number}",
            "category": "Bicycles",
            "brand": "Kestrel",
            "price": price,
            "currency": "EUR",
            "stockStatus": "IN_STOCK",
            "campaignId": live["id"],
        }
        for number, (name, price) in BICYCLES.items()
    ]
    await client.post("/v1/products/import", {"products": products})
    return str(live["id"])


def _campaign(title: str, kind: str, value: str) -> dict[str, Any]:
    return {
        "title": title,
        "defaultCommissionType": kind,
        "defaultCommissionValue": value,
        "cookieDurationDays": 30,
        "approvalRequired": True,
    }
