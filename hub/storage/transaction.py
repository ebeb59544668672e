"""Transactions of named queries, the same over either database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from types import TracebackType
from typing import Any, Literal, Protocol, TypeVar

from attrs import frozen

from hub.storage.errors import NotAllNew, QueryFault, StoreUnavailable
from hub.storage.migrations.files import Migration
from hub.storage.named_queries.query import (
    Arguments,
    Dialect,
    NamedCall,
    NamedQueries,
    Query,
    Statements,
    bind_query,
    find_query,
    query_for,
)
from hub.storage.records import Record, Row, read_records

IDLE_SECONDS = 10.0
T = TypeVar("T")
Lockable = Literal["catalog", "order"]
"""What a transaction may hold against other nodes: an account's catalogue, or one of its orders."""


class Session(Protocol):
    """One transaction of a driver, open from the start; it ends with exactly one `commit` or `rollback`."""

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement that returns no rows, and return how many it touched."""

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run independent statements that return no rows, and return how many rows each part touched."""

    async def fetch_together(self, asked: Statements) -> list[list[Row]]:
        """Run queries and return the rows of each."""

    async def command(self, sql: str) -> None:
        """Run a statement that has neither parameters nor rows."""

    async def lock(self, kind: Lockable, keys: Iterable[tuple[str, str]]) -> None:
        """Hold what these keys name until the transaction ends, taken in one global order."""

    async def explain(self, query: Query) -> list[str]:
        """Return the plan of a query without values, a line for each step."""

    async def commit(self) -> None:
        """End the transaction and keep it; raise StoreUnavailable unless that is certain."""

    async def rollback(self) -> None:
        """End the transaction and undo it; never raises."""


Work = Callable[["Tx"], Coroutine[Any, Any, T]]
"""What happens inside one transaction; it awaits nothing but the transaction."""


class Driver(Protocol):
    """One database as the store sees it."""

    dialect: Dialect

    async def begin(self, *, write: bool) -> Session:
        """Open a transaction; raise StoreUnavailable if none can be had."""

    async def transact(self, queries: NamedQueries, work: Work[T]) -> T:
        """Run `work` in one writing transaction and return its result once that has committed."""

    async def fetch_one(self, query: Query, arguments: Arguments) -> Row | None:
        """Run one quick query outside of any transaction and return its first row."""

    async def schema_version(self) -> int:
        """Return the number of the last released migration applied, 0 if there is none; raise StoreUnavailable."""

    async def migrate(self, steps: Sequence[Migration]) -> list[str]:
        """Apply the migrations that are missing, each in a transaction of its own; return their file names."""

    async def close(self) -> None:
        """Wait for the open transactions and close every connection."""


