"""The entries of one account as an accountant reads them: by order, commission or affiliate, newest first."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator
from typing import Final

from attrs import frozen

from hub.domain.books.ledger import Entry, digest_of
from hub.domain.spreadsheets import defused
from hub.operations.errors import OperatorFault
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, read
from hub.operations.money.ledger.ledger import EntryDocument, chain_ends, entry_document, export_ledger
from hub.storage import Store, pick_record

ENTRIES: Final = List("ledger_entries")


@frozen
class AccountBook:
    """An account with whose it is, and the end of its chain."""

    account_id: str
    merchant_id: str
    merchant_name: str
    mode: str
    entries: int
    hash: str


async def account_books(store: Store) -> tuple[list[AccountBook], str]:
    """Return the books of all accounts, by merchant, and the one hash over all their heads."""
    heads = {end.head.account_id: end.head for end in await chain_ends(store)}
    async with store.read() as tx:
        rows = await tx.all("accounts_named")
    books = [
        AccountBook(
            row["account_id"], row["merchant_id"], row["name"], row["mode"],
            heads[row["account_id"]].entries, heads[row["account_id"]].hash,
        )
        for row in rows if row["account_id"] in heads
    ]  # fmt: skip
    return books, digest_of(heads.values())


async def account_of_commission(store: Store, commission_id: str) -> str:
    """Return the account of a commission; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        row = await tx.one("commission_anywhere", commission_id=commission_id)
    if row is None:
        raise OperatorFault(f"There is no commission {commission_id!r}.")
    return str(row["account_id"])


async def entries_of(store: Store, account_id: str, wanted: Wanted) -> Page[EntryDocument]:
    """Return a part of an account's entries by `order_id`, `commission_id` and `affiliate`, which is a reference.

    Raise `OperatorFault` for an unknown affiliate, and `CursorFault`.
    """
    async with store.read() as tx:
        found = await read(tx, ENTRIES, await with_ids(tx, wanted), {"account_id": account_id})
    return found.of(lambda row: entry_document(pick_record(Entry, row)))


async def ledger_csv(store: Store) -> AsyncIterator[bytes]:
    """Yield all entries of all accounts as CSV, in blocks: the file of `hub ledger export`."""
    yield _rows([list(EntryDocument.__annotations__)])
    async for page in export_ledger(store):
        yield _rows([["" if cell is None else defused(str(cell)) for cell in each.values()] for each in page])


def _rows(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
