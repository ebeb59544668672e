"""Checkpoints of an SQLite file: the server moves the write-ahead log into the file, several times a second.

A command leaves that to the server, and where none serves it moves a log that grew long itself, or a payout run over
millions of lines would leave a log many times the size of the file. It holds the server lock meanwhile, so that one
process at a time runs checkpoints.

A task on the event loop takes the writer's connection from its pool like any other caller, so a checkpoint never meets
a transaction of this process. It runs in the connection's thread.
"""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import aiosqlite
import structlog

from hub.storage.errors import StoreBusy, StoreUnavailable, StoreUnusable
from hub.storage.sqlite.connection import KEPT_LOG_BYTES
from hub.storage.sqlite.connection_pool import ConnectionPool
from hub.storage.sqlite.server_lock import ServerLock

EVERY_SECONDS = 0.25
"""How often to look for new commits. A commit waits for a running checkpoint, so many short ones are better."""
LONG_LOG_PAGES = 16_384
"""From this length of the log on (64 MiB) a checkpoint also waits for readers, so that the log starts anew."""
_BUSY_MS = 100

log = structlog.get_logger(__name__)


async def keep_checkpointing(
    writer: ConnectionPool, *, every_seconds: float = EVERY_SECONDS, long_log_pages: int = LONG_LOG_PAGES
) -> None:
    """Run a checkpoint after new commits, until cancelled; retry a failed one at the next turn."""
    checkpointed = -1
    long = False
    while True:
        await asyncio.sleep(every_seconds)
        if writer.commits == checkpointed:
            continue
        commits = writer.commits
        try:
            long = await _checkpoint(writer, "RESTART" if long else "FULL") > long_log_pages
            checkpointed = commits
        except (sqlite3.Error, StoreUnavailable) as error:
            log.warning("a checkpoint failed and will be retried", fault=str(error))


async def keep_log_short(
    database: Path, writer: ConnectionPool, *, every_seconds: float = EVERY_SECONDS, most_bytes: int = KEPT_LOG_BYTES
) -> None:
    """Let the log start anew once commits of this process made it longer than `most_bytes`, until cancelled.

    While a server holds the lock it is left to the server; what fails is retried at the next turn.
    """
    lock, file, checkpointed = ServerLock(database), database.with_name(database.name + "-wal"), 0
    while True:
        await asyncio.sleep(every_seconds)
        commits = writer.commits
        if commits == checkpointed or _size(file) <= most_bytes:
            continue
        try:
            lock.acquire(transient=True)
        except (StoreBusy, StoreUnusable):
            continue
        try:
            await _checkpoint(writer, "RESTART")
            checkpointed = commits
        except (sqlite3.Error, StoreUnavailable) as error:
            log.warning("a checkpoint failed and will be retried", fault=str(error))
        finally:
            lock.release()


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


async def _checkpoint(writer: ConnectionPool, mode: str) -> int:
    """Run a checkpoint on the writer's connection and return the length of the log in pages."""
    connection = await writer.acquire()
    try:
        return await _run(connection.threaded, mode)
    finally:
        await writer.reset(connection)  # after a cancellation, too, and during one


async def _run(connection: aiosqlite.Connection, mode: str) -> int:
    # FULL and RESTART keep other processes from committing, so they must not wait long for a reader.
    await connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    try:
        rows = await connection.execute_fetchall(f"PRAGMA wal_checkpoint({mode})")
    finally:
        await connection.execute("PRAGMA busy_timeout = 0")
    return max(int(row["log"]) for row in rows)