class Tx:
    """An open transaction; every call names a query of the query files."""

    def __init__(self, session: Session, queries: NamedQueries) -> None:
        self._session = session
        self._queries = queries
        self._fault: str | None = None
        self._busy = False
        self._depth = 0
        self._used_at = monotonic()
        self._holds_catalogs = False

    async def all(self, query: str, /, **values: Any) -> list[Row]:
        """Run the query and return all its rows."""
        found, arguments = bind_query(self._queries, query, values)
        with self._statement():
            return await self._session.fetch(found.sql, arguments)

    async def one(self, query: str, /, **values: Any) -> Row | None:
        """Run the query and return its first row, None if it has none."""
        rows = await self.all(query, **values)
        return rows[0] if rows else None

    async def records(self, kind: type[Record], query: str, /, **values: Any) -> list[Record]:
        """Run the query and return its rows as records; raise QueryFault unless its columns are the record's fields."""
        return read_records(kind, await self.all(query, **values), query)

    async def all_together(self, asked: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Row]]:
        """Run queries, the values of each by its name, and return the rows of each.

        On PostgreSQL they are one round trip and see one snapshot.
        """
        if not asked:
            return {}
        found = [bind_query(self._queries, name, values) for name, values in asked.items()]
        with self._statement():
            answers = await self._session.fetch_together([(query.sql, arguments) for query, arguments in found])
        return dict(zip(asked, answers, strict=True))

    async def run(self, query: str, /, **values: Any) -> int:
        """Run the statement and return how many rows it touched."""
        found = query_for(self._queries, query, values)
        statements = found.statements(values)
        with self._statement():
            if found.returns_rows:
                return sum([len(await self._session.fetch(*each)) for each in statements])
            return sum([await self._session.execute(*each) for each in statements])

    async def run_together(self, *calls: NamedCall) -> list[int]:
        """Run statements that do not see each other, (name, values) each, and return how many rows each touched.

        On PostgreSQL they are one round trip, and begin in the order given.
        """
        parts = [query_for(self._queries, name, values).statements(values) for name, values in calls]
        with self._statement():
            return await self._session.execute_together(parts)

    async def insert_all(self, work: InsertAll) -> None:
        """Run statements of which each must touch every row of its batches; raise NotAllNew."""
        if work.calls and await self.run_together(*work.calls) != work.count_rows(self._queries):
            raise NotAllNew("Some of the rows were there before.")

    async def lock_orders(self, orders: Iterable[tuple[str, str]]) -> None:
        """Hold these orders, given as (account, external order id), until the transaction ends: the next node waits.

        Ask once per transaction, for all its orders, and before any catalogue: the locks are taken in one global
        order, so no two nodes can wait for each other. PostgreSQL keeps each lock in shared memory, so ask for
        hundreds at once, not for thousands. Raises QueryFault if a catalogue is held already.
        """
        if self._holds_catalogs:
            raise QueryFault("A transaction locks its orders before its catalogues: other nodes do so, too.")
        with self._statement():
            await self._session.lock("order", orders)

    async def lock_catalogs(self, accounts: Iterable[str]) -> None:
        """Hold the catalogues of these accounts until the transaction ends: no other node changes a product there."""
        self._holds_catalogs = True
        with self._statement():
            await self._session.lock("catalog", [(account_id, "") for account_id in accounts])

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        """Undo only what the block did if an exception leaves it; the transaction goes on."""
        self._depth += 1
        name = f"step_{self._depth}"
        await self._command(f"SAVEPOINT {name}")
        try:
            yield
        except Exception:
            self._fault = None
            await self._command(f"ROLLBACK TO SAVEPOINT {name}")
            await self._command(f"RELEASE SAVEPOINT {name}")
            raise
        else:
            await self._command(f"RELEASE SAVEPOINT {name}")
        finally:
            self._depth -= 1

    async def explain(self, query: str, /) -> list[str]:
        """Return the database's plan of the query, run with no values: proves that the database understands it."""
        return await self._session.explain(find_query(self._queries, query))

    async def _command(self, sql: str) -> None:
        with self._statement():
            await self._session.command(sql)

    @contextmanager
    def _statement(self) -> Iterator[None]:
        """Refuse what comes after a failed statement: PostgreSQL would, and SQLite may have rolled back by itself."""
        if self._fault is not None:
            raise StoreUnavailable(self._fault)
        if self._busy:
            raise QueryFault("A transaction runs one statement at a time: await each before the next.")
        self._busy = True
        try:
            yield
        except BaseException as error:
            self._fault = f"The transaction takes nothing more after its failure ({error!r})."
            raise
        finally:
            self._busy = False
            self._used_at = monotonic()

    def idle_for(self) -> float:
        """Return for how many seconds no statement has run."""
        return 0.0 if self._busy else monotonic() - self._used_at

    def spoil(self, fault: str) -> None:
        """Let the transaction take nothing more, for this reason."""
        self._fault = fault

    @property
    def fault(self) -> str | None:
        """Why the transaction takes nothing more; None while it is sound."""
        return self._fault


@frozen
class InsertAll:
    """The work of a transaction that is known beforehand: statements that do not see each other, (name, values) each.

    Each must touch every row of its batches, or the transaction is undone and raises NotAllNew. PostgreSQL runs all of
    it in one round trip (see `Store.transact`).
    """

    calls: Sequence[NamedCall]

    def count_rows(self, queries: NamedQueries) -> list[int]:
        """Return how many rows each statement is given."""
        return [query_for(queries, name, values).count_rows(values) for name, values in self.calls]

    async def __call__(self, tx: Tx) -> None:
        """Run the statements in this transaction; raise NotAllNew."""
        await tx.insert_all(self)


class Transaction:
    """The context manager that `Store.write` and `Store.read` return; it opens one transaction, once."""

    def __init__(self, driver: Driver, queries: NamedQueries, *, write: bool) -> None:
        self._driver = driver
        self._queries = queries
        self._write = write
        self._expiry: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Tx:
        """Open the transaction; raise StoreUnavailable if the database cannot."""
        self._session = await self._driver.begin(write=self._write)
        self._tx = Tx(self._session, self._queries)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(IDLE_SECONDS, self._check_idle)
        return self._tx

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Commit, or roll back if an exception leaves the block or a statement of it failed."""
        self._timer.cancel()
        fault = self._tx.fault
        self._tx.spoil("The transaction has ended.")
        if self._expiry is not None:
            await asyncio.shield(self._expiry)
        elif kind is None and fault is None:
            await self._session.commit()
        else:
            # A task of its own: a second cancellation must not leave the connection inside the transaction.
            await asyncio.shield(asyncio.ensure_future(self._session.rollback()))
        if kind is None and fault is not None:
            raise StoreUnavailable(fault)

    def _check_idle(self) -> None:
        left = IDLE_SECONDS - self._tx.idle_for()
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_idle)
            return
        self._tx.spoil(f"The transaction was idle for {IDLE_SECONDS:g} s and was rolled back: wait outside of it.")
        self._expiry = self._loop.create_task(self._session.rollback())
