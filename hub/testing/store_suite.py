# ruff: noqa: S101 -- a suite asserts
"""What every store must do alike. Subclass `StoreSuite` in a test module and give it a `store` fixture.

The fixture's store has the hub's schema, no rows, and reads `SUITE_QUERIES` beside its own query folder.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hub.storage import BadValue, Conflict, QueryFault, Store, StoreUnavailable, Tx
from hub.storage import transaction as transactions

SUITE_QUERIES = Path(__file__).parent / "queries"
HIGHEST = 2**63 - 1
LOWEST = -(2**63)
TEXTS = ["", "plain", "naïve", "Zażółć", "日本語", "🧾👩‍👩‍👧", "e\u0301", "\ufeff", "'; DROP TABLE leases; --", "\\u0000", "a\tb\r\n"]
UNSTORABLE = ["a\x00b", "\ud800", "\udfff tail"]


class Boom(Exception):
    """What the suite raises to leave a transaction."""


async def put(tx: Tx, *names: str, owner: str = "suite", number: int = 0) -> list[str]:
    """Add leases and return the names that were free."""
    rows = await tx.all("suite_put_leases", leases=[(name, owner, number) for name in names])
    return [row["name"] for row in rows]


async def names(store: Store) -> list[str]:
    """Return the names of all committed leases."""
    async with store.read() as tx:
        return [row["name"] for row in await tx.all("suite_leases_of", owner=None)]


async def number_of(store: Store, name: str) -> int:
    """Return a lease's number."""
    async with store.read() as tx:
        rows = await tx.all("suite_leases", names=[name])
    number: int = rows[0]["expires_at"]
    return number


