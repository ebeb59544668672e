"""Clicks without an order are forgotten once no order can earn by them.

A click is needed while an order may still name it: for the longest attribution window of its account, and a margin for
orders that are reported late (a file at the end of a quarter, an event that is replayed). One that a conversion names
stays for good.

Each turn goes on after the click at which the last one ended, so that those that stay are not looked at every minute;
only the first turn of a process begins with the oldest. Two nodes that sweep at once delete the same clicks, once.
"""

from __future__ import annotations

import asyncio
from typing import Final

from hub.domain.durations import DAY
from hub.ids import id_at
from hub.storage import Store

CLICKS_AT_ONCE: Final = 1_000
"""Clicks of one transaction: others wait for it for a few milliseconds."""
BATCHES_AT_ONCE: Final = 100
"""Transactions of one turn and account, after which the other accounts have theirs."""


class ClickRetention:
    """Deletes clicks; `margin_ms` is how long one is kept beyond the longest window of its account."""

    def __init__(self, store: Store, *, margin_ms: int, default_window_ms: int) -> None:
        self._store = store
        self._margin_ms = margin_ms
        self._default_window_ms = default_window_ms
        self._swept_to: dict[str, str] = {}

    async def sweep(self, account_id: str, now: int) -> int:
        """Delete an account's clicks that nothing can need at `now` (ms UTC), the oldest first; return how many."""
        kept_ms = await self._kept_ms(account_id)
        async with self._store.write() as tx:
            await tx.run("forget_visitors", account_id=account_id, cutoff=now - (kept_ms - self._margin_ms))
        cutoff, deleted = now - kept_ms, 0
        for _ in range(BATCHES_AT_ONCE):
            after = self._swept_to.get(account_id, "")
            last = await self._next_place(account_id, after, id_at("clk", cutoff))
            if last is None:
                break
            async with self._store.write() as tx:
                deleted += await tx.run("forget_clicks", account_id=account_id, after=after, last=last, cutoff=cutoff)
            self._swept_to[account_id] = last
            await asyncio.sleep(0)
        return deleted

    async def _kept_ms(self, account_id: str) -> int:
        """Return how long a click may be needed; campaigns that have ended count, since orders may come late."""
        async with self._store.read() as tx:
            row = await tx.one("longest_cookie_duration", account_id=account_id)
        days = 0 if row is None or row["days"] is None else row["days"]
        return max(days * DAY, self._default_window_ms) + self._margin_ms

    async def _next_place(self, account_id: str, after: str, before: str) -> str | None:
        """Return the last of the next `CLICKS_AT_ONCE` ids between two; None if there is none."""
        async with self._store.read() as tx:
            row = await tx.one(
                "last_of_oldest_clicks", account_id=account_id, after=after, before=before, limit=CLICKS_AT_ONCE
            )
        return None if row is None else row["click_id"]
