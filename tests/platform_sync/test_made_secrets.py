"""Secrets that a platform makes and tells once: they prove its deliveries, are sealed, and are never lost for good."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve, frozen
from hub_squarespace.scenarios import order
from hub_stripe import hub_connectors as stripe_connectors

from hub.api import Connector, Play
from hub.domain.connectors.deliveries import MOST_SECRETS, genuine
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    add_secret,
    create_connection,
    show_connection,
)
from hub.operations.connections.consents import begin_consent, return_from_platform
from hub.operations.connections.platform_access import (
    delete_credentials,
    give_credentials,
    look_at_webhooks,
)
from hub.operations.connections.platform_apps import set_app
from hub.operations.connections.platform_view import show_platform
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.outbound.platform_tokens import ENDS
from hub.platform_sync.access import Platforms
from hub.platform_sync.runner import PlatformRunner, plan_reconciliations
from hub.platform_webhooks.connections import ConnectionCache
from hub.plugin_host.registry import Registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.logged import server_log
from tests.outbound.stand_in import serving
from tests.platform_sync.acme_shop import ROOT, SEALER, platforms_of
from tests.processing.harness import DAY, Harness
from tests.processing.test_deliveries import Shop, hire
from tests.standins.squarespace import CLIENT_ID, CLIENT_SECRET, TOKEN, Squarespace
from tests.standins.stores import squarespace_store
from tests.standins.stripe import KEY, Stripe
from tests.standins.trouble import Sent

TOPIC = {"stripe": "invoice.paid", "squarespace": "order.update"}
each_platform = pytest.mark.parametrize("name", TOPIC)


@frozen
class Told:
    """A store whose platform makes the secret, connected to a hub."""

    connector: Connector
    standin: Stripe | Squarespace
    platforms: Platforms
    admin: ConnectionAdmin
    shop: Shop

    @property
    def connection_id(self) -> str:
        return self.shop.connection_id

    def sent(self) -> Sent:
        """What the platform's one webhook sends."""
        (sent,) = self.standin.deliver(TOPIC[self.connector.name], "5f3c39ce69e11e796f19990e")
        return sent

    async def takes(self, sent: Sent) -> bool:
        """Whether the door takes a delivery for the platform's."""
        harness, auth = self.shop.harness, self.connector.auth
        found = await ConnectionCache(harness.store, SEALER, harness.clock).find(self.connection_id, harness.clock())
        assert found is not None
        assert auth is not None
        secrets = found.live_secrets(harness.clock())
        return genuine(auth, secrets, sent.headers[auth.header.lower()], sent.body, sent.headers, harness.clock())

    async def row(self) -> str:
        """The connection as it is stored."""
        async with self.platforms.store.read() as tx:
            return json.dumps(dict(await tx.one("connection_anywhere", connection_id=self.connection_id) or {}))


@asynccontextmanager
async def listening(harness: Harness, name: str) -> AsyncIterator[Told]:
    """Create a connection; nothing is granted to it yet."""
    standin = Stripe(clock=harness.clock) if name == "stripe" else Squarespace(clock=harness.clock)
    async with serving(standin.answer) as address:
        connector = _at_stripe(address) if name == "stripe" else squarespace_store().connector_at(address)
        registry = Registry((connector,), {})
        hire(harness, registry)
        plugins = InProcessPlugins(registry)
        admin = ConnectionAdmin(harness.store, SEALER, plugins, harness.clock, ROOT)
        made = await create_connection(admin, NewConnection(harness.merchant_id, "test", name))
        shop = Shop(harness, harness.account_id, made["id"])
        yield Told(connector, standin, platforms_of(harness, plugins), admin, shop)


def _at_stripe(address: str) -> Connector:
    (connector,) = stripe_connectors()
    assert connector.requests is not None
    return evolve(connector, requests=evolve(connector.requests, root=f"{address}/v1"))


async def grant(one: Told) -> None:
    """Grant the hub access: by a key at Stripe, by the owner's consent at Squarespace."""
    if one.connector.name == "stripe":
        await give_credentials(one.platforms, one.connection_id, {"key": KEY})
        return
    await set_app(one.platforms, "squarespace", CLIENT_ID, CLIENT_SECRET)
    url = await begin_consent(one.platforms, one.connection_id, "usr_1", {})
    query = parse_qs(urlsplit(url).query)
    assert (query["scope"], query["access_type"]) == (["website.orders.read"], ["offline"])
    await return_from_platform(one.platforms, [("code", "c0de"), ("state", query["state"][0])], "usr_1")


