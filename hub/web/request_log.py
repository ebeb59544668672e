"""The merchants' request log: rows gather in memory and are written in the background, in batches."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import structlog

from hub.ids import new_id
from hub.storage import Store, StoreUnavailable, Tx

EVERY_SECONDS = 0.5
BATCH = 250
KEPT = 50_000
"""With the store away for longer than this holds, new rows are dropped and counted: the log must not eat the memory."""

LogRow = tuple[str, int, str, str, str, int, str | None, str | None, str, int, str | None]
"""account_id, logged_at, request_id, method, path, status, error_code, key_id, client, duration_us, detail (JSON)."""

logger = structlog.get_logger(__name__)


class RequestLog:
    """Appends without waiting; `start` begins the writing, `stop` writes what is left."""

    def __init__(self, store: Store, on_drop: Callable[[float], None]) -> None:
        """`on_drop` is told how many rows were given up."""
        self._store = store
        self._on_drop = on_drop
        self._rows: deque[LogRow] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def append(self, row: LogRow) -> None:
        """Keeps a row for the next batch."""
        if len(self._rows) >= KEPT:
            self._on_drop(1)
            return
        self._rows.append(row)
        if len(self._rows) == BATCH:
            self._wake.set()

    async def start(self) -> None:
        """Begins to write in the background."""
        self._task = asyncio.create_task(self._serve(), name="request-log")

    async def stop(self) -> None:
        """Writes what is left, if the store takes it, and returns."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await self.flush()
        if self._rows:
            self._on_drop(len(self._rows))
            logger.warning("the request log could not be written before the end", rows=len(self._rows))

    async def flush(self) -> None:
        """Writes what is there now; what the store cannot take stays for the next time."""
        # Not what comes meanwhile: under load that would be a small commit after each of the desk's.
        due = len(self._rows)
        while due > 0:
            batch = [self._rows.popleft() for _ in range(min(BATCH, due))]
            due -= len(batch)
            try:
                await self._write(batch)
            except StoreUnavailable:
                self._rows.extendleft(reversed(batch))
                return
            except Exception:
                self._on_drop(len(batch))
                logger.exception("a batch of the request log was refused and given up", rows=len(batch))

    async def _write(self, batch: list[LogRow]) -> None:
        rows = [(account, at, new_id("log"), *rest) for account, at, *rest in batch]
        await self._store.join(partial(_insert, rows=rows))

    async def _serve(self) -> None:
        while not self._closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            await self.flush()


async def _insert(tx: Tx, rows: list[tuple[Any, ...]]) -> None:
    await tx.run("insert_request_log", rows=rows)
