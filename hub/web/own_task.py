"""A connection that answers its requests in its own task, instead of in a task for each of them.

From Python 3.12 on aiohttp starts the task of a request at once, and the event loop hears of it only where it waits.
On 3.11 each request would take two more turns of the loop, which is a tenth of what a short one costs.
"""

from __future__ import annotations

import sys
from asyncio import AbstractEventLoop
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aiohttp.web_protocol import RequestHandler

T = TypeVar("T")

STARTS_LATE: Final = sys.version_info < (3, 12)


class OwnTaskHandler(RequestHandler):
    """A connection; whoever cancels it cancels the request that it is answering."""

    __slots__ = ()

    async def start(self) -> None:
        """Answers one request after the other until the connection closes."""
        if STARTS_LATE:
            self._loop = _Loop(self._loop)  # type: ignore[assignment]  # as much of one as a connection uses
        await super().start()


class _Loop:
    """The event loop of a connection that runs already: what it would start as a task it awaits as it is."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.create_future = loop.create_future
        self.call_at = loop.call_at
        self.time = loop.time

    @staticmethod
    def create_task(work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        """Return the work itself."""
        return work
