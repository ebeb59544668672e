"""What only SQLite needs: one server per file, one writer, and recovery from whatever the file system does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from hub.storage import SchemaTooOld, Store, StoreBusy, StoreError, StoreUnavailable, Tx
from hub.storage.migrations.files import load_migrations, migration_folder
from hub.storage.named_queries.compiler import load_queries
from hub.storage.named_queries.query import Query
from hub.storage.sqlite import file_identity
from hub.storage.sqlite.backup import BackupFault, back_up
from hub.storage.sqlite.connection import Role, connect
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.driver import READERS, SqliteDriver
from hub.storage.sqlite.server_lock import ServerLock
from hub.testing.store_steps import SUITE_FOLDERS, names, put
from tests.polling import PATIENCE_SECONDS

SERVER = """
import asyncio, sys
from hub.storage import Store
async def serve():
    async with await Store.open(sys.argv[1], serve=True):
        print("serving", flush=True)
        await asyncio.sleep(60)
asyncio.run(serve())
"""


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


async def ended(threads: Iterable[threading.Thread]) -> bool:
    """Wait for threads that are to end."""
    for thread in threads:
        await asyncio.to_thread(thread.join, 60)
    return not any(thread.is_alive() for thread in threads)


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Every thread that the test itself starts for a connection; others of the process do not count."""
    started: list[threading.Thread] = []
    start = threading.Thread.start

    def noted(self: threading.Thread) -> None:
        if self.name.startswith("commit") or "_connection_worker_thread" in self.name:
            started.append(self)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", noted)
    return started


async def pragma(store: Store, text: str) -> object:
    """Run a pragma on the writing connection of the store."""
    driver = store._driver
    assert isinstance(driver, SqliteDriver)
    pool = driver._writer
    connection = await pool.acquire()
    try:
        rows = list(await connection.threaded.execute_fetchall(f"PRAGMA {text}"))
        return rows[0][0] if rows else None
    finally:
        pool.release(connection)


@pytest.mark.parametrize(
    ("role", "settings"),
    [
        ("writer", {"journal_mode": "wal", "query_only": 0, "busy_timeout": 0}),  # `begin_writing` waits instead
        ("reader", {"journal_mode": "wal", "query_only": 1, "busy_timeout": 5000}),
        ("migrator", {"journal_mode": "wal", "foreign_keys": 0, "busy_timeout": 5000}),
    ],
)
async def test_connections_have_the_settings_that_durability_needs(
    sqlite_url: str, role: Role, settings: dict[str, object]
) -> None:
    """FULL and WAL on the writer, foreign keys on, no checkpoint by chance, readers that cannot write."""
    wanted = {"synchronous": 2, "foreign_keys": 1, "wal_autocheckpoint": 0, "trusted_schema": 0} | settings
    connection = await connect(file_of(sqlite_url), role)
    actual = {name: connection.direct.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted}
    await connection.close()
    assert actual == wanted


async def test_a_query_is_one_hop_to_the_thread(sqlite_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each hop costs as much as the work of a small query, so none is wasted."""
    hops = []
    real = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, *args: object, **kwargs: object) -> object:
        hops.append(args[1] if len(args) > 1 else args)
        return await real(self, *args, **kwargs)  # type: ignore[no-untyped-call]  # aiosqlite's own

    async with sqlite_store.write() as tx:
        await put(tx, "a")
        monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
        await tx.all("suite_leases", names=["a"])
        assert len(hops) == 1
        await tx.run("suite_count_up", name="a", step=1)
        assert len(hops) == 2


async def test_the_file_is_for_its_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is relative to where the hub runs; folder and file are made, closed to others."""
    monkeypatch.chdir(tmp_path)
    async with await Store.open("sqlite:///var/deep/hub.db", migrate=True):
        mode = stat.S_IMODE((tmp_path / "var/deep/hub.db").stat().st_mode)
    assert mode == 0o600


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("sqlite:///", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite://hub.db", "must begin with"),
        ("mysql://host/hub", "must begin with"),
    ],
)
async def test_a_strange_address_is_explained(url: str, fault: str) -> None:
    """Only the two databases are known, and SQLite needs a file."""
    with pytest.raises(StoreError, match=fault):
        await Store.open(url)


