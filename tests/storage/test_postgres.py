"""What only PostgreSQL needs: nodes that share the work, orders held across them, and a server that goes away."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest

from hub.storage import InsertAll, Store, StoreError, StoreUnavailable
from hub.testing.store_steps import SUITE_FOLDERS, names, put
from tests.polling import until

KILL = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'hub'"


@pytest.fixture
async def other_node(postgres_store: Store, postgres_url: str) -> AsyncIterator[Store]:
    """A second node over the same database."""
    async with await Store.open(postgres_url, query_folders=SUITE_FOLDERS) as opened:
        yield opened


async def ask(url: str, sql: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_nodes_share_rows_without_waiting(postgres_store: Store, other_node: Store) -> None:
    """`@skip_locked`: what one node works on, the next passes over."""
    async with postgres_store.write() as tx:
        await put(tx, *"abcd")
    async with postgres_store.write() as mine, other_node.write() as theirs:
        first = await mine.all("suite_claim_leases", limit=3)
        second = await theirs.all("suite_claim_leases", limit=3)
    assert [row["name"] for row in first] == ["a", "b", "c"]
    assert [row["name"] for row in second] == ["d"]


async def test_an_order_is_held_across_nodes(postgres_store: Store, other_node: Store) -> None:
    """The second node waits for the first one's transaction to end; another order waits for nobody."""
    seen: list[str] = []

    async def second(order: str) -> None:
        async with other_node.write() as tx:
            await tx.lock_orders([("acc", order)])
            seen.append(order)

    async with postgres_store.write() as tx:
        await tx.lock_orders([("acc", "held"), ("acc", "also held")])
        tasks = [asyncio.create_task(second(order)) for order in ("held", "free", "also held")]
        await until(lambda: seen)
        await asyncio.sleep(0.1)
        assert seen == ["free"]
    await asyncio.gather(*tasks)
    assert sorted(seen) == ["also held", "free", "held"]


async def count_up(*nodes: Store, locked: bool) -> int:
    """Let three tasks per node read a number and write it back one higher, ten times each; return where it ended."""
    async with nodes[0].write() as tx:
        await put(tx, "counter", owner="0")

    async def work(node: Store) -> None:
        for _ in range(10):
            async with node.write() as tx:
                if locked:
                    await tx.lock_orders([("acc", "counter")])
                seen = int((await tx.all("suite_leases", names=["counter"]))[0]["owner"])
                await asyncio.sleep(0.001)
                await tx.run("suite_move_leases", owners=[("counter", str(seen + 1))])

    await asyncio.gather(*(work(node) for node in nodes for _ in range(3)))
    async with nodes[0].read() as tx:
        return int((await tx.all("suite_leases", names=["counter"]))[0]["owner"])


async def test_read_and_write_under_an_order_lock_loses_nothing(postgres_store: Store, other_node: Store) -> None:
    """Reading, deciding and writing under the lock is serial over all nodes."""
    assert await count_up(postgres_store, other_node, locked=True) == 60


async def test_it_is_the_lock_that_makes_it_serial(postgres_store: Store, other_node: Store) -> None:
    """The control: the same work without the lock loses updates."""
    assert await count_up(postgres_store, other_node, locked=False) < 60


async def test_sessions_have_the_settings_that_durability_needs(postgres_store: Store) -> None:
    """Commits are synchronous; a forgotten transaction or statement ends by itself."""
    wanted = {
        "synchronous_commit": "on",
        "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "10s",
        "transaction_isolation": "read committed",
        "jit": "off",
        "TimeZone": "UTC",
    }
    async with postgres_store.write() as tx:
        found = {name: (await tx._session.fetch(f"SHOW {name}", []))[0][name] for name in wanted}
    assert found == wanted


async def test_a_dead_connection_is_reported_and_replaced(postgres_store: Store, postgres_url: str) -> None:
    """The statement that meets it fails as StoreUnavailable, nothing of the transaction stays, the next one works."""
    with pytest.raises(StoreUnavailable):
        async with postgres_store.write() as tx:
            await put(tx, "a")
            await ask(postgres_url, KILL)
            await put(tx, "b")
    async with postgres_store.write() as tx:
        await put(tx, "c")
    assert await names(postgres_store) == ["c"]


