"""Hold a question for changes open until there are some; how many may wait is bounded, for each caller and in all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.operations.changes.feed import Changes, Feed, has_news, place_of, read_changes
from hub.operations.errors import OperatorFault
from hub.storage import Store

LONGEST_WAIT: Final = 30
"""Seconds that a question may be held open."""
MOST_OF_ONE: Final = 4
MOST_IN_ALL: Final = 200
LOOK_SECONDS: Final = 0.5
"""How often a held question looks, which costs two looks at an index: other processes write too."""


class TooManyWaiters(OperatorFault):
    """Too many questions are held open already."""

    def __init__(self) -> None:
        super().__init__(f"At most {MOST_OF_ONE} requests of one caller are held open; ask again without `wait`.")


class Waiters:
    """The questions that are held open in this process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self.closing = False

    @contextmanager
    def hold(self, caller: str) -> Iterator[None]:
        """Count a question as held for the block; raise `TooManyWaiters`."""
        if self._held[caller] >= MOST_OF_ONE or self._held.total() >= MOST_IN_ALL:
            raise TooManyWaiters
        self._held[caller] += 1
        try:
            yield
        finally:
            self._held[caller] -= 1
            if not self._held[caller]:
                del self._held[caller]

    @property
    def held(self) -> int:
        """How many questions are held open."""
        return self._held.total()

    def close(self) -> None:
        """Let every held question be answered within a moment, because the process ends."""
        self.closing = True


@frozen
class Asked:
    """A question for changes: whose, by whom, from where on, how many at once, and how long it may be held (s)."""

    feed: Feed
    caller: str
    after: str | None
    limit: int
    wait: int


@frozen
class Source:
    """Where changes are read: the store, the clock, what returns the root of links, and who waits."""

    store: Store
    clock: Clock
    root: Callable[[], Awaitable[str]]
    waiters: Waiters


async def changes_for(source: Source, asked: Asked) -> Changes:
    """Return what changed, as soon as anything has or the wait is over.

    Raise `ChangeCursorFault` and `TooManyWaiters`.
    """
    root, ends = await source.root(), monotonic() + asked.wait
    found = await read_changes(source.store, source.clock, root, asked.feed, after=asked.after, limit=asked.limit)
    if found.data or not asked.wait:
        return found
    with source.waiters.hold(asked.caller):
        while not found.data and monotonic() < ends and not source.waiters.closing:
            await asyncio.sleep(min(LOOK_SECONDS, max(0.0, ends - monotonic())))
            if await has_news(source.store, asked.feed, place_of(found.cursor)):
                found = await read_changes(
                    source.store, source.clock, root, asked.feed, after=found.cursor, limit=asked.limit
                )
    return found


async def every_change(source: Source, asked: Asked, first: Changes) -> AsyncIterator[Changes]:
    """Yield the parts of a feed one by one up to its end, `first` first; at the end it is held open as asked."""
    found = first
    while True:
        yield found
        if not found.more and not (asked.wait and found.data):
            return
        held = 0 if found.more else asked.wait
        found = await changes_for(source, Asked(asked.feed, asked.caller, found.cursor, asked.limit, held))
