"""What tells operators of troubles, put together: the watch as a timed job, and the board that probes read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from attrs import frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.domain.troubles import Trouble
from hub.mail.outbox import Outbox
from hub.observability.metrics import Metrics
from hub.observability.troubles import TroubleBoard
from hub.operations.audits.trouble_watch import WATCH_SECONDS, TroubleWatch
from hub.operations.audits.troubles import noted_troubles
from hub.processing.scheduler import Scheduler
from hub.storage import Store


@frozen(eq=False)
class Telling:
    """The watch, which one process of a hub runs, and the board, which each has."""

    watch: TroubleWatch
    board: TroubleBoard


def build_telling(
    settings: Settings, store: Store, clock: Clock, metrics: Metrics, scheduler: Scheduler, outbox: Outbox,
    root: Callable[[], Awaitable[str]],
) -> Telling:  # fmt: skip
    """Return both, with the watch given to the scheduler."""
    watch = TroubleWatch(store, clock, settings, outbox, root)
    scheduler.every(WATCH_SECONDS, "watch_troubles", watch.run, by_clock=False)
    return Telling(watch, TroubleBoard(partial(_lasting, store), metrics))


async def _lasting(store: Store) -> list[Trouble]:
    return [each.trouble for each in await noted_troubles(store) if each.over_at is None]
