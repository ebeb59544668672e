"""A hub behind pgbouncer in transaction mode: each transaction has a session of its own, which nobody prepared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import asyncpg
import pytest

from hub.operations.audits.audit import audit
from hub.storage import InsertAll, Store, StoreError, StoreUnavailable
from hub.storage.errors import Conflict
from hub.storage.postgresql.facts import server_facts
from hub.testing.clock import FakeClock
from hub.testing.postgres import PostgresServer
from hub.testing.store_steps import SUITE_FOLDERS, names
from hub.testing.store_suite import StoreSuite
from tests.polling import until
from tests.served_hub import Api, api_of, served
from tests.storage.pooler import PROGRAM, behind, pooler

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed (Debian's `pgbouncer`)"),
]


@pytest.fixture(scope="module")
def pooler_port(postgres: PostgresServer) -> Iterator[int]:
    """The port of a pooler before the server of the tests."""
    with pooler(postgres.url_of("postgres")) as port:
        yield port


@pytest.fixture
async def careless_url(postgres_url: str, pooler_port: int) -> str:
    """The pooled address of a database whose owner would have commits forgotten and transactions serialized."""
    connection = await asyncpg.connect(postgres_url)
    try:
        name = await connection.fetchval("SELECT current_database()")
        await connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
        await connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_isolation = serializable')
    finally:
        await connection.close()
    return behind(pooler_port, postgres_url)


@pytest.fixture
async def store(careless_url: str) -> AsyncIterator[Store]:
    """A store that reaches its database through the pooler."""
    async with await Store.open(careless_url, query_folders=SUITE_FOLDERS) as opened:
        yield opened


class TestPooledStore(StoreSuite):
    """Everything that a store must do, through three sessions that are lent in turn."""


@pytest.fixture
async def asking(careless_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    """A store behind the pooler that can also ask for the settings of the session it was given."""
    (tmp_path / "asking.sql").write_text(ASKING)
    async with await Store.open(careless_url, query_folders=[*SUITE_FOLDERS, tmp_path]) as opened:
        yield opened


ASKING = """\
-- name: asked_settings
-- Return what the session was told, and who it is.
SELECT current_setting('synchronous_commit') AS kept, current_setting('transaction_isolation') AS isolation,
       current_setting('statement_timeout') AS patience, pg_backend_pid() AS session
"""


async def test_each_transaction_says_again_what_matters(asking: Store) -> None:
    """The database's owner would have commits forgotten; the hub's are kept, with its isolation and its patience."""

    async def told(*, write: bool) -> tuple[str, str, str, int]:
        async with asking.write() if write else asking.read() as tx:
            (row,) = await tx.all("asked_settings")
        return row["kept"], row["isolation"], row["patience"], row["session"]

    writers = await asyncio.gather(*(told(write=True) for _ in range(12)))
    readers = await asyncio.gather(*(told(write=False) for _ in range(12)))
    assert {row[:3] for row in writers} == {("on", "read committed", "30s")}
    assert {row[:3] for row in readers} == {("on", "repeatable read", "30s")}
    assert len({row[3] for row in (*writers, *readers)}) > 1, "the pooler lends more than one session"
    outside = await asking.fetch_one("asked_settings")
    assert outside is not None
    assert (outside["kept"], outside["patience"]) == ("off", "0"), "control: nothing is left in a session"


async def test_rows_inserted_in_one_go_are_kept_in_a_transaction_of_the_hubs_making(store: Store) -> None:
    """What is one statement elsewhere is a transaction here; a row that is not new still undoes all of it."""
    await store.transact(InsertAll([("suite_copy_leases", {"leases": [("a", "x", 1), ("b", "x", 1)]})]))
    with pytest.raises(Conflict):
        await store.transact(InsertAll([("suite_copy_leases", {"leases": [("c", "x", 1), ("a", "x", 1)]})]))
    assert await names(store) == ["a", "b"]


async def test_without_the_word_the_pooler_refuses_and_the_hub_says_what_it_said(careless_url: str) -> None:
    with pytest.raises((StoreError, StoreUnavailable), match="unsupported startup parameter"):
        await Store.open(careless_url.partition("?")[0])


async def test_another_mode_is_refused_by_name(careless_url: str) -> None:
    with pytest.raises(StoreError, match=r"says pooler=session; the hub knows pooler=transaction, once"):
        await Store.open(careless_url.replace("=transaction", "=session"))


async def test_the_doctor_asks_the_server_through_the_pooler(careless_url: str) -> None:
    """Three times, so that it meets a session that another question was asked in."""
    for _ in range(3):
        assert (await server_facts(careless_url)).encoding == "UTF8"


async def test_a_hub_takes_decides_and_proves_orders_behind_it(careless_url: str, clock: FakeClock) -> None:
    """From the signed request to the books; `hub migrate` finds the schema through the pooler as well."""
    async with await Store.open(careless_url, migrate=True) as store:
        assert store.migrated == ()
    async with served(careless_url, clock) as hub, api_of(hub, clock) as api:
        replies = await asyncio.gather(*(api("POST", "/v1/conversions", order(number)) for number in range(60)))
        assert {reply.status for reply in replies} == {202}
        for reply in replies:
            await until(partial(processed, api, f"/v1/events/{reply.json['eventId']}"))
        books = await audit(hub.parts.store, clock)
    assert books["violations"] == []


def order(number: int) -> dict[str, object]:
    """Return an order with this number."""
    return {"externalOrderId": f"P-{number}", "orderAmount": "10.00", "currency": "USD"}


async def processed(api: Api, path: str) -> bool:
    """Return whether the event was decided."""
    return bool((await api("GET", path)).json["status"] == "PROCESSED")
