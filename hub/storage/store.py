"""The store: opens either database and runs named queries on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hub.storage.errors import StoreError
from hub.storage.migrations.files import load_migrations
from hub.storage.migrations.run import check_schema
from hub.storage.named_queries.compiler import QUERY_FOLDER, load_queries
from hub.storage.named_queries.query import Dialect, NamedQueries, query_for
from hub.storage.pace import Pace, PacedTransaction
from hub.storage.records import Row
from hub.storage.transaction import IDLE_SECONDS, Driver, T, Transaction, Work

_SQLITE = "sqlite:///"
_POSTGRESQL = ("postgresql://", "postgres://")


class Store:
    """An open database. Close it with `close`, or use it as `async with await Store.open(...) as store`.

    There are four ways to run statements, and no others:

    * `async with store.read() as tx`: several queries that see one snapshot;
    * `async with store.write() as tx`: a transaction that may write and may take long;
    * `await store.transact(work)`: a short transaction that writes, as on every hot path;
    * `await store.fetch_one(query)`: one row by its key.

    A transaction commits when its block or its work ends, and rolls back if an exception leaves it, including a
    cancellation. After a failed statement it takes no other; put a statement that may fail into `tx.savepoint()`. A
    transaction without a statement for ten seconds is rolled back: await nothing but the store in it. `migrated` is the
    file names of the migrations that were applied when the store was opened. Once others are applied beneath it, a
    writing transaction raises SchemaMoved.
    """

    def __init__(
        self, driver: Driver, queries: NamedQueries, migrated: Sequence[str] = (), pace: Pace | None = None
    ) -> None:
        self.migrated = tuple(migrated)
        self._pace = pace
        self._driver = driver
        self.dialect: Dialect = driver.dialect
        """Which database this is: "sqlite" or "postgresql"."""
        self._queries = queries
        self._closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        migrate: bool = False,
        serve: bool = False,
        transient: bool = False,
        beside_servers: bool = False,
        query_folders: Sequence[Path] = (QUERY_FOLDER,),
        migrations: Path | None = None,
    ) -> Self:
        """Open `sqlite:///relative/path`, `sqlite:////absolute/path` or `postgresql://user@host/name`.

        `migrate` makes a new database, and brings an older schema up to date: on SQLite only with the server lock and
        after a verified copy of the file, on PostgreSQL only while no process serves, or `beside_servers`. `serve` is
        for the server: on SQLite it takes the file's server lock and runs the checkpoints. A command that does so only
        until its work is done is `transient`, which StoreBusy reports to others. Tests pass folders other than the
        hub's own. Raises SchemaTooOld, SchemaTooNew, StoreBusy, BackupFault, MigrationFault, QueryFault or
        StoreUnavailable.
        """
        driver = await _connect(url, migrate=migrate, serve=serve, transient=transient)
        try:
            steps = load_migrations(driver.dialect, migrations)
            migrated = await driver.migrate(steps, beside_servers=beside_servers) if migrate else []
            check_schema(await driver.applied(), steps)
            if steps:
                driver.require_schema(len(steps))
            queries = load_queries(driver.dialect, query_folders)
            return cls(driver, queries, migrated)
        except BaseException:
            await driver.close()
            raise

    @property
    def queries(self) -> NamedQueries:
        """Every named query by its name, compiled for this database."""
        return self._queries

    @property
    def exhausted_ago(self) -> float | None:
        """How many seconds ago somebody waited for a second as all connections were lent, or the server had none.

        None for never, as on SQLite.
        """
        return self._driver.exhausted_ago

    def read(self) -> Transaction:
        """Return a transaction that only reads, and sees what was committed when it began."""
        if self._pace is not None:
            return PacedTransaction(self._pace, self._driver, self._queries)
        return Transaction(self._driver, self._queries, write=False)

    def at_pace(self, pace: Pace) -> Store:
        """Return the same store, whose reading transactions rest first: for who reads all of it, page by page.

        Whoever opened this one closes it.
        """
        return Store(self._driver, self._queries, self.migrated, pace)

    def write(self, *, idle_seconds: float = IDLE_SECONDS) -> Transaction:
        """Return a transaction that may write; on SQLite one at a time, first come first served.

        On SQLite its statements run in the connection's own thread, so that a long one does not block the event loop.
        After `idle_seconds` without a statement it is rolled back.
        """
        return Transaction(self._driver, self._queries, write=True, idle_seconds=idle_seconds)

    async def transact(self, work: Work[T]) -> T:
        """Run `work(tx)`, at most a few milliseconds, in a writing transaction; return its result after the commit.

        On SQLite its statements run on the event loop's thread, and it is committed together with others that wait.
        If one of those fails, `work` runs again, so it must have no effect except through `tx`. An `InsertAll` is work
        that PostgreSQL does in one round trip.
        """
        return await self._driver.transact(self._queries, work)

    async def fetch_one(self, query: str, /, **values: Any) -> Row | None:
        """Return the first row of a named query that takes microseconds (an index look-up), None if it has none.

        It runs outside of any transaction, and on SQLite on the event loop's thread.
        """
        named = query_for(self._queries, query, values)
        return await self._driver.fetch_one(named, named.bind(values))

    async def ping(self) -> None:
        """Raise StoreUnavailable if the database does not answer."""
        await self._driver.applied()

    async def check_integrity(self) -> None:
        """Read the whole SQLite file; raise StoreUnusable if it is damaged. PostgreSQL checks its own pages."""
        await self._driver.check_integrity(None if self._pace is None else self._pace.rest)

    def check_place(self) -> None:
        """Raise StoreUnavailable if the SQLite file was replaced since it was opened, or its disk is full."""
        self._driver.check_place()

    async def keep_partitions(self, now: int, cutoffs: Mapping[str, int]) -> Mapping[str, int]:
        """Make partitions ahead of `now`, and drop those that end before the cutoff of their table (both ms UTC).

        Return how long a period is, in ms, of each table that is partitioned; of none on SQLite. Whoever deletes old
        rows one by one leaves such a table so much longer: most of them go with their partition.
        """
        return await self._driver.keep_partitions(now, cutoffs)

    async def build_indexes(self, tell: Callable[[str], object], migrations: Path | None = None) -> list[str]:
        """Build the missing ones of the indexes that migrations want built beside those who write; return their names.

        `tell` is told in sentences what is built, and how far it is. Raise StoreBusy while another command does so.
        """
        return await self._driver.build_indexes(load_migrations(self.dialect, migrations), tell)

    async def schema_version(self) -> int:
        """Return the number of the last migration applied, 0 if there is none."""
        return max(await self._driver.applied(), default=0)

    async def explain(self, query: str) -> list[str]:
        """Return the database's plan of a query without values, one line for each step."""
        async with self.write() as tx:
            return await tx.explain(query)

    async def close(self) -> None:
        """Wait for the open transactions, then close every connection; closing twice is fine."""
        if not self._closed:
            self._closed = True
            await self._driver.close()

    async def __aenter__(self) -> Self:
        """Return the store itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        await self.close()


async def _connect(url: str, *, migrate: bool, serve: bool, transient: bool) -> Driver:
    """Return the driver for the address; a driver is imported only if it is used."""
    if url.startswith(_SQLITE):
        from hub.storage.sqlite.driver import SqliteDriver

        path = url.removeprefix(_SQLITE)
        if not path or path.startswith(":"):
            raise StoreError("The database address names no file: write sqlite:///var/hub.db.")
        return await SqliteDriver.open(path, create=migrate, serve=serve, transient=transient)
    if url.startswith(_POSTGRESQL):
        from hub.storage.postgresql.driver import PostgresDriver

        return await PostgresDriver.open(url)
    raise StoreError("The database address must begin with sqlite:/// or postgresql://.")
