"""A hub that stops in the middle of a timer's turn ends it, and tells of no fault."""

from __future__ import annotations

import asyncio
import logging

import pytest

from hub.processing.scheduler import Retention, Timers
from hub.storage import Store
from hub.testing.clock import FakeClock


class SlowTimers(Timers):
    """One timer, whose turn does not end by itself."""

    def __init__(self, store: Store, clock: FakeClock) -> None:
        super().__init__(store, clock, Retention(1, 1, 1, 1, 1), forget_uploads=nothing)
        self.began = asyncio.Event()

    def start(self) -> None:
        self._every(0.01, self.turn)
        self._scheduler.start()

    async def turn(self) -> None:
        self.began.set()
        await asyncio.sleep(60)


async def nothing(_account: str, _moment: int) -> None:
    """No uploads are kept here."""


@pytest.mark.parametrize("properly", [True, False], ids=["stopped", "control"])
async def test_a_turn_that_is_cut_off(
    sqlite_url: str, clock: FakeClock, caplog: pytest.LogCaptureFixture, properly: bool
) -> None:
    """The control cancels the turn behind the timers' back, which is a fault and is told."""
    async with await Store.open(sqlite_url) as store:
        timers = SlowTimers(store, clock)
        timers.start()
        await timers.began.wait()
        if properly:
            timers.stop()
        else:
            timers._scheduler.shutdown(wait=False)
        await asyncio.sleep(0.05)
    faults = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(faults) == (0 if properly else 1)
