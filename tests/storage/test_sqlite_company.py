"""Transactions of SQLite that are committed with the desk's next batch."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine

import pytest

from hub.storage import Conflict, Store, StoreUnavailable, Tx
from hub.storage.sqlite.driver import SqliteDriver
from hub.storage.sqlite import group_commit as sqlite_company
from hub.storage.sqlite.group_commit import Company
from hub.storage.sqlite.sessions import CommitFailed, DirectSession
from hub.storage.transaction import Work
from hub.testing.store_steps import Boom, names, number_of, put


def commits(store: Store) -> int:
    driver = store._driver
    assert isinstance(driver, SqliteDriver)
    return driver._writer.commits


def batch(store: Store, *new: str) -> Coroutine[object, object, bool]:
    """A batch as the desk files it."""
    return store.all_or_nothing(("suite_copy_leases", {"leases": [(name, "x", 1) for name in new]}))


async def joining(store: Store, *new: str) -> list[str]:
    async def work(tx: Tx) -> list[str]:
        return await put(tx, *new)

    return await store.join(work)


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits waits until the batch comes, however slow the machine."""
    monkeypatch.setattr(sqlite_company, "PATIENCE_SECONDS", 60)


async def waiting(store: Store, *works: Coroutine[object, object, list[str]]) -> list[asyncio.Task[list[str]]]:
    """Tasks of transactions that wait for company."""
    tasks = [asyncio.create_task(work) for work in works]
    await asyncio.sleep(0)
    return tasks


async def test_who_joins_is_committed_with_the_next_batch(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them by one commit; and each is told its own result."""
    patient(monkeypatch)
    before = commits(sqlite_store)
    tasks = await waiting(sqlite_store, joining(sqlite_store, "a", "b"), joining(sqlite_store, "b", "c"))
    assert await batch(sqlite_store, "z")
    assert [await task for task in tasks] == [["a", "b"], ["c"]]
    assert commits(sqlite_store) == before + 1
    assert await names(sqlite_store) == ["a", "b", "c", "z"]


async def test_the_count_of_commits_tells_company_from_none(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the one above: where nobody is taken along each commits for itself."""

    async def lead(_: Company, work: Work[None], transact: Callable[[Work[None]], Awaitable[None]]) -> None:
        await transact(work)

    monkeypatch.setattr(Company, "lead", lead)
    before = commits(sqlite_store)
    tasks = await waiting(sqlite_store, joining(sqlite_store, "a", "b"), joining(sqlite_store, "b", "c"))
    assert await batch(sqlite_store, "z")
    assert [await task for task in tasks] == [["a", "b"], ["c"]]
    assert commits(sqlite_store) == before + 3


async def test_who_joins_sees_what_the_batch_wrote(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its work begins after the batch's."""
    patient(monkeypatch)
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "z", "a"))
    assert await batch(sqlite_store, "z")
    assert await task == ["a"]


async def test_who_finds_no_company_goes_alone(sqlite_store: Store) -> None:
    """Within milliseconds: nothing depends on requests that may never come."""
    before = commits(sqlite_store)
    async with asyncio.timeout(5):
        assert await joining(sqlite_store, "a") == ["a"]
    assert commits(sqlite_store) == before + 1
    assert await batch(sqlite_store, "z")
    assert await names(sqlite_store) == ["a", "z"]


async def test_where_the_batch_falls_short_who_joined_goes_alone(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that holds something known is undone, and takes nobody with it."""
    patient(monkeypatch)
    claims = [("acc", "order", "1", "e", None)] * 2
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "a"))
    assert not await sqlite_store.all_or_nothing(("claim_keys", {"claims": claims}))
    assert await task == ["a"]
    assert await batch(sqlite_store, "b")
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "c"))
    with pytest.raises(Conflict):
        await batch(sqlite_store, "b")
    assert await task == ["c"]
    assert await names(sqlite_store) == ["a", "b", "c"]


async def test_a_fault_of_who_joined_is_its_own(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The batch is kept all the same, and so is what the others who joined did; nothing is done twice."""
    patient(monkeypatch)

    async def faulty(tx: Tx) -> list[str]:
        await put(tx, "of the faulty one")
        raise Boom

    async def counting(tx: Tx) -> list[str]:
        await tx.run("suite_count_up", name="here", step=1)
        return []

    async with sqlite_store.write() as tx:
        await put(tx, "here", number=1)
    tasks = await waiting(
        sqlite_store, sqlite_store.join(counting), sqlite_store.join(faulty), joining(sqlite_store, "after it")
    )
    assert await batch(sqlite_store, "z")
    assert await tasks[0] == []
    with pytest.raises(Boom):
        await tasks[1]
    assert await tasks[2] == ["after it"]
    assert await names(sqlite_store) == ["after it", "here", "z"]
    assert await number_of(sqlite_store, "here") == 2


async def test_a_refused_statement_of_who_joined_is_its_own_too(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the work swallows the refusal: what it wrote before is undone with it."""
    patient(monkeypatch)

    async def stubborn(tx: Tx) -> list[str]:
        await put(tx, "before")
        with pytest.raises(Conflict):
            await tx.run("suite_put_coupon", coupon_code="X", affiliate_id="nobody")
        return []

    (task,) = await waiting(sqlite_store, sqlite_store.join(stubborn))
    assert await batch(sqlite_store, "z")
    with pytest.raises(StoreUnavailable):
        await task
    assert await names(sqlite_store) == ["z"]


async def test_a_commit_that_fails_fails_for_all(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that anything was kept."""
    patient(monkeypatch)

    async def commit(self: DirectSession) -> None:
        self._connection.execute("ROLLBACK")
        raise CommitFailed("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr(DirectSession, "commit", commit)
        tasks = await waiting(sqlite_store, joining(sqlite_store, "a"), joining(sqlite_store, "b"))
        with pytest.raises(StoreUnavailable, match="disk I/O"):
            await batch(sqlite_store, "z")
        for task in tasks:
            with pytest.raises(StoreUnavailable, match="disk I/O"):
                await task
    assert await names(sqlite_store) == []
    assert await batch(sqlite_store, "z")


async def test_who_gives_up_waiting_is_not_taken_along(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cancelled transaction leaves nothing behind, and the batch goes on without it."""
    patient(monkeypatch)
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "a"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await batch(sqlite_store, "z")
    assert await names(sqlite_store) == ["z"]


async def test_who_gives_up_under_way_is_kept_or_not_as_the_batch_is(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with any commit that its caller no longer waits for."""
    patient(monkeypatch)
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "a"))
    filing = asyncio.create_task(batch(sqlite_store, "z"))
    await asyncio.sleep(0)
    assert is_taken(sqlite_store)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await filing
    assert await names(sqlite_store) == ["a", "z"]


def is_taken(store: Store) -> bool:
    driver = store._driver
    assert isinstance(driver, SqliteDriver)
    return not driver._company._waiting


async def test_where_another_process_writes_both_wait_for_it(
    sqlite_store: Store, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the writer's thread, so that the event loop stays free, and together as ever."""
    patient(monkeypatch)
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))
    other.execute("BEGIN IMMEDIATE")
    before = commits(sqlite_store)
    (task,) = await waiting(sqlite_store, joining(sqlite_store, "a"))
    filing = asyncio.create_task(batch(sqlite_store, "z"))
    await asyncio.sleep(0.1)
    assert not task.done()
    assert not filing.done()
    other.rollback()
    other.close()
    assert await filing
    assert await task == ["a"]
    assert commits(sqlite_store) == before + 1