@asynccontextmanager
async def granted(harness: Harness, name: str) -> AsyncIterator[Told]:
    """Create a connection, and grant it access."""
    async with listening(harness, name) as one:
        await grant(one)
        yield one


@each_platform
async def test_it_proves_what_the_platform_sends(harness: Harness, name: str) -> None:
    """The control: a secret of another webhook proves nothing."""
    async with granted(harness, name) as one:
        sent = one.sent()
        assert await one.takes(sent)
        assert not await one.takes(evolve(sent, body=sent.body + b" "))
        (hook,) = one.standin.hooks.values()
        hook["secret"] = "ab" * 32
        assert not await one.takes(one.sent())
        assert (await look_at_webhooks(one.platforms, one.connection_id))["made"] == []


@each_platform
async def test_it_is_sealed_and_neither_shown_nor_logged(sqlite_harness: Harness, name: str) -> None:
    """The control: a secret that is opened is the platform's, so it is there."""
    with server_log() as logged:
        async with granted(sqlite_harness, name) as one:
            (hook,) = one.standin.hooks.values()
            shown = json.dumps([
                await show_platform(one.platforms, one.connection_id),
                str(await show_connection(one.admin, one.connection_id)),
                (await list_acts(sqlite_harness.store, Wanted(limit=50))).entries,
            ])  # fmt: skip
            row = await one.row()
            assert hook["secret"] not in shown + row + logged.getvalue() + repr(one.platforms)
            assert hook["id"] in row
            assert "webhooks were made anew" in logged.getvalue()
            assert await one.takes(one.sent())


@each_platform
async def test_one_whose_secret_was_not_heard_is_made_again(sqlite_harness: Harness, name: str) -> None:
    """A hub that was killed before it stored the secret would refuse all that the webhook sends."""
    async with listening(sqlite_harness, name) as one:
        one.standin.made = lambda hook: {each: hook[each] for each in hook if each != "secret"}
        await grant(one)
        (deaf,) = one.standin.hooks.values()
        assert not await one.takes(one.sent())
        one.standin.made = lambda hook: hook
        kept = await look_at_webhooks(one.platforms, one.connection_id)
        assert TOPIC[name] in kept["made"]
        assert deaf["id"] not in one.standin.hooks
        assert await one.takes(one.sent())


@each_platform
async def test_one_that_somebody_else_made_is_replaced_and_others_stay(sqlite_harness: Harness, name: str) -> None:
    async with granted(sqlite_harness, name) as one:
        (own,) = one.standin.hooks.values()
        url = "url" if name == "stripe" else "endpointUrl"
        one.standin.hooks["theirs"] = {**own, "id": "theirs", url: "https://other.example/hooks"}
        one.standin.hooks["by-hand"] = {**own, "id": "by-hand", "secret": "cd" * 32}
        await look_at_webhooks(one.platforms, one.connection_id)
        assert set(one.standin.hooks) == {own["id"], "theirs"}


@each_platform
async def test_the_secret_of_a_deleted_one_lasts_another_day(sqlite_harness: Harness, name: str) -> None:
    """What it sent before may still be on its way."""
    async with granted(sqlite_harness, name) as one:
        late = one.sent()
        one.standin.hooks.clear()
        await look_at_webhooks(one.platforms, one.connection_id)
        assert await one.takes(one.sent())
        assert await one.takes(late)
        sqlite_harness.clock.now += DAY + 1
        if name == "squarespace":  # Stripe's signature has ended with its timestamp
            assert not await one.takes(late)
        assert await one.takes(one.sent())
        live = [each for each in json.loads(json.loads(await one.row())["secrets"]) if each["expiresAt"] is None]
        assert [each["webhook"] for each in live] == list(one.standin.hooks)


async def test_a_webhook_that_is_deleted_again_and_again_fills_the_connection_with_none(
    sqlite_harness: Harness,
) -> None:
    """The oldest secrets of webhooks that are gone make room; one that a person added stays."""
    async with granted(sqlite_harness, "squarespace") as one:
        by_hand = (await add_secret(one.admin, one.connection_id, "ef" * 32))["secretId"]
        for _ in range(MOST_SECRETS + 2):
            one.standin.hooks.clear()
            await look_at_webhooks(one.platforms, one.connection_id)
            assert await one.takes(one.sent())
        stored = json.loads(json.loads(await one.row())["secrets"])
        assert len(stored) == MOST_SECRETS
        assert by_hand in [each["id"] for each in stored]


@each_platform
async def test_without_access_there_is_neither_webhook_nor_secret(sqlite_harness: Harness, name: str) -> None:
    async with granted(sqlite_harness, name) as one:
        late = one.sent()
        await delete_credentials(one.platforms, one.connection_id)
        assert one.standin.hooks == {}
        assert await one.takes(late)
        assert all(each["expiresAt"] for each in json.loads(json.loads(await one.row())["secrets"]))


