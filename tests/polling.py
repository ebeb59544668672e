"""Waiting for what comes about by itself: asked again and again, never by a sleep of a fixed length."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 60.0
"""Long enough for a machine that does ten other things; whoever waits as long has found a fault."""
PAUSE_SECONDS = 0.02


async def until(
    ask: Callable[[], Awaitable[Answer] | Answer], seconds: float = PATIENCE_SECONDS, pause: float = PAUSE_SECONDS
) -> Answer:
    """Return the first answer of `ask` that is true; raise TimeoutError if none is in so many seconds."""
    async with asyncio.timeout(seconds):
        while True:
            found = ask()
            answer: Answer = await found if isinstance(found, Awaitable) else found
            if answer:
                return answer
            await asyncio.sleep(pause)
