"""Tasks are ended although a cancellation is lost on its way, and nobody who is cancelled waits for them."""

from __future__ import annotations

import asyncio

import pytest

from hub import tasks
from hub.tasks import end_task


class Deaf:
    """A loop that loses its first cancellations, as one does whose `finally` fails, and then hears."""

    def __init__(self, loses: int) -> None:
        self.loses = loses
        self.heard = 0
        self.begun = asyncio.Event()

    async def run(self) -> None:
        while True:
            self.begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.heard += 1
                if self.heard > self.loses:
                    raise


async def deaf(loses: int) -> tuple[Deaf, asyncio.Task[None]]:
    one = Deaf(loses)
    task = asyncio.create_task(one.run())
    await one.begun.wait()
    return one, task


@pytest.mark.parametrize("loses", [0, 1, 3])
async def test_a_task_that_loses_a_cancellation_is_cancelled_again(monkeypatch: pytest.MonkeyPatch, loses: int) -> None:
    monkeypatch.setattr(tasks, "AGAIN_SECONDS", 0.001)
    one, task = await deaf(loses)
    await end_task(task)
    assert (task.cancelled(), one.heard) == (True, loses + 1)


async def test_control_one_cancellation_would_be_waited_for_in_vain() -> None:
    one, task = await deaf(1)
    task.cancel()
    assert await asyncio.wait({task}, timeout=0.05) == (set(), {task})
    assert one.heard == 1
    await end_task(task)


async def test_whoever_is_cancelled_waits_no_longer_and_hears_of_it() -> None:
    """Its own cancellation is not taken for that of the task."""
    one, task = await deaf(2)
    waiting = asyncio.create_task(end_task(task))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not task.done()
    one.loses = 0
    await end_task(task)


async def test_what_a_task_failed_with_is_raised_and_none_is_no_task() -> None:
    async def fail() -> None:
        raise ValueError("a bug")

    task = asyncio.create_task(fail())
    await asyncio.wait({task})
    with pytest.raises(ValueError, match="a bug"):
        await end_task(task)
    await end_task(None)
