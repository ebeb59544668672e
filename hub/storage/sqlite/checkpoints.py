"""Checkpoints of an SQLite file: the server's writer moves the write-ahead log into the file, often."""

from __future__ import annotations

import asyncio
import sqlite3

import aiosqlite
import structlog

from hub.storage.errors import StoreUnavailable
from hub.storage.sqlite.connection_pool import ConnectionPool

EVERY_SECONDS = 0.25
"""A commit waits for a checkpoint that runs, so there are four short ones a second instead of one long one."""
_LONG_LOG_PAGES = 16_384  # 64 MiB: from here on a checkpoint also waits for readers, so that the log starts anew
_BUSY_MS = 100

log = structlog.get_logger(__name__)


async def keep_checkpointing(writer: ConnectionPool) -> None:
    """Checkpoint if there were commits, until cancelled; a failed one is tried again at the next turn."""
    checkpointed = -1
    long = False
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        if writer.commits == checkpointed:
            continue
        commits = writer.commits
        try:
            long = await _checkpoint(writer, "RESTART" if long else "FULL")
            checkpointed = commits
        except (sqlite3.Error, StoreUnavailable) as error:
            log.warning("a checkpoint failed, it is tried again", fault=str(error))


async def _checkpoint(writer: ConnectionPool, mode: str) -> bool:
    """Run one checkpoint on the writer's connection and return whether the log has become long."""
    connection = await writer.acquire()
    try:
        return await _run(connection.threaded, mode)
    finally:
        await writer.reset(connection)  # after a cancellation too: it waits for what the thread is doing


async def _run(connection: aiosqlite.Connection, mode: str) -> bool:
    # FULL and RESTART keep other processes from committing meanwhile, so they may not wait long for a reader.
    await connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
    try:
        rows = await connection.execute_fetchall(f"PRAGMA wal_checkpoint({mode})")
    finally:
        await connection.execute("PRAGMA busy_timeout = 0")
    return any(row[1] > _LONG_LOG_PAGES for row in rows)
