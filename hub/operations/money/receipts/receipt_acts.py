"""What people do with merchants' payments: note one by hand, say which invoice one is for, set a credit note off."""

from __future__ import annotations

from datetime import date
from typing import Final

from hub.clock import Clock
from hub.domain.books.book_time import day_of
from hub.domain.books.receivables import OpenInvoice, Payment, part_of
from hub.domain.money import format_money
from hub.domain.words import ReceiptStatus
from hub.operations.checks import checked_name, checked_reference
from hub.operations.errors import OperatorFault, unknown
from hub.operations.money.books.adjustments import checked_signed_amount
from hub.operations.money.books.books import BILLING_LOCK, zone_of_books
from hub.operations.money.receipts.bank_statements import Movement
from hub.operations.money.receipts.receipts import (
    InvoicePayment,
    KnownReceipt,
    ReceiptDocument,
    new_receipt,
    open_invoice,
    pay_invoices,
    receipt_document,
    require_receipt,
    store_receipts,
    take_back,
)
from hub.operations.trail import note_act
from hub.storage import Store, Tx

NOTHING_LEFT: Final = "Nothing is left of it that could be on an invoice."


async def note_receipt(
    store: Store, clock: Clock, *, invoice: int, amount: str, reference: str, booked_on: str | None = None
) -> ReceiptDocument:
    """Note that an invoice was paid, in its currency; negative: a credit note was paid back. A reference counts once.

    Raise `OperatorFault` for an unknown invoice, an amount that is not of its sign or nothing is left for, and a
    reference that named another payment.
    """
    key = f"by hand {checked_reference(reference)}"
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        found, now = await _require_invoice(tx, invoice), clock()
        minor = checked_signed_amount(amount.strip(), found.currency)
        known = await tx.one("receipt_of_movement", movement=key)
        if known is not None:
            if (known["amount_minor"], known["currency"]) != (minor, found.currency):
                raise OperatorFault(f"The payment {reference!r} was noted with another amount; nothing was done.")
            return receipt_document(await require_receipt(tx, known["receipt_id"]))
        day = _checked_day(booked_on) if booked_on else day_of(now, await zone_of_books(tx)).isoformat()
        movement = Movement(day, minor, found.currency, found.billed_to, reference, "")
        booked, rest = _booked(found, minor)
        receipt = new_receipt(key, "by_hand", movement, "overpaid" if rest else None, now)
        await store_receipts(tx, now, [receipt], [InvoicePayment(invoice, receipt.receipt_id, booked)])
        return await _done(tx, now, "receipt.noted", receipt.receipt_id)


async def assign_receipt(store: Store, clock: Clock, receipt_id: str, *, invoice: int) -> ReceiptDocument:
    """Say that a receipt, as far as it is on no invoice, pays this one; what is left of it stays a question.

    Raise `OperatorFault` for unknown ones, another currency, and if nothing is left of either.
    """
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        receipt, found, now = await require_receipt(tx, receipt_id), await _require_invoice(tx, invoice), clock()
        if receipt.left_minor <= 0:
            raise OperatorFault(NOTHING_LEFT)
        match = part_of(found, Payment(receipt.row["currency"], receipt.left_minor, "", ""))
        if not match.booked:
            why = "is paid already" if match.question == "already_paid" else f"is in {found.currency}"
            raise OperatorFault(f"Invoice {invoice} {why}; nothing was done.")
        rest = receipt.left_minor - match.booked[0][1]
        await _decide(tx, receipt_id, "OPEN" if rest else "MATCHED", question="overpaid" if rest else None)
        payments = [InvoicePayment(number, receipt_id, minor) for number, minor in match.booked]
        await pay_invoices(tx, now, payments, [receipt_id])
        return await _done(tx, now, "receipt.assigned", receipt_id)


