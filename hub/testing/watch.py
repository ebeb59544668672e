"""Sees what a translation does beside translating: files, sockets, processes, the clock and chance.

Inputs and outputs are seen by an audit hook, the clock and chance by a profile function, which is called for every
function of C. Both see only the thread that watches, and only while it does; the garbage collector pauses meanwhile,
so that what an old object does at its end is not taken for the translation's.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

EVENTS: Final = (
    "open", "socket.", "subprocess.", "os.", "shutil.", "urllib.", "http.", "sqlite3.", "ftplib.", "smtplib.",
)  # fmt: skip
CLOCKS: Final = frozenset({
    "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep", "datetime.now",
    "datetime.utcnow", "date.today", "datetime.today",
})  # fmt: skip
CHANCES: Final = frozenset({"urandom", "Random.random", "Random.getrandbits"})

_state = threading.local()


@contextmanager
def watched() -> Iterator[list[str]]:
    """Collect what this thread does with files, sockets, the clock and chance, for as long as the block lasts."""
    _listen()
    seen: list[str] = []
    _state.seen = seen
    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()
    sys.setprofile(_profile)
    try:
        yield seen
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
        _state.seen = None


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    seen = getattr(_state, "seen", None)
    if seen is not None and event.startswith(EVENTS):
        seen.append(f"does I/O: {event} {', '.join(map(str, arguments))}"[:200])


def _profile(_: FrameType, event: str, function: Any) -> None:
    seen = getattr(_state, "seen", None)
    if seen is None or event != "c_call":
        return
    name = getattr(function, "__qualname__", "")
    module = getattr(function, "__module__", None)
    if name in CLOCKS and (module == "time" or "." in name):
        seen.append(f"reads the clock: {name}()")
    elif name in CHANCES:
        seen.append(f"uses chance: {name}()")


def _listen() -> None:
    # An audit hook can never be taken away again, so there is one, which sleeps outside the block.
    if not getattr(_listen, "done", False):
        sys.addaudithook(_audit)
        _listen.done = True  # type: ignore[attr-defined]  # the function's own memory
