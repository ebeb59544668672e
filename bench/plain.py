"""Plain counterparts of the hub's speed techniques, and what puts one in a technique's place before a server starts.

The product has no switches for its techniques. To measure one by leaving it out, `bench.launch` replaces the one
function, class or constant that makes it up, in the process of the server under test only. A counterpart does the same
work the obvious way, so every promise of the hub still holds: the runs end with the same audit as all others.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from aiohttp import web

from hub.batcher import Limits
from hub.catalog.product import Product
from hub.catalog.product_json import product_json
from hub.storage import Row, Store, Work, pick_record
from hub.storage.named_queries.compiler import QUERY_FOLDER, load_queries
from hub.storage.named_queries.query import Arguments, Dialect, NamedQueries, Query, Statements
from hub.storage.postgresql.driver import PostgresDriver, PostgresSession
from hub.storage.sqlite.connection import REFUSALS, SqliteConnection, translate
from hub.storage.sqlite.connection_pool import ConnectionPool as SqlitePool
from hub.storage.sqlite.driver import SqliteDriver
from hub.storage.sqlite.group_commit import GroupCommit
from hub.storage.sqlite.sessions import LoopSession
from hub.storage.transaction import T, Transaction

QUERIES = Path(__file__).with_name("queries")


def put(target: str, plain: object) -> None:
    """Put `plain` in place of "module:name" or "module:Class.name", in every module of the hub that imported it.

    Raises AttributeError if there is no such name (any more), and ModuleNotFoundError if there is no such module.
    """
    module, _, path = target.partition(":")
    *classes, name = path.split(".")
    owner: Any = import_module(module)
    for each in classes:
        owner = getattr(owner, each)
    original = getattr(owner, name)
    setattr(owner, name, plain)
    if not classes:
        for importer in [each for key, each in sys.modules.items() if key.startswith("hub.")]:
            if vars(importer).get(name) is original:
                setattr(importer, name, plain)


def leave_out_intake_batches() -> None:
    """Let every request at intake be a batch of its own."""
    put("hub.intake.submission_batcher:LIMITS", Limits(items=1, waiting=10_000))


class SingleCommits(GroupCommit):
    """Commits each transaction by itself."""

    def __init__(self, writer: SqlitePool) -> None:
        super().__init__(writer, group_seconds=0.0)


def leave_out_group_commit() -> None:
    """Let every transaction on SQLite be a group of its own."""
    put("hub.storage.sqlite.group_commit:GroupCommit", SingleCommits)


class StatementsInThread(LoopSession):
    """A short transaction of which every statement is a hop to the connection's thread."""

    def __init__(self, connection: SqliteConnection) -> None:
        super().__init__(connection)
        self._threaded = connection.threaded

    async def fetch(self, sql: str, arguments: Arguments) -> list[Row]:
        """Run a query and return its rows."""
        try:
            return cast(list[Row], await self._threaded.execute_fetchall(sql, arguments))
        except sqlite3.Error as error:
            raise translate(error) from error

    async def execute(self, sql: str, arguments: Arguments) -> int:
        """Run a statement and return how many rows it touched."""
        before = self._threaded.total_changes
        try:
            cursor = await self._threaded.execute(sql, arguments)
        except REFUSALS as error:
            raise translate(error) from error
        return cursor.rowcount if cursor.rowcount >= 0 else self._threaded.total_changes - before

    async def rollback(self) -> None:
        """End the transaction and undo it."""
        if self._threaded.in_transaction:
            await self._threaded.execute("ROLLBACK")


def leave_out_statements_on_the_loop() -> None:
    """Let each statement of a short SQLite transaction run in the connection's thread; groups stay."""
    put("hub.storage.sqlite.sessions:LoopSession", StatementsInThread)


class ReadsInThread(SqliteDriver):
    """Reads a single row in a reader's thread."""

    async def fetch_one(self, query: Query, arguments: Arguments) -> Row | None:
        """Run one query and return its first row."""
        connection = await self._readers.acquire()
        try:
            rows = list(await connection.threaded.execute_fetchall(query.sql, arguments))
        except sqlite3.Error as error:
            raise translate(error) from error
        finally:
            self._readers.release(connection)
        return rows[0] if rows else None


def leave_out_reads_on_the_loop() -> None:
    """Let SQLite's reads of one row run in a reader's thread."""
    put("hub.storage.sqlite.driver:SqliteDriver.fetch_one", ReadsInThread.fetch_one)


