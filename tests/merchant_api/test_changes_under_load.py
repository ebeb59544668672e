"""The change feed while many write: a mirror that reads without a pause misses nothing, and what that depends on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hub.app import Hub
from hub.processing.change_numbers import number_account
from hub.storage import Tx
from hub.testing.clock import FakeClock
from tests.merchant_api.mirrors import Mirror, differences, printed
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import Api
from tests.sqlite_first import on_both

WRITERS = 4
ORDERS_OF_EACH = 15


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock) -> World:
    """A merchant with one object of every kind but subscriptions, whose receivers would be tried meanwhile."""
    return await world_of(either_hub, clock, "Ann", subscribed=False)


@pytest.fixture
async def ann(either_api: Api, world: World) -> Api:
    """The client of that merchant."""
    return either_api.with_key(world.key)


@on_both("either_hub")
async def test_a_mirror_that_reads_without_a_pause_misses_nothing(ann: Api, world: World) -> None:
    mirror, done = Mirror(), asyncio.Event()

    async def write(writer: int) -> None:
        for number in range(ORDERS_OF_EACH):
            order = {"externalOrderId": f"load-{writer}-{number}", "orderAmount": "10.00"}
            assert (await ann("POST", "/v1/conversions", order)).status == 202
            news = {"externalOrderId": order["externalOrderId"], "status": "cancelled"}
            assert (await ann("POST", "/v1/order-status", news)).status == 202

    async def follow() -> None:
        while not done.is_set():
            await mirror.follow(ann, limit=20 + len(mirror.told) % 100)
            await asyncio.sleep(0.01)

    reader = asyncio.create_task(follow())
    await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
    done.set()
    await reader

    async def equal() -> bool:
        await world.hub.parts.jobs.figures.count()
        await mirror.follow(ann)
        return not differences(mirror, await printed(ann))

    await until(equal, pause=0.3)


@on_both("either_hub")
@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "control"])
async def test_what_commits_while_others_are_numbered_is_told_later(
    ann: Api, world: World, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    """The control numbers and forgets without looking at which transactions have ended, and loses the change."""
    store, clock, link = world.hub.parts.store, world.clock, world.ids["link"]
    if store.dialect == "sqlite":
        pytest.skip("there is one writer, whom nobody can come between")
    mirror, run, pending = Mirror(), Tx.run, [True]
    await mirror.follow(ann)

    async def disable(tx: Tx) -> None:
        await run(
            tx, "set_link_disabled", account_id=world.account_id, code=link, disabled_at=clock(), disabled_by=None
        )

    async def run_between(tx: Tx, query: str, /, **values: Any) -> int:
        if query == "forget_numbered" and pending:
            pending.clear()
            await store.transact(disable)
        return await run(tx, query, **values)

    async def everything(_: Tx) -> int:
        return 2**62

    await ann("PATCH", f"/v1/campaigns/{world.ids['campaign']}", {"title": "Another"})
    with monkeypatch.context() as patched:
        patched.setattr(Tx, "run", run_between)
        if not guarded:
            patched.setattr(Tx, "ended_before", everything)
        await until(lambda: _numbered_once(world, pending))
    await until(lambda: _followed(ann, mirror, world, told=guarded))


async def _numbered_once(world: World, pending: list[bool]) -> bool:
    await number_account(world.hub.parts.store, world.clock, world.account_id)
    return not pending


async def _followed(ann: Api, mirror: Mirror, world: World, *, told: bool) -> bool:
    await mirror.follow(ann)
    link = ("link", world.ids["link"])
    return ('"disabledAt": null' not in mirror.copy[link]) is told
