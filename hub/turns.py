"""Work in the background by turns: what has something to do gets a task of its own, one at a time and not too many.

A task looks for work again and again and begins turns; a turn is named by whose it is. To stop, every task is
cancelled: what a turn had under way is for the next process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

import structlog

from hub.storage import StoreUnavailable
from hub.tasks import end_task

OUTAGE_SECONDS: Final = 5.0
"""How long it is not looked for work after it could not be."""

log = structlog.get_logger(__name__)


class Turns:
    """At most `most` tasks at once, each of another name; `title` is what they are of, in the names of the tasks."""

    def __init__(self, title: str, most: int) -> None:
        self._title = title
        self._most = most
        self._looking: asyncio.Task[None] | None = None
        self._turns: dict[str, asyncio.Task[None]] = {}

    def look_for(self, begin: Callable[[], Awaitable[object]], seconds: Callable[[], float]) -> None:
        """Call `begin`, which begins turns, again and again, with a pause between."""
        self._looking = asyncio.create_task(self._look(begin, seconds), name=self._title)

    async def _look(self, begin: Callable[[], Awaitable[object]], seconds: Callable[[], float]) -> None:
        while True:
            pause = seconds()
            try:
                await begin()
            except StoreUnavailable:
                pause = OUTAGE_SECONDS
            except Exception:
                log.exception("what is to be done next could not be read", of=self._title)
                pause = OUTAGE_SECONDS
            await asyncio.sleep(pause)

    def begin(self, name: str, work: Coroutine[Any, Any, None], ended: Callable[[str], None] | None = None) -> bool:
        """Give work a turn, unless its name has one or all are taken; return whether it got one.

        What the work raises is logged; the store's absence is no fault of its own.
        `ended` is called with the name once the turn is over.
        """
        if name in self._turns or len(self._turns) >= self._most:
            work.close()
            return False
        turn = asyncio.create_task(self._run(name, work), name=f"{self._title} {name}")
        self._turns[name] = turn
        turn.add_done_callback(partial(self._forget, name, work, ended))
        return True

    async def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreUnavailable as fault:
            log.warning("a turn waits for the store", of=self._title, name=name, fault=str(fault))
        except Exception:
            log.exception("a turn failed", of=self._title, name=name)

    def _forget(
        self, name: str, work: Coroutine[Any, Any, None], ended: Callable[[str], None] | None, _: asyncio.Task[None]
    ) -> None:
        self._turns.pop(name, None)
        work.close()  # it has not begun if the turn was cancelled before
        if ended is not None:
            ended(name)

    async def ended(self) -> None:
        """Wait until every turn that has begun is over."""
        await asyncio.gather(*self._turns.values())

    async def stop(self) -> None:
        """Look for nothing more, and cancel what is under way."""
        for each in (self._looking, *self._turns.values()):
            if each is not None:
                each.cancel()
        for each in [self._looking, *self._turns.values()]:
            await end_task(each)
