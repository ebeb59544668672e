"""The one store: opens either database and hands out transactions of named queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hub.storage.errors import StoreError
from hub.storage.migrate import check_version
from hub.storage.query import Dialect, NamedCall, QueryBook, prepared
from hub.storage.queryfile import QUERY_FOLDER, load_queries
from hub.storage.schema_files import load_migrations
from hub.storage.transaction import Driver, Row, T, Transaction, Work

_SQLITE = "sqlite:///"
_POSTGRESQL = ("postgresql://", "postgres://")


class Store:
    """An open database. Close it with `close`, or use it as `async with await Store.open(...) as store`.

    `async with store.write() as tx` commits when its block ends and rolls back when an exception leaves it, a
    cancellation too. After a failed statement the transaction takes no other; a statement that may fail goes into
    `tx.savepoint()`. A transaction left idle for ten seconds is rolled back: wait for nothing but the store in it.
    `migrated` names the migrations that opening it applied.
    """

    def __init__(self, driver: Driver, queries: QueryBook, migrated: Sequence[str] = ()) -> None:
        self.migrated = tuple(migrated)
        self._driver = driver
        self._queries = queries
        self._closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        migrate: bool = False,
        serve: bool = False,
        passing: bool = False,
        query_folders: Sequence[Path] = (QUERY_FOLDER,),
        migrations: Path | None = None,
    ) -> Self:
        """Open `sqlite:///relative/path`, `sqlite:////absolute/path` or `postgresql://user@host/name`.

        `migrate` brings the schema up to date first. `serve` is for the server: on SQLite it takes the file's one
        server place and does the checkpoints; a command that does so only until its work is done is `passing`, which
        StoreBusy tells others. Folders other than the hub's own are for tests. Raises SchemaTooOld,
        SchemaTooNew, StoreBusy, MigrationFault, QueryFault or StoreUnavailable.
        """
        driver = await _connect(url, migrate=migrate, serve=serve, passing=passing)
        try:
            steps = load_migrations(driver.dialect, migrations)
            migrated = await driver.migrate(steps) if migrate else []
            check_version(await driver.schema_version(), len(steps))
            return cls(driver, load_queries(driver.dialect, query_folders), migrated)
        except BaseException:
            await driver.close()
            raise

    @property
    def dialect(self) -> Dialect:
        """Which database this is: "sqlite" or "postgresql"."""
        return self._driver.dialect

    @property
    def queries(self) -> QueryBook:
        """Every named query, as this database takes it."""
        return self._queries

    def write(self) -> Transaction:
        """Return a transaction that may write; on SQLite one at a time, first come first served."""
        return Transaction(self._driver, self._queries, write=True)

    async def transact(self, work: Work[T], *, brief: bool = False, adds: bool = False) -> T:
        """Run `work(tx)` in one writing transaction and return its result once that has committed.

        For the hot paths: on SQLite the whole of it runs in the writer's thread, one hop instead of one for each
        statement, so `work` may wait for nothing but `tx` and must not touch what belongs to the event loop. A `brief`
        one, a few milliseconds at most, runs in the loop's own thread and leaves only the commit to the writer's: two
        threads that both compute take the interpreter from each other at every statement.

        One that `adds` writes nothing that could change a decision already under way, so that it does not count as a
        change (see `Tx.moment`): what it adds nobody has decided about. `join` and `all_or_nothing` are such, too.
        """
        return await self._driver.transact(self._queries, work, brief=brief, adds=adds)

    async def join(self, work: Work[T]) -> T:
        """Run `work(tx)` as a brief transaction that is in no hurry and return its result once that has committed.

        On SQLite it is committed with the next batch of `all_or_nothing` where one comes within milliseconds: a commit
        waits for the disk, and costs both what it costs one. A fault of `work` undoes only what it did itself; where
        the batch comes to nothing, `work` runs once more.
        """
        return await self._driver.join(self._queries, work)

    async def all_or_nothing(self, *calls: NamedCall) -> bool:
        """Run statements that do not see each other, (name, values) each, in one transaction of their own.

        They are kept if each touches every row of the batches that it is given, which is what is returned; else nothing
        of any is. On PostgreSQL the whole of it is one round trip.
        """
        return await self._driver.all_or_nothing(self._queries, calls)

    async def view(self, work: Work[T]) -> T:
        """Run `work(tx)` in one reading transaction, on SQLite in one hop to a reader's thread (see `transact`)."""
        return await self._driver.view(self._queries, work)

    async def look_up(self, query: str, /, **values: Any) -> Row | None:
        """Return the first row of a named query that takes microseconds (a look into an index), None where it has none.

        It runs outside of any transaction: one round trip, and on SQLite none at all.
        """
        rows = await self._driver.look_up(*prepared(self._queries, query, values))
        return rows[0] if rows else None

    def read(self) -> Transaction:
        """Return a transaction that may only read, and sees only what is committed."""
        return Transaction(self._driver, self._queries, write=False)

    async def ping(self) -> None:
        """Raise StoreUnavailable unless the database answers."""
        await self._driver.schema_version()

    async def schema_version(self) -> int:
        """Return the number of the last migration applied, 0 for an empty database."""
        return await self._driver.schema_version()

    async def explain(self, query: str) -> list[str]:
        """Return the database's plan of a named query, given no values: proves that the database understands it."""
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


async def _connect(url: str, *, migrate: bool, serve: bool, passing: bool) -> Driver:
    """Return the driver for the address; each is imported only where it is used."""
    if url.startswith(_SQLITE):
        from hub.storage.sqlite import SqliteDriver

        path = url.removeprefix(_SQLITE)
        if not path or path.startswith(":"):
            raise StoreError("The database address names no file: write sqlite:///var/hub.db.")
        return await SqliteDriver.open(path, create=migrate, serve=serve, passing=passing)
    if url.startswith(_POSTGRESQL):
        from hub.storage.postgres import PostgresDriver

        return await PostgresDriver.open(url)
    raise StoreError("The database address must begin with sqlite:/// or postgresql://.")
