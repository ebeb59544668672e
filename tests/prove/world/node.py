"""The hub of the world: the real server, on a clock that stands in a file until the world moves it.

`WORLD_FAULT` plants one fault, for the controls of the proof. A year takes minutes, so this hub looks more often
whether something is due.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import runpy
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import hub.clock
from hub import turns
from hub.app import serve
from hub.config.settings import load_settings
from hub.domain.orders import rule_kinds
from hub.mail import sender
from hub.notifications import deliverer
from hub.observability.logs import configure_logging
from hub.platform_sync.runner import PlatformRunner
from hub.processing import write_decisions
from hub.processing.scheduler import Job, Scheduler
from tests.prove import careless_outbox

CLOCK: Final = "WORLD_CLOCK"
FAULT: Final = "WORLD_FAULT"
_BYTES: Final = 8
OFTEN_SECONDS: Final = 0.2
SELDOM_SECONDS: Final = 2.0
SELDOM: Final = ("sweep", "give_up_parked", "count_figures", "watch_troubles", "report_disk")
"""Jobs on which nothing in the world waits."""


class FileClock:
    """The time in milliseconds UTC that a file holds; whoever has the file open sees it move."""

    def __init__(self, path: Path, now: int | None = None) -> None:
        if now is not None:
            path.write_bytes(now.to_bytes(_BYTES, "little") + bytes(_BYTES))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 2 * _BYTES)

    def __call__(self) -> int:
        """Tell the time."""
        return int.from_bytes(self._memory[:_BYTES], "little")

    def advance(self, milliseconds: int) -> None:
        """Move it on."""
        self._memory[:_BYTES] = (self() + milliseconds).to_bytes(_BYTES, "little")

    @property
    def done(self) -> int:
        """Up to when the hub has run each of its jobs."""
        return int.from_bytes(self._memory[_BYTES:], "little")

    def note(self, moment: int) -> None:
        """Note up to when that is."""
        self._memory[_BYTES:] = moment.to_bytes(_BYTES, "little")


def main() -> None:
    """Serve until SIGTERM, as `hub serve` does: its lines go to standard error, since nobody reads the output."""
    configure_logging("warning")
    if fault := os.environ.get(FAULT):
        FAULTS[fault]()
    clock = FileClock(Path(os.environ[CLOCK]))
    look_often(clock)
    asyncio.run(serve(load_settings(None, hub_settings(os.environ)), lambda line: print(line, flush=True), clock=clock))


def terminal() -> None:
    """Be the `hub` command, on the world's clock."""
    clock, real = FileClock(Path(os.environ[CLOCK])), hub.clock.system_clock
    for module in list(sys.modules.values()):
        if getattr(module, "system_clock", None) is real:
            module.system_clock = clock  # type: ignore[attr-defined]  # what it imported by name
    runpy.run_module("hub", run_name="__main__")


def look_often(clock: FileClock) -> None:
    """Let jobs, deliverer, mails and platforms be looked after as fast as the world's time goes."""
    deliverer.POLL_SECONDS = turns.OUTAGE_SECONDS = OFTEN_SECONDS  # type: ignore[misc]  # in the world only
    sender.POLL_SECONDS = sender.OUTAGE_SECONDS = OFTEN_SECONDS  # type: ignore[misc]  # in the world only
    PlatformRunner.__init__.__kwdefaults__ = {"poll_seconds": OFTEN_SECONDS}
    every, began = Scheduler.every, dict[str, int]()

    async def noted(name: str, job: Job) -> object:
        began_at = clock()
        result = await job()
        began[name] = began_at
        clock.note(min(began.values()))
        return result

    def often(self: Scheduler, seconds: float, name: str, job: Job, *, by_clock: bool = True) -> None:
        if name in SELDOM:
            return every(self, min(seconds, SELDOM_SECONDS), name, job, by_clock=by_clock)
        began[name] = 0
        return every(self, OFTEN_SECONDS, name, partial(noted, name, job), by_clock=by_clock)

    Scheduler.every = often  # type: ignore[method-assign]  # in the world only


def _down(numerator: int, denominator: int) -> int:
    return numerator // denominator


def _round_down() -> None:
    """Pay halves to the merchant: a minor unit of some orders."""
    rule_kinds.divide_half_up = _down  # type: ignore[attr-defined]  # the rule that is planted


def _keep_messages_in_memory() -> None:
    """Send nothing that the outbox should have."""
    write_decisions._messages = careless_outbox._in_memory  # type: ignore[assignment]  # the guard is taken away


FAULTS: Final[Mapping[str, Callable[[], None]]] = {"round": _round_down, "outbox": _keep_messages_in_memory}


def hub_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the hub's own variables of an environment."""
    return {name: value for name, value in environment.items() if name.startswith("HUB_")}
