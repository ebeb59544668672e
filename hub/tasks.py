"""How a task of the background is ended: cancelled until it is over.

One cancellation may be lost. Until Python 3.12 `asyncio.wait_for` returns what it waited for, if that came in the same
turn of the event loop, and forgets that it was cancelled; and where an error takes the place of a cancellation that a
`finally` is passing on, a loop that outlives errors goes on. Whoever then waits for the task's end waits for ever.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

AGAIN_SECONDS: Final = 30.0
"""When a task is cancelled once more: later than any work that it may finish in peace, as a renewal of access is."""


async def end_task(task: asyncio.Future[Any] | None) -> None:
    """Cancel a task, if there is one, until it is over; raise what it failed with before.

    Whoever is cancelled while waiting for it waits no longer.
    """
    if task is None:
        return
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=AGAIN_SECONDS)
    with suppress(asyncio.CancelledError):
        task.result()
