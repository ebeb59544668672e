"""Transactions of named queries, the same on either database.

A `Tx` belongs to the task that opened it and runs one statement at a time. Two things can end it besides that task: a
timer, if no statement ran for ten seconds (the rollback is then a task of its own, for which the block waits at its
end), and a failed statement, after which every other is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from types import TracebackType
from typing import Any, Protocol, TypeVar

from attrs import frozen

from hub.storage.errors import NotAllNew, QueryFault, StoreUnavailable
from hub.storage.migrations.files import Migration
from hub.storage.named_queries.query import (
    Arguments,
    Dialect,
    NamedCall,
    NamedQueries,
    Query,
    find_query,
    query_for,
)
from hub.storage.records import Record, Row, read_records
from hub.storage.session import Session, Upkeep

IDLE_SECONDS = 10.0
"""How long a transaction may be left without a statement before it is rolled back."""
T = TypeVar("T")

Work = Callable[["Tx"], Coroutine[Any, Any, T]]
"""What runs inside one transaction; it awaits nothing but the transaction."""


class Driver(Upkeep, Protocol):
    """A database as the store uses it."""

    dialect: Dialect

    async def begin(self, *, write: bool) -> Session:
        """Open a transaction; raise StoreUnavailable if the database cannot."""

    async def transact(self, queries: NamedQueries, work: Work[T]) -> T:
        """Run `work` in one writing transaction, and return its result once that has committed."""

    async def fetch_one(self, query: Query, arguments: Arguments) -> Row | None:
        """Run one quick query outside of any transaction; return its first row, None if it has none."""

    async def check_integrity(self, rest: Callable[[], Awaitable[None]] | None = None) -> None:
        """Raise StoreUnusable if the database is damaged, as far as it can be told; `rest` lets it take its time."""

    def check_place(self) -> None:
        """Raise StoreUnavailable if what is written now would not be kept where it belongs."""

    async def applied(self) -> Mapping[int, str]:
        """Return the checksum of every migration applied, by version; raise StoreUnavailable."""

    async def migrate(self, steps: Sequence[Migration], *, beside_servers: bool) -> list[str]:
        """Apply the migrations that are missing; return their file names. Raise as `Store.open` does."""

    def require_schema(self, version: int) -> None:
        """Let every writing transaction from now on raise SchemaMoved unless the schema is at this version."""

    async def close(self) -> None:
        """Wait for the open transactions and close every connection."""


class _OneStatement:
    """The block of one statement: after a failed one every other is refused.

    PostgreSQL would refuse it, and SQLite may have rolled back by itself.
    """

    __slots__ = ("busy", "ended_at", "fault")

    def __init__(self) -> None:
        self.fault: str | None = None
        self.busy = False
        self.ended_at = monotonic()

    def __enter__(self) -> None:
        if self.fault is not None:
            raise StoreUnavailable(self.fault)
        if self.busy:
            raise QueryFault("A transaction runs one statement at a time: await each before the next.")
        self.busy = True

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self.fault = f"The transaction takes no statement after its failure ({error!r})."
        self.busy = False
        self.ended_at = monotonic()


class Tx:
    """An open transaction; every call names a query of the query files.

    Every call raises StoreUnavailable if the database fails or an earlier statement has failed, QueryFault if the query
    is unknown or takes other parameters, BadValue if a value cannot be stored, Conflict if a key refuses a row.
    """

    def __init__(self, session: Session, queries: NamedQueries) -> None:
        self._session = session
        self._queries = queries
        self._statement = _OneStatement()
        self._depth = 0
        self._holds_catalogs = False

    async def all(self, query: str, /, **values: Any) -> list[Row]:
        """Run the query and return all its rows."""
        named = query_for(self._queries, query, values)
        arguments = named.bind(values)
        with self._statement:
            return await self._session.fetch(named.sql, arguments)

    async def one(self, query: str, /, **values: Any) -> Row | None:
        """Run the query and return its first row, None if it has none."""
        rows = await self.all(query, **values)
        return rows[0] if rows else None

    async def records(self, kind: type[Record], query: str, /, **values: Any) -> list[Record]:
        """Run the query and return its rows as records; raise QueryFault if its columns are not the record's fields."""
        return read_records(kind, await self.all(query, **values), query)

    async def all_together(self, values_by_query: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Row]]:
        """Run several queries, each with its values, and return the rows of each by its name.

        On PostgreSQL they take one round trip and see one snapshot.
        """
        if not values_by_query:
            return {}
        named = [(query_for(self._queries, name, values), values) for name, values in values_by_query.items()]
        queries = [(query.sql, query.bind(values)) for query, values in named]
        with self._statement:
            results = await self._session.fetch_together(queries)
        return dict(zip(values_by_query, results, strict=True))

    async def run(self, query: str, /, **values: Any) -> int:
        """Run the statement and return how many rows it touched."""
        named = query_for(self._queries, query, values)
        statements = named.statements(values)
        with self._statement:
            if named.returns_rows:
                return sum([len(await self._session.fetch(*each)) for each in statements])
            return sum([await self._session.execute(*each) for each in statements])

    async def run_together(self, *calls: NamedCall) -> list[int]:
        """Run statements that do not see each other's effects; return how many rows each touched.

        On PostgreSQL they take one round trip, and begin in the order given.
        """
        parts = [query_for(self._queries, name, values).statements(values) for name, values in calls]
        with self._statement:
            return await self._session.execute_together(parts)

    async def insert_all(self, work: InsertAll) -> None:
        """Run the statements of `work`; raise NotAllNew unless each touches every row of its batches."""
        if work.calls and await self.run_together(*work.calls) != work.count_rows(self._queries):
            raise NotAllNew("Some of the rows were there before.")

    async def lock_orders(self, orders: Iterable[tuple[str, str]]) -> None:
        """Lock these orders, each (account id, external order id), against other nodes until the transaction ends.

        Call it once per transaction, for all its orders, and before `lock_catalogs`: the locks are taken in one global
        order, so no two nodes can wait for each other. PostgreSQL keeps each lock in shared memory, so lock hundreds of
        orders in one transaction, not thousands. Raises QueryFault if a catalogue is locked already.
        """
        if self._holds_catalogs:
            raise QueryFault("A transaction must lock its orders before its catalogues, as other nodes do.")
        with self._statement:
            await self._session.lock("order", orders)

    async def lock_account(self, account_id: str) -> None:
        """Lock all orders of an account against other nodes until the transaction ends, those that come as well.

        The transaction may not lock single orders, before or after.
        """
        with self._statement:
            await self._session.lock("account", [(account_id, "")])

    async def lock_catalogs(self, accounts: Iterable[str]) -> None:
        """Lock the catalogues of these accounts, so that no other node changes a product until the transaction ends."""
        self._holds_catalogs = True
        with self._statement:
            await self._session.lock("catalog", [(account_id, "") for account_id in accounts])

    async def ended_before(self) -> int:
        """Return the number below which no transaction is under way any more, for all statements that follow."""
        with self._statement:
            return await self._session.ended_before()

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        """Undo only the block if an exception leaves it; the transaction goes on."""
        self._depth += 1
        name = f"step_{self._depth}"
        await self._command(f"SAVEPOINT {name}")
        try:
            yield
        except Exception:
            self._statement.fault = None
            await self._command(f"ROLLBACK TO SAVEPOINT {name}")
            await self._command(f"RELEASE SAVEPOINT {name}")
            raise
        else:
            await self._command(f"RELEASE SAVEPOINT {name}")
        finally:
            self._depth -= 1

    async def explain(self, query: str, /) -> list[str]:
        """Return the database's plan of a query without values, one line for each step."""
        return await self._session.explain(find_query(self._queries, query))

    async def _command(self, sql: str) -> None:
        with self._statement:
            await self._session.command(sql)

    def idle_for(self) -> float:
        """Return how many seconds ago the last statement ended, 0 while one runs."""
        return 0.0 if self._statement.busy else monotonic() - self._statement.ended_at

    def spoil(self, fault: str) -> str | None:
        """Make the transaction refuse every further statement, for this reason; return why it did so before."""
        before, self._statement.fault = self._statement.fault, fault
        return before


