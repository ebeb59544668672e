"""What every store must do alike, part two: what commits, what does not, and what a failure leaves behind."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from hub.storage import BadValue, Conflict, Store, StoreUnavailable, Tx
from hub.testing.store_steps import Boom, names, put


class TransactionSuite:
    """What commits, what does not, and what a failure leaves behind."""

    async def test_returning_tells_who_won(self, store: Store) -> None:
        """ON CONFLICT DO NOTHING returns the fresh rows only, twins within the batch included."""
        async with store.write() as tx:
            assert await put(tx, "a", "b", "a") == ["a", "b"]
            assert await put(tx, "b", "c") == ["c"]

    async def test_returning_of_an_update_tells_what_changed(self, store: Store) -> None:
        """ON CONFLICT DO UPDATE ... WHERE returns only rows that it touched."""
        async with store.write() as tx:
            await tx.run(
                "suite_put_claims", claims=[("acc", "order", "1", "e1", None), ("acc", "order", "2", "e2", "c2")]
            )
            again = [
                ("acc", "order", "1", "e3", "c1"),
                ("acc", "order", "2", "e3", "c3"),
                ("acc", "order", "3", "e3", None),
            ]
            assert {row["claim_key"] for row in await tx.all("suite_put_claims", claims=again)} == {"1", "3"}
            assert [row["claim_key"] for row in await tx.all("suite_open_claims")] == ["3"]

    async def test_conflicts_have_one_name(self, store: Store) -> None:
        """A taken key and a missing owner are Conflict; other constraints are BadValue."""
        with pytest.raises(Conflict):
            async with store.write() as tx:
                await put(tx, "taken")
                await tx.run("suite_put_lease", name="taken", owner="x", expires_at=1)
        with pytest.raises(Conflict):
            async with store.write() as tx:
                await tx.run("suite_put_coupon", coupon_code="X", affiliate_id="nobody")
        with pytest.raises(BadValue):
            async with store.write() as tx:
                await tx.run("suite_put_affiliate", affiliate_id="aff_1", status="SLEEPY")
        with pytest.raises(BadValue):
            async with store.write() as tx:
                await tx.run("suite_put_lease", name="no owner", owner=None, expires_at=1)
        assert await names(store) == []

    async def test_each_of_several_transactions_returns_its_own_result(self, store: Store) -> None:
        """Whether they are committed together or one by one; and a fault of one harms nobody but itself."""

        async def work(tx: Tx, name: str) -> list[str]:
            done = await put(tx, name)
            if name == "faulty":
                raise Boom
            return done

        results = await asyncio.gather(
            *(store.transact(partial(work, name=name)) for name in ("a", "faulty", "b", "a")), return_exceptions=True
        )
        first, faulty, other, again = results
        assert isinstance(faulty, Boom)
        assert (first, again) in ((["a"], []), ([], ["a"]))
        assert other == ["b"]
        assert await names(store) == ["a", "b"]

    async def test_an_exception_undoes_everything(self, store: Store) -> None:
        """All or nothing, and the store goes on."""
        with pytest.raises(Boom):
            async with store.write() as tx:
                await put(tx, "a")
                raise Boom
        async with store.write() as tx:
            await put(tx, "b")
        assert await names(store) == ["b"]

    async def test_a_swallowed_failure_cannot_commit(self, store: Store) -> None:
        """After a failed statement the transaction takes nothing more, and its end says that nothing was kept."""
        with pytest.raises(StoreUnavailable):
            async with store.write() as tx:
                await put(tx, "a")
                with pytest.raises(Conflict):
                    await tx.run("suite_put_lease", name="a", owner="x", expires_at=1)
                with pytest.raises(StoreUnavailable):
                    await put(tx, "b")
        assert await names(store) == []

    async def test_a_savepoint_undoes_its_own_part(self, store: Store) -> None:
        """Savepoints nest, and heal a failed statement."""
        async with store.write() as tx:
            await put(tx, "a")
            with pytest.raises(Conflict):
                async with tx.savepoint():
                    await put(tx, "b")
                    await tx.run("suite_put_lease", name="a", owner="x", expires_at=1)
            async with tx.savepoint():
                await put(tx, "c")
                with pytest.raises(Boom):
                    async with tx.savepoint():
                        await put(tx, "d")
                        raise Boom
                await put(tx, "e")
        assert await names(store) == ["a", "c", "e"]

    async def test_a_batch_that_fails_in_the_middle_leaves_nothing(self, store: Store) -> None:
        """Its first rows go with the transaction, and with the savepoint where there is one; so does its change."""
        rows = [(f"lease {number:02}", "x", number) for number in range(40)]
        rows[30] = ("lease 00", "x", 0)
        with pytest.raises(Conflict):
            async with store.write() as tx:
                await tx.run("suite_copy_leases", leases=rows)
        assert await names(store) == []
        async with store.write() as tx:
            await put(tx, "before")
            with pytest.raises(Conflict):
                async with tx.savepoint():
                    await tx.run("suite_copy_leases", leases=rows)
            with pytest.raises(BadValue):
                async with tx.savepoint():
                    await tx.run("suite_move_leases", owners=[("before", "y"), ("before", None)])
        assert await names(store) == ["before"]
        async with store.read() as tx:
            assert [row["name"] for row in await tx.all("suite_leases_of", owner="y")] == []

    async def test_readers_see_only_what_is_committed(self, store: Store) -> None:
        """No dirty reads; a reader never waits for the writer."""
        async with store.write() as tx:
            await put(tx, "a")
            assert await names(store) == []
            assert [row["name"] for row in await tx.all("suite_leases_of", owner=None)] == ["a"]
        assert await names(store) == ["a"]

    async def test_a_read_sees_one_moment(self, store: Store) -> None:
        """All queries of one read see the same state, whatever is committed meanwhile."""
        async with store.read() as reading:
            assert await reading.all("suite_leases_of", owner=None) == []
            async with store.write() as tx:
                await put(tx, "a")
            assert await reading.all("suite_leases_of", owner=None) == []
        assert await names(store) == ["a"]

    async def test_a_read_cannot_write(self, store: Store) -> None:
        """A write in a reading transaction fails at once."""
        with pytest.raises(StoreUnavailable):
            async with store.read() as tx:
                await put(tx, "a")
        assert await names(store) == []

    async def test_an_ended_transaction_takes_nothing(self, store: Store) -> None:
        """A `tx` that outlives its block cannot write into the next one."""
        async with store.write() as tx:
            await put(tx, "a")
        async with store.write():
            with pytest.raises(StoreUnavailable, match="ended"):
                await put(tx, "b")
        assert await names(store) == ["a"]

    async def test_an_idle_transaction_is_broken_up(self, store: Store) -> None:
        """A task that waits for something else inside of a transaction does not hold up the others."""
        with pytest.raises(StoreUnavailable, match="idle"):
            async with store.write(idle_seconds=0.05) as tx:
                await put(tx, "a")
                async with store.write() as other:
                    await put(other, "b")
                await asyncio.sleep(0.2)
        assert await names(store) == ["b"]
