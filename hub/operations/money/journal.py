"""The journal of a month for the bookkeeper: every entry of live accounts, as CSV by account number or for hledger."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Mapping
from datetime import tzinfo

from hub.domain.book_time import day_of
from hub.domain.journal import COLUMNS, hledger_text, journal_line
from hub.domain.ledger import Entry, Place
from hub.domain.spreadsheets import defused
from hub.operations.money.books import books_zone
from hub.operations.money.ledger import chain_ends, entry_pages
from hub.operations.money.statements import month_span
from hub.storage import Store


async def journal_csv(store: Store, month: str, numbers: Mapping[Place, str]) -> AsyncIterator[bytes]:
    """Yield a month's journal as CSV, in blocks; `numbers` are those of the chart (hub/domain/journal.py).

    Raise `OperatorFault` for what is no month.
    """
    zone = await books_zone(store)
    yield _rows([list(COLUMNS)])
    async for page in _entries(store, month, zone):
        yield _rows([
            [defused(str(cell)) for cell in journal_line(entry, f"{day_of(entry.posted_at, zone)}", numbers)]
            for entry in page
        ])  # fmt: skip


async def journal_hledger(store: Store, month: str) -> AsyncIterator[bytes]:
    """Yield a month's journal as text that hledger reads, in blocks; raise `OperatorFault` for what is no month."""
    zone = await books_zone(store)
    async for page in _entries(store, month, zone):
        yield "".join(hledger_text(entry, f"{day_of(entry.posted_at, zone)}") for entry in page).encode()


async def _entries(store: Store, month: str, zone: tzinfo) -> AsyncIterator[list[Entry]]:
    """Yield the entries of live accounts of a month of the books, account by account in their order, in pages."""
    since, until = month_span(month, zone)
    async with store.read() as tx:
        live = {row["account_id"] for row in await tx.all("accounts_named") if row["mode"] == "live"}
    for end in await chain_ends(store):
        if end.head.account_id in live:
            async for page in entry_pages(store, end.head):
                if found := [entry for entry in page if since <= entry.posted_at < until]:
                    yield found


def _rows(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
