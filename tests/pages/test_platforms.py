"""What the hub asks of a store's platform, on the connection's page: credentials, readings, webhooks, what waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import aiohttp
from aiohttp import web
from attrs import evolve
from hub_shopify import hub_connectors as shopify_connectors

from hub.app import Hub
from hub.operations.connections.consents import begin_consent
from hub.plugin_host.registry import Registry
from hub.testing.clock import FakeClock
from hub.testing.in_process_plugins import InProcessPlugins
from tests.acme import acme_plugins
from tests.outbound.stand_in import serving
from tests.pages.test_keys import owner
from tests.pages.visitor import Visitor, browser, enter, user_of
from tests.platform_sync.acme_shop import AcmeShop
from tests.polling import until
from tests.served_hub import served

HERE, APPS = "/merchant/connections", "/operator/apps"


@asynccontextmanager
async def acme_hub(url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """Serve a hub with Acme's connector that may ask this machine."""
    async with served(url, clock, acme_plugins(), HUB_OUTBOUND_ALLOWED_NETWORKS="127.0.0.0/8") as hub:
        yield hub


async def connected(ann: Visitor) -> str:
    """Connect a store on Acme; return the address of its page."""
    made = await ann.send(f"{HERE}?connector=acme", HERE, connector="acme")
    return (made.location or "").partition("?")[0]


async def test_an_owner_turns_the_last_look_off_and_on_again(sqlite_url: str, clock: FakeClock) -> None:
    """There is nothing to turn off before credentials are given; what is no setting is refused."""
    acme = AcmeShop(orders=[], products=[])
    async with serving(acme.serve) as shop, acme_hub(sqlite_url, clock) as hub, browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await connected(ann)
        assert "Before a hold ends" not in (await ann.get(address)).words
        early = await ann.send(address, f"{address}/last-look", look="off")
        assert (early.status, "It has no credentials" in early.words) == (422, True)
        given = {"credential-site": shop, "credential-key": "key", "credential-secret": "s3cret"}
        await ann.send(address, f"{address}/credentials", **given)
        assert "the hub asks the store for the order once more" in (await ann.get(address)).words
        done = await ann.send(address, f"{address}/last-look", look="off")
        assert done.location == f"{address}?done=last-look#platform"
        assert "the hub does not ask the store again" in (await ann.get(address)).words
        assert (await ann.send(address, f"{address}/last-look", look="never")).status == 422
        await ann.send(address, f"{address}/last-look", look="ask")
        assert "Pay without a last look" in (await ann.get(address)).words


async def test_credentials_are_given_and_everything_is_read_and_shown(sqlite_url: str, clock: FakeClock) -> None:
    """While the store is read, the page says so and how far; a script looks again, and a link does without one."""
    acme = AcmeShop(orders=[{"number": "A-1", "total": "10.00"}], products=[{"id": "p1", "name": "Cup"}])
    may_answer = asyncio.Event()

    async def serve(request: web.Request) -> web.StreamResponse:
        if "/orders" in request.path:
            await may_answer.wait()
        return await acme.serve(request)

    async with serving(serve) as shop, acme_hub(sqlite_url, clock) as hub, browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await connected(ann)
        assert "For now the hub only listens" in (await ann.get(address)).words
        wrong = {"credential-site": shop, "credential-key": "key", "credential-secret": "wr0ng"}
        refused = await ann.send(address, f"{address}/credentials", **wrong)
        assert refused.status == 422
        assert "The credentials were not stored." in refused.words
        assert "wr0ng" not in refused.text
        given = await ann.send(address, f"{address}/credentials", **{**wrong, "credential-secret": "s3cret"})
        assert given.location == f"{address}?done=given#platform"

        async def under_way() -> bool:
            return 'id="readings" data-poll=' in (await ann.get(address)).text

        await until(under_way)
        assert "The store is being read: 0 items so far. Refresh" in (await ann.get(address)).words
        may_answer.set()

        async def found() -> str | None:
            seen = await ann.get(address)
            return seen.words if "1 orders that had not arrived" in seen.words else None

        words = await until(found)
        assert "Complete until" in words
        assert "order active, product active" in words
        assert "s3cret" not in (await ann.get(address)).text
        for act, done in (("read", "asked"), ("webhooks", "looked"), ("fetch", "fetching")):
            assert (await ann.send(address, f"{address}/{act}")).location == f"{address}?done={done}#platform"
        gone = await ann.send(address, f"{address}/credentials/delete")
        assert gone.location == f"{address}?done=forgotten#platform"
        assert acme.hooks == []


async def test_the_operators_app_is_stored_and_deleted_without_showing_its_secret(
    sqlite_url: str, clock: FakeClock
) -> None:
    """As `hub connection app` does; operators who are no admins see it, and cannot change it."""
    plugins = InProcessPlugins(Registry(tuple(shopify_connectors()), {}))
    async with served(sqlite_url, clock, plugins) as hub, browser(hub) as olu, browser(hub) as ole:
        await user_of(hub, clock)
        await enter(olu, hub, clock)
        await user_of(hub, clock, "ole@hub.example", "operator")
        await enter(ole, hub, clock, "ole@hub.example")
        assert APPS in (await olu.get("/operator/connections")).text
        seen = await olu.get(APPS)
        assert "There is no app yet." in seen.words
        assert f"{hub.url}/merchant/consent" in seen.words
        wrong = await olu.send(APPS, connector="shopify", client_id="a b", client_secret="shh-1")
        assert (wrong.status, "printable texts without spaces" in wrong.words) == (422, True)
        for secret in ("shh-1", "shh-2"):
            stored = await olu.send(APPS, connector="shopify", client_id="app-1", client_secret=secret)
            assert stored.location == f"{APPS}?done=saved"
        for person in (olu, ole):
            seen = await person.get(APPS)
            assert ("app-1" in seen.words, "shh-" in wrong.text + seen.text) == (True, False)
        assert f"{APPS}/shopify/delete" not in (await ole.get(APPS)).text
        assert (await ole.send("/account", f"{APPS}/shopify/delete")).status == 404
        assert (await olu.send(APPS, f"{APPS}/shopify/delete")).location == APPS
        assert "There is no app yet." in (await olu.get(APPS)).words
        assert (await olu.send("/account", f"{APPS}/shopify/delete")).status == 404


async def test_a_store_owner_agrees_on_the_stores_page(sqlite_url: str, clock: FakeClock) -> None:
    """The shop posts the keys to the hub, without a session; the second time they are worth nothing."""
    acme = AcmeShop()
    async with serving(acme.serve) as shop, acme_hub(sqlite_url, clock) as hub, browser(hub) as ann:
        await owner(hub, clock, ann)
        address = await connected(ann)
        plain = await ann.send(address, f"{address}/consent", **{"consent-site": shop})
        assert plain.status == 422
        assert "https addresses only" in plain.words

        async def root() -> str:
            return "https://hub.example"

        platforms = evolve(hub.parts.pages.platforms, root=root)
        url = await begin_consent(platforms, address.rpartition("/")[2], "usr_1", {"site": shop})
        state = parse_qs(urlsplit(url).query)["state"][0]
        posted = {"user_id": state, "consumer_key": "key", "consumer_secret": "s3cret"}
        async with aiohttp.ClientSession() as session:
            for status in (200, 403):
                async with session.post(f"{hub.url}/consent/keys", json=posted) as answer:
                    assert answer.status == status
        assert "Complete until" in (await ann.get(address)).words
