"""Clicks, made durable in batches before the buyer is redirected."""

from __future__ import annotations

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


ClickBatcher = Batcher[Click, None]


def click_batcher(store: Store) -> ClickBatcher:
    """Return what writes the clicks that wait as one transaction; its `submit` returns once the click is durable."""

    async def write(clicks: list[Click]) -> list[None]:
        await store.transact(InsertAll([("insert_clicks", {"clicks": clicks})]))
        return [None] * len(clicks)

    return Batcher("clicks", write, LIMITS)
