"""Lists of links: of all accounts, and of one with the affiliates that its merchant may make links for."""

from __future__ import annotations

from typing import Final

from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, read
from hub.records.links import AccountLink, LinkRecord, link_record, read_link
from hub.storage import Store

LINKS: Final = List("links")
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
    """Return the id and the name of the affiliates that an account has to do with, by name; at most 500."""
    async with store.read() as tx:
        rows = await tx.all("affiliates_of_account", account_id=account_id, limit=MOST_AFFILIATES)
    return [(row["affiliate_id"], row["name"]) for row in rows]
