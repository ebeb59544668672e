"""Lists of links and of clicks: of all accounts, of one, and of an affiliate's link.

Every click would pay for another index, so an account's clicks are in the order of their ids alone. Those of a link, an
affiliate or a campaign are looked for among them, `DEPTH` at a time; a first moment bounds how far.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from hub.operations.affiliates.links import show_link
from hub.operations.list_filters import since_moment, with_ids
from hub.operations.lists import DEPTH, List, Page, Wanted, read
from hub.operations.references import account_id_of
from hub.records.clicks import ClickRecord, click_record
from hub.records.links import AccountLink, LinkRecord, link_record, read_link
from hub.storage import Store

LINKS: Final = List("links")
CLICKS: Final = List("clicks")
MOST_AFFILIATES: Final = 500


async def list_links(store: Store, public_url: str, wanted: Wanted) -> Page[LinkRecord]:
    """Return a part of the links of all accounts; the filters `merchant` and `affiliate` are references.

    Raise `OperatorFault` for a reference that names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        found = await read(tx, LINKS, await with_ids(tx, wanted))
    return found.of(lambda row: link_record(row, public_url))


async def list_account_links(store: Store, public_url: str, account_id: str, wanted: Wanted) -> Page[AccountLink]:
    """Return a part of an account's links; raise `CursorFault`."""
    found = await read(store, LINKS, wanted, within={"account_id": account_id})
    return found.of(lambda row: read_link(AccountLink, row, public_url))


async def account_link_records(store: Store, public_url: str, account_id: str, wanted: Wanted) -> Page[LinkRecord]:
    """Return a part of an account's links with their merchant's names, as operators see them; raise `CursorFault`."""
    found = await read(store, LINKS, wanted, within={"account_id": account_id})
    return found.of(lambda row: link_record(row, public_url))


async def affiliates_of_account(store: Store, account_id: str) -> list[tuple[str, str]]:
    """Return the id and the name of the affiliates of an account's newest links and memberships, by name; at most 500.

    They are looked for among the newest 5,000 of each.
    """
    async with store.read() as tx:
        rows = await tx.all("affiliates_of_account", account_id=account_id, newest=DEPTH, limit=MOST_AFFILIATES)
    return [(row["affiliate_id"], row["name"]) for row in rows]


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
