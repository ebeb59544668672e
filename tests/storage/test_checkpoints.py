"""Checkpoints of an SQLite file: soon after the commits, whatever fails, and only by the server."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from hub.storage import Store, StoreUnavailable, Tx
from hub.storage.named_queries.compiler import load_queries
from hub.storage.sqlite.checkpoints import keep_checkpointing, keep_log_short
from hub.storage.sqlite.connection import SqliteConnection
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.group_commit import GroupCommit
from hub.storage.sqlite.server_lock import ServerLock
from hub.tasks import end_task
from hub.testing.store_steps import SUITE_FOLDERS, put
from tests.polling import until

FRAME_BYTES = 24 + 4_096
"""A page in the log, behind its header (SQLite's file format, section 4)."""


class FaultyPool(ConnectionPool):
    """A writer's pool that keeps its connections' statements, and fails to lend as often as it has faults."""

    def __init__(self, path: Path, *faults: Exception) -> None:
        super().__init__(path, "writer", 1)
        self.faults = iter(faults)
        self.statements: list[str] = []

    async def acquire(self) -> SqliteConnection:
        """Lend a connection, or raise the next fault."""
        for fault in self.faults:
            raise fault
        connection = await super().acquire()
        connection.direct.set_trace_callback(self.statements.append)
        return connection

    @property
    def checkpoints(self) -> list[str]:
        """The modes of the checkpoints so far."""
        return [text.split("(")[1].strip(")") for text in self.statements if "wal_checkpoint" in text]


def rows_in_file(file: Path) -> int | None:
    """Count the leases in the database file itself, without its log; None if a checkpoint wrote while it was copied."""
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as raw:
        try:
            return int(raw.execute("SELECT count(*) FROM leases").fetchone()[0])
        except sqlite3.DatabaseError:
            return None


async def moved(file: Path, rows: int) -> None:
    """Wait until the file itself has so many leases."""
    await until(lambda: rows_in_file(file) == rows)


async def add(writer: ConnectionPool, *names: str) -> None:
    """Commit leases through the writer's pool."""
    group_commit = GroupCommit(writer)
    await group_commit.transact(load_queries("sqlite", SUITE_FOLDERS), partial(put_all, names=names))
    await group_commit.close()


async def put_all(tx: Tx, names: tuple[str, ...]) -> None:
    await put(tx, *names)


@contextlib.asynccontextmanager
async def running(task: Coroutine[None, None, None], writer: ConnectionPool) -> AsyncIterator[None]:
    """Run the task for the time of the block, and close the pool."""
    started = asyncio.create_task(task)
    try:
        yield
    finally:
        await end_task(started)
        await writer.close()


def checkpointing(writer: ConnectionPool, long_log_pages: int = 1_000) -> AbstractAsyncContextManager[None]:
    """Run the server's task for the time of the block, in short turns."""
    return running(keep_checkpointing(writer, every_seconds=0.01, long_log_pages=long_log_pages), writer)


def log_of(file: Path) -> Path:
    return file.with_name(file.name + "-wal")


@pytest.fixture
def file(sqlite_url: str) -> Iterator[Path]:
    """A migrated file, kept open by a reader: the last connection that is closed would move the log by itself."""
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    with contextlib.closing(sqlite3.connect(path)) as reader:
        reader.execute("SELECT count(*) FROM leases").fetchone()
        yield path


async def test_the_server_moves_the_log_into_the_file(file: Path, sqlite_url: str) -> None:
    """The control: an operator's command leaves that to the server."""
    async with await Store.open(sqlite_url, query_folders=SUITE_FOLDERS) as operator:
        async with operator.write() as tx:
            await put(tx, "of a command")
        await asyncio.sleep(0.3)
        assert rows_in_file(file) == 0
    async with await Store.open(sqlite_url, serve=True, query_folders=SUITE_FOLDERS) as server:
        async with server.write() as tx:
            await put(tx, "of the server")
        await moved(file, 2)


async def test_a_command_lets_a_long_log_start_anew_where_no_server_runs(file: Path) -> None:
    """What it then commits overwrites the log from its beginning, so the log grows no more; it frees the lock."""
    writer = FaultyPool(file)
    await add(writer, *(f"{number}" for number in range(400)))
    grown = log_of(file).stat().st_size
    async with running(keep_log_short(file, writer, every_seconds=0.01, most_bytes=grown - 1), writer):
        await moved(file, 400)
        for number in range(50):
            await add(writer, f"later {number}")
            await moved(file, 401 + number)
        assert log_of(file).stat().st_size < grown + 25 * FRAME_BYTES  # one is added where a reader looked just then
        assert set(writer.checkpoints) == {"RESTART"}
    lock = ServerLock(file)
    lock.acquire()
    lock.release()


@pytest.mark.parametrize("served", [False, True])
async def test_a_command_leaves_a_short_log_and_a_servers_log_alone(file: Path, served: bool) -> None:
    """The controls: a log that is not too long, and one that is while a server holds the lock."""
    writer, lock = FaultyPool(file), ServerLock(file)
    if served:
        lock.acquire()
    await add(writer, "a")
    most = 0 if served else log_of(file).stat().st_size
    async with running(keep_log_short(file, writer, every_seconds=0.001, most_bytes=most), writer):
        await asyncio.sleep(0.05)
        assert writer.checkpoints == []
        if served:
            lock.release()
            await moved(file, 1)


async def test_a_server_waits_for_a_command_that_checkpoints(sqlite_url: str) -> None:
    lock = ServerLock(Path(sqlite_url.removeprefix("sqlite:///")))
    lock.acquire(transient=True)
    opening = asyncio.create_task(Store.open(sqlite_url, serve=True, query_folders=SUITE_FOLDERS))
    await asyncio.sleep(0.1)
    assert not opening.done()
    lock.release()
    await (await opening).close()


async def test_a_failed_checkpoint_is_retried(file: Path) -> None:
    """The task survives any fault, and says so each time."""
    writer = FaultyPool(file)
    await add(writer, "a", "b")
    writer.faults = iter([sqlite3.OperationalError("disk I/O error"), StoreUnavailable("away")])
    with capture_logs() as logs:
        async with checkpointing(writer):
            await moved(file, 2)
    assert [entry["event"] for entry in logs] == ["a checkpoint failed and will be retried"] * 2


@pytest.mark.parametrize(("long_log_pages", "second"), [(1, "RESTART"), (1_000, "FULL")])
async def test_a_long_log_starts_anew(file: Path, long_log_pages: int, second: str) -> None:
    """A log that grew long makes the next checkpoint wait for the readers, too. The control: a short one does not."""
    writer = FaultyPool(file)
    await add(writer, *(f"{number}" for number in range(400)))
    async with checkpointing(writer, long_log_pages):
        await moved(file, 400)
        await add(writer, "one more")
        await moved(file, 401)
    assert writer.checkpoints[:2] == ["FULL", second]


async def test_without_new_commits_there_is_no_checkpoint(file: Path) -> None:
    """Many turns after one commit find nothing to do."""
    writer = FaultyPool(file)
    await add(writer, "a")
    async with checkpointing(writer):
        await moved(file, 1)
        await asyncio.sleep(0.1)
    assert writer.checkpoints == ["FULL"]


async def test_a_connection_comes_back_though_its_return_is_cancelled(file: Path) -> None:
    """Or else the store would wait for it for ever when it is closed: a checkpoint is cancelled at any moment."""
    writer = ConnectionPool(file, "writer", 1)
    returning = asyncio.create_task(writer.reset(await writer.acquire()))
    await asyncio.sleep(0)
    returning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await returning
    await asyncio.wait_for(writer.close(), 60)
