"""A hub that stops in the middle of a timed job's turn ends it, and reports no fault."""

from __future__ import annotations

import asyncio
import logging

import pytest

from hub.processing.scheduler import Scheduler
from hub.storage import Store
from hub.testing.clock import FakeClock


@pytest.mark.parametrize("stopping", [True, False], ids=["stopped", "control"])
async def test_a_turn_that_is_cut_off_at_the_end_is_no_fault(
    sqlite_url: str, clock: FakeClock, caplog: pytest.LogCaptureFixture, stopping: bool
) -> None:
    """In the control something else cancels the turn, which is a fault and is reported."""
    begun = asyncio.Event()
    turns: list[asyncio.Task[object]] = []

    async def endless() -> None:
        if (turn := asyncio.current_task()) is not None:
            turns.append(turn)
        begun.set()
        await asyncio.Event().wait()

    async with await Store.open(sqlite_url, migrate=True) as store:
        scheduler = Scheduler(store, clock)
        scheduler.every(0.01, "endless", endless)
        scheduler.start()
        await begun.wait()
        if not stopping:
            turns[0].cancel()
            await asyncio.wait(turns[:1])
        await scheduler.stop()
        await asyncio.sleep(0.05)
    faults = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(faults) == (0 if stopping else 1)
