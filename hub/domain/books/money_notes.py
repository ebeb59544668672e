"""Notes of rows: what runs, payments, approvals, fees, invoices and files said, chained like the entries of the ledger.

Whoever writes such a row notes a digest of all its columns in the same transaction. The notes of an account are
numbered without a gap, and each carries the SHA-256 of itself and of the hash of the note before it. So a row that was
changed, put in or taken out by something else is not what was noted of it last, and a note cannot be changed either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

NETWORK: Final = ""
"""The chain of what belongs to no account: runs, payments, files, payees, and what is numbered over all merchants."""
GONE: Final = ""
"""The digest of a row that was taken out."""
TEXT: Final = "text"
NUMBER: Final = "number"

KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "payouts": {"payout_id": TEXT},
    "payout_items": {"payout_id": TEXT, "affiliate_id": TEXT, "currency": TEXT},
    "payout_exchanges": {"payout_id": TEXT, "affiliate_id": TEXT, "currency": TEXT},
    "exchange_rates": {"set_id": TEXT, "base": TEXT, "quote": TEXT},
    "payout_files": {"file_id": TEXT},
    "payout_file_payments": {"file_id": TEXT, "affiliate_id": TEXT, "currency": TEXT},
    "adjustments": {"account_id": TEXT, "adjustment_id": TEXT},
    "payees": {"affiliate_id": TEXT},
    "payout_terms": {"affiliate_id": TEXT},
    "payment_holds": {"affiliate_id": TEXT},
    "invoices": {"invoice_no": NUMBER},
    "issuers": {"issuer_id": TEXT},
    "merchant_issuers": {"merchant_id": TEXT},
    "affiliate_issuers": {"affiliate_id": TEXT},
    "merchant_fees": {"merchant_id": TEXT, "valid_from": NUMBER},
    "merchant_invoices": {"invoice_no": NUMBER},
    "closed_months": {"month": TEXT},
    "closed_ends": {"month": TEXT, "account_id": TEXT},
    "pay_dates": {"pay_date": TEXT, "currency": TEXT},
    "receipts": {"receipt_id": TEXT},
    "invoice_payments": {"invoice_no": NUMBER, "receipt_id": TEXT},
    "deposit_payments": {"account_id": TEXT, "reference": TEXT},
    "books": {"books_id": NUMBER},
    "vat_checks": {"check_id": TEXT},
    "bank_reports": {"report_id": TEXT},
}
"""The tables whose rows are noted, with the columns of their keys; what is sealed is bound to its row by its seal."""
Key = tuple[str | int, ...]


class Columns(Protocol):
    """A row with its columns by name."""

    def __getitem__(self, key: str, /) -> Any:
        """Return the value of a column."""

    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""


class Note(NamedTuple):
    """A row of `money_notes`; `note_no` counts a chain's notes from 1 without a gap."""

    account_id: str
    note_no: int
    noted_at: int
    table_name: str
    row_key: str
    digest: str
    hash: str


class NoteHead(NamedTuple):
    """The end of a chain: how many notes it has, and the hash of the last one (empty if none)."""

    account_id: str
    notes: int
    hash: str


def chain_of(table: str, key: Key) -> str:
    """Return the account in whose chain a row is noted."""
    return str(key[0]) if next(iter(KEYS[table])) == "account_id" else NETWORK


def key_of(table: str, row: Columns) -> Key:
    """Return the key of a row of a table."""
    return tuple(value if isinstance(value := row[name], int) else str(value) for name in KEYS[table])


def key_text(key: Key) -> str:
    """Return a key as it is noted."""
    return "|".join(map(str, key))


def digest_of_row(row: Columns) -> str:
    """Return the digest of a row: SHA-256 in hex over its columns, by name; NUL ends each, which no text contains."""
    return sha256("".join(f"{name}={_shown(row[name])}\0" for name in sorted(row.keys())).encode()).hexdigest()


def _shown(value: object) -> str:
    """Return a value with its kind, so that no value is another of another kind, and nothing is not the empty text."""
    return "" if value is None else f"n{value}" if isinstance(value, int) else f"t{value}"


def note_hash(before: str, note: Sequence[str | int]) -> str:
    """Return the hash of a note, of which the last member is not looked at."""
    return sha256("\0".join([before, *map(str, note[:-1])]).encode()).hexdigest()


def chain_notes(head: NoteHead, rows: Iterable[tuple[str, str, str]], now: int) -> tuple[list[Note], NoteHead]:
    """Return rows, each (table, key, digest), as the next notes of a chain at `now` (ms UTC), and the new head."""
    account_id, number, last = head
    notes = []
    for table, key, digest in rows:
        number += 1
        note = Note(account_id, number, now, table, key, digest, "")
        last = note_hash(last, note)
        notes.append(note._replace(hash=last))
    return notes, NoteHead(account_id, number, last)


class NoteCheck:
    """Follows a chain of notes, and remembers only where it is."""

    def __init__(self, account_id: str) -> None:
        self.head = NoteHead(account_id, 0, "")

    def fault(self, note: Note) -> str | None:
        """Return what is wrong with the note after the head, which should be this one; None if it holds."""
        account_id, number, last = self.head
        if note.note_no != number + 1:
            return f"is missing; the next one is note {note.note_no}"
        if note_hash(last, note) != note.hash:
            return "is not what its hash says: it or the hash was changed after it was written"
        self.head = NoteHead(account_id, note.note_no, note.hash)
        return None
