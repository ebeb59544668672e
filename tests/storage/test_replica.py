"""Reads that may lag go to the replica; where it is away, far behind or fails, the database is read as ever."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define

from hub.storage import Store, StoreUnavailable
from hub.storage.replica import AWAY_MS, Replica
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser, enter, user_of
from tests.served_hub import served

MOST_BEHIND = 60_000


@define
class Pair:
    """A database, and a file that is its replica: it has what it had when it was copied."""

    store: Store
    copy: Path
    clock: FakeClock
    replica: Replica

    async def beat(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.run("write_heartbeat", node_id="here", started_at=0, now=self.clock(), master_keys="[]",
                         clock_jump_ms=0, plugins=None, exhausted_at=0)  # fmt: skip

    async def replicate(self) -> None:
        """Let the replica know of a sign of life of now."""
        async with await Store.open(f"sqlite:///{self.copy}") as copy:
            await self.beat(copy)

    async def read_from(self) -> tuple[str, int | None]:
        """Return which of both is read, and as of when."""

        async def which(store: Store) -> str:
            return "database" if store is self.store else "replica"

        read = await self.replica.read(which)
        return read.found, read.as_of


@pytest.fixture
async def pair(sqlite_url: str, clock: FakeClock, tmp_path: Path) -> AsyncIterator[Pair]:
    copy = tmp_path / "replica.db"
    shutil.copyfile(sqlite_url.removeprefix("sqlite:///"), copy)
    async with await Store.open(sqlite_url) as store:
        made = Pair(store, copy, clock, Replica(store, f"sqlite:///{copy}", MOST_BEHIND, clock))
        yield made
        await made.replica.close()


async def test_it_is_read_as_of_the_newest_sign_of_life_that_it_has(pair: Pair) -> None:
    await pair.replicate()
    seen_at = pair.clock()
    pair.clock.now += MOST_BEHIND
    assert await pair.read_from() == ("replica", seen_at)


async def test_one_that_is_far_behind_is_left_alone_for_a_while(pair: Pair) -> None:
    await pair.replicate()
    pair.clock.now += MOST_BEHIND + 1
    assert await pair.read_from() == ("database", None)
    await pair.replicate()
    assert await pair.read_from() == ("database", None), "it is not asked again at once"
    pair.clock.now += AWAY_MS
    assert (await pair.read_from())[0] == "replica"


async def test_one_that_is_away_costs_one_attempt_in_a_while(pair: Pair) -> None:
    pair.copy.rename(pair.copy.with_suffix(".away"))
    assert await pair.read_from() == ("database", None)
    pair.copy.with_suffix(".away").rename(pair.copy)
    await pair.replicate()
    assert await pair.read_from() == ("database", None)
    pair.clock.now += AWAY_MS
    assert (await pair.read_from())[0] == "replica"


async def test_what_fails_on_it_is_read_from_the_database(pair: Pair) -> None:
    """A server that only reads cancels a query that is in the way of what it replays."""
    await pair.replicate()
    asked: list[bool] = []

    async def cancelled(store: Store) -> str:
        asked.append(store is pair.store)
        if store is not pair.store:
            raise StoreUnavailable("canceling statement due to conflict with recovery")
        return "read"

    read = await pair.replica.read(cancelled)
    assert (read.found, read.as_of, asked) == ("read", None, [False, True])


async def test_without_an_address_the_database_is_read(pair: Pair) -> None:
    pair.replica = Replica(pair.store, "", MOST_BEHIND, pair.clock)
    assert await pair.read_from() == ("database", None)


async def test_pages_of_reports_say_as_of_when_they_are(sqlite_url: str, postgres_url: str, clock: FakeClock) -> None:
    """The replica is a database of its own here, so that what is read from it can be told apart."""
    async with await Store.open(postgres_url) as copy, copy.write() as tx:
        await tx.run("write_heartbeat", node_id="here", started_at=0, now=clock() - 5_000, master_keys="[]",
                     clock_jump_ms=0, plugins=None, exhausted_at=0)  # fmt: skip
    for replica, email, says in ((postgres_url, "ann@hub.example", True), ("", "bea@hub.example", False)):
        async with served(sqlite_url, clock, HUB_DATABASE_REPLICA=replica) as hub, browser(hub) as visitor:
            await user_of(hub, clock, email)
            await enter(visitor, hub, clock, email)
            page, file = await visitor.get("/operator/reports"), await visitor.get("/operator/reports.csv")
            assert (page.status, file.status) == (200, 200)
            assert ("Read from a database replica, as of" in page.words) == says
            assert ("X-As-Of" in file.headers) == says
