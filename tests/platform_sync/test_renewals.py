"""Tokens that end: one process renews them at a time, and what was granted is kept before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.connections.consents import begin_consent, return_from_platform
from hub.operations.connections.platform_apps import set_app
from hub.outbound.platform_client import PlatformFault
from hub.outbound.platform_tokens import ENDS, Fetch
from hub.platform_sync import renewals
from hub.platform_sync.access import Access, Platforms
from hub.platform_sync.renewals import Renewals
from hub.plugin_host.registry import Registry
from hub.storage import StoreUnavailable
from hub.testing.in_process_plugins import InProcessPlugins
from tests.outbound.stand_in import serving
from tests.platform_sync.acme_shop import ROOT, SEALER, platforms_of
from tests.processing.harness import Harness
from tests.processing.test_deliveries import hire
from tests.sqlite_first import on_both
from tests.standins.shopify import CLIENT_ID, CLIENT_SECRET, SHOP, Shopify, signed_by_app
from tests.standins.stores import shopify_store

HOUR_MS = 3_600_000


@asynccontextmanager
async def installed(harness: Harness) -> AsyncIterator[tuple[Platforms, Shopify, Access]]:
    """Have a shop install the operator's app: its tokens last an hour."""
    store = shopify_store()
    standin = store.standin
    assert isinstance(standin, Shopify)
    async with serving(standin.answer) as address:
        registry = Registry((store.connector_at(address),), {})
        hire(harness, registry)
        plugins = InProcessPlugins(registry)
        admin = ConnectionAdmin(harness.store, SEALER, plugins, harness.clock, ROOT)
        made = await create_connection(admin, NewConnection(harness.merchant_id, "test", "shopify"))
        platforms = platforms_of(harness, plugins)
        await set_app(platforms, "shopify", CLIENT_ID, CLIENT_SECRET)
        url = await begin_consent(platforms, made["id"], "usr_1", {"shop": SHOP})
        state = parse_qs(urlsplit(url).query)["state"][0]
        given = {"code": "c0de", "shop": SHOP, "state": state, "timestamp": "1772359200"}
        await return_from_platform(platforms, signed_by_app(given), "usr_1")
        yield platforms, standin, await platforms.load(harness.account_id, made["id"])


async def ask(platforms: Platforms, access: Access) -> str:
    """Ask the shop for something, and return the token that it took."""
    async with platforms.asked(access) as client:
        await client.identity()
    return access.values["token"]


async def again(platforms: Platforms, access: Access) -> Access:
    return await platforms.load(access.account_id, access.connection_id)


async def test_a_token_is_renewed_before_it_ends_and_kept(harness: Harness) -> None:
    async with installed(harness) as (platforms, standin, access):
        first = access.values["token"]
        assert await ask(platforms, access) == first
        harness.clock.now += HOUR_MS - 30_000
        second = await ask(platforms, access)
        assert second != first
        kept = (await again(platforms, access)).values
        assert (kept["token"], kept["refresh_token"]) == (second, list(standin.refreshes)[-1])
        assert int(kept[ENDS]) == harness.clock() + HOUR_MS
        assert CLIENT_SECRET not in kept.values(), "the app is the operator's"
        assert second not in str((await again(platforms, access)).row)


class Killed(Exception):
    """Stands for the end of the process."""


class Held:
    """Holds what a token's request answers until it is let go, and counts how many were made."""

    def __init__(self) -> None:
        self.asked = 0
        self.let_go = asyncio.Event()
        self.begun = asyncio.Event()
        self.twice = asyncio.Event()

    def over(self, fetch: Fetch) -> Fetch:
        async def held(values: Mapping[str, str]) -> dict[str, str]:
            self.asked += 1
            reached = self.twice if self.asked > 1 else self.begun
            try:
                granted = await fetch(values)
            finally:
                reached.set()
            await self.let_go.wait()
            return granted

        return held


def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    """Hold every renewal between the platform's answer and what is stored of it."""
    one, real = Held(), Renewals._fetched

    async def between(self: Renewals, turn: Any, fetch: Fetch) -> Mapping[str, str]:
        return await real(self, turn, one.over(fetch))

    monkeypatch.setattr(Renewals, "_fetched", between)
    return one