async def test_a_missing_file_is_not_created_by_chance(tmp_path: Path) -> None:
    """A misspelt path must not look like an empty hub."""
    with pytest.raises(SchemaTooOld, match="no database at .* run `hub migrate`"):
        await Store.open(f"sqlite:///{tmp_path / 'hub.db'}")
    assert not file_of(f"sqlite:///{tmp_path / 'hub.db'}").exists()


@pytest.mark.parametrize("name", ["", "text"])
async def test_a_file_that_is_not_a_database_is_unavailable(
    tmp_path: Path, name: str, threads: list[threading.Thread]
) -> None:
    """A folder or a text file at the database's path is reported, and no thread is left behind."""
    (tmp_path / "text").write_text("no database " * 100, "utf-8")
    with pytest.raises(StoreUnavailable):
        await Store.open(f"sqlite:///{tmp_path / name}", migrate=True)
    assert threads
    assert await ended(threads)


# One server per file -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def server_process(url: str) -> Iterator[subprocess.Popen[str]]:
    """A server of the file in a process of its own."""
    command = [sys.executable, "-c", SERVER, url]
    paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=paths) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "serving\n"
            yield process
        finally:
            process.kill()


async def test_a_second_server_is_refused_by_name(sqlite_url: str) -> None:
    """The message names the process that serves the file; operators' commands work beside it all the same."""
    with server_process(sqlite_url) as other:
        with pytest.raises(StoreBusy, match=rf"process {other.pid}\) already serves {file_of(sqlite_url)}:"):
            await Store.open(sqlite_url, serve=True)
        async with await Store.open(sqlite_url, query_folders=SUITE_FOLDERS) as operator:
            async with operator.write() as tx:
                await put(tx, "a")
            assert await names(operator) == ["a"]


async def test_a_killed_server_frees_the_lock(sqlite_url: str) -> None:
    """The system frees the lock, however the process ends."""
    with server_process(sqlite_url) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        await (await Store.open(sqlite_url, serve=True)).close()


async def test_a_closed_server_frees_the_lock(sqlite_url: str) -> None:
    """So does one that stops in order, and one whose start failed after it took the place."""
    async with await Store.open(sqlite_url, serve=True):
        with pytest.raises(StoreBusy):
            await Store.open(sqlite_url, serve=True)
    with pytest.raises(SchemaTooOld):
        await Store.open(sqlite_url, serve=True, migrations=next_release(file_of(sqlite_url).parent))
    await (await Store.open(sqlite_url, serve=True)).close()


async def test_a_close_that_is_cancelled_gives_back_the_lock_and_the_connections(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url, serve=True)
    async with store.read() as tx:
        closing = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        closing.cancel()
        await tx.one("newest_heartbeat")
    with pytest.raises(asyncio.CancelledError):
        await closing
    await (await Store.open(sqlite_url, serve=True)).close()


@pytest.mark.parametrize("transient", [True, False])
async def test_a_refusal_says_whether_a_command_holds_the_lock_for_a_while(sqlite_url: str, transient: bool) -> None:
    """To the very end, until the lock is free: a command that is closing must never be taken for a server."""
    async with await Store.open(sqlite_url, serve=True, transient=transient):
        with pytest.raises(StoreBusy) as busy:
            await Store.open(sqlite_url, serve=True, transient=True)
        assert busy.value.transient is transient
    await (await Store.open(sqlite_url, serve=True)).close()


async def test_a_holder_that_has_not_written_its_name_yet_may_be_a_command(sqlite_url: str) -> None:
    async with await Store.open(sqlite_url, serve=True):
        file_of(sqlite_url).with_name("hub.db.lock").write_text("")
        with pytest.raises(StoreBusy, match="process unknown") as busy:
            await Store.open(sqlite_url, serve=True, transient=True)
        assert busy.value.transient


async def test_a_server_starts_where_the_disk_has_no_room_for_its_name(sqlite_url: str) -> None:
    """It refuses orders until there is room; who comes second is refused, whoever holds the lock."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    lock, second = ServerLock(file_of(sqlite_url)), ServerLock(file_of(sqlite_url))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        lock.acquire()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(StoreBusy, match="process unknown"):
        second.acquire()
    lock.release()
    second.acquire()
    second.release()


def next_release(folder: Path) -> Path:
    """Return a folder of migrations with one more than the hub's."""
    place = Path(shutil.copytree(migration_folder(), folder / "migrations"))
    (place / f"{len(load_migrations('sqlite')) + 1:04}_step.sql").write_text("SELECT 1;", "utf-8")
    return place


