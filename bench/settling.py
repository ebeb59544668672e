"""The wait for a worker that decides what a load has left."""

from __future__ import annotations

import time

from bench.workbench import Stage

LOOK_SECONDS = 0.02
SETTLE_SECONDS = 300.0


def settle(stage: Stage) -> None:
    """Wait until every event is decided; end the benchmark if the worker does not come to it."""
    deadline = time.monotonic() + SETTLE_SECONDS
    with stage.database.reader() as read:
        while time.monotonic() < deadline:
            if not read("SELECT 1 FROM events WHERE due_at IS NOT NULL LIMIT 1"):
                return
            time.sleep(LOOK_SECONDS)
    raise SystemExit(f"The worker was not done {SETTLE_SECONDS:.0f} s after the load.")
