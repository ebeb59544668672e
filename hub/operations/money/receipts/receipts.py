"""What merchants pay of their invoices: a bank's statement is read and matched, and what is left open is a question.

Everything that pays an invoice is a receipt, so a statement that is read again books nothing twice. What a receipt pays
is an entry of the ledger, and what is on no invoice is in no book until a person decides. Receipts are booked under the
lock of the invoices' numbers, one transaction after the other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple, TypedDict

from attrs import frozen

from hub.domain.books.ledger import Movement as Entry
from hub.domain.books.receivables import Named, OpenInvoice, OpenInvoices, invoice_number
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.words import ReceiptQuestion, ReceiptSource, ReceiptStatus
from hub.ids import new_id
from hub.operations import lists
from hub.operations.errors import known
from hub.operations.money.receipts.bank_statements import Movement
from hub.operations.notices import tell
from hub.operations.trail import current_actor
from hub.processing.noted_rows import note_rows
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

RECEIPTS: Final = lists.List("receipts")
"""How many movements are booked in one transaction."""


class ReceiptDocument(TypedDict):
    """A merchant's payment; `amount` is decimal text in `currency`, negative if it was paid back to the merchant.

    `pays` are the invoices, by number, with how much of each; `left` is what is on no invoice. `question` is why a
    person has to look at it, `decision` why one closed it.
    """

    id: str
    source: ReceiptSource
    bookedOn: str
    amount: str
    currency: str
    left: str
    payer: str
    remittance: str
    status: ReceiptStatus
    question: ReceiptQuestion | None
    decision: str | None
    pays: list[PaidInvoice]
    notedBy: str
    notedAt: str


class PaidInvoice(TypedDict):
    """How much of an invoice is paid, as decimal text in its currency; negative if a credit note is used up."""

    invoice: int
    amount: str
    currency: str


class NewReceipt(NamedTuple):
    """A row of `insert_receipts`."""

    receipt_id: str
    movement: str
    source: ReceiptSource
    booked_on: str
    amount_minor: int
    currency: str
    payer: str
    remittance: str
    status: ReceiptStatus
    question: ReceiptQuestion | None
    noted_by: str
    noted_at: int


class InvoicePayment(NamedTuple):
    """A row of `insert_invoice_payments`."""

    invoice_no: int
    receipt_id: str
    amount_minor: int


def new_receipt(
    key: str, source: ReceiptSource, movement: Movement, question: ReceiptQuestion | None, now: int
) -> NewReceipt:  # fmt: skip
    """Return the receipt of a movement, OPEN if there is a question."""
    return NewReceipt(
        new_id("rcp"), key, source, movement.booked_on, movement.amount_minor, movement.currency, movement.payer,
        movement.remittance, "MATCHED" if question is None else "OPEN", question, current_actor().id, now,
    )  # fmt: skip


async def open_invoices(tx: Tx, named: Collection[Named] = (), issuers: Collection[str] = ()) -> OpenInvoices:
    """Return the invoices of which something is left, and those that are named; `issuers` are the codes of issuers."""
    numbers = sorted({(each.number,) for each in named if each.surely})
    series = sorted({(each.issuer, each.number) for each in named if not each.surely})
    rows = await tx.all("open_invoices", numbers=numbers, series=series)
    return OpenInvoices((open_invoice(row) for row in rows), issuers)


def open_invoice(row: Row) -> OpenInvoice:
    """Return an invoice as payments are compared with it."""
    return OpenInvoice(
        row["invoice_no"], row["account_id"], row["currency"], row["left_minor"],
        json.loads(row["billed_to"])["name"], row["issuer_id"], row["series_no"],
    )  # fmt: skip


async def store_receipts(
    tx: Tx, now: int, receipts: Sequence[NewReceipt], payments: Sequence[InvoicePayment], *, posts: bool = True
) -> None:  # fmt: skip
    """Store receipts with what they pay, post the entries unless nothing moved, and tell merchants of what is paid."""
    await tx.run("insert_receipts", receipts=receipts)
    await pay_invoices(tx, now, payments, {each.receipt_id for each in receipts}, posts=posts)


async def pay_invoices(
    tx: Tx, now: int, payments: Sequence[InvoicePayment], receipts: Iterable[str], *, posts: bool = True
) -> None:  # fmt: skip
    """Store which invoices are paid, close the questions of earlier parts, and note `receipts` as they are by now."""
    await tx.run("insert_invoice_payments", payments=payments)
    numbers = [(number,) for number in sorted({each.invoice_no for each in payments})]
    answered = [row["receipt_id"] for row in await tx.all("receipts_answered", numbers=numbers)]
    for receipt_id in answered:
        await tx.run("decide_receipt", receipt_id=receipt_id, status="MATCHED", question=None, decision=None)
    rows = {row["invoice_no"]: row for row in await tx.all("standings_of_invoices", numbers=numbers)}
    if posts:
        await post(tx, [(rows[each.invoice_no]["account_id"], _entry(rows[each.invoice_no]["currency"], each))
                        for each in payments], now)  # fmt: skip
    keys = [(each.invoice_no, each.receipt_id) for each in payments]
    touched = [(receipt_id,) for receipt_id in {*receipts, *answered}]
    await note_rows(tx, now, {"receipts": touched, "invoice_payments": keys})
    for row in rows.values():
        if not row["left_minor"]:
            words = f"Invoice {invoice_number(row['issuer_id'], row['series_no'])} is paid."
            await tell(tx, now, "invoice-paid", row["merchant_id"], words, "/merchant/statements/invoices?mode=live")


async def take_back(tx: Tx, now: int, receipt: Row, paid: Sequence[Row]) -> None:
    """Take a receipt off its invoices: they are open again, and the ledger has the way back."""
    receipt_id = receipt["receipt_id"]
    await tx.run("delete_invoice_payments", receipt_id=receipt_id)
    if receipt["source"] != "set_off":
        await post(tx, [
            (row["account_id"],
             _entry(row["currency"], InvoicePayment(row["invoice_no"], receipt_id, -row["amount_minor"])))
            for row in paid
        ], now)  # fmt: skip
    keys = [(row["invoice_no"], receipt_id) for row in paid]
    await note_rows(tx, now, {"receipts": [(receipt_id,)], "invoice_payments": keys})


def _entry(currency: str, payment: InvoicePayment) -> Entry:
    """Return the entry of what an invoice is paid with, or of the way back; it is the merchant's money."""
    cause, minor = f"invoice {payment.invoice_no} {payment.receipt_id}", payment.amount_minor
    if minor > 0:
        return Entry("invoice_paid", "received", "merchant", minor, currency, "", None, None, None, cause)
    return Entry("invoice_reopened", "merchant", "received", -minor, currency, "", None, None, None, cause)


