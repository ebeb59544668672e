"""Sees what a translation does beside translating: files, sockets, processes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

EVENTS = ("open", "socket.", "subprocess.", "os.", "shutil.", "urllib.", "http.", "sqlite3.", "ftplib.", "smtplib.")

_state = threading.local()


@contextmanager
def watched() -> Iterator[list[str]]:
    """Collects the inputs and outputs of this thread for as long as the block lasts."""
    _listen()
    seen: list[str] = []
    _state.seen = seen
    try:
        yield seen
    finally:
        _state.seen = None


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    seen = getattr(_state, "seen", None)
    if seen is not None and event.startswith(EVENTS):
        seen.append(f"{event} {', '.join(map(str, arguments))}"[:200])


def _listen() -> None:
    # An audit hook can never be taken away again, so there is one, which sleeps outside the block.
    if not getattr(_listen, "done", False):
        sys.addaudithook(_hear)
        _listen.done = True  # type: ignore[attr-defined]  # the function's own memory
