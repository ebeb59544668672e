"""A PostgreSQL server all of whose processes stand still, as on a machine that hangs."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from hub.testing.postgres import PostgresServer


@contextlib.contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """Stop every process of the server for the time of the block."""
    watchdog = server._watchdog
    assert watchdog is not None
    stopped: list[int] = []
    try:
        while True:  # the first round stops the one that starts others
            found = [each for each in _descendants(watchdog.pid) if each not in stopped]
            if not found:
                break
            for each in found:
                os.kill(each, signal.SIGSTOP)
            stopped += found
        yield
    finally:
        for each in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGCONT)


def _descendants(parent: int) -> list[int]:
    """The processes below this one, nearest first."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, queue = [], [parent]
    while queue:
        queue = [child for each in queue for child in children.get(each, [])]
        found += queue
    return found
