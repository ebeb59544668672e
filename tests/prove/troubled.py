"""A hub on a machine that fails it, as long as files in the folder `TROUBLES` say so.

`syncs`: each sync of the database fails as a disk's fault makes it fail. `clock`: so many seconds are added to the wall
clock, while the steady one goes on as it does. Two controls in `TROUBLED_CARELESS`: `answer` says 202 before the
commit, `clock` believes any clock.
"""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from hub import clock
from hub.cli import main
from hub.intake.submission_batcher import SubmissionBatcher
from hub.processing.clock_guard import ClockGuard
from tests.prove.careless import answer_first
from tests.prove.recorded_disk import IOERR_FSYNC, recorded

TROUBLES: Final = "TROUBLES"
CARELESS: Final = "TROUBLED_CARELESS"


class WrongTime:
    """The module `time` whose wall clock is as wrong as a file says."""

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDONLY | os.O_CREAT)

    def __getattr__(self, name: str) -> Any:
        """Return what the module has."""
        return getattr(time, name)

    def time_ns(self) -> int:
        """Tell the time as the machine would."""
        return time.time_ns() + int(os.pread(self._file, 20, 0) or b"0") * 1_000_000_000


def serve(folder: Path, careless: str) -> None:
    """Run the hub's command line with these troubles."""
    database = Path(os.environ["HUB_DATABASE_URL"].removeprefix("sqlite:///")).parent
    clock.time = WrongTime(folder / "clock")  # type: ignore[assignment, attr-defined]  # the machine's fault
    if careless == "answer":
        SubmissionBatcher.submit = answer_first  # type: ignore[method-assign, assignment]  # the control's fault
    if careless == "clock":
        ClockGuard.is_trusted = lambda self: True  # type: ignore[method-assign]  # the control's fault
    syncs = folder / "syncs"
    watched = recorded(database, lambda _: IOERR_FSYNC if syncs.exists() else None)
    with watched if (folder / "watched").exists() else nullcontext():
        main()


if __name__ == "__main__":
    serve(Path(os.environ[TROUBLES]), os.environ.get(CARELESS, ""))
