"""A node that runs nothing but one timed job, for `test_scheduler`: a process of its own, so that it can be stopped.

It notes when each turn of the job began and ended: `python -m tests.processing.scheduler_node URL FILE`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from hub.clock import system_clock
from hub.processing.scheduler import Scheduler
from hub.storage import Store

LEASE_MS = 2_500
EVERY_SECONDS = 0.1
TURN_SECONDS = 3.5
"""Longer than the lease: it is held by renewal."""


async def main(url: str, notes: Path) -> None:
    def note(what: str) -> None:
        with notes.open("a") as file:
            file.write(f"{time.monotonic():.6f} {os.getpid()} {what}\n")

    async with await Store.open(url) as store:

        async def turn() -> None:
            note("begin")
            try:
                async with store.read() as tx:  # as every job, it needs the store again after its wait
                    await tx.all("all_accounts")
                await asyncio.sleep(TURN_SECONDS)
            except asyncio.CancelledError:
                note("broken")
                raise
            note("end")

        scheduler = Scheduler(store, system_clock, lease_ms=LEASE_MS, renew_seconds=0.3)
        scheduler.every(EVERY_SECONDS, "turn", turn)
        scheduler.start()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
