"""Clicks, made durable in batches before the buyer is redirected."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import NamedTuple

from hub.batcher import Batcher, Limits
from hub.storage import InsertAll, Store

LIMITS = Limits(items=256, waiting=5_000)


class Click(NamedTuple):
    """A row of `insert_clicks`; `clicked_at` is milliseconds UTC, `subs` the sub-ids as JSON or None without any.

    `visitor` is a keyed hash of address and user agent, None unless the campaign's policy asks for it.
    """

    account_id: str
    click_id: str
    code: str
    affiliate_id: str
    campaign_id: str | None
    clicked_at: int
    subs: str | None
    visitor: str | None = None


class ClickBatcher:
    """Writes the clicks that wait as one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._batcher = Batcher("clicks", self._write, LIMITS)

    @property
    def last_submitted(self) -> float:
        """The time of the last click, in seconds of `time.monotonic`."""
        return self._batcher.last_submitted

    async def start(self) -> None:
        """Start to accept clicks."""
        await self._batcher.start()

    async def stop(self) -> None:
        """Stop accepting clicks, and return once those that wait are written."""
        await self._batcher.stop()

    def record(self, click: Click) -> Awaitable[None]:
        """Return once the click is durable; raise `StoreUnavailable` if it could not be made so."""
        return self._batcher.submit(click)

    async def _write(self, clicks: list[Click]) -> list[None]:
        await self._store.transact(InsertAll([("insert_clicks", {"clicks": clicks})]))
        return [None] * len(clicks)