def no_chunks(_: object) -> None:
    """Say of every query that it has no batch to write in chunks."""


def leave_out_values_chunks() -> None:
    """Let SQLite write a batch as one JSON text that it takes apart itself, by a statement without `OR FAIL`."""
    put("hub.storage.named_queries.compiler:_Writer.only_batch", property(no_chunks))


class SeparateTransactions(PostgresDriver):
    """Inserts what is all new in a transaction of several round trips, as it does all else."""

    async def transact(self, queries: NamedQueries, work: Work[T]) -> T:
        """Run `work` in one writing transaction."""
        async with Transaction(self, queries, write=True) as tx:
            return await work(tx)


def leave_out_single_insert() -> None:
    """Let an `InsertAll` on PostgreSQL be BEGIN, its statement and COMMIT instead of a single round trip."""
    put("hub.storage.postgresql.driver:PostgresDriver.transact", SeparateTransactions.transact)


class SeparateStatements(PostgresSession):
    """Runs each statement and each query by itself."""

    async def execute_together(self, parts: Sequence[Statements]) -> list[int]:
        """Run them one after the other."""
        return [sum([await self.execute(*statement) for statement in part]) for part in parts]

    async def fetch_together(self, queries: Statements) -> list[list[Row]]:
        """Run them one after the other."""
        return [await self.fetch(*query) for query in queries]


def leave_out_combined_statements() -> None:
    """Let the worker ask PostgreSQL each question and write each table by itself."""
    put("hub.storage.postgresql.driver:PostgresSession.execute_together", SeparateStatements.execute_together)
    put("hub.storage.postgresql.driver:PostgresSession.fetch_together", SeparateStatements.fetch_together)


class PagesFromColumns(Store):
    """Makes a page of products from their columns; every other row comes as before."""

    async def fetch_one(self, query: str, /, **values: Any) -> Row | None:
        """Return the first row of a named query."""
        if query != "products_page":
            return await fetch_one(self, query, **values)
        async with self.read() as tx:
            rows = await tx.all("products_by_number", **values)
            (total,) = await tx.all("products_total", account_id=values["account_id"])
        records = ",".join([product_json(pick_record(Product, row)) for row in rows])
        return {"listed": len(rows), "recorded": len(rows), "records": records, "total": total["total"]}


fetch_one = Store.fetch_one


def load_all_queries(dialect: Dialect, folders: Sequence[Path] = (QUERY_FOLDER,)) -> NamedQueries:
    """Return the hub's queries and those of its plain counterparts."""
    return load_queries(dialect, (*folders, QUERIES))


def leave_out_stored_json() -> None:
    """Let a page of products read the columns and write the JSON of each."""
    put("hub.storage.named_queries.compiler:load_queries", load_all_queries)
    put("hub.storage.store:Store.fetch_one", PagesFromColumns.fetch_one)


async def respond_by_fields(
    request: web.BaseRequest,  # noqa: ARG001 - as the raw response takes it
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    *,
    close: bool = False,
) -> web.StreamResponse:
    """Answer with aiohttp's own response."""
    response = web.Response(status=status, headers=headers, body=body)
    if close:
        response.force_close()
    return response


def leave_out_raw_response() -> None:
    """Let aiohttp prepare the header fields of every answer."""
    put("hub.http.response:respond", respond_by_fields)


def ignore(*_: object) -> None:
    """Change nothing about the garbage collector."""


def leave_out_collector_settings() -> None:
    """Let the garbage collector run as Python sets it up."""
    put("hub.app:gc", SimpleNamespace(collect=gc.collect, freeze=ignore, set_threshold=ignore))


def leave_out_uvloop() -> None:
    """Let the hub run on asyncio's own event loop."""
    put("hub.cli.serve:run_fast", asyncio.run)


LEAVE_OUT: Mapping[str, Callable[[], None]] = {
    "intake-batches": leave_out_intake_batches,
    "group-commit": leave_out_group_commit,
    "statements-on-the-loop": leave_out_statements_on_the_loop,
    "reads-on-the-loop": leave_out_reads_on_the_loop,
    "values-chunks": leave_out_values_chunks,
    "single-insert": leave_out_single_insert,
    "combined-statements": leave_out_combined_statements,
    "stored-json": leave_out_stored_json,
    "raw-response": leave_out_raw_response,
    "collector-settings": leave_out_collector_settings,
    "uvloop": leave_out_uvloop,
}
"""What leaves each technique out, by the technique's name."""
