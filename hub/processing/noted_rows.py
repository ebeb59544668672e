"""Notes of rows of money, written in the transaction that writes the rows (hub/domain/books/money_notes.py).

The rows are read again, so what is noted is what is stored. The end of each chain is locked after the ends of the
ledger's chains, and in the order of the accounts: call it once in a transaction, after its entries are posted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from hub.domain.books.money_notes import (
    GONE,
    Columns,
    Key,
    Note,
    NoteHead,
    chain_notes,
    chain_of,
    digest_of_row,
    key_of,
    key_text,
)
from hub.storage import Tx

QUERIES: Final[Mapping[str, tuple[str, str]]] = {
    "payouts": ("noted_payouts", "noted_payouts_page"),
    "payout_items": ("noted_payout_items", "noted_payout_items_page"),
    "payout_exchanges": ("noted_payout_exchanges", "noted_payout_exchanges_page"),
    "exchange_rates": ("noted_exchange_rates", "noted_exchange_rates_page"),
    "payout_files": ("noted_payout_files", "noted_payout_files_page"),
    "payout_file_payments": ("noted_payout_file_payments", "noted_payout_file_payments_page"),
    "adjustments": ("noted_adjustments", "noted_adjustments_page"),
    "payees": ("noted_payees", "noted_payees_page"),
    "payout_terms": ("noted_payout_terms", "noted_payout_terms_page"),
    "payment_holds": ("noted_payment_holds", "noted_payment_holds_page"),
    "invoices": ("noted_invoices", "noted_invoices_page"),
    "issuers": ("noted_issuers", "noted_issuers_page"),
    "affiliate_issuers": ("noted_affiliate_issuers", "noted_affiliate_issuers_page"),
    "merchant_issuers": ("noted_merchant_issuers", "noted_merchant_issuers_page"),
    "merchant_fees": ("noted_merchant_fees", "noted_merchant_fees_page"),
    "merchant_invoices": ("noted_merchant_invoices", "noted_merchant_invoices_page"),
    "closed_months": ("noted_closed_months", "noted_closed_months_page"),
    "closed_ends": ("noted_closed_ends", "noted_closed_ends_page"),
    "pay_dates": ("noted_pay_dates", "noted_pay_dates_page"),
    "receipts": ("noted_receipts", "noted_receipts_page"),
    "invoice_payments": ("noted_invoice_payments", "noted_invoice_payments_page"),
    "deposit_payments": ("noted_deposit_payments", "noted_deposit_payments_page"),
    "books": ("noted_books", "noted_books_page"),
    "vat_checks": ("noted_vat_checks", "noted_vat_checks_page"),
    "bank_reports": ("noted_bank_reports", "noted_bank_reports_page"),
}
"""How the rows of each table are read as they are noted: by their keys, and in pages."""
Noted = Mapping[str, Iterable[Key]]
"""The keys of rows by table."""


async def note_rows(tx: Tx, now: int, noted: Noted) -> None:
    """Note rows as they are stored by now (`now` is ms UTC); one that is not there any more is noted as gone."""
    by_chain = defaultdict[str, list[tuple[str, str, str]]](list)
    for table, wanted in noted.items():
        keys = sorted(set(wanted))
        if not keys:
            continue
        digests = {key_of(table, row): digest_of_row(row) for row in await tx.all(QUERIES[table][0], keys=keys)}
        for key in keys:
            by_chain[chain_of(table, key)].append((table, key_text(key), digests.get(key, GONE)))
    if not by_chain:
        return
    ends = await tx.all("lock_note_heads", accounts=[(account_id,) for account_id in sorted(by_chain)])
    notes, heads = list[Note](), list[NoteHead]()
    for row in ends:
        more, head = chain_notes(
            NoteHead(row["account_id"], row["notes"], row["hash"]), by_chain[row["account_id"]], now
        )
        notes += more
        heads.append(head)
    await tx.run_together(("append_notes", {"notes": notes}), ("move_note_heads", {"heads": heads}))


def items_of(items: Iterable[Columns]) -> list[Key]:
    """Return the keys of payments."""
    return [key_of("payout_items", item) for item in items]


def keys_of(table: str, rows: Sequence[Columns]) -> list[Key]:
    """Return the keys of rows of a table."""
    return [key_of(table, row) for row in rows]
