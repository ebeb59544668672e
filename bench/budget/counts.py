"""`python -m bench.budget.counts`: print as JSON what each act costs by what can be counted exactly.

Statements, trees, and bytes are SQLite's; calls are Python's own functions on the event loop's thread. It is a process
of its own, because it replaces the function that opens connections, and because a test's own hub would be in the way.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from attrs import define, field

from bench.budget.acts import TIMES, run_acts
from bench.budget.in_process import BATCH
from bench.faults import Mismatch
from bench.plain import put
from bench.servers import ROOT
from hub.cli.serve import run_fast
from hub.storage.sqlite import connection
from hub.storage.sqlite.connection import Role, SqliteConnection

Counts = dict[str, dict[str, float]]
"""By act: statements and trees of a batch; walBytes, keptBytes and calls of one."""


@define(eq=False)
class Counter:
    """Counts what SQLite and Python do, for as long as an act lasts."""

    folder: Path
    counts: Counts = field(factory=dict)
    _statements: list[str] = field(factory=list)

    @contextmanager
    def __call__(self, act: str) -> Iterator[None]:
        """Count the block as this act."""
        self._statements.clear()
        calls, log, kept = _Calls(), self._log_bytes(), self._kept_bytes()
        sys.setprofile(calls)
        try:
            yield
        finally:
            sys.setprofile(None)
        self.counts[act] = {
            "statements": len(self._statements) * BATCH / TIMES,
            "trees": len(self._trees()),
            "walBytes": (self._log_bytes() - log) / TIMES,
            "keptBytes": (self._kept_bytes() - kept) / TIMES,
            "calls": calls.made / TIMES,
        }

    def note(self, sql: str) -> None:
        """Remember a statement, as a connection reports it: once more for each row that a trigger takes of it."""
        if not sql.startswith("--") and sql != next(reversed(self._statements), None):
            self._statements.append(sql)

    def _trees(self) -> set[str]:
        """Return the tables and indexes that the act's statements opened for writing."""
        written: set[str] = set()
        with self._reader() as reader:
            names = dict(reader.execute("SELECT rootpage, name FROM sqlite_master"))
            for sql in self._statements:
                if not sql.startswith(("BEGIN", "COMMIT", "PRAGMA", "SELECT", "ROLLBACK")):
                    steps = reader.execute(f"EXPLAIN {sql}").fetchall()
                    written |= {names[step[3]] for step in steps if step[1] == "OpenWrite" and step[3] in names}
        return written

    def _log_bytes(self) -> int:
        return (self.folder / "hub.db-wal").stat().st_size

    def _kept_bytes(self) -> int:
        with self._reader() as reader:
            ((pages, free, size),) = reader.execute(
                "SELECT page_count, freelist_count, page_size FROM pragma_page_count, pragma_freelist_count,"
                " pragma_page_size"
            )
        return int((pages - free) * size)

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"file:{self.folder / 'hub.db'}?mode=ro", uri=True)) as reader:
            yield reader


class _Calls:
    """Counts the calls of Python's functions; a coroutine counts each time it goes on, too."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        del frame, argument
        self.made += event == "call"


def count() -> Counts:
    """Return the counts of each act."""
    with tempfile.TemporaryDirectory(prefix="hub-budget-") as name:
        counter = Counter(Path(name))
        connect = connection.connect

        async def traced(path: Path, role: Role, busy_seconds: float = connection.BUSY_SECONDS) -> SqliteConnection:
            opened = await connect(path, role, busy_seconds)
            opened.direct.set_trace_callback(counter.note)
            return opened

        put("hub.storage.sqlite.connection:connect", traced)
        run_fast(run_acts(Path(name), counter))
        return counter.counts


def counted_apart() -> Counts:
    """Return the counts of each act, made in a process of its own; raise Mismatch with what it says if it fails."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "bench.budget.counts"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Mismatch(f"The acts could not be counted: {done.stderr[-2_000:]}")
    found: Counts = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    json.dump(count(), sys.stdout)