@pytest.mark.parametrize("guarded", [True, False])
@on_both("database_url")
async def test_two_processes_do_not_both_renew(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    """The control: without the turn both do, and a platform that retires tokens at once refuses the second."""
    async with installed(harness) as (platforms, standin, access):
        standin.retires_at_once = True
        harness.clock.now += HOUR_MS
        between = held(monkeypatch)
        if not guarded:
            monkeypatch.setattr(renewals, "TURN_MS", 0)

        async def rest(_: float) -> None:
            await asyncio.sleep(0.01)

        other = evolve(platforms, rest=rest)
        one = asyncio.create_task(ask(platforms, access))
        await between.begun.wait()
        two = asyncio.create_task(ask(other, await again(other, access)))
        await (asyncio.sleep(0.05) if guarded else between.twice.wait())
        between.let_go.set()
        tokens = await asyncio.gather(one, two, return_exceptions=True)
        assert between.asked == (1 if guarded else 2)
        assert any(isinstance(each, PlatformFault) for each in tokens) is not guarded


async def test_a_hub_that_stops_keeps_what_was_granted(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    async with installed(harness) as (platforms, standin, access):
        harness.clock.now += HOUR_MS
        between = held(monkeypatch)
        task = asyncio.create_task(ask(platforms, access))
        await between.begun.wait()
        task.cancel()
        await asyncio.sleep(0)
        between.let_go.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await again(platforms, access)).values["refresh_token"] == list(standin.refreshes)[-1]


async def test_a_hub_that_is_killed_between_asks_again_with_the_token_before(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the new tokens was kept, so none was used: the refresh token before is still good."""
    async with installed(harness) as (platforms, standin, access):
        harness.clock.now += HOUR_MS

        async def killed(*_: Any) -> None:
            raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(Renewals, "_kept", killed)
            with pytest.raises(Killed):
                await ask(platforms, access)
        with pytest.raises(PlatformFault, match="by another process"):
            await ask(platforms, await again(platforms, access))
        harness.clock.now += renewals.TURN_MS
        fresh = await again(platforms, access)
        await ask(platforms, fresh)
        assert fresh.values["refresh_token"] == list(standin.refreshes)[-1]


async def test_a_store_that_is_away_is_waited_for(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    async with installed(harness) as (platforms, standin, access):
        harness.clock.now += HOUR_MS
        real, faults = Renewals._keep, [StoreUnavailable("away")] * 3

        async def away(self: Renewals, *given: Any) -> Mapping[str, str]:
            if faults:
                raise faults.pop()
            return await real(self, *given)

        monkeypatch.setattr(Renewals, "_keep", away)
        await ask(platforms, access)
        assert (await again(platforms, access)).values["refresh_token"] == list(standin.refreshes)[-1]


async def test_a_refused_renewal_is_told_and_gives_the_turn_back(harness: Harness) -> None:
    async with installed(harness) as (platforms, standin, access):
        harness.clock.now += HOUR_MS
        standin.refreshes.clear()
        for _ in range(2):
            with pytest.raises(PlatformFault, match="no access token .400, invalid_grant."):
                await ask(platforms, await again(platforms, access))
        row = (await again(platforms, access)).row
        assert (row["fault_code"], "invalid_grant" in row["fault"]) == ("refused", True)


async def test_credentials_that_are_given_meanwhile_count(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    async with installed(harness) as (platforms, standin, access):
        harness.clock.now += HOUR_MS
        between = held(monkeypatch)
        task = asyncio.create_task(ask(platforms, access))
        await between.begun.wait()
        standin.tokens.add("shpat_typed")
        sealed = platforms.sealed(access.connection_id, {"shop": SHOP, "token": "shpat_typed"})
        async with harness.store.write() as tx:
            await tx.run("reseal_platform_access", **access.key, old=access.row["sealed"], new=sealed)
        between.let_go.set()
        await task
        assert (await again(platforms, access)).values == {"shop": SHOP, "token": "shpat_typed"}
