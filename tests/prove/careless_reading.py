"""The control of the proof of readings: a hub that notes a page before what it says is durable."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from hub.cli import main
from hub.platform_sync import reads
from hub.platform_sync.arrivals import Arrived

LATE_SECONDS = 600.0
"""Longer than the process lives."""
_honest = reads.take_in  # type: ignore[attr-defined]  # the control's fault is put here
_pending: set[asyncio.Task[None]] = set()


async def _note_first(*given: Any, **more: Any) -> Arrived:
    later = asyncio.create_task(_take_in_later(*given, **more))
    later.add_done_callback(_pending.discard)
    _pending.add(later)
    return Arrived(len(given[5]))


async def _take_in_later(*given: Any, **more: Any) -> None:
    await asyncio.sleep(LATE_SECONDS)
    with contextlib.suppress(Exception):
        await _honest(*given, **more)


if __name__ == "__main__":
    reads.take_in = _note_first  # type: ignore[attr-defined]  # as above
    main()