async def test_connections_that_died_in_the_pool_are_passed_over(postgres_store: Store, postgres_url: str) -> None:
    """After the server ended them all, neither a write nor a read meets one."""

    async def write(index: int) -> None:
        async with postgres_store.write() as tx:
            await put(tx, f"{index}")
            await asyncio.sleep(0.01)

    await asyncio.gather(*(write(index) for index in range(10)), *(names(postgres_store) for _ in range(4)))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, ask(postgres_url, KILL)).result()  # our loop hears nothing of it meanwhile
    await asyncio.gather(*(write(10 + index) for index in range(10)), *(names(postgres_store) for _ in range(4)))
    assert len(await names(postgres_store)) == 20


async def test_a_connection_lost_under_an_insert_all_is_unavailable(postgres_store: Store, postgres_url: str) -> None:
    """It is not tried again: the first try may have been kept, and the second would call its own rows known."""
    await postgres_store.transact(InsertAll([("suite_copy_leases", {"leases": [("a", "x", 1)]})]))
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, ask(postgres_url, KILL)).result()  # our loop hears nothing of it meanwhile
    with pytest.raises(StoreUnavailable):
        await postgres_store.transact(InsertAll([("suite_copy_leases", {"leases": [("b", "x", 1)]})]))

    async def is_stored() -> bool:  # once our loop has noticed the others, too
        with contextlib.suppress(StoreUnavailable):
            await postgres_store.transact(InsertAll([("suite_copy_leases", {"leases": [("c", "x", 1)]})]))
            return True
        return False

    await until(is_stored)
    assert await names(postgres_store) == ["a", "c"]


async def test_a_connection_lost_at_the_commit_is_unavailable(postgres_store: Store, postgres_url: str) -> None:
    """It is not reported as stored while that is unknown."""
    with pytest.raises(StoreUnavailable, match="may or may not"):
        async with postgres_store.write() as tx:
            await put(tx, "a")
            await ask(postgres_url, KILL)
    async with postgres_store.write() as tx:
        await put(tx, "b")
    assert await names(postgres_store) == ["b"]


async def test_the_store_comes_back_with_its_database(postgres_store: Store, postgres_url: str) -> None:
    """While the database refuses connections every call says so; afterwards all is as before."""
    name = postgres_url.rpartition("/")[2]
    admin = postgres_url.removesuffix(name) + "postgres"
    async with postgres_store.write() as tx:
        await put(tx, "before")
    await ask(admin, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    await ask(admin, f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'")
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await postgres_store.ping()
        with pytest.raises(StoreUnavailable):
            async with postgres_store.write() as tx:
                await put(tx, "meanwhile")
    await ask(admin, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    async with postgres_store.write() as tx:
        await put(tx, "after")
    assert await names(postgres_store) == ["after", "before"]


async def test_a_stuck_statement_is_cancelled(postgres_store: Store, other_node: Store) -> None:
    """A statement that waits for a lock longer than the statement timeout fails as unavailable."""
    async with postgres_store.write() as tx:
        await put(tx, "held")
        with pytest.raises(StoreUnavailable, match="timeout"):
            async with other_node.write() as waiting:
                await waiting._session.command("SET LOCAL statement_timeout = '50ms'")
                await put(waiting, "held")


async def test_a_deadlock_may_be_retried(postgres_store: Store, other_node: Store) -> None:
    """The server breaks it; the loser gets StoreUnavailable, not a fault of the program."""
    async with postgres_store.write() as tx:
        await put(tx, "a", "b")

    both = asyncio.Barrier(2)

    async def take(node: Store, first: str, second: str) -> None:
        async with node.write() as tx:
            await tx._session.command("SET LOCAL deadlock_timeout = '20ms'")
            await tx.run("suite_count_up", name=first, step=1)
            await both.wait()
            await tx.run("suite_count_up", name=second, step=1)

    answers = await asyncio.gather(take(postgres_store, "a", "b"), take(other_node, "b", "a"), return_exceptions=True)
    assert [type(answer) for answer in answers if answer] == [StoreUnavailable]


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("postgresql://hub@127.0.0.1:1/hub", StoreUnavailable),
        ("postgresql://hub@127.0.0.1:port/hub", StoreError),
        ("postgresql://hub@127.0.0.1:5432/hub?sslmode=perhaps", StoreError),
    ],
)
async def test_an_address_that_leads_nowhere_is_reported(url: str, kind: type[StoreError]) -> None:
    """Neither is a crash with the driver's traceback."""
    with pytest.raises(kind):
        await Store.open(url)


async def test_the_pool_serves_more_tasks_than_connections(postgres_store: Store) -> None:
    """Sixty writers at once share ten connections."""

    async def write(index: int) -> None:
        async with postgres_store.write() as tx:
            await put(tx, f"{index:02}")

    await asyncio.gather(*(write(index) for index in range(60)))
    assert len(await names(postgres_store)) == 60
