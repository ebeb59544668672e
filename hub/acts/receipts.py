"""What merchants pay of their invoices, and the files that banks sent."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call, answer, wanted_of, whole
from hub.acts.fields import OF_MERCHANT, PAGED, REFERENCE, choice, needed, number, text
from hub.domain.words import BANK_REPORT_STATUSES, RECEIPT_STATUSES
from hub.operations.money.invoices.invoice_standings import ShownInvoice, invoices_with_standing
from hub.operations.money.receipts.bank_report_store import reports_part, show_report
from hub.operations.money.receipts.receipt_acts import (
    assign_receipt,
    close_receipt,
    note_receipt,
    set_off,
    take_receipt_back,
)
from hub.operations.money.receipts.receipts import ReceiptDocument, receipts_part, show_receipt
from hub.records.bank_files import BankReportDocument

PAYOUT: Final = text("Only those of this run's payments.", "pay_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
INVOICE: Final = number("The number of the invoice.", 1, 999_999_999)
WHY: Final = text("Why.", "Paid back by bank transfer.", 255)


async def _receipts(c: Call) -> Any:
    return answer(await receipts_part(c.store, wanted_of(c, "status")))


async def _invoices(c: Call) -> Any:
    return whole(await invoices_with_standing(c.store, c.clock, c.query.get("merchant")))


async def _reports(c: Call) -> Any:
    return answer(await reports_part(c.store, wanted_of(c, "status", payout_id="payout")))


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/invoices", "listInvoices"), "List invoices to merchants with what was paid of them, newest first",
        _invoices, ListOfEntries(ShownInvoice), query={"merchant": OF_MERCHANT}),
    Act(get("/receipts", "listReceipts"), "List what merchants paid of their invoices, newest first", _receipts,
        ListOfEntries(ReceiptDocument), query={"status": choice("In this status.", *RECEIPT_STATUSES), **PAGED}),
    Act(post("/receipts", "noteReceipt", 201), "Note that an invoice was paid, or a credit note paid back",
        lambda c: note_receipt(c.store, c.clock, **c.body), ReceiptDocument,
        body={"invoice": needed(INVOICE), "reference": needed(REFERENCE),
              "amount": needed(text("In the invoice's currency; negative if it was paid back.", "24.00", 20)),
              "bookedOn": text("The bank's day; today if omitted.", "2026-11-30", 10)},
        trail=("receipt.noted",), by=(PROVED_ADMINS,), commands=("receipt note",), pages=("/operator/receipts/note",)),
    Act(post("/receipts/set-off", "setOff", 201), "Apply a credit note to an invoice of the same merchant",
        lambda c: set_off(c.store, c.clock, **c.body), ReceiptDocument,
        body={"credit": needed(number("The number of the credit note.", 1, 999_999_999)), "invoice": needed(INVOICE)},
        trail=("receipt.set-off",), by=(PROVED_ADMINS,), commands=("receipt set-off",),
        pages=("/operator/receipts/set-off",)),
    Act(get("/receipts/{receipt}", "getReceipt"), "Show a merchant's payment",
        lambda c: show_receipt(c.store, c.path["receipt"]), ReceiptDocument),
    Act(post("/receipts/{receipt}/assign", "assignReceipt"), "Say which invoice a payment is for",
        lambda c: assign_receipt(c.store, c.clock, c.path["receipt"], **c.body), ReceiptDocument,
        body={"invoice": needed(INVOICE)}, trail=("receipt.assigned",), by=(PROVED_ADMINS,),
        commands=("receipt assign",), pages=("/operator/receipts/{receipt}/assign",)),
    Act(post("/receipts/{receipt}/take-back", "takeReceiptBack"), "Take a payment off the invoices that it pays",
        lambda c: take_receipt_back(c.store, c.clock, c.path["receipt"], **c.body), ReceiptDocument,
        body={"reason": needed(WHY)}, trail=("receipt.taken-back",), by=(PROVED_ADMINS,),
        commands=("receipt take-back",), pages=("/operator/receipts/{receipt}/take-back",)),
    Act(post("/receipts/{receipt}/close", "closeReceipt"), "Close the question of a payment; what it pays stays paid",
        lambda c: close_receipt(c.store, c.clock, c.path["receipt"], **c.body), ReceiptDocument,
        body={"reason": needed(WHY)}, trail=("receipt.closed",), by=(PROVED_ADMINS,),
        commands=("receipt close",), pages=("/operator/receipts/{receipt}/close",)),
    Act(get("/bank-reports", "listBankReports"), "List files from banks, newest first", _reports,
        ListOfEntries(BankReportDocument),
        query={"payout": PAYOUT, "status": choice("In this status.", *BANK_REPORT_STATUSES), **PAGED}),
    Act(get("/bank-reports/{report}", "getBankReport"), "Show a file from a bank and how far it is read",
        lambda c: show_report(c.store, c.path["report"]), BankReportDocument),
)  # fmt: skip