@frozen
class KnownReceipt:
    """A receipt with what it pays."""

    row: Row
    paid: tuple[Row, ...]

    @property
    def left_minor(self) -> int:
        """What is on no invoice."""
        return int(self.row["amount_minor"]) - sum(int(each["amount_minor"]) for each in self.paid)


async def require_receipt(tx: Tx, receipt_id: str) -> KnownReceipt:
    """Return a receipt; raise `OperatorFault` if it is unknown."""
    found = await tx.one("receipt_found", receipt_id=receipt_id)
    row = known(found, "receipt", receipt_id, command="`hub receipt list` shows them all.")
    return KnownReceipt(row, tuple(await tx.all("payments_of_receipts", receipts=[(receipt_id,)])))


async def show_receipt(store: Store, receipt_id: str) -> ReceiptDocument:
    """Return a receipt; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return receipt_document(await require_receipt(tx, receipt_id))


async def receipts_part(store: Store, wanted: lists.Wanted) -> lists.Page[ReceiptDocument]:
    """Return a part of the receipts, by `status`; raise `CursorFault`."""
    found = await lists.read(store, RECEIPTS, wanted)
    return found.with_entries(await _documents(store, found.entries))


async def first_receipts(store: Store, wanted: lists.Wanted) -> list[ReceiptDocument]:
    """Return as many receipts as are wanted."""
    return await _documents(store, await lists.first_rows(store, RECEIPTS, wanted))


async def _documents(store: Store, receipts: Sequence[Row]) -> list[ReceiptDocument]:
    async with store.read() as tx:
        paid = await tx.all("payments_of_receipts", receipts=[(row["receipt_id"],) for row in receipts])
    by_receipt = defaultdict[str, list[Row]](list)
    for row in paid:
        by_receipt[row["receipt_id"]].append(row)
    return [receipt_document(KnownReceipt(row, tuple(by_receipt[row["receipt_id"]]))) for row in receipts]


def receipt_document(receipt: KnownReceipt) -> ReceiptDocument:
    """Return the document of a receipt."""
    row, currency = receipt.row, receipt.row["currency"]
    return {
        "id": row["receipt_id"],
        "source": row["source"],
        "bookedOn": row["booked_on"],
        "amount": format_money(row["amount_minor"], currency),
        "currency": currency,
        "left": format_money(receipt.left_minor, currency),
        "payer": row["payer"],
        "remittance": row["remittance"],
        "status": row["status"],
        "question": row["question"],
        "decision": row["decision"],
        "pays": [
            {"invoice": each["invoice_no"], "amount": format_money(each["amount_minor"], each["currency"]),
             "currency": each["currency"]}
            for each in receipt.paid
        ],
        "notedBy": row["noted_by"],
        "notedAt": format_instant(row["noted_at"]),
    }  # fmt: skip
