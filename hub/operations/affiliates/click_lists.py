"""Lists of clicks: of an account, and of an affiliate's link.

Every click would pay for another index, so an account's clicks are in the order of their ids alone. Those of a link, an
affiliate or a campaign are looked for among them, `DEPTH` at a time; a first moment bounds how far.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from hub.operations.affiliates.links import show_link
from hub.operations.list_filters import since_moment
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.references import account_id_of
from hub.records.clicks import ClickRecord, click_record
from hub.storage import Store

CLICKS: Final = List("clicks")


async def account_clicks(store: Store, account_id: str, wanted: Wanted) -> Page[ClickRecord]:
    """Return a part of an account's clicks, newest first; `created_from` is in ms UTC. Raise `CursorFault`."""
    begins = wanted.filters.get("created_from")
    led = {**wanted.filters, "since": since_moment("clk", None if begins is None else int(begins))}
    found = await read(store, CLICKS, evolve(wanted, filters=led), {"account_id": account_id})
    return found.of(click_record)


async def clicks_of_link(store: Store, code: str, affiliate_id: str, wanted: Wanted) -> Page[ClickRecord]:
    """Return a part of the clicks on an affiliate's link; raise `UnknownReference` for another's, and `CursorFault`."""
    link = await show_link(store, "", code, affiliate_id)
    account_id = await account_id_of(store, link.merchant_id, link.mode)
    return await account_clicks(store, account_id, evolve(wanted, filters={**wanted.filters, "code": code}))
