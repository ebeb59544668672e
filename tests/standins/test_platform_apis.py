"""What BigCommerce and Shopify declare, against servers that speak their APIs and do everything that can go wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import evolve, frozen
from hub_bigcommerce.requests import REQUESTS as BIGCOMMERCE
from hub_bigcommerce.scenarios import order as bigcommerce_order
from hub_shopify.requests import REQUESTS as SHOPIFY
from hub_shopify.scenarios import SCENES

from hub.api import Play, TokenGrant
from hub.domain.connectors.requests import Listing, Requests
from hub.outbound import platform_session
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.outbound.platform_hooks import delete_hook, listed_hooks, make_hook
from hub.outbound.platform_session import Budget, BudgetSpent, PlatformSession
from tests.outbound.stand_in import LOCAL, serving
from tests.standins import bigcommerce, shopify
from tests.standins.bigcommerce import BigCommerce
from tests.standins.shopify import Shopify
from tests.standins.shopify_graphql import Points
from tests.standins.trouble import Trouble

PLACED = 1_772_359_200_000
SINCE = PLACED - 86_400_000
ORDERS = 7
PAID = 11


@frozen
class Case:
    """A platform, its stand-in and the credentials that it takes."""

    standin: BigCommerce | Shopify
    requests: Requests
    values: dict[str, str]


def case(name: str) -> Case:
    """Return a platform with some orders, and lists in pages of three."""
    plays = [Play(str(5_000 + number), "clk_1", "USD", PLACED + number) for number in range(ORDERS)]
    if name == "bigcommerce":
        store = BigCommerce()
        for play in plays:
            store.put(bigcommerce_order(play, 1, PAID, "captured"))
        return Case(store, BIGCOMMERCE, {"store": bigcommerce.STORE, "token": bigcommerce.TOKEN})
    shop = Shopify()
    for play in plays:
        shop.orders[int(play.order_id)] = json.loads(SCENES["paid"](play).body)
    return Case(shop, SHOPIFY, {"shop": shopify.SHOP, "token": shopify.TOKEN})


@pytest.fixture(params=["bigcommerce", "shopify"])
def platform(request: pytest.FixtureRequest) -> Case:
    return case(request.param)


@asynccontextmanager
async def asked(case: Case, budget: Budget | None = None, **changes: Any) -> AsyncIterator[PlatformClient]:
    """Ask the stand-in, with hardly any pauses."""
    async with serving(case.standin.answer) as url:
        assert case.requests.orders is not None
        root = f"{url}/stores/{{store}}" if isinstance(case.standin, BigCommerce) else f"{url}/admin/api/{shopify.API}"
        rate = evolve(case.requests.rate, per_second=500, burst=500)
        grant = case.requests.grant and evolve(case.requests.grant, url=f"{url}/admin/oauth/access_token")
        small = evolve(case.requests.orders, page_size=3)
        here = {"root": root, "rate": rate, "grant": grant, "orders": small, **changes}
        requests = evolve(case.requests, **here)
        session = PlatformSession(requests, case.values, LOCAL, budget or Budget(), rest=_shortly)
        async with session:
            yield PlatformClient(requests, session.ask, session.values)


async def _shortly(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.05))


async def read(client: PlatformClient) -> list[int]:
    """Return the ids of all orders that the platform lists."""
    listing = client.requests.orders
    assert isinstance(listing, Listing)
    return [int(item[listing.item_id]) async for page in client.pages(listing, SINCE) for item in page.items]


async def test_every_page_is_read(platform: Case) -> None:
    """Counted pages of BigCommerce, cursors of Shopify."""
    async with asked(platform) as client:
        assert await read(client) == sorted(platform.standin.orders)


@pytest.mark.parametrize("trouble", ["429", "503", "broken off"])
async def test_a_trouble_that_passes_loses_nothing(platform: Case, trouble: Trouble) -> None:
    platform.standin.troubles.next.extend([trouble] * 2)
    async with asked(platform) as client:
        assert await read(client) == sorted(platform.standin.orders)
    assert platform.standin.troubles.seen == 2


async def test_a_slow_answer_is_asked_for_again(platform: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform_session, "ANSWER_SECONDS", 0.2)
    platform.standin.troubles.next.append("slow")
    async with asked(platform) as client:
        assert await read(client) == sorted(platform.standin.orders)


async def test_an_endless_answer_ends(platform: Case) -> None:
    platform.standin.troubles.next.append("endless")
    async with asked(platform) as client:
        with pytest.raises(PlatformFault, match="longer than 16 MiB"):
            await read(client)


async def test_a_page_for_people_is_not_taken_for_an_answer(platform: Case) -> None:
    platform.standin.troubles.next.append("no json")
    async with asked(platform) as client:
        with pytest.raises(PlatformFault, match="not JSON"):
            await read(client)


async def test_withdrawn_credentials_are_named(platform: Case) -> None:
    platform.values["token"] = "withdrawn0token0withdrawn"
    async with asked(platform, grant=None) as client:
        with pytest.raises(PlatformFault, match="refuses the credentials") as caught:
            await read(client)
    assert caught.value.code == "refused"


@pytest.mark.parametrize("heeded", [True, False])
async def test_a_quota_is_waited_for(*, heeded: bool) -> None:
    """Of BigCommerce: two requests in each window. A hub that did not heed what is left would wait after a 429."""
    store = case("bigcommerce")
    assert isinstance(store.standin, BigCommerce)
    store.standin.quota, store.standin.window_seconds = 2, 0.04
    left = store.requests.rate.left_header if heeded else ""
    rate = evolve(store.requests.rate, per_second=500, burst=500, left_header=left)
    async with asked(store, rate=rate) as client:
        assert await read(client) == await read(client) == sorted(store.standin.orders)
    assert (store.standin.refused == 0) is heeded


@pytest.mark.parametrize("heeded", [True, False])
async def test_points_that_run_out_are_waited_for(*, heeded: bool) -> None:
    """Of Shopify: a hub that did not heed what requests cost would be throttled, and ask for the same again."""
    shop = case("shopify")
    assert isinstance(shop.standin, Shopify)
    shop.standin.points = Points(most=12, refill=150, left=12)
    costs = shop.requests.rate.costs if heeded else None
    rate = evolve(shop.requests.rate, per_second=500, burst=500, costs=costs)
    async with asked(shop, rate=rate) as client:
        for _ in range(8):
            assert await read(client) == sorted(shop.standin.orders)
    assert (shop.standin.refused == 0) is heeded


async def test_a_budget_ends_a_platform_that_never_answers(platform: Case) -> None:
    platform.standin.troubles.next.extend(["503"] * 50)
    async with asked(platform, Budget(requests=3)) as client:
        with pytest.raises(BudgetSpent):
            await read(client)


async def test_an_app_of_the_store_fetches_its_tokens() -> None:
    """Shopify's client credentials: a token when there is none, and another after it has ended."""
    shop = case("shopify")
    assert isinstance(shop.standin, Shopify)
    assert isinstance(shop.requests.grant, TokenGrant)
    del shop.values["token"]
    shop.values.update(client_id=shopify.CLIENT_ID, client_secret=shopify.CLIENT_SECRET)
    async with asked(shop) as client:
        assert await read(client) == sorted(shop.standin.orders)
        shop.standin.tokens.clear()
        assert await read(client) == sorted(shop.standin.orders)
        assert await client.missing_scopes() == ()
        shop.standin.scopes = ("read_products",)
        assert set(await client.missing_scopes()) == {"read_orders", "read_fulfillments", "read_inventory"}


