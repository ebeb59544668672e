"""Checkpoints of an SQLite file: the server's writer moves the write-ahead log into the file, often."""

from __future__ import annotations

import asyncio
import logging
import sqlite3

import aiosqlite

from hub.storage.errors import StoreUnavailable
from hub.storage.sqlite_connection import BUSY_MS
from hub.storage.sqlite_lane import Lane

EVERY_SECONDS = 0.25  # whoever wants to commit waits for a checkpoint: four short ones instead of a long one
_LONG_LOG_PAGES = 16_384  # 64 MiB: from here on a checkpoint also waits for readers, so that the log starts anew
_PATIENCE_MS = 100

_log = logging.getLogger(__name__)


async def keep_checkpointing(writer: Lane) -> None:
    """Checkpoint where there were commits, until cancelled; a failed one is tried again at the next turn."""
    done = -1
    long = False
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        if writer.commits == done:
            continue
        seen = writer.commits
        try:
            long = await _checkpoint(writer, "RESTART" if long else "FULL")
            done = seen
        except (sqlite3.Error, StoreUnavailable) as error:
            _log.warning("The checkpoint failed and is tried again: %s", error)


async def _checkpoint(writer: Lane, mode: str) -> bool:
    """Run one checkpoint in the writer's turn and return whether the log has become long."""
    connection = await writer.borrow()
    try:
        return await _run(connection, mode)
    finally:
        await writer.finish(connection)  # after a cancellation too: it waits for what the thread is doing


async def _run(connection: aiosqlite.Connection, mode: str) -> bool:
    # FULL and RESTART keep other processes from committing meanwhile, so they may not wait long for a reader.
    await connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
    try:
        rows = await connection.execute_fetchall(f"PRAGMA wal_checkpoint({mode})")
    finally:
        await connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    return any(row[1] > _LONG_LOG_PAGES for row in rows)