async def test_it_is_the_lock_that_stops_the_second_server(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the lock the second server starts, so the tests above prove the lock and nothing else."""
    with server_process(sqlite_url):
        monkeypatch.setattr(ServerLock, "acquire", lambda self, **how: None)
        await (await Store.open(sqlite_url, serve=True)).close()


# Faults --------------------------------------------------------------------------------------------------------------


async def fill(store: Store, count: int = 400) -> None:
    """Write more than a full disk takes."""
    async with store.write() as tx:
        await tx.run("suite_put_leases", leases=[(f"{index}", "x" * 1000, 0) for index in range(count)])


async def test_a_full_disk_is_unavailable_until_there_is_space(sqlite_store: Store) -> None:
    """Nothing of the failed transaction stays, reading goes on, and writing comes back by itself."""
    pages = await pragma(sqlite_store, "page_count")
    await pragma(sqlite_store, f"max_page_count = {pages}")
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="full"):
            await fill(sqlite_store)
        assert await names(sqlite_store) == []
    await pragma(sqlite_store, "max_page_count = 100000")
    await fill(sqlite_store)
    assert len(await names(sqlite_store)) == 400


async def test_a_write_that_the_system_refuses_is_unavailable_until_it_works(
    sqlite_store: Store, sqlite_url: str
) -> None:
    """The same with the file system's own refusal, which strikes at the commit, when the log is written."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    await fill(sqlite_store, 100)
    size = Path(f"{file_of(sqlite_url)}-wal").stat().st_size  # noqa: ASYNC240 - a test
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 8192, limits[1]))
    try:
        with pytest.raises(StoreUnavailable, match="commit failed"):
            await fill(sqlite_store, 1000)
        assert len(await names(sqlite_store)) == 100
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    await fill(sqlite_store, 1000)
    assert len(await names(sqlite_store)) == 1000


