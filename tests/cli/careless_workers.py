"""`hub.prefork` with children that misbehave, as a process of its own: `python -m tests.cli.careless_workers HOW`.

`dying`: child 2 ends with status 3 soon after it listens, again and again. `deaf`: child 1 hears no SIGTERM.
"""

from __future__ import annotations

import signal
import sys
import time

from hub import prefork as workers
from hub.observability.logs import configure_logging
from hub.prefork import Announce, Workers


def dying(number: int, announce: Announce) -> None:
    announce("listening")
    if number == 2:
        sys.exit(3)
    signal.pause()


def deaf(number: int, announce: Announce) -> None:
    if number == 1:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    announce("listening")
    while True:
        time.sleep(1)


if __name__ == "__main__":
    configure_logging("info")
    workers.FIRST_PAUSE_SECONDS = 0.05
    children = Workers(
        2, {"dying": dying, "deaf": deaf}[sys.argv[1]], lambda line: print(line, flush=True), stop_seconds=0.5
    )
    sys.exit(children.run())
