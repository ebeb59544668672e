"""Group commit on SQLite: transactions that wait at the same moment are one, and each caller gets its own result."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Coroutine
from pathlib import Path

import pytest

from hub.storage import Conflict, InsertAll, NotAllNew, Store, StoreUnavailable, Tx
from hub.storage.named_queries.compiler import load_queries
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.group_commit import GROUP_SECONDS, GroupCommit
from hub.storage.transaction import T, Work
from hub.testing.store_steps import SUITE_FOLDERS, Boom, names, number_of, put


class Writer:
    """A file's writing connection and its group commit, without the store around them."""

    def __init__(self, url: str, group_seconds: float = GROUP_SECONDS) -> None:
        self.pool = ConnectionPool(Path(url.removeprefix("sqlite:///")), "writer", 1)
        self.group_commit = GroupCommit(self.pool, group_seconds=group_seconds)
        self.queries = load_queries("sqlite", SUITE_FOLDERS)

    async def transact(self, work: Work[T]) -> T:
        """Run work as `Store.transact` does."""
        return await self.group_commit.transact(self.queries, work)

    async def aclose(self) -> None:
        """Wait for the transactions and close the connection."""
        await self.group_commit.close()
        await self.pool.close()


def putting(store: Store | Writer, *new: str) -> Coroutine[object, object, list[str]]:
    async def work(tx: Tx) -> list[str]:
        return await put(tx, *new)

    return store.transact(work)


def inserting(store: Store, *new: str) -> Coroutine[object, object, None]:
    return store.transact(InsertAll([("suite_copy_leases", {"leases": [(name, "x", 1) for name in new]})]))


async def together(store: Store | Writer, *transactions: Coroutine[object, object, object]) -> list[object]:
    """Run transactions that wait at the same moment, behind one that is being committed; return what each returned.

    The writer's connection is opened first, so that the one in front is at its commit before the others begin.
    """
    await putting(store)
    _, *results = await asyncio.gather(putting(store), *transactions, return_exceptions=True)
    return results


@pytest.mark.parametrize(("group_seconds", "commits"), [(GROUP_SECONDS * 100, 3), (0.0, 22)])
async def test_transactions_that_wait_at_the_same_moment_are_one_commit(
    sqlite_url: str, group_seconds: float, commits: int
) -> None:
    """Three commits in all: to open the connection, of the one in front, and of all that waited meanwhile.

    The control: without a group each commits by itself.
    """
    async with contextlib.aclosing(Writer(sqlite_url, group_seconds)) as writer:
        await together(writer, *(putting(writer, f"{number}") for number in range(20)))
        assert writer.pool.commits == commits


async def test_each_sees_what_those_before_it_in_the_group_wrote(sqlite_store: Store) -> None:
    """They run one after the other, in the order in which they came."""
    results = await together(
        sqlite_store, putting(sqlite_store, "a"), putting(sqlite_store, "a", "b"), putting(sqlite_store, "b")
    )
    assert results == [["a"], ["b"], []]


async def test_a_fault_of_one_is_its_own(sqlite_store: Store) -> None:
    """The others are kept, and nothing is done twice although they run again."""

    async def faulty(tx: Tx) -> None:
        await put(tx, "of the faulty one")
        raise Boom

    async def counting(tx: Tx) -> None:
        await tx.run("suite_count_up", name="here", step=1)

    async with sqlite_store.write() as tx:
        await put(tx, "here", number=1)
    results = await together(
        sqlite_store,
        inserting(sqlite_store, "first"),
        sqlite_store.transact(counting),
        sqlite_store.transact(faulty),
        putting(sqlite_store, "after it"),
    )
    assert isinstance(results[2], Boom)
    assert [results[0], results[1], results[3]] == [None, None, ["after it"]]
    assert await names(sqlite_store) == ["after it", "first", "here"]
    assert await number_of(sqlite_store, "here") == 2


async def test_a_failure_counts_only_where_nothing_uncommitted_was_seen(sqlite_store: Store) -> None:
    """One that fails because of another's uncommitted rows runs again; those were undone, so it succeeds."""
    runs: list[str] = []

    async def undone(tx: Tx) -> None:
        runs.append("undone")
        await put(tx, "a")
        if len(runs) > 1:
            raise Boom

    async def conflicting(tx: Tx) -> None:
        runs.append("conflicting")
        await tx.run("suite_put_lease", name="a", owner="x", expires_at=1)

    results = await together(sqlite_store, sqlite_store.transact(undone), sqlite_store.transact(conflicting))
    assert isinstance(results[0], Boom)
    assert results[1] is None
    assert await names(sqlite_store) == ["a"]


async def test_a_swallowed_refusal_is_a_failure_too(sqlite_store: Store) -> None:
    """What the work wrote before it is undone with it."""

    async def stubborn(tx: Tx) -> None:
        await put(tx, "before")
        with pytest.raises(Conflict):
            await tx.run("suite_put_coupon", coupon_code="X", affiliate_id="nobody")

    results = await together(sqlite_store, inserting(sqlite_store, "z"), sqlite_store.transact(stubborn))
    assert isinstance(results[1], StoreUnavailable)
    assert await names(sqlite_store) == ["z"]


