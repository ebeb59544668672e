"""Up to when the figures contain all orders: they are counted beside the decisions, and fall behind under load."""

from __future__ import annotations

from typing import Final

from hub.ids import moment_of
from hub.storage import Store

LAG_MS: Final = 10_000
"""Figures are counted every second; what waits for longer has fallen behind."""


async def figures_until(store: Store, mode: str, now: int, account_id: str | None = None) -> int | None:
    """Return the moment (ms UTC) since when orders are missing in the figures of one account, or of all of a mode.

    None if nothing has waited for longer than `LAG_MS` at `now` (ms UTC) to be counted.
    """
    async with store.read() as tx:
        row = await tx.one("oldest_uncounted_note", mode=mode, account_id=account_id)
    if row is None or row["change_id"] is None:
        return None
    since = moment_of(row["change_id"])
    return since if since < now - LAG_MS else None