async def test_a_full_disk_is_named_where_the_file_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite speaks of an I/O error where there is no room for the index of its log; a folder it cannot open either."""
    with pytest.raises(StoreUnavailable, match="unable to open"):
        await connect(tmp_path, "writer")
    monkeypatch.setattr(file_identity, "LEAST_FREE_BYTES", 2**62)
    with pytest.raises(StoreUnavailable, match=r"cannot be opened: its disk is full\. Make room\."):
        await connect(tmp_path, "writer")
    with pytest.raises(BackupFault, match=r"cannot be read: its disk is full\. Make room\."):
        back_up(tmp_path, tmp_path / "backup.db")


async def test_a_failed_commit_is_reported_and_the_connection_replaced(sqlite_store: Store) -> None:
    """Whatever made COMMIT fail: no caller takes it for done, and the next transaction starts clean."""
    with pytest.raises(StoreUnavailable, match="commit failed"):
        async with sqlite_store.write() as tx:
            await tx._session.command("PRAGMA defer_foreign_keys = ON")
            await put(tx, "a")
            await tx.run("suite_put_coupon", coupon_code="X", affiliate_id="nobody")
    async with sqlite_store.write() as tx:
        await put(tx, "b")
    assert await names(sqlite_store) == ["b"]


async def test_a_locked_file_is_unavailable_until_it_is_free(sqlite_url: str) -> None:
    """An operator's long transaction delays the server's for the busy timeout, which then fails; reading goes on."""
    driver = SqliteDriver(file_of(sqlite_url), None, busy_seconds=0.05)
    async with Store(driver, load_queries("sqlite", SUITE_FOLDERS)) as store:
        with contextlib.closing(sqlite3.connect(file_of(sqlite_url), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked"):
                await fill(store)
            assert await names(store) == []
        await fill(store)


async def test_a_lost_connection_is_replaced(sqlite_url: str) -> None:
    """A connection that broke is not lent a second time; the control: a sound one is."""
    pool = ConnectionPool(file_of(sqlite_url), "writer", 1)
    sound = await pool.acquire()
    await pool.reset(sound)
    assert await pool.acquire() is sound
    await sound.close()
    await pool.reset(sound)
    other = await pool.acquire()
    assert other is not sound
    assert other.direct.execute("SELECT 1").fetchone()[0] == 1
    pool.release(other)
    await pool.close()


# The readers ---------------------------------------------------------------------------------------------------------


async def count(store: Store) -> object:
    row = await store.fetch_one("suite_count")
    return row and row["number"]


async def test_fetching_one_row_sees_what_is_committed_at_its_moment(sqlite_store: Store) -> None:
    """It is part of no other transaction, neither a read that began before nor a write that has not ended."""
    assert await count(sqlite_store) == 0
    async with sqlite_store.read() as snapshot:
        assert len(await snapshot.all("suite_leases_of", owner=None)) == 0
        async with sqlite_store.write() as tx:
            await put(tx, "a")
            assert await count(sqlite_store) == 0
        assert await count(sqlite_store) == 1
        assert len(await snapshot.all("suite_leases_of", owner=None)) == 0


async def test_fetching_one_row_waits_while_every_reader_is_lent(sqlite_store: Store) -> None:
    """There are no more connections for it than for others."""
    async with contextlib.AsyncExitStack() as reads:
        for _ in range(READERS):
            await reads.enter_async_context(sqlite_store.read())
        waiting = asyncio.create_task(count(sqlite_store))
        await asyncio.sleep(0.05)
        assert not waiting.done()
    assert await waiting == 0


async def test_fetching_one_row_that_fails_leaves_its_connection_sound(sqlite_store: Store) -> None:
    """It goes on to be used, by look-ups and by transactions."""
    missing = Query("missing", "", "sqlite", "SELECT * FROM nowhere", (), frozenset(), returns_rows=True)
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        await sqlite_store._driver.fetch_one(missing, {})
    assert await count(sqlite_store) == 0
    assert await names(sqlite_store) == []


# The writer and the log ----------------------------------------------------------------------------------------------


async def test_writers_are_served_in_the_order_they_came(sqlite_store: Store) -> None:
    """Nobody overtakes, so nobody starves."""
    served: list[int] = []

    async def write(index: int) -> None:
        async with sqlite_store.write() as tx:
            served.append(index)
            await put(tx, str(index))

    await asyncio.gather(*(write(index) for index in range(50)))
    assert served == list(range(50))


async def test_closing_leaves_no_thread_behind(sqlite_url: str, threads: list[threading.Thread]) -> None:
    """A thread left would keep the process from ending."""
    async with await Store.open(sqlite_url, serve=True, query_folders=SUITE_FOLDERS) as store:
        await asyncio.gather(*(names(store) for _ in range(8)), fill(store))
        await store.transact(partial(put_one, name="committed in a thread of its own"))
        assert any(thread.is_alive() for thread in threads)
    assert await ended(threads)


async def put_one(tx: Tx, name: str) -> None:
    await put(tx, name)


async def test_a_connection_lost_before_its_commit_gives_its_place_back(sqlite_store: Store) -> None:
    """Else nobody could write any more."""
    async with sqlite_store.write() as tx:
        await put(tx, "before")
    driver = sqlite_store._driver
    assert isinstance(driver, SqliteDriver)
    writer = driver._writer.idle
    assert writer is not None
    with pytest.raises((StoreUnavailable, ValueError)):
        async with sqlite_store.write() as tx:
            await put(tx, "lost")
            await writer.close()
    async with asyncio.timeout(PATIENCE_SECONDS), sqlite_store.write() as tx:
        await put(tx, "after")
    assert await names(sqlite_store) == ["after", "before"]


@pytest.mark.parametrize("times", [1, 3])
async def test_a_cancelled_opening_of_a_connection_leaves_no_thread_behind(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, threads: list[threading.Thread], times: int
) -> None:
    """The cancellation waits until the file is open, and closes it again."""
    original, begun = sqlite3.connect, threading.Event()

    def slow(*arguments: Any, **options: Any) -> sqlite3.Connection:
        begun.set()
        time.sleep(0.1)
        opened: sqlite3.Connection = original(*arguments, **options)
        return opened

    monkeypatch.setattr(sqlite3, "connect", slow)
    opening = asyncio.create_task(connect(Path(sqlite_url.removeprefix("sqlite:///")), "reader"))
    await asyncio.to_thread(begun.wait, 60)
    for _ in range(times):
        opening.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        _ = await opening
    assert threads
    assert await ended(threads)
