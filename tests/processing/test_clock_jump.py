"""After a jump of the clock no hold ends and nothing is purged, until the clock is right again or is confirmed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory

import aiohttp
import asyncpg
import pytest

from hub import lifecycle
from hub.app import Hub, running
from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.domain.orders.clock_trust import STEADY_MS
from hub.ids import id_at
from hub.operations.system.nodes import confirm_clocks, list_nodes
from hub.processing.clock_guard import ClockGuard
from hub.processing.scheduler import Scheduler
from hub.storage import Store
from hub.storage.postgresql.facts import clock_of
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.processing.harness import Harness
from tests.served_hub import MASTER_KEY, installed_plugins, served

DAY = 86_400_000


@asynccontextmanager
async def guarded(url: str, clock: FakeClock, steady: FakeClock) -> AsyncIterator[Hub]:
    """A hub whose wall clock and steady clock are told apart."""
    with TemporaryDirectory() as uploads:
        settings = load_settings(
            None,
            {
                "HUB_DATABASE_URL": url,
                "HUB_SERVER_PORT": "0",
                "HUB_MASTER_KEY": MASTER_KEY,
                "HUB_UPLOADS_DIRECTORY": f"{uploads}/files",
            },
        )
        async with running(settings, clock=clock, steady=steady, plugins=installed_plugins()) as hub:
            yield hub


@pytest.fixture
def steady() -> FakeClock:
    return FakeClock(1_000)


async def turns(hub: Hub, count: int = 2) -> None:
    """Let the timers have their turns."""
    looks = 0
    look = hub.parts.clock_guard.is_trusted

    def counted() -> bool:
        nonlocal looks
        looks += 1
        return look()

    hub.parts.scheduler._may_run = counted
    await until(lambda: looks >= count)


def released(hub: Hub) -> list[int]:
    """The moments at which holds were released from now on."""
    moments: list[int] = []

    async def note() -> int:
        moments.append(hub.parts.clock())
        return 0

    for job in hub.parts.scheduler._scheduler.get_jobs():
        if job.args[0] == "release_holds":
            job.modify(args=[job.args[0], note, *job.args[2:]])
    return moments


class TestJump:
    async def test_holds_wait_until_the_clock_has_returned(
        self, database_url: str, clock: FakeClock, steady: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with guarded(database_url, clock, steady) as hub:
            moments = released(hub)
            await until(lambda: bool(moments))
            right = clock()
            clock.advance(20 * DAY)
            await turns(hub)
            assert max(moments) == right
            clock.advance(-20 * DAY + 1)
            await until(lambda: max(moments) == right + 1)

    async def test_control_without_the_guard_a_jump_of_some_seconds_ends_the_holds_of_twenty_days(
        self, sqlite_url: str, clock: FakeClock, steady: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ClockGuard, "is_trusted", lambda self: True)
        async with guarded(sqlite_url, clock, steady) as hub:
            moments = released(hub)
            right = clock()
            clock.advance(20 * DAY)
            await until(lambda: bool(moments) and max(moments) == right + 20 * DAY)

    async def test_an_operator_confirms_it(
        self, database_url: str, clock: FakeClock, steady: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with guarded(database_url, clock, steady) as hub:
            clock.advance(20 * DAY)
            await turns(hub)
            assert hub.parts.clock_guard.jump_ms == 20 * DAY
            store = hub.parts.store

            async def is_told() -> bool:
                return bool((await list_nodes(store, clock))[0]["clockJumpSeconds"] == 20 * DAY / 1000)

            await until(is_told)
            assert await confirm_clocks(store, clock) == 1
            await until(lambda: hub.parts.clock_guard.jump_ms == 0)

            async def is_over() -> bool:
                return bool((await list_nodes(store, clock))[0]["clockJumpSeconds"] == 0)

            await until(is_over)
            assert await confirm_clocks(store, clock) == 0

    async def test_a_steady_clock_is_believed_after_some_hours(
        self, sqlite_url: str, clock: FakeClock, steady: FakeClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async with guarded(sqlite_url, clock, steady) as hub:
            clock.advance(20 * DAY)
            await turns(hub)
            clock.advance(STEADY_MS)
            steady.advance(STEADY_MS)
            await until(lambda: hub.parts.clock_guard.jump_ms == 0)

    async def test_uploaded_files_are_not_deleted_by_it(
        self, sqlite_url: str, clock: FakeClock, steady: FakeClock
    ) -> None:
        async with guarded(sqlite_url, clock, steady) as hub:
            uploads = hub.parts.services.uploads
            await uploads.sweep()
            directory = hub.parts.settings.upload_directory
            directory.mkdir(exist_ok=True)
            half = directory / f"{id_at('upl', clock())}.part"
            half.touch()
            clock.advance(20 * DAY)
            await uploads.sweep()
            assert half.exists()
            hub.parts.clock_guard.confirm()
            await uploads.sweep()
            assert not half.exists()

    async def test_it_is_in_the_metrics(self, sqlite_url: str, clock: FakeClock, steady: FakeClock) -> None:
        async with guarded(sqlite_url, clock, steady) as hub, aiohttp.ClientSession() as http:
            clock.advance(-DAY)
            await turns(hub)
            async with http.get(f"{hub.url}/metrics") as reply:
                assert "hub_clock_jump_seconds -86400.0" in await reply.text()


class TestStart:
    async def test_a_clock_behind_what_is_stored_is_not_trusted(
        self, database_url: str, clock: FakeClock, steady: FakeClock
    ) -> None:
        async with guarded(database_url, clock, steady):
            pass
        clock.advance(-5 * 3_600_000)
        async with guarded(database_url, clock, steady) as hub:
            assert hub.parts.clock_guard.jump_ms == -5 * 3_600_000

    async def test_a_hub_that_was_off_for_long_is(self, sqlite_url: str, clock: FakeClock, steady: FakeClock) -> None:
        async with guarded(sqlite_url, clock, steady):
            pass
        clock.advance(90 * DAY)
        steady = FakeClock(7)
        async with guarded(sqlite_url, clock, steady) as hub:
            assert hub.parts.clock_guard.jump_ms == 0


@pytest.mark.parametrize("off", [0, -3_600_000], ids=["control", "an hour"])
async def test_a_node_that_starts_with_another_time_than_postgresql_ends_nothing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, off: int
) -> None:
    """Its clock never jumps, and what is stored says nothing of one that is ahead: holds ended an hour early."""

    async def clock_off(url: str) -> int:
        return await clock_of(url) + off

    monkeypatch.setattr(lifecycle, "clock_of", clock_off)
    async with served(postgres_url, system_clock) as hub:
        assert hub.parts.clock_guard.is_trusted() is (off == 0)


async def test_a_node_with_a_wrong_clock_takes_no_lease(postgres_url: str, clock: FakeClock, steady: FakeClock) -> None:
    """It would hold the job for twenty days, whoever wants it."""
    async with guarded(postgres_url, clock, steady) as hub:

        async def newest_lease() -> int:
            connection = await asyncpg.connect(postgres_url)
            try:
                return int(await connection.fetchval("SELECT coalesce(max(expires_at), 0) FROM leases"))
            finally:
                await connection.close()

        async def is_leased() -> bool:
            return await newest_lease() > 0

        await until(is_leased)
        clock.advance(20 * DAY)
        await turns(hub)
        assert await newest_lease() < clock() - DAY


@pytest.mark.parametrize("trusted", [False, True], ids=["no lease", "control"])
async def test_what_ends_nothing_by_the_clock_runs_without_a_lease_meanwhile(
    postgres_url: str, clock: FakeClock, trusted: bool
) -> None:
    """It would take one for twenty days."""
    turns: list[int] = []
    leases = "SELECT count(*) FROM leases WHERE name = 'read files'"

    async def turn() -> None:
        turns.append(await database.fetchval(leases))

    async with await Store.open(postgres_url) as store:
        database = await asyncpg.connect(postgres_url)
        scheduler = Scheduler(store, clock, may_run=lambda: trusted, renew_seconds=0.01)
        scheduler.every(0.01, "read files", turn, by_clock=False)
        scheduler.start()
        await until(lambda: len(turns) > 1)
        await scheduler.stop()
        await database.close()
    assert set(turns) == {int(trusted)}


@pytest.mark.parametrize("guarded_by", [True, False], ids=["not renewed", "control"])
async def test_a_lease_is_not_renewed_by_a_clock_that_jumps_during_the_turn(
    postgres_url: str, clock: FakeClock, guarded_by: bool
) -> None:
    """The control does not look at the clock again, and has the job for twenty days."""
    looks, jumped, began, done = [0], [False], asyncio.Event(), asyncio.Event()

    def is_trusted() -> bool:
        looks[0] += jumped[0]
        return not (guarded_by and jumped[0])

    async def turn() -> None:
        began.set()
        await done.wait()

    async with await Store.open(postgres_url) as store:
        scheduler = Scheduler(store, clock, may_run=is_trusted, renew_seconds=0.01)
        scheduler.every(0.01, "long turn", turn)
        scheduler.start()
        await began.wait()
        clock.advance(20 * DAY)
        jumped[0] = True
        await until(lambda: looks[0] > 1)  # the first renewal has ended before the second is thought of
        done.set()
        await scheduler.stop()
    database = await asyncpg.connect(postgres_url)
    renewed = await database.fetchval("SELECT max(expires_at) FROM leases") > clock() - DAY
    await database.close()
    assert renewed is not guarded_by


@pytest.mark.parametrize(("jump", "state"), [(20 * DAY, "HOLD"), (0, "PAYABLE")], ids=["by the guard", "control"])
async def test_news_that_is_decided_after_a_jump_ends_no_hold(sqlite_url: str, jump: int, state: str) -> None:
    """What was on its way when the clock jumped, and deliveries that bear no time; the control believes the clock."""
    harness = await Harness.open(sqlite_url)
    try:
        await harness.order("O-1", clickId=await harness.click(), orderStatus="confirmed")
        await harness.status("O-1", "delivered", harness.clock())
        harness.clock.advance(20 * DAY)
        harness.worker._jump_ms = lambda: jump
        await harness.work()
        commission = await harness.commission("O-1")
        assert commission is not None
        assert commission["state"] == state
    finally:
        await harness.close()
