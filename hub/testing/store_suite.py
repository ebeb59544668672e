"""What every store must do alike. Subclass `StoreSuite` in a test module and give it a `store` fixture.

The fixture's store has the hub's schema, no rows, and was opened with `query_folders=SUITE_FOLDERS`.
"""

from __future__ import annotations

import asyncio

import pytest

from hub.storage import Store, StoreUnavailable
from hub.testing.store_queries import QuerySuite
from hub.testing.store_steps import SUITE_FOLDERS, names, number_of, put
from hub.testing.store_transactions import TransactionSuite

__all__ = ["SUITE_FOLDERS", "StoreSuite"]


class ConcurrencySuite:
    """Many tasks at once, and tasks that are cancelled."""

    async def test_no_update_is_lost(self, store: Store) -> None:
        """Forty writers count to two hundred."""
        async with store.write() as tx:
            await put(tx, "counter")

        async def count() -> None:
            for _ in range(5):
                async with store.write() as tx:
                    await tx.run("suite_count_up", name="counter", step=1)

        await asyncio.gather(*(count() for _ in range(40)))
        assert await number_of(store, "counter") == 200

    async def test_one_key_has_one_winner(self, store: Store) -> None:
        """Of twenty claims at the same time exactly one gets the key."""

        async def claim(owner: int) -> list[str]:
            async with store.write() as tx:
                return await put(tx, "key", owner=str(owner))

        won = await asyncio.gather(*(claim(owner) for owner in range(20)))
        assert sorted(won)[-2:] == [[], ["key"]]

    async def test_readers_and_writers_mix(self, store: Store) -> None:
        """More readers than connections, all served while writers commit."""

        async def work(index: int) -> int:
            async with store.write() as tx:
                await put(tx, f"lease {index}")
            return len(await names(store))

        assert max(await asyncio.gather(*(work(index) for index in range(40)))) == 40

    async def test_an_order_lock_is_exclusive(self, store: Store) -> None:
        """The transaction that holds an order's lock works on it alone, however many orders each locks."""
        inside: list[str] = []
        orders = [("acc", "order 1"), ("acc", "order 2"), ("acc", "order 1")]

        async def work(mine: list[tuple[str, str]]) -> None:
            async with store.write() as tx:
                await tx.lock_orders(mine)
                inside.append("in")
                await tx.all("suite_count")
                await asyncio.sleep(0.005)
                inside.append("out")

        await asyncio.gather(*(work(orders if index % 2 else orders[::-1]) for index in range(8)))
        assert inside == ["in", "out"] * 8

    @pytest.mark.parametrize("delay_us", [0, 20, 100, 300, 1000, 3000])
    async def test_a_cancelled_transaction_leaves_nothing_behind(self, store: Store, delay_us: int) -> None:
        """Wherever the cancellation strikes: the rows are all there or none is, and the connection is clean."""

        async def work(number: int) -> None:
            async with store.write() as tx:
                await put(tx, f"{number} a")
                await put(tx, f"{number} b")

        tasks = [asyncio.create_task(work(number)) for number in range(6)]
        await asyncio.sleep(delay_us / 1e6)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        async with store.write() as tx:
            await put(tx, "9 a", "9 b")
        found = await names(store)
        assert len(found) % 2 == 0
        assert {name[0] for name in found if name.endswith("a")} == {name[0] for name in found if name.endswith("b")}

    async def test_a_second_cancellation_does_not_break_the_rollback(self, store: Store) -> None:
        """The connection comes back clean even when the rollback itself is interrupted."""

        async def work() -> None:
            async with store.write() as tx:
                await put(tx, "a")
                await asyncio.sleep(10)

        task = asyncio.create_task(work())
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with store.write() as tx:
            await put(tx, "b")
        assert await names(store) == ["b"]

    async def test_a_cancelled_wait_does_not_keep_its_place(self, store: Store) -> None:
        """A caller that gives up waiting for a connection leaves the queue."""

        async def wait() -> None:
            async with store.write() as tx:
                await put(tx, "waiter")

        async with store.write() as tx:
            waiters = [asyncio.create_task(wait()) for _ in range(20)]
            await asyncio.sleep(0.01)
            for waiter in waiters:
                waiter.cancel()
            await put(tx, "holder")
        await asyncio.gather(*waiters, return_exceptions=True)
        async with store.write() as tx:
            await put(tx, "next")
        assert "next" in await names(store)


class LifeSuite:
    """Opening, asking and closing."""

    async def test_it_tells_its_version_and_answers(self, store: Store) -> None:
        """A migrated store has a version and answers a ping."""
        assert await store.schema_version() >= 1
        await store.ping()

    async def test_a_closed_store_is_unavailable(self, store: Store) -> None:
        """Closing waits for the open transaction; afterwards every call says that the store is closed."""

        async def slow() -> None:
            async with store.write() as tx:
                await put(tx, "a")
                await asyncio.sleep(0.05)

        task = asyncio.create_task(slow())
        await asyncio.sleep(0.02)
        await store.close()
        await task
        for attempt in (store.write, store.read):
            with pytest.raises(StoreUnavailable):
                async with attempt():
                    pass
        with pytest.raises(StoreUnavailable):
            await store.ping()
        await store.close()


class StoreSuite(QuerySuite, TransactionSuite, ConcurrencySuite, LifeSuite):
    """The whole suite."""
