"""A node with nothing but timers, for `test_timers`: a process of its own, so that it can be stopped like one.

Its one timer notes when each of its turns began and ended: `python -m tests.processing.timer_node URL FILE`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from hub.clock import system_clock
from hub.processing import scheduler as timers
from hub.processing.scheduler import Retention, Timers
from hub.storage import Store

LEASE_MS = 1_000
EVERY_SECONDS = 0.1
TURN_SECONDS = 2.5
"""Longer than the lease: it is held by renewal."""


class NotedTimers(Timers):
    """Timers with one job, which only takes its time."""

    notes: Path

    async def turn(self) -> None:
        self.note("begin")
        try:
            async with self._store.read() as tx:  # as every job, it needs the store again after its wait
                await tx.all("all_accounts")
            await asyncio.sleep(TURN_SECONDS)
        except asyncio.CancelledError:
            self.note("broken")
            raise
        self.note("end")

    def note(self, what: str) -> None:
        with self.notes.open("a") as file:
            file.write(f"{time.monotonic():.6f} {os.getpid()} {what}\n")

    def start(self) -> None:
        self._every(EVERY_SECONDS, self.turn)
        self._scheduler.start()


async def nothing(_account: str, _moment: int) -> None:
    """No uploads are kept here."""


async def main(url: str, notes: Path) -> None:
    timers.LEASE_MS, timers.RENEW_SECONDS = LEASE_MS, 0.3
    async with await Store.open(url) as store:
        node = NotedTimers(store, system_clock, Retention(1, 1, 1, 1, 1), forget_uploads=nothing)
        node.notes = notes
        node.start()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
