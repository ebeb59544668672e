"""Waits for the database that end: every caller is answered, whatever the database does.

A database that is frozen or locked also delays the end of a statement that is cancelled: the cancellation waits for the
server, or for a commit that the disk has begun. So a wait that has lasted too long is not ended by waiting for its
cancellation. The work is a task of its own; it is cancelled and left to end when it can, and nobody waits for that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from hub.storage.errors import StoreUnavailable

T = TypeVar("T")

WAIT_SECONDS = 8.0
"""How long a request waits for a database that does not answer; its clients give up after ten seconds."""


async def bounded(work: Awaitable[T], fault: type[StoreUnavailable] = StoreUnavailable) -> T:
    """Return the result of `work`; after WAIT_SECONDS raise `fault` instead, and leave the work to itself.

    `fault` is OutcomeUnknown for work that may be stored all the same. If the caller is cancelled, so is the work.
    """
    task: asyncio.Future[T] = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=WAIT_SECONDS)
    except asyncio.CancelledError:
        _abandon(task)
        raise
    if not done:
        _abandon(task)
        raise fault(f"The database did not answer within {WAIT_SECONDS:g} seconds.")
    return task.result()


_abandoned: set[asyncio.Future[Any]] = set()
"""What was left to itself and has not ended: the event loop itself keeps only weak references to its tasks."""


def _abandon(task: asyncio.Future[Any]) -> None:
    _abandoned.add(task)
    task.add_done_callback(_forget)
    task.cancel()


def _forget(task: asyncio.Future[Any]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        task.exception()
