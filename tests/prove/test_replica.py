"""Long reads of the command line go to a real replica, which says as of when it is; nothing waits for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.config.settings import load_settings
from hub.operations.audits.troubles import find_troubles
from hub.storage import Store, StoreUnavailable
from hub.storage.postgresql.facts import newest_sign_of, state_of_replica
from hub.storage.replica import Replica
from hub.testing.clock import NOON, FakeClock
from hub.testing.postgres import PostgresMissing, place_of_server
from tests.cli.conftest import Operator
from tests.polling import until_blocking
from tests.processing.harness import FOLDERS, Harness
from tests.prove.standby import Pair

pytestmark = pytest.mark.prove

ORDERS = 40


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    """A database with some orders, and its replica."""
    try:
        with place_of_server() as place:
            if not (place.programs / "pg_basebackup").exists():
                pytest.skip("No replica is tried: this PostgreSQL has no pg_basebackup.")
            pair = Pair(place, synchronous=False)
            asyncio.run(_filled(pair.url))
            yield pair
            pair.close()
    except PostgresMissing as fault:
        pytest.skip(str(fault))


async def _filled(url: str) -> None:
    hub = await Harness.over(await Store.open(url, migrate=True, query_folders=FOLDERS))
    await hub.join("live", "S")
    click_id = await hub.click()
    for number in range(ORDERS):
        await hub.order(f"R-{number}", clickId=click_id)
    await hub.work()
    await hub.store.close()


def test_proofs_are_read_from_the_replica_and_noted_in_the_database(pair: Pair, tmp_path: Path) -> None:
    """The primary is asked for nothing but to note the run: it holds no transaction of the reader meanwhile."""
    operator = Operator(pair.url)
    until_blocking(lambda: _entries(pair.replica_url) == ORDERS)
    for command in (
        ("audit",), ("ledger", "verify"), ("ledger", "verify", "--heads", str(tmp_path / "heads")),
        ("ledger", "export", "--output", str(tmp_path / "ledger.csv")),
    ):  # fmt: skip
        done = operator.run(*command, "--json", HUB_DATABASE_REPLICA=pair.replica_url)
        assert done.exit_code == 0, done.output
        assert "The replica is read: it is as of" in done.stderr
    runs = "SELECT count(*) FROM audit_runs"
    assert pair.ask_hub(runs) == 1
    audited = json.loads(operator.run("audit", "--json").stdout)
    assert audited["ledgerEntriesChecked"] == ORDERS


def test_a_replica_that_is_gone_or_none_is_told_of_and_the_database_is_read(pair: Pair) -> None:
    for address, why in (("postgresql://hub@127.0.0.1:1/hub", "does not answer"), (pair.url, "It is no replica")):
        done = Operator(pair.url).run("ledger", "verify", HUB_DATABASE_REPLICA=address)
        assert (done.exit_code, why in done.stderr) == (0, True)
        assert "The replica is not read, the database is." in done.stderr
    with pytest.raises(StoreUnavailable, match="no replica"):
        asyncio.run(state_of_replica(pair.url))


def test_its_lag_is_told_and_pages_read_the_database_meanwhile(pair: Pair) -> None:
    """Last of this file: nothing reaches the replica after it."""

    async def lagging() -> None:
        clock = FakeClock(NOON)
        url = {"HUB_DATABASE_URL": pair.url, "HUB_DATABASE_REPLICA": pair.replica_url}
        settings = load_settings(None, {**url, "HUB_DATABASE_REPLICA_BEHIND": "1m"})
        async with await Store.open(pair.url) as store:
            replica = Replica(store, pair.replica_url, settings.database.replica_behind, clock)
            await _beat(store, clock)
            seen_at = clock()
            await asyncio.to_thread(until_blocking, lambda: asyncio.run(newest_sign_of(pair.replica_url)) == seen_at)
            assert (await replica.read(_schema)).as_of == seen_at
            assert await find_troubles(store, clock(), settings) == []
            await asyncio.to_thread(pair.cut_line)
            clock.now += 61_000
            await _beat(store, clock)
            (trouble,) = await find_troubles(store, clock(), settings)
            assert (trouble.kind, trouble.sentence) == ("replica_behind", "The replica is 61 seconds behind.")
            assert (await replica.read(_schema)).as_of is None
            await replica.close()

    asyncio.run(lagging())


async def _schema(store: Store) -> int:
    return await store.schema_version()


async def _beat(store: Store, clock: FakeClock) -> None:
    async with store.write() as tx:
        await tx.run("write_heartbeat", node_id="here", started_at=0, now=clock(), master_keys="[]", clock_jump_ms=0,
                     plugins=None, exhausted_at=0)  # fmt: skip


def _entries(url: str) -> int:
    """Return how many entries of the ledger a server has."""

    async def count() -> int:
        import asyncpg

        connection = await asyncpg.connect(url)
        try:
            return int(await connection.fetchval("SELECT count(*) FROM ledger_entries"))
        finally:
            await connection.close()

    return asyncio.run(count())
