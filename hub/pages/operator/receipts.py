"""/operator/receipts: a bank's statement is sent in, and what it leaves open is decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.acts.receipts import ACTS
from hub.domain.words import RECEIPT_STATUSES
from hub.operations.errors import OperatorFault
from hub.operations.money.receipts.receipts import RECEIPTS, ReceiptDocument, receipts_part, show_receipt
from hub.operations.users.actor_names import names_of_actors
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.money_words import RECEIPT_QUESTIONS, RECEIPT_SOURCES, words_of
from hub.pages.operator import bank_reports, parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.paging import beside, nothing_of, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/receipts"
STATES: Final = tuple((each, status_word(each)) for each in RECEIPT_STATUSES)
COLUMNS: Final = ("Payment", "State", "Payer", "Written", "Invoices", "Amount")
READ: Final = parts.Form(
    HERE,
    "Read it",
    (parts.Field("statement", "Statement", "file", hint="camt.053, or CSV: bookedOn, amount, currency"),),
    tone="",
    title="Read a bank's statement",
    hint="What came in is matched with invoices. A movement counts once, however often its statement is read.",
)
NOTE: Final = parts.Form(
    f"{HERE}/note",
    "Note it",
    (
        parts.Field("invoice", "Invoice", hint="Its number."),
        parts.Field("amount", "Amount", hint="In the invoice's currency; negative if a credit note was paid back."),
        parts.Field("reference", "Payment number", hint="It counts once."),
        parts.Field("bookedOn", "Day", "date", optional=True),
    ),
    title="Record a payment by hand",
)
SET_OFF: Final = parts.Form(
    f"{HERE}/set-off",
    "Set it off",
    (parts.Field("credit", "Credit note", hint="Its number."), parts.Field("invoice", "Invoice")),
    title="Set a credit note off",
)
ONE: Final = f"{HERE}/{{receipt}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE, takes_file=True)
async def read(visit: Visit) -> web.StreamResponse:
    """Read a bank's statement; sent twice it books nothing twice."""
    file = visit.file
    if file is None or not file.name:
        return await show_receipts(visit, {"statement": "Choose the file of the statement."})
    try:
        report = await bank_reports.taken_file(visit, file, "The statement")
    except OperatorFault as fault:
        return await show_receipts(visit, {"statement": str(fault)})
    return see_other(
        f"{HERE}?status=OPEN&done=read" if report.status == "DONE" else f"/operator/bank-reports/{report.id}"
    )


@PAGES.get(HERE)
async def show_receipts(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show what merchants paid, newest first, and the form for a bank's statement."""
    asked = parts.asked_for(visit, "status")
    found, wrong = await parts.read_list(receipts_part(visit.services.store, wanted_of(visit, RECEIPTS, asked)))
    rows = [
        (
            parts.link(each["bookedOn"], f"{HERE}/{each['id']}", words_of(RECEIPT_SOURCES, each["source"])),
            parts.state("MATCHED" if each["status"] == "MATCHED" else each["status"], _question(each)),
            parts.text(each["payer"]),
            parts.text(each["remittance"]),
            parts.text(_invoices(each)),
            parts.money(each["amount"], each["currency"]),
        )
        for each in found.entries
    ]
    none = "Nothing has come in yet. Read a bank statement, or record a payment by hand."
    empty = nothing_of("payment", found) if any(asked.values()) else none
    listing = parts.Listing("Payments of merchants", COLUMNS, rows, empty, *beside(HERE, found, asked))
    lead = (
        "A payment is matched by the invoice's reference or number, its amount and its payer. The rest is a question."
    )
    filters = (parts.Field("status", "State", "choice", asked["status"], options=STATES),)
    more = (
        ("Record a payment or set a credit note off", f"{HERE}/by-hand"),
        ("Files from banks", "/operator/bank-reports"),
    )
    page = parts.ListPage("What merchants paid", HERE, listing, lead, filters, READ, more=more)
    return parts.show_list(visit, page, {**wrong, **faults})


@PAGES.get(f"{HERE}/by-hand")
async def show_by_hand(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the forms for what no statement says."""
    lead = "For what no statement says: a payment that came another way, and credit that pays an invoice."
    return parts.show_object(
        visit,
        parts.Shown("A payment by hand", (HERE, "What merchants paid"), "", lead, (), (NOTE, SET_OFF)),
        status,
        faults,
    )


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show a payment with the invoices that it is for, and what to decide."""
    services = visit.services
    found = await show_receipt(services.store, visit.path["receipt"])
    names = await names_of_actors(services.store, [found["notedBy"]])
    facts = (
        ("Id", parts.code(found["id"])),
        ("Amount", parts.money(found["amount"], found["currency"])),
        ("On no invoice", parts.money(found["left"], found["currency"])),
        ("Day", parts.text(found["bookedOn"])),
        ("Payer", parts.text(found["payer"])),
        ("Written", parts.text(found["remittance"])),
        ("Source", parts.text(words_of(RECEIPT_SOURCES, found["source"]))),
        ("Noted", parts.at(found["notedAt"])),
        ("By", parts.text(names.get(found["notedBy"], found["notedBy"]))),
        ("Closed because", parts.text(found["decision"])),
    )
    rows = [
        (parts.text(f"no. {each['invoice']}"), parts.money(each["amount"], each["currency"])) for each in found["pays"]
    ]
    paid = parts.Listing("Invoices", ("Invoice", "Amount"), rows, "It is on no invoice.")
    sections = (
        parts.Section("The payment", facts, links=[("Activity", f"/operator/trail?subject={found['id']}")]),
        parts.Section("Invoices", listing=paid),
    )
    title = f"Payment of {found['amount']} {found['currency']}"
    shown = parts.Shown(
        title, (HERE, "What merchants paid"), found["status"], _question(found), sections, _forms(visit, found)
    )
    return parts.show_object(visit, shown, status, faults)


def _forms(visit: Visit, found: ReceiptDocument) -> list[parts.Form]:
    one = f"{HERE}/{found['id']}"
    why = parts.Field("reason", "Why", hint="It is kept in the trail.", value=visit.form.get("reason", ""))
    invoice = parts.Field("invoice", "Invoice", hint="Its number.")
    forms = []
    if found["status"] == "OPEN":
        forms.append(parts.Form(f"{one}/assign", "It is for this invoice", (invoice,), "", title="Say what it is for"))
        forms.append(parts.Form(f"{one}/close", "Close the question", (why,), title="Close it"))
    if found["pays"]:
        forms.append(
            parts.Form(f"{one}/take-back", "Take it off", (evolve(why),), "danger", title="Take it off its invoices")
        )
    return forms


def _question(found: ReceiptDocument) -> str:
    return words_of(RECEIPT_QUESTIONS, found["question"]) if found["question"] else ""


def _invoices(found: ReceiptDocument) -> str:
    return ", ".join(f"no. {each['invoice']}" for each in found["pays"])


def _list_address(_: Visit) -> str:
    return HERE


PAGES.extend(
    [
        *bank_reports.PAGES,
    ]
)
PAGES.extend(act_pages(ACTS, show_by_hand, {
    f"{HERE}/note": ("noteReceipt", "noted"),
    f"{HERE}/set-off": ("setOff", "set-off"),
}, back=_list_address))  # fmt: skip
PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/assign": ("assignReceipt", "assigned"),
    f"{ONE}/take-back": ("takeReceiptBack", "taken-back"),
    f"{ONE}/close": ("closeReceipt", "answered"),
}))  # fmt: skip
