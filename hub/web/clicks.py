"""Clicks, made durable in batches before the buyer is sent on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from functools import partial
from time import monotonic

from hub.storage import Store, StoreUnavailable, Tx

BATCH = 256
WAITING_LIMIT = 5_000

ClickRow = tuple[str, str, str, str, str | None, int]
"""account_id, click_id, code, affiliate_id, campaign_id, clicked_at."""


class ClickBook:
    """Writes whatever clicks are waiting as one transaction; the commit that runs is the window of the next batch."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: deque[tuple[ClickRow, asyncio.Future[None]]] = deque()
        self._wake = asyncio.Event()
        self._closed = True
        self._task: asyncio.Task[None] | None = None
        self.last_taken = 0.0
        """When the last click came, by `time.monotonic`."""

    async def start(self) -> None:
        """Opens the book."""
        self._closed = False
        self._task = asyncio.create_task(self._serve(), name="clicks")

    async def stop(self) -> None:
        """Takes nothing more, writes what waits, and returns."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            await self._task

    def record(self, click: ClickRow) -> Awaitable[None]:
        """Is over once the click is durable; raises `StoreUnavailable` where it could not be made so."""
        if self._closed or len(self._waiting) >= WAITING_LIMIT:
            raise StoreUnavailable("the hub takes no more clicks just now")
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((click, written))
        self.last_taken = monotonic()
        self._wake.set()
        return written

    async def _serve(self) -> None:
        while self._waiting or not self._closed:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            fault = await self._write([click for click, _ in batch])
            for _, written in batch:
                if written.done():
                    continue
                if fault is None:
                    written.set_result(None)
                else:
                    written.set_exception(fault)

    async def _write(self, clicks: list[ClickRow]) -> Exception | None:
        try:
            await self._store.transact(partial(_insert, clicks=clicks), brief=True, adds=True)
        except Exception as fault:  # noqa: BLE001 - handed to everybody who waits for this batch
            return fault
        return None


async def _insert(tx: Tx, clicks: list[ClickRow]) -> None:
    await tx.run("insert_clicks", clicks=clicks)