async def test_one_that_was_turned_off_is_woken_and_keeps_its_secret(sqlite_harness: Harness) -> None:
    async with granted(sqlite_harness, "stripe") as one:
        (hook,) = one.standin.hooks.values()
        hook["status"] = "disabled"
        before = await one.row()
        kept = await look_at_webhooks(one.platforms, one.connection_id)
        assert (len(kept["made"]), kept["deleted"], hook["status"]) == (6, [], "enabled")
        assert await one.row() == before


async def test_a_secret_that_can_prove_nothing_is_said_so(sqlite_harness: Harness) -> None:
    async with listening(sqlite_harness, "squarespace") as one:
        one.standin.made = lambda hook: {**hook, "secret": "no hex digits"}
        await grant(one)
        with pytest.raises(OperatorFault, match="secret that the platform made must be hex digits"):
            await look_at_webhooks(one.platforms, one.connection_id)


async def test_a_key_that_may_make_no_webhooks_is_no_problem(sqlite_harness: Harness) -> None:
    """Squarespace sends to apps alone: with an API key the orders are read, and nothing is missing."""
    async with listening(sqlite_harness, "squarespace") as one:
        given = await give_credentials(one.platforms, one.connection_id, {"token": TOKEN})
        assert (given["webhooksMade"], given["webhookFault"]) == ([], None)
        runner = PlatformRunner(one.platforms, sqlite_harness.submissions)
        await runner.run_once()
        assert (await check_connection(one.admin, one.connection_id)).problems == []


async def test_what_it_proves_is_fetched_and_counts(sqlite_harness: Harness) -> None:
    """Squarespace names the order, and the hub asks for it as the app."""
    async with granted(sqlite_harness, "squarespace") as one:
        standin, runner = one.standin, PlatformRunner(one.platforms, sqlite_harness.submissions)
        assert isinstance(standin, Squarespace)
        click = await sqlite_harness.click(before_ms=DAY)
        standin.orders["801"] = order(Play("801", click, "USD", sqlite_harness.clock()), 1)
        (sent,) = standin.deliver("order.create", "801")
        await one.shop.tell(sent.topic, sent.body)
        assert await sqlite_harness.commission("801") is None
        await runner.run_once()
        await sqlite_harness.work()
        assert await sqlite_harness.commission("801") is not None


async def test_an_apps_token_is_renewed_as_the_platform_says_when_it_ends(sqlite_harness: Harness) -> None:
    """In seconds since 1970; the client proves itself in a header."""
    async with granted(sqlite_harness, "squarespace") as one:
        standin = one.standin
        assert isinstance(standin, Squarespace)
        access = await one.platforms.load(sqlite_harness.account_id, one.connection_id)
        assert int(access.values[ENDS]) == sqlite_harness.clock() // 1_000 * 1_000 + 1_800_000
        sqlite_harness.clock.now += 1_790_000
        await look_at_webhooks(one.platforms, one.connection_id)
        assert len(standin.tokens) == 2
        renewed = await one.platforms.load(sqlite_harness.account_id, one.connection_id)
        assert renewed.values["refresh_token"] == standin.refreshes[-1]


async def test_a_platform_that_is_not_read_is_looked_at_every_night(sqlite_harness: Harness) -> None:
    """Stripe's orders are not read, so nothing says that they were."""
    async with granted(sqlite_harness, "stripe") as one:
        assert (await show_platform(one.platforms, one.connection_id))["reads"] == []
        one.standin.hooks.clear()
        sqlite_harness.clock.now += DAY
        assert await plan_reconciliations(sqlite_harness.store, sqlite_harness.clock()) == 1
        await PlatformRunner(one.platforms, sqlite_harness.submissions).run_once()
        shown = await show_platform(one.platforms, one.connection_id)
        assert [(each["status"], each["items"]) for each in shown["reads"]] == [("DONE", 0)]
        assert shown["certainUntil"] is None
        assert len(one.standin.hooks) == 1
        assert await one.takes(one.sent())


async def test_the_check_says_how_a_connection_gets_its_secret(sqlite_harness: Harness) -> None:
    async with listening(sqlite_harness, "stripe") as one:
        (problem, *_) = (await check_connection(one.admin, one.connection_id)).problems
        assert "the hub credentials, and it makes the webhook" in problem
        await grant(one)
        (problem,) = (await check_connection(one.admin, one.connection_id)).problems
        assert "Stripe has all webhooks, and they are active" in problem
