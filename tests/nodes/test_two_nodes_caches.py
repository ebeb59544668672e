"""What one node changes, another obeys within two seconds: every cache at the edge, each with its control."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from attrs import frozen

from hub.operations.affiliates.affiliates import create_affiliate, set_affiliate_status
from hub.operations.connections.connections import add_secret, close_connection, expire_secret
from hub.operations.merchants.keys import revoke_key
from hub.operations.merchants.merchants import set_merchant_status
from hub.testing.clock import FakeClock
from hub.ttl_cache import STALE_MS
from tests.merchant_api.test_events import decided
from tests.nodes.conftest import Hubs
from tests.platform_webhooks.test_endpoint import Store, connected
from tests.served_hub import Api, api_of, new_key
from tests.tracking.test_redirect import Visitor, click_of

Look = Callable[[], Awaitable[Any]]


@frozen
class There:
    """The second node, asked with the first one's key."""

    here: Api
    api: Api
    visitor: Visitor


@pytest.fixture
async def there(hubs: Hubs, clock: FakeClock) -> AsyncIterator[There]:
    affiliate = await create_affiliate(hubs[0].parts.store, clock, name="Ada", email="ada@blog.example", coupons=[])
    async with api_of(hubs[0], clock) as here, aiohttp.ClientSession(hubs[1].url) as session:
        api = Api(session, here.key, clock, here.ticks)
        yield There(here, api, Visitor(hubs[1], api, affiliate.id))


async def obeyed(clock: FakeClock, look: Look, change: Look, before: Any, after: Any) -> None:
    """`look` at the second node says `before`, and two seconds after the change at the first one `after`.

    Just after the change it still says `before`: the control, for without a cache the two seconds would prove nothing.
    """
    assert await look() == before
    await change()
    assert await look() == before, "nothing was cached, so nothing was tested"
    clock.advance(STALE_MS)
    assert await look() == after


async def test_a_revoked_key(there: There, hubs: Hubs, clock: FakeClock) -> None:
    async def look() -> int:
        return (await there.api("GET", "/v1/products")).status

    async def change() -> None:
        await revoke_key(hubs[0].parts.store, clock, there.here.key.key_id)

    await obeyed(clock, look, change, 200, 401)


async def test_a_suspended_merchant(there: There, hubs: Hubs, clock: FakeClock) -> None:
    live = there.api.with_key(await new_key(hubs[0], clock, there.here.key.merchant_id, "live"))

    async def look() -> int:
        return (await live("GET", "/v1/products")).status

    async def change() -> None:
        await set_merchant_status(hubs[0].parts.store, clock, there.here.key.merchant_id, "SUSPENDED")

    await obeyed(clock, look, change, 200, 401)


async def test_a_key_that_was_unknown(there: There, hubs: Hubs, clock: FakeClock) -> None:
    """What is not there is remembered as long as what is."""
    made = await new_key(hubs[0], clock, there.here.key.merchant_id)
    async with hubs[0].parts.store.write() as tx:
        rows = await tx._session.fetch("DELETE FROM api_keys WHERE key_id = $1 RETURNING *", [made.key_id])

    async def look() -> int:
        return (await there.api.with_key(made)("GET", "/v1/products")).status

    async def change() -> None:
        values = list(dict(rows[0]).values())
        places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
        async with hubs[0].parts.store.write() as tx:
            await tx._session.execute(f"INSERT INTO api_keys VALUES ({places})", values)

    await obeyed(clock, look, change, 401, 200)


async def test_a_merchants_new_domain(there: There, hubs: Hubs, clock: FakeClock) -> None:
    """A caller's terms are cached with its key."""

    async def look() -> int:
        item = {"externalProductId": "1", "name": "P", "productUrl": "https://new.example/", "price": "1"}
        return int((await there.api("POST", "/v1/products/upsert", {"products": [item]})).json["failed"])

    async def change() -> None:
        async with hubs[0].parts.store.write() as tx:
            await tx._session.execute("UPDATE merchants SET domains = $1", ['["new.example"]'])

    await obeyed(clock, look, change, 1, 0)


async def test_a_paused_campaign(there: There, clock: FakeClock) -> None:
    made = (await there.here("POST", "/v1/campaigns", {"title": "T"})).json["id"]
    await there.here("POST", f"/v1/campaigns/{made}/activate")
    code = await there.visitor.link(campaign_id=made)

    async def look() -> bool:
        return "affiliate_click_id" in (await there.visitor.visit(code))[1]

    async def change() -> None:
        assert (await there.here("POST", f"/v1/campaigns/{made}/pause")).status == 200

    await obeyed(clock, look, change, before=True, after=False)


async def test_a_link_that_was_unknown(there: There, clock: FakeClock) -> None:
    async def look() -> int:
        return (await there.visitor.visit("later"))[0]

    async def change() -> None:
        await there.visitor.link(code="later")

    await obeyed(clock, look, change, 404, 302)


@pytest.fixture
async def store(hubs: Hubs, clock: FakeClock) -> AsyncIterator[Store]:
    """A store that was connected at the first node and delivers to the second."""
    async with aiohttp.ClientSession(hubs[1].url) as session:
        yield await connected(hubs[0], clock, session)


async def test_a_closed_connection(store: Store, clock: FakeClock) -> None:
    async def look() -> int:
        return (await store.send()).status

    async def change() -> None:
        await close_connection(store.admin, store.connection_id)

    await obeyed(clock, look, change, 200, 401)


async def test_a_connections_expired_secret(store: Store, clock: FakeClock) -> None:
    async def look() -> int:
        return (await store.send()).status

    async def change() -> None:
        async with store.admin.store.read() as tx:
            row = await tx.one("connection_anywhere", connection_id=store.connection_id)
        assert row is not None
        secret_id = json.loads(row["secrets"])[0]["id"]
        await add_secret(store.admin, store.connection_id, None)
        await expire_secret(store.admin, store.connection_id, secret_id, None)

    await obeyed(clock, look, change, 200, 401)


async def test_a_disabled_affiliate(there: There, hubs: Hubs, clock: FakeClock) -> None:
    """Attribution is decided from the database, so an affiliate that is disabled at one node earns nothing at once."""
    code = await there.visitor.link()

    async def reason(order: str) -> str:
        click = click_of((await there.visitor.visit(code))[1])
        body = {"externalOrderId": order, "orderAmount": "10.00", "clickId": click}
        event = await decided(there.api, (await there.api("POST", "/v1/conversions", body)).json["eventId"])
        return str(event["explanation"]["attribution"]["reason"])

    assert await reason("A-1") == "matched"
    await set_affiliate_status(hubs[0].parts.store, clock, there.visitor.affiliate_id, "INACTIVE")
    assert await reason("A-2") == "affiliate_inactive"
