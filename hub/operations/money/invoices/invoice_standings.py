"""Invoices to merchants with what was paid of them, by now."""

from __future__ import annotations

from typing import TypedDict

from hub.clock import Clock
from hub.domain.books.receivables import state_of
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.words import InvoiceState
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, list_invoices
from hub.storage import Row, Store


class InvoiceStanding(TypedDict):
    """What became of an invoice, amounts as decimal text in its currency; `left` is negative for a credit note.

    `paidOn` is the bank's day of the last payment once nothing is left, `overdueSince` a moment. `reminders` is the
    level of the last reminder, and `remindedAt` when it was sent.
    """

    state: InvoiceState
    paid: str
    left: str
    paidOn: str | None
    overdueSince: str | None
    reminders: int
    remindedAt: str | None


class ShownInvoice(InvoiceDocument, InvoiceStanding):
    """An invoice with what became of it."""


async def invoices_with_standing(store: Store, clock: Clock, merchant: str | None = None) -> list[ShownInvoice]:
    """Return invoices to merchants, newest first; raise `OperatorFault` for an unknown merchant."""
    invoices = await list_invoices(store, merchant)
    async with store.read() as tx:
        rows = await tx.all("paid_of_invoices", numbers=[(each["number"],) for each in invoices])
    now = clock()
    standings = {row["invoice_no"]: _standing(row, now) for row in rows}
    return [{**each, **standings[each["number"]]} for each in invoices]


def _standing(row: Row, now: int) -> InvoiceStanding:
    currency, left = row["currency"], row["total_minor"] - row["paid_minor"]
    state = state_of(row["total_minor"], row["paid_minor"], row["due_at"], now)
    return {
        "state": state,
        "paid": format_money(row["paid_minor"], currency),
        "left": format_money(left, currency),
        "paidOn": row["paid_on"] if state == "paid" else None,
        "overdueSince": format_instant(row["due_at"]) if state == "overdue" else None,
        "reminders": row["level"] or 0,
        "remindedAt": None if row["reminded_at"] is None else format_instant(row["reminded_at"]),
    }
