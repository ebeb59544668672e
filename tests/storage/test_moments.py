"""What tells one writing transaction of SQLite's whether anything was changed since another."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from hub.storage import Moment, QueryFault, Store, Tx
from hub.storage.sqlite import SqliteDriver
from hub.testing.store_steps import Boom, put


@pytest.fixture
async def store(sqlite_store: Store) -> Store:
    """A store whose writer is open, with a lease in it."""
    async with sqlite_store.write() as tx:
        await put(tx, "here")
    return sqlite_store


async def moment(store: Store, *, brief: bool = True) -> Moment | None:
    return await store.transact(_moment, brief=brief, adds=True)


async def _moment(tx: Tx) -> Moment | None:
    return await tx.moment()


async def _put(tx: Tx, name: str) -> None:
    await put(tx, name)


async def written(store: Store) -> None:
    async with store.write() as tx:
        await put(tx, "new")


async def transacted(store: Store) -> None:
    await store.transact(partial(_put, name="new"))


async def transacted_briefly(store: Store) -> None:
    await store.transact(partial(_put, name="new"), brief=True)


async def by_another_process(store: Store) -> None:
    driver = store._driver
    assert isinstance(driver, SqliteDriver)
    with sqlite3.connect(driver._path) as other:
        other.execute("UPDATE leases SET expires_at = 7")
    other.close()


async def on_a_new_connection(store: Store) -> None:
    driver = store._driver
    assert isinstance(driver, SqliteDriver)
    await driver._writer.drop(await driver._writer.borrow())


Change = Callable[[Store], Awaitable[object]]


@pytest.mark.parametrize("change", [written, transacted, transacted_briefly, by_another_process, on_a_new_connection])
async def test_a_change_is_another_moment(store: Store, change: Change) -> None:
    """Whoever made it; a new connection cannot tell what was changed before it."""
    before = await moment(store)
    await change(store)
    assert before is not None
    assert await moment(store) != before
    assert await moment(store) == await moment(store, brief=False)


async def added(store: Store) -> None:
    await store.transact(partial(_put, name="new"), adds=True)


async def joined(store: Store) -> None:
    await store.join(partial(_put, name="new"))


async def filed(store: Store) -> None:
    assert await store.all_or_nothing(("suite_copy_leases", {"leases": [("new", "x", 1)]}))


async def changed_nothing(store: Store) -> None:
    async with store.write() as tx:
        await tx.all("suite_leases", names=["here"])


async def undone(store: Store) -> None:
    with pytest.raises(Boom):
        async with store.write() as tx:
            await put(tx, "new")
            raise Boom


async def read(store: Store) -> None:
    async with store.read() as tx:
        await tx.all("suite_leases", names=["here"])


@pytest.mark.parametrize("harmless", [added, joined, filed, changed_nothing, undone, read])
async def test_what_is_only_added_or_changes_nothing_is_none(store: Store, harmless: Change) -> None:
    """So that decisions under way hold while orders and clicks come in."""
    before = await moment(store)
    await harmless(store)
    assert await moment(store) == before


async def test_a_transaction_that_changes_sees_its_own_moment_as_it_was(store: Store) -> None:
    """The same in every kind of transaction, before and after what it writes."""
    before = await moment(store)
    async with store.write() as tx:
        assert await tx.moment() == before
        await put(tx, "new")
        assert await tx.moment() == before


async def test_a_reading_transaction_has_none(store: Store) -> None:
    """Somebody may be in the middle of a change that it does not see."""
    with pytest.raises(QueryFault, match="Only a writing transaction has a moment"):
        async with store.read() as tx:
            await tx.moment()
    with pytest.raises(QueryFault, match="Only a writing transaction has a moment"):
        await store.view(_moment)


async def test_postgresql_has_none(postgres_store: Store) -> None:
    """Many write at once, and locks keep them apart."""
    assert await moment(postgres_store) is None