async def test_an_order_comes_with_its_parts() -> None:
    """BigCommerce's order has links to its lines, coupons and refunds; an empty list is 204."""
    store = case("bigcommerce")
    async with asked(store) as client:
        assert client.requests.order is not None
        whole = await client.whole(client.requests.order, "5000")
        kept = store.standin.orders[5_000]
        assert {name: whole[name] for name in ("products", "coupons", "refunds")} == {
            name: kept[name] for name in ("products", "coupons", "refunds")
        }
        assert whole["coupons"] == []
        with pytest.raises(PlatformFault, match="nothing is there"):
            await client.whole(client.requests.order, "1")


async def test_webhooks_are_made_listed_and_deleted(platform: Case) -> None:
    declared = platform.requests.webhooks
    assert declared is not None
    async with asked(platform) as client:
        for topic in declared.topics:
            await make_hook(client, topic, "https://hub.example/connect/con_1", "s3cret")
        hooks = await listed_hooks(client)
        assert {hook.topic for hook in hooks} == set(declared.topics)
        assert all(hook.is_alive and hook.url == "https://hub.example/connect/con_1" for hook in hooks)
        for hook in hooks:
            await delete_hook(client, hook.hook_id)
        assert await listed_hooks(client) == []


async def test_the_credentials_say_whose_they_are(platform: Case) -> None:
    async with asked(platform) as client:
        shop = await client.identity()
    assert (shop.currency, shop.name) == ("USD", "Lamps")
