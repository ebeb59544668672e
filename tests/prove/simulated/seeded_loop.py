"""An event loop without a clock and without threads: a seed says which callback is next and how long the disk takes.

Time is virtual: it moves on to the next timer once nothing else is to be done. Of the callbacks that are ready, the
seed draws the order. What SQLite does in threads is done in line, after a virtual moment that the seed draws, too. All
modules of the hub that ask how much time has gone by ask this loop. So a seed is one history, and the same one each
time; `trace` tells two of them apart.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, TypeVar

import aiosqlite.core
import pytest
from uuid_utils import UUID

from hub.ids import made_by
from hub.storage.sqlite import group_commit

T = TypeVar("T")


class Stuck(Exception):
    """Nothing is ready, and nothing ever will be."""


class SeededLoop(asyncio.SelectorEventLoop):
    """Draws the order of what is ready."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)
        self._now = 0.0
        self._trace = sha256()
        self.turns = 0
        self.kept: list[object] = []
        """What the machine would keep: the loop holds tasks weakly, so a garbage collector ends them."""

    @property
    def trace(self) -> str:
        """A digest of every turn so far (when it was, how many callbacks were ready), and of what was noted."""
        return self._trace.hexdigest()

    def time(self) -> float:
        """The virtual time in seconds."""
        return self._now

    @property
    def is_stormy(self) -> bool:
        """Whether things go wrong just now: four seconds of ten, so that no event spends its ten attempts in one go."""
        return self._now % 10 < 4

    def moment(self) -> float:
        """Draw how long something takes, in virtual seconds."""
        return self.dice.choice((0.0, 0.001, 0.001, 0.01, 0.2))

    def _run_once(self) -> None:
        ready: deque[Any] = self._ready  # type: ignore[attr-defined]  # a loop's own parts, as in CPython 3.11 to 3.14
        timers: list[Any] = self._scheduled  # type: ignore[attr-defined]  # as above
        if ready:
            mixed = list(ready)
            self.dice.shuffle(mixed)
            ready.clear()
            ready.extend(mixed)
        elif timers:
            self._now = max(self._now, timers[0].when())
        else:
            raise Stuck
        self.turns += 1
        self.note(f"{self._now:.6f} {len(ready)} {len(timers)}")
        super()._run_once()  # type: ignore[misc]  # as above

    def note(self, text: str) -> None:
        """Make something that happened part of the trace."""
        self._trace.update(f"{text}\n".encode())


class _InLineQueue:
    """In the place of the queue to a connection's thread: its oldest task is done after a moment."""

    def __init__(self) -> None:
        self._tasks: deque[tuple[asyncio.Future[Any] | None, Callable[[], Any]]] = deque()

    def put_nowait(self, task: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        loop = the_loop()
        self._tasks.append(task)
        loop.call_later(loop.moment(), self._do_oldest)

    def _do_oldest(self) -> None:
        future, function = self._tasks.popleft()
        try:
            result, fault = function(), None
        except Exception as raised:  # noqa: BLE001  # it is the caller's
            result, fault = None, raised
        if future is None or future.done():
            return
        if fault is None:
            future.set_result(result)
        else:
            future.set_exception(fault)


class _NoThread:
    """In the place of a connection's thread."""

    def __init__(self, **_: object) -> None:
        """Take what a thread takes."""

    def start(self) -> None:
        """Do nothing."""


class _InLineExecutor:
    """In the place of the thread that commits."""

    def __init__(self, *_: object, **__: object) -> None:
        """Take what an executor takes."""

    def submit(self, function: Callable[..., T], *given: Any) -> Future[T]:
        future, loop = Future[T](), the_loop()

        def do() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*given))
                except Exception as raised:  # noqa: BLE001  # it is the caller's
                    future.set_exception(raised)

        loop.call_later(loop.moment(), do)
        return future

    def shutdown(self) -> None:
        """Do nothing."""


async def _in_line(function: Callable[..., T], *given: Any, **named: Any) -> T:
    await asyncio.sleep(the_loop().moment())
    return function(*given, **named)


def the_loop() -> SeededLoop:
    """Return the loop of the history that runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SeededLoop)
    return loop


@contextmanager
def _without_threads(loop: SeededLoop) -> Iterator[None]:
    numbers = iter(range(1, 1 << 60))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aiosqlite.core, "SimpleQueue", _InLineQueue)
        patch.setattr(aiosqlite.core, "Thread", _NoThread)
        patch.setattr(group_commit, "ThreadPoolExecutor", _InLineExecutor)
        for module in [each for name, each in sys.modules.items() if name.startswith("hub.")]:
            if getattr(module, "monotonic", None) is time.monotonic:
                patch.setattr(module, "monotonic", loop.time)
        patch.setattr(asyncio, "to_thread", _in_line)
        with made_by(lambda: UUID(int=next(numbers) << 8)):
            yield


def simulated(seed: int, main: Callable[[SeededLoop], Coroutine[Any, Any, T]]) -> tuple[T, str]:
    """Run a coroutine in the history of a seed; return its result, and the trace."""
    loop = SeededLoop(seed)
    try:
        with _without_threads(loop):
            result = loop.run_until_complete(main(loop))
        return result, loop.trace
    finally:
        loop.close()
