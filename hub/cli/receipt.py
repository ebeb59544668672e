"""`hub receipt`: what merchants pay of their invoices, from bank statements and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.acting import by_option
from hub.cli.bank import read_report_file
from hub.cli.invocation import Invocation, invoked
from hub.cli.lists import ListCommand, Listed
from hub.cli.output import Table, print_result, say, show_fields
from hub.domain.words import RECEIPT_STATUSES

if TYPE_CHECKING:
    from hub.operations.money.receipts.receipts import ReceiptDocument


@click.group()
def receipt() -> None:
    """Read bank statements and match payments to invoices."""


@receipt.command()
@click.argument("file", type=click.Path(path_type=Path))
@by_option
@invoked
def read(invocation: Invocation, file: Path, by: str | None) -> None:
    """Read a bank's statement (camt.053, or CSV): what came in is matched with invoices, each movement once."""
    from hub.operations.money.receipts.bank_report_store import Sent
    from hub.operations.money.receipts.statement_receipts import statement_read

    report = read_report_file(invocation, by, file, Sent)
    done = statement_read(report.rows, report.verdicts)

    def human() -> None:
        say(f"{done['movements']} came in, {done['new']} of them are new; {done['passedOver']} others are passed over.")
        say(f"{done['matched']} are on invoices, {done['questions']} are questions: hub receipt list --status OPEN")

    print_result(invocation, {**done, "reportId": report.id}, human)


def _text(found: ReceiptDocument) -> None:
    pays = ", ".join(f"{each['invoice']} ({each['amount']} {each['currency']})" for each in found["pays"])
    show_fields(found["id"], {**found, "pays": pays or "no invoice"})


def _listed(typed: Typed) -> Listed:
    from hub.operations.money.receipts.receipts import RECEIPTS, first_receipts

    return Listed(RECEIPTS, "rcp", first_receipts, typed)


RECEIPTS: Final = Table(
    ["id", "day", "amount", "payer", "remittance", "invoices", "status", "question"],
    lambda r: (r["id"], r["bookedOn"], f"{r['amount']} {r['currency']}", r["payer"], r["remittance"],
               ", ".join(str(each["invoice"]) for each in r["pays"]), r["status"], r["question"]),
    "There are no such payments.",
)  # fmt: skip
STATUS: Final = click.Option(
    ["--status"], type=click.Choice(RECEIPT_STATUSES, case_sensitive=False), help="Only in this state."
)
RECEIPT: Final = {"receipt": Value("", metavar="RCP")}
INVOICE: Final = Value("--invoice", "The number of the invoice.", "N")
REASON: Final = {"reason": Value("--reason", "Why, for the trail.")}

for each in (
    ListCommand("list", "List what merchants paid, newest first; those that are OPEN wait for a person.",
                RECEIPTS, _listed, [STATUS]),
    ActCommand("show", "receipts.getReceipt", "Show a payment with the invoices that it is for.", _text,
               Takes(on=RECEIPT)),
    ActCommand("note", "receipts.noteReceipt",
               "Note that an invoice was paid, or with a negative amount that a credit note was paid back.", _text,
               Takes(values={"invoice": INVOICE, "amount": Value("--amount", "Like 24.00, in the invoice's currency."),
                             "reference": Value("--reference", "The payment's own number; it counts once."),
                             "bookedOn": Value("--day", "The bank's day (default: today).", "YYYY-MM-DD")})),
    ActCommand("assign", "receipts.assignReceipt", "Say which invoice a payment is for.", _text,
               Takes(on=RECEIPT, values={"invoice": INVOICE})),
    ActCommand("take-back", "receipts.takeReceiptBack", "Take a payment off the invoices that it pays.", _text,
               Takes(on=RECEIPT, values=REASON)),
    ActCommand("close", "receipts.closeReceipt", "Close the question of a payment; what it pays stays paid.", _text,
               Takes(on=RECEIPT, values=REASON)),
    ActCommand("set-off", "receipts.setOff", "Apply a credit note to an invoice of the same merchant.", _text,
               Takes(values={"credit": Value("--credit", "The number of the credit note.", "N"), "invoice": INVOICE})),
):  # fmt: skip
    receipt.add_command(each)
