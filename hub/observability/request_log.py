"""The merchants' request log: rows wait in memory and are written in the background, in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hub.batcher import Batcher, BatcherClosed, BatcherFull, Limits
from hub.storage import InsertAll, Store

WRITE_EVERY_SECONDS = 0.5
LIMITS = Limits(items=250, waiting=50_000)
"""When this many rows wait because the store is away, new ones are dropped and counted, to bound the memory."""


class LogRow(NamedTuple):
    """A row of `insert_request_log`; `logged_at` is milliseconds UTC, `detail` JSON."""

    account_id: str
    logged_at: int
    log_id: str
    request_id: str
    method: str
    path: str
    status: int
    error_code: str | None
    key_id: str | None
    client: str
    duration_us: int
    detail: str | None


class RequestLog:
    """Appends without waiting; `start` begins the writing, `stop` writes what is left."""

    def __init__(
        self,
        store: Store,
        on_drop: Callable[[float], None],
        *,
        limits: Limits = LIMITS,
        every_seconds: float = WRITE_EVERY_SECONDS,
    ) -> None:
        """Make a log that is written every `every_seconds`; `on_drop` is called with the number of rows given up."""
        self._store = store
        self._on_drop = on_drop
        self._batcher = Batcher("request-log", self._write, limits, linger_seconds=every_seconds, on_lost=on_drop)

    def append(self, row: LogRow) -> None:
        """Add a row to the next batch."""
        try:
            self._batcher.post(row)
        except (BatcherFull, BatcherClosed):
            self._on_drop(1)

    async def start(self) -> None:
        """Begin to write in the background."""
        await self._batcher.start()

    async def stop(self) -> None:
        """Write what is left, if the store takes it, and return."""
        await self._batcher.stop()

    async def flush(self) -> None:
        """Return once the rows appended so far are written."""
        await self._batcher.flush()

    async def _write(self, rows: list[LogRow]) -> list[None]:
        await self._store.transact(InsertAll([("insert_request_log", {"rows": rows})]))
        return [None] * len(rows)