class QuerySuite:
    """Macros, parameters and values."""

    async def test_a_batch_goes_in_and_comes_back(self, store: Store) -> None:
        """`@rows` keeps order, types and nulls."""
        batch = [("a", 1), (None, 2), ("c", None), (None, None)]
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=batch)
        assert [(row["word"], row["number"]) for row in rows] == batch
        assert list(rows[0].keys()) == ["word", "number"]
        assert dict(rows[0]) == {"word": "a", "number": 1}

    async def test_five_thousand_rows_are_one_statement(self, store: Store) -> None:
        """The largest catalogue call fits into one batch."""
        leases = [(f"lease-{index:05}", "ö" * 50, index) for index in range(5000)]
        async with store.write() as tx:
            assert len(await tx.all("suite_put_leases", leases=leases)) == 5000
            assert await tx.all("suite_put_leases", leases=leases) == []
        async with store.read() as tx:
            found = await tx.all("suite_leases", names=[name for name, _, _ in leases])
        assert [(row["name"], row["owner"], row["expires_at"]) for row in found] == leases

    async def test_an_empty_batch_does_nothing(self, store: Store) -> None:
        """Empty batches and lists need no care of the caller."""
        async with store.write() as tx:
            assert await tx.all("suite_put_leases", leases=[]) == []
            assert await tx.all("suite_leases", names=[]) == []
            assert await tx.all("suite_leases_at", times=[]) == []
            assert await tx.run("suite_copy_leases", leases=[]) == 0

    async def test_lists_hold_texts_or_numbers(self, store: Store) -> None:
        """`@list` stands behind IN."""
        async with store.write() as tx:
            await tx.run("suite_put_leases", leases=[("a", "x", 1), ("b", "x", HIGHEST), ("c", "x", LOWEST)])
            assert [row["name"] for row in await tx.all("suite_leases_at", times=[HIGHEST, LOWEST])] == ["b", "c"]
            assert [row["name"] for row in await tx.all("suite_leases", names=["a", "nobody"])] == ["a"]

    async def test_a_missing_filter_is_null(self, store: Store) -> None:
        """None is NULL, never a text."""
        async with store.write() as tx:
            await tx.run("suite_put_leases", leases=[("a", "x", 1), ("b", "y", 2)])
            assert len(await tx.all("suite_leases_of", owner=None)) == 2
            assert [row["name"] for row in await tx.all("suite_leases_of", owner="y")] == ["b"]
            row = await tx.one("suite_echo_one", word=None, number=None)
            assert row is not None
            assert dict(row) == {"word": None, "number": None}

    async def test_texts_are_no_code(self, store: Store) -> None:
        """Literals keep what looks like a parameter, a comment or a macro."""
        async with store.read() as tx:
            row = await tx.one("suite_literals", word="!")
        assert row is not None
        assert row["text"] == "it's :word -- @rows(:x; y text)!"

    async def test_numbers_keep_64_bits(self, store: Store) -> None:
        """No number passes through a float."""
        numbers = [0, -1, 2**53 + 1, HIGHEST, LOWEST]
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=[(None, number) for number in numbers])
            assert [row["number"] for row in rows] == numbers
            for number in numbers:
                row = await tx.one("suite_echo_one", word=None, number=number)
                assert row is not None
                assert row["number"] == number

    async def test_every_text_survives(self, store: Store) -> None:
        """Texts come back character for character, from values and from batches."""
        async with store.read() as tx:
            rows = await tx.all("suite_echo", batch=[(text, index) for index, text in enumerate(TEXTS)])
            assert [row["word"] for row in rows] == TEXTS
            for text in TEXTS:
                row = await tx.one("suite_echo_one", word=text, number=1)
                assert row is not None
                assert row["word"] == text

    async def test_what_cannot_be_stored_is_refused_before_the_database(self, store: Store) -> None:
        """One poisoned text harms neither the transaction nor its neighbours."""
        async with store.write() as tx:
            await put(tx, "first")
            for text in UNSTORABLE:
                with pytest.raises(ValueError, match="`leases`|`name`"):
                    await put(tx, text)
                with pytest.raises(BadValue):
                    await tx.run("suite_put_lease", name=text, owner="x", expires_at=0)
                with pytest.raises(BadValue):
                    await tx.all("suite_leases", names=["fine", text])
            with pytest.raises(BadValue):
                await tx.run("suite_put_lease", name="big", owner="x", expires_at=HIGHEST + 1)
            with pytest.raises(BadValue):
                await tx.run("suite_put_lease", name=b"bytes", owner="x", expires_at=1)
            with pytest.raises(BadValue):
                await tx.all("suite_put_leases", leases=[("short", "x")])
            await put(tx, "last")
        assert await names(store) == ["first", "last"]

    async def test_a_number_over_64_bits_in_a_batch_is_a_bad_value(self, store: Store) -> None:
        """Whichever side notices it: the fault is the value's, not the store's."""
        for number in (HIGHEST + 1, 2**70):
            with pytest.raises(BadValue):
                async with store.write() as tx:
                    await put(tx, "big", number=number)
        assert await names(store) == []

    async def test_wrong_calls_are_named(self, store: Store) -> None:
        """A misspelt query or parameter is the program's fault, and says so."""
        async with store.read() as tx:
            with pytest.raises(QueryFault, match="no query named `nothing`"):
                await tx.all("nothing")
            with pytest.raises(QueryFault, match="owner"):
                await tx.all("suite_leases_of")
            with pytest.raises(QueryFault, match="extra"):
                await tx.all("suite_leases_of", owner=None, extra=1)
            assert await tx.all("suite_leases_of", owner=None) == []

    async def test_statements_run_one_by_one(self, store: Store) -> None:
        """Two at once in one transaction are the program's fault, on either database, and harm nothing."""
        async with store.write() as tx:
            with pytest.raises(QueryFault, match="one statement at a time"):
                await asyncio.gather(tx.all("suite_count"), tx.all("suite_count"))
            await asyncio.sleep(0.05)
            await put(tx, "a")
        assert await names(store) == ["a"]

    async def test_run_counts_rows(self, store: Store) -> None:
        """Inserted, changed, returned: `run` says how many."""
        rows = [(name, "x", 0) for name in "abc"]
        async with store.write() as tx:
            assert await tx.run("suite_copy_leases", leases=rows) == 3
            assert await tx.run("suite_put_leases", leases=[*rows, ("d", "x", 0)]) == 1
            assert await tx.run("suite_move_leases", owners=[("a", "y"), ("b", "y"), ("nobody", "y")]) == 2
            assert await tx.run("suite_count_up", name="nobody", step=1) == 0
            assert await tx.run("suite_leases_of", owner="y") == 2


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
            await tx.run("suite_put_claims", claims=[("acc", "order", "1", "e1", None), ("acc", "order", "2", "e2", "c2")])
            again = [("acc", "order", "1", "e3", "c1"), ("acc", "order", "2", "e3", "c3"), ("acc", "order", "3", "e3", None)]
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

    async def test_readers_see_only_what_is_committed(self, store: Store) -> None:
        """No dirty reads; a reader never waits for the writer."""
        async with store.write() as tx:
            await put(tx, "a")
            assert await names(store) == []
            assert [row["name"] for row in await tx.all("suite_leases_of", owner=None)] == ["a"]
        assert await names(store) == ["a"]

    async def test_a_read_cannot_write(self, store: Store) -> None:
        """What opens a read by mistake is told at once."""
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

    async def test_an_idle_transaction_is_broken_up(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever waits for something else inside a transaction does not hold the others up."""
        monkeypatch.setattr(transactions, "IDLE_SECONDS", 0.05)
        with pytest.raises(StoreUnavailable, match="idle"):
            async with store.write() as tx:
                await put(tx, "a")
                async with store.write() as other:
                    await put(other, "b")
                await asyncio.sleep(0.2)
        assert await names(store) == ["b"]


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
        """Who holds an order's lock works on it alone, however many orders each one takes."""
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
        """Who gives up waiting for a connection leaves the queue."""

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
