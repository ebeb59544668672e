"""The proof of notes: every chain is recomputed, and every row of money is what was noted of it last.

It reads in pages. What was noted last of each row is kept in a temporary file meanwhile, which SQLite deletes when it
is closed. A row that is written while it runs is looked at again, together with its newest note.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Final

from hub.domain.books.money_notes import (
    GONE,
    KEYS,
    NETWORK,
    TEXT,
    Key,
    Note,
    NoteCheck,
    NoteHead,
    chain_of,
    key_of,
    key_text,
)
from hub.domain.books.money_notes import digest_of_row as digest_of
from hub.processing.noted_rows import QUERIES
from hub.storage import Row, Store
from hub.storage.sqlite.temporary_table import TemporaryTable

PAGE: Final = 5_000
WORDS: Final = {
    "payouts": "Payout",
    "payout_items": "The payment",
    "payout_exchanges": "What is sent of the payment",
    "exchange_rates": "The exchange rate",
    "payout_files": "File",
    "payout_file_payments": "The payment in a file",
    "adjustments": "Correction",
    "payees": "The payee of",
    "payout_terms": "What was chosen of payments to",
    "payment_holds": "The hold of payments to",
    "invoices": "Self-billed invoice",
    "issuers": "The issuer",
    "merchant_issuers": "Who bills",
    "affiliate_issuers": "Who is billed by",
    "merchant_fees": "The fee of",
    "merchant_invoices": "Invoice",
    "closed_months": "The close of",
    "closed_ends": "The end of a chain in the close of",
    "pay_dates": "The pay date",
    "receipts": "The payment of a merchant",
    "invoice_payments": "The payment of invoice",
    "deposit_payments": "The payment into a deposit",
    "books": "How the books are kept, row",
    "vat_checks": "The check of a VAT number",
    "bank_reports": "The bank's report",
}


class LatestNotes(TemporaryTable):
    """What was noted last of each row; rows that were found again are taken out of it."""

    definition = """
        CREATE TABLE latest (table_name TEXT NOT NULL, row_key TEXT NOT NULL, account_id TEXT NOT NULL,
                             digest TEXT NOT NULL, PRIMARY KEY (table_name, row_key)) STRICT, WITHOUT ROWID
    """

    def add(self, notes: Sequence[Note]) -> None:
        """Add notes of a chain, in their order."""
        self.write(
            "INSERT OR REPLACE INTO latest VALUES (?, ?, ?, ?)",
            [(each.table_name, each.row_key, each.account_id, each.digest) for each in notes],
        )

    def taken(self, table: str, keys: Iterable[str]) -> dict[str, str]:
        """Return the last digests of rows by their keys, and forget them."""
        wanted = [(table, key) for key in keys]
        found = dict[str, str]()
        for pair in wanted:
            row = self.connection.execute(
                "DELETE FROM latest WHERE table_name = ? AND row_key = ? RETURNING digest", pair
            ).fetchone()
            if row is not None:
                found[pair[1]] = row[0]
        return found

    def left(self) -> Iterator[tuple[str, str, str]]:
        """Yield table, key and account of the rows that were noted and not found."""
        yield from self.connection.execute(
            "SELECT table_name, row_key, account_id FROM latest WHERE digest <> ? ORDER BY 1, 2", (GONE,)
        )


async def note_faults(store: Store) -> AsyncIterator[tuple[str, str]]:
    """Yield what does not agree as (account, sentence); the account is empty for what belongs to none."""
    with LatestNotes() as latest:
        async with store.read() as tx:
            ends = await tx.all("note_ends")
        for end in ends:
            fault = await _chain_fault(store, end, latest)
            if fault is not None:
                yield end["account_id"], fault
        for table in KEYS:
            async for account_id, sentence in _rows_that_differ(store, table, latest):
                yield account_id, sentence
        for table, key, account_id in list(latest.left()):
            if await _last_digest(store, account_id, table, key) != GONE:
                yield account_id, f"{WORDS[table]} {key} was noted, but is not there any more."


async def note_heads(store: Store) -> list[NoteHead]:
    """Return the ends of all chains of notes that have any."""
    async with store.read() as tx:
        return [NoteHead(row["account_id"], row["notes"], row["hash"]) for row in await tx.all("note_ends")
                if row["notes"]]  # fmt: skip


async def _chain_fault(store: Store, end: Row, latest: LatestNotes) -> str | None:
    """Follow a chain of notes to its end; return the first that does not hold."""
    check, last = NoteCheck(end["account_id"]), end["notes"]
    while check.head.notes < last:
        async with store.read() as tx:
            page = await tx.records(
                Note, "note_page", account_id=check.head.account_id, after=check.head.notes, last=last, limit=PAGE
            )
        for note in page:
            fault = check.fault(note)
            if fault is not None:
                return f"Note {check.head.notes + 1} {fault}."
        latest.add(page)
        if not page:
            return f"Note {check.head.notes + 1} is missing: there should be {last}."
    if check.head.hash != end["hash"]:
        return f"Note {last} is not the one that was noted as the last of the chain."
    if end["highest"] > last:
        return f"There are notes up to {end['highest']}, but the end of the chain was noted as {last}."
    return None


async def _rows_that_differ(store: Store, table: str, latest: LatestNotes) -> AsyncIterator[tuple[str, str]]:
    place: Key = tuple("" if kind == TEXT else -1 for kind in KEYS[table].values())
    while True:
        async with store.read() as tx:
            rows = await tx.all(QUERIES[table][1], **dict(zip(KEYS[table], place, strict=True)), limit=PAGE)
        keys = [key_of(table, row) for row in rows]
        known = latest.taken(table, map(key_text, keys))
        for key, row in zip(keys, rows, strict=True):
            if known.get(key_text(key)) != digest_of(row) and not await _agrees_by_now(store, table, key):
                what = "was never noted" if key_text(key) not in known else "is not what was noted of it last"
                yield chain_of(table, key), f"{WORDS[table]} {key_text(key)} {what}."
        if len(rows) < PAGE:
            return
        place = keys[-1]


async def _agrees_by_now(store: Store, table: str, key: Key) -> bool:
    """Compare a row with its last note once more, at one moment: it may have been written meanwhile."""
    async with store.read() as tx:
        rows = await tx.all(QUERIES[table][0], keys=[key])
        note = await tx.one("last_note", account_id=chain_of(table, key), table_name=table, row_key=key_text(key))
    return note is not None and note["digest"] == (digest_of(rows[0]) if rows else GONE)


async def _last_digest(store: Store, account_id: str, table: str, key: str) -> str:
    async with store.read() as tx:
        note = await tx.one("last_note", account_id=account_id or NETWORK, table_name=table, row_key=key)
    return GONE if note is None else str(note["digest"])
