"""A person's fair share of pages: so many are made for them at once, and the others wait for their turn.

Pages are made in the process that takes orders. Without this, a person who reloads six pages in a loop makes every
other person's order wait for six pages at a time; with it, for no more than a share (issue 27, finding 10c).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

AT_ONCE: Final = 2
"""Pages that are made for one person at the same time."""
MOST_WAITING: Final = 32
"""Pages of one person that wait; a browser asks for far fewer."""


class TooManyPages(Exception):
    """More pages of one person wait than the hub keeps."""


class PageShares:
    """Gives each person turns, in the order in which they asked."""

    def __init__(self) -> None:
        self._turns: dict[str, asyncio.Semaphore] = {}
        self._asked: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many people have pages under way."""
        return len(self._turns)

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncIterator[None]:
        """Wait for a turn of a person, and have it for the block; raise `TooManyPages` if too many wait."""
        asked = self._asked.get(person, 0)
        if asked >= AT_ONCE + MOST_WAITING:
            raise TooManyPages
        turns = self._turns.setdefault(person, asyncio.Semaphore(AT_ONCE))
        self._asked[person] = asked + 1
        try:
            async with turns:
                yield
        finally:
            self._asked[person] -= 1
            if not self._asked[person]:
                del self._asked[person], self._turns[person]
