"""Waiting for what comes about by itself: asked again and again, never by a sleep of a fixed length."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 240.0
"""Long enough for a machine that does twenty other things; whoever waits as long has found a fault."""
STORY_SECONDS = 400.0
"""How much longer than its time a story may take on such a machine."""
PAUSE_SECONDS = 0.02


@overload
async def until(
    ask: Callable[[], Awaitable[Answer | None]], seconds: float = PATIENCE_SECONDS, pause: float = PAUSE_SECONDS
) -> Answer: ...


@overload
async def until(
    ask: Callable[[], Answer | None], seconds: float = PATIENCE_SECONDS, pause: float = PAUSE_SECONDS
) -> Answer: ...


async def until(ask: Callable[[], Any], seconds: float = PATIENCE_SECONDS, pause: float = PAUSE_SECONDS) -> Any:
    """Return the first answer of `ask` that is true; raise TimeoutError if none is in so many seconds."""
    async with asyncio.timeout(seconds):
        while True:
            found = ask()
            answer = await found if isinstance(found, Awaitable) else found
            if answer:
                return answer
            await asyncio.sleep(pause)


def until_blocking(
    ask: Callable[[], Answer], seconds: float = PATIENCE_SECONDS, pause: float = PAUSE_SECONDS
) -> Answer:
    """Do the same for a test without an event loop."""
    deadline = time.monotonic() + seconds
    while not (answer := ask()):
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(pause)
    return answer


def lasting(seconds: float, has_met_enough: Callable[[], bool]) -> Callable[[], bool]:
    """Return what says whether a story goes on: for so many seconds, and on a slow machine until it has met enough.

    How much happens within a time the machine decides; a story that met nothing has proved nothing. One that has not
    met enough `STORY_SECONDS` after its time ends as well: what is asserted of it then fails.
    """
    began = time.monotonic()

    def goes_on() -> bool:
        spent = time.monotonic() - began
        return spent < seconds or (spent < seconds + STORY_SECONDS and not has_met_enough())

    return goes_on