async def test_what_is_not_all_new_is_undone_alone(sqlite_store: Store) -> None:
    """A batch that holds a known row takes nobody with it."""
    claims = [("acc", "order", "1", "e", None)] * 2
    results = await together(
        sqlite_store,
        putting(sqlite_store, "a"),
        sqlite_store.transact(InsertAll([("claim_keys", {"claims": claims})])),
        putting(sqlite_store, "b"),
    )
    assert isinstance(results[1], NotAllNew)
    assert await names(sqlite_store) == ["a", "b"]


async def test_a_commit_that_fails_fails_for_all(sqlite_store: Store) -> None:
    """Nobody gets a result, and the next group starts on a new connection."""

    async def broken(tx: Tx) -> None:
        await tx._session.command("PRAGMA defer_foreign_keys = ON")
        await tx.run("suite_put_coupon", coupon_code="X", affiliate_id="nobody")

    results = await together(
        sqlite_store, putting(sqlite_store, "a"), sqlite_store.transact(broken), putting(sqlite_store, "b")
    )
    assert all(isinstance(each, StoreUnavailable) and "commit failed" in str(each) for each in results)
    assert await names(sqlite_store) == []
    assert await putting(sqlite_store, "z") == ["z"]


async def test_a_caller_who_gives_up_waiting_leaves_nothing_behind(sqlite_store: Store) -> None:
    """And the others go on without it."""
    await putting(sqlite_store)
    first = asyncio.create_task(putting(sqlite_store, "first"))
    second = asyncio.create_task(putting(sqlite_store, "second"))
    third = asyncio.create_task(putting(sqlite_store, "third"))
    await asyncio.sleep(0)
    second.cancel()
    assert await first == ["first"]
    assert await third == ["third"]
    with pytest.raises(asyncio.CancelledError):
        await second
    assert set(await names(sqlite_store)) >= {"first", "third"}


async def test_a_cancelled_leader_finishes_the_commit_of_the_others(sqlite_url: str) -> None:
    """Whatever the moment of the cancellation: the others get their results, and the next caller leads."""

    def slow_down(statement: str) -> None:
        if statement == "COMMIT":
            time.sleep(0.05)

    async with contextlib.aclosing(Writer(sqlite_url)) as writer:
        connection = await writer.pool.acquire()
        connection.direct.set_trace_callback(slow_down)
        writer.pool.release(connection)
        tasks = [asyncio.create_task(putting(writer, f"{number}")) for number in range(5)]
        await asyncio.sleep(0.02)
        for turn in range(3):
            tasks[turn].cancel()
            await asyncio.sleep(0.02)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results[3:] == [["3"], ["4"]]
        assert await putting(writer, "later") == ["later"]


async def test_one_that_is_cancelled_while_its_group_commits_is_cancelled(sqlite_url: str) -> None:
    """It gets no other error, which a task that runs for ever would survive: nothing could stop it any more."""
    commits: list[str] = []
    queued, second, held = threading.Event(), threading.Event(), threading.Event()

    def hold_both(statement: str) -> None:
        if statement == "COMMIT":
            commits.append(statement)
            if len(commits) == 1:  # a disk may be so quick that the first is done before the others come
                queued.wait(300)
            else:
                second.set()
                held.wait(300)

    async with contextlib.aclosing(Writer(sqlite_url, group_seconds=60.0)) as writer:
        connection = await writer.pool.acquire()
        connection.direct.set_trace_callback(hold_both)
        writer.pool.release(connection)
        tasks = [asyncio.create_task(putting(writer, name)) for name in ("in front", "leader", "follower")]
        await asyncio.sleep(0)  # each has begun
        queued.set()
        assert await asyncio.to_thread(second.wait, 60)
        tasks[2].cancel()
        with pytest.raises(asyncio.CancelledError):
            await tasks[2]
        held.set()
        assert await asyncio.gather(*tasks[:2]) == [["in front"], ["leader"]]
        assert await putting(writer, "follower") == []


async def test_all_wait_for_another_process_that_writes(sqlite_store: Store, sqlite_url: str) -> None:
    """Without blocking the event loop, and without losing their order."""
    await putting(sqlite_store)
    other = sqlite3.connect(Path(sqlite_url.removeprefix("sqlite:///")))
    other.execute("BEGIN IMMEDIATE")
    tasks = [asyncio.create_task(putting(sqlite_store, name)) for name in ("a", "b")]
    await asyncio.sleep(0.1)
    assert not any(task.done() for task in tasks)
    other.rollback()
    other.close()
    assert await asyncio.gather(*tasks) == [["a"], ["b"]]


async def test_closing_waits_for_the_submitted_transactions(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url, migrate=True)
    clicks = [
        asyncio.create_task(
            store.transact(InsertAll([("claim_keys", {"claims": [("a", "order", str(n), "e", None)]})]))
        )
        for n in range(5)
    ]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*clicks)