@frozen
class InsertAll:
    """The work of a transaction whose statements are known beforehand, and do not see each other's effects.

    Each must touch every row of its batches, or else the transaction is undone and raises NotAllNew. PostgreSQL runs
    all of it in one round trip (see `Store.transact`).
    """

    calls: Sequence[NamedCall]

    def count_rows(self, queries: NamedQueries) -> list[int]:
        """Return how many rows each statement has in its batches."""
        return [
            sum([len(values[each.name]) for each in query_for(queries, name, values).parameters if each.kind == "rows"])
            for name, values in self.calls
        ]

    async def __call__(self, tx: Tx) -> None:
        """Run the statements in this transaction; raise NotAllNew unless each touches every row of its batches."""
        await tx.insert_all(self)


class Transaction:
    """The context manager that `Store.write` and `Store.read` return; it can be entered once."""

    def __init__(
        self, driver: Driver, queries: NamedQueries, *, write: bool, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._driver = driver
        self._queries = queries
        self._write = write
        self._idle_seconds = idle_seconds
        self._expiry: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Tx:
        """Open the transaction; raise StoreUnavailable if the database cannot."""
        self._session = await self._driver.begin(write=self._write)
        self._tx = Tx(self._session, self._queries)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(self._idle_seconds, self._check_idle)
        return self._tx

    async def __aexit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        """Commit, or roll back if an exception leaves the block or a statement of it failed."""
        self._timer.cancel()
        fault = self._tx.spoil("The transaction has ended.")
        if self._expiry is not None:
            await asyncio.shield(self._expiry)
        elif kind is None and fault is None:
            await self._session.commit()
        else:
            # Shielded: a second cancellation must not leave the connection inside of the transaction.
            await asyncio.shield(asyncio.ensure_future(self._session.rollback()))
        if kind is None and fault is not None:
            raise StoreUnavailable(fault)

    def _check_idle(self) -> None:
        left = self._idle_seconds - self._tx.idle_for()
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_idle)
            return
        self._tx.spoil(f"The transaction was idle for {self._idle_seconds:g} s and was rolled back: wait elsewhere.")
        self._expiry = self._loop.create_task(self._session.rollback())