async def take_receipt_back(store: Store, clock: Clock, receipt_id: str, *, reason: str) -> ReceiptDocument:
    """Take a receipt off the invoices that it pays: one of a statement is a question again, another one is closed.

    Raise `OperatorFault` for an unknown one, one that pays nothing, and without a reason.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        receipt, now = await require_receipt(tx, receipt_id), clock()
        if not receipt.paid:
            raise OperatorFault("It pays no invoice, so there is nothing to take back.")
        if receipt.row["source"] == "statement":
            await _decide(tx, receipt_id, "OPEN", question="unmatched")
        else:
            await _decide(tx, receipt_id, "CLOSED", decision=why)
        await take_back(tx, now, receipt.row, receipt.paid)
        return await _done(tx, now, "receipt.taken-back", receipt_id, why)


async def close_receipt(store: Store, clock: Clock, receipt_id: str, *, reason: str) -> ReceiptDocument:
    """Close the question of a receipt; what it pays stays paid. Repeating it changes nothing.

    Raise `OperatorFault` for an unknown one, one without a question, and without a reason.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        receipt, now = await require_receipt(tx, receipt_id), clock()
        if receipt.row["status"] == "CLOSED":
            return receipt_document(receipt)
        if receipt.row["status"] != "OPEN":
            raise OperatorFault(f"Receipt {receipt_id} is on its invoices; there is no question to close.")
        await _decide(tx, receipt_id, "CLOSED", decision=why)
        await pay_invoices(tx, now, [], [receipt_id])
        return await _done(tx, now, "receipt.closed", receipt_id, why)


async def set_off(store: Store, clock: Clock, *, credit: int, invoice: int) -> ReceiptDocument:
    """Use a merchant's credit note up for an invoice, as far as something is left of both; the ledger does not move.

    Raise `OperatorFault` for unknown ones, those of two merchants or currencies, and if nothing is left of either.
    """
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        owed, due, now = await _require_invoice(tx, credit), await _require_invoice(tx, invoice), clock()
        if (owed.account_id, owed.currency) != (due.account_id, due.currency):
            raise OperatorFault("A credit note is set off against an invoice of the same merchant and currency.")
        minor = min(-owed.left_minor, due.left_minor)
        if minor <= 0:
            raise OperatorFault(
                f"Of credit note {credit} {_left(owed, -owed.left_minor)} is left, of invoice {invoice} "
                f"{_left(due, due.left_minor)}; nothing was done."
            )
        day = day_of(now, await zone_of_books(tx)).isoformat()
        written = f"Credit note {credit} for invoice {invoice}"
        receipt = new_receipt("", "set_off", Movement(day, 0, due.currency, due.billed_to, written, ""), None, now)
        receipt = receipt._replace(movement=f"set off {receipt.receipt_id}")
        payments = [InvoicePayment(credit, receipt.receipt_id, -minor),
                    InvoicePayment(invoice, receipt.receipt_id, minor)]  # fmt: skip
        await store_receipts(tx, now, [receipt], payments, posts=False)
        return await _done(tx, now, "receipt.set-off", receipt.receipt_id)


def _booked(invoice: OpenInvoice, minor: int) -> tuple[int, int]:
    """Return how much of an amount is on an invoice, and what is left of the amount."""
    if not invoice.left_minor or (minor < 0) != (invoice.left_minor < 0):
        raise OperatorFault(
            f"Of invoice {invoice.number} {_left(invoice, invoice.left_minor)} is left; such an amount is not on it."
        )
    if minor < invoice.left_minor < 0:
        raise OperatorFault(f"Only {_left(invoice, -invoice.left_minor)} is left of credit note {invoice.number}.")
    booked = min(minor, invoice.left_minor) if minor > 0 else minor
    return booked, minor - booked


def _left(invoice: OpenInvoice, minor: int) -> str:
    return f"{format_money(minor, invoice.currency)} {invoice.currency}"


async def _require_invoice(tx: Tx, number: int) -> OpenInvoice:
    rows = await tx.all("standings_of_invoices", numbers=[(number,)])
    if not rows:
        raise unknown("invoice", str(number), command="`hub statement invoices` shows them all.")
    return open_invoice(rows[0])


def _checked_day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise OperatorFault(f"{text!r} is not a day; write it like 2026-11-30.") from None


async def _decide(
    tx: Tx, receipt_id: str, status: ReceiptStatus, *, question: str | None = None, decision: str | None = None
) -> None:  # fmt: skip
    await tx.run("decide_receipt", receipt_id=receipt_id, status=status, question=question, decision=decision)


async def _done(tx: Tx, now: int, act: str, receipt_id: str, reason: str | None = None) -> ReceiptDocument:
    found: KnownReceipt = await require_receipt(tx, receipt_id)
    document = receipt_document(found)
    await note_act(tx, now, act, receipt_id, after={**document, **({} if reason is None else {"reason": reason})})
    return document
