"""What needs an operator, as this process last read it: for the probes and metrics, which never wait for the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from hub.domain.troubles import KINDS, Trouble, anchor, ordered
from hub.observability.metrics import Metrics
from hub.storage import StoreUnavailable
from hub.tasks import end_task

READ_SECONDS: Final = 5.0

log = structlog.get_logger(__name__)


class TroubleBoard:
    """Reads what is noted of troubles every few seconds; `read` returns those that last."""

    def __init__(self, read: Callable[[], Awaitable[Sequence[Trouble]]], metrics: Metrics) -> None:
        self._read = read
        self._metrics = metrics
        self._task: asyncio.Task[None] | None = None
        self.shown: Sequence[Trouble] = ()

    async def start(self) -> None:
        """Begin to read."""
        self._metrics.note_troubles(())
        self._task = asyncio.create_task(self._read_on(), name="troubles")

    async def stop(self) -> None:
        """Read no more."""
        await end_task(self._task)

    async def refresh(self) -> None:
        """Read once; raise `StoreUnavailable`."""
        self.shown = ordered(await self._read())
        self._metrics.note_troubles([each.kind for each in self.shown])

    def notices(self) -> list[str]:
        """Return a sentence for each trouble that anybody may read: its title, and the section of the documents."""
        return [
            f"{KINDS[kind].title}: /docs/{anchor(kind)}" for kind in dict.fromkeys(each.kind for each in self.shown)
        ]

    async def _read_on(self) -> None:
        while True:
            try:
                await self.refresh()
            except StoreUnavailable:
                pass  # the heartbeat says so
            except Exception:
                log.exception("the troubles could not be read")
            await asyncio.sleep(READ_SECONDS)
