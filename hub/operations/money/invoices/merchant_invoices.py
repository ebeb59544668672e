"""Invoices to merchants: a month in one currency, numbered without a gap, the same for ever once it is issued."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.ledger import Movement, Place
from hub.domain.books.receivables import creditor_reference, invoice_number
from hub.domain.books.vat import note_of
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.domain.words import BilledWhen, VatKind
from hub.operations.errors import OperatorFault, unknown
from hub.operations.money.books.books import BILLING_LOCK, books_zone
from hub.operations.money.invoices.statements import BILLED_COMMISSIONS, Owed, month_span, owed_in
from hub.operations.money.tax.billing import (
    WITHOUT_VAT,
    Billing,
    PartyDocument,
    Recipient,
    corrected_invoices,
    recipient_of,
    stored_party,
)
from hub.operations.money.tax.issuers import billing_for
from hub.operations.notices import tell
from hub.operations.references import account_of, merchant_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

AFTER_MS: Final = 3_600_000
"""How long after a month's end it is invoiced: by then no transaction of that month is open."""
LISTED_AT_MOST: Final = 10_000


class InvoiceDocument(TypedDict):
    """An invoice; amounts are decimal text in `currency`, a negative `total` is a credit.

    `payments` is how many commissions were paid, `billedTo` and `issuer` the merchant and the network as they were.
    `vat` is on `net`, which is commissions, corrections and the fee; what the deposit has paid is taken off afterwards.
    `corrects` are the numbers of the invoices that the corrections take back from. `paymentReference` is what to pay it
    under, a creditor reference (ISO 11649). `issuerDetails` and `billedToDetails` are the two sides in parts.
    `number` is the hub's, over all issuers; `invoiceNumber` is what the invoice says, in its issuer's own series, and
    `corrected` are the invoices of `corrects` as they say it. `issuerCode` is empty for the issuer of the settings.
    `billed` says when the books bill commissions.
    """

    number: int
    merchantId: str
    billedTo: list[str]
    month: str
    currency: str
    commissions: str
    payments: int
    corrections: str
    fee: str
    deposit: str
    total: str
    issuedAt: str
    issuedBy: str
    timeZone: str
    issuer: list[str]
    net: str
    vatKind: VatKind
    vatRate: str
    vat: str
    vatNote: str
    corrects: list[int]
    payTo: str
    dueAt: str
    paymentReference: str
    issuerDetails: PartyDocument
    billedToDetails: PartyDocument
    invoiceNumber: str
    issuerCode: str
    corrected: list[str]
    billed: BilledWhen


def refuse_before_end(month: str, until: int, now: int, done: str) -> None:
    """Raise `OperatorFault` unless a month that ended at `until` (ms UTC) is over for an hour; `done` is a verb."""
    if now < until + AFTER_MS:
        raise OperatorFault(
            f"The month {month} is {done} an hour after its end, not before {format_instant(until + AFTER_MS)}."
        )


async def issue_invoices(
    store: Store, clock: Clock, merchant: str, month: str, billing: Billing = WITHOUT_VAT
) -> list[InvoiceDocument]:
    """Return a merchant's invoices for a month that is over, one for each currency; issue those that are missing.

    Those that are issued say of the network what `billing` does, or the issuer that the merchant is billed by; of a
    closed month none is. Raise `OperatorFault` if the merchant is unknown, for what is no month, and for a month that
    is not over.
    """
    zone = await books_zone(store)
    since, until = month_span(month, zone)
    now = clock()
    refuse_before_end(month, until, now, "invoiced")
    async with store.write() as tx:
        merchant_id = await merchant_id_of(tx, merchant)
        account_id = (await account_of(tx, merchant_id, "live"))["account_id"]
        await tx.lock_orders(BILLING_LOCK)
        billing = await billing_for(tx, merchant_id, billing)
        recipient, issued, taxes = await recipient_of(tx, merchant_id), list[str](), list[tuple[str, Movement]]()
        close = await tx.one("last_close")
        is_closed = close is not None and (close["ends_at"] or 0) >= until
        for owed in [] if is_closed else await owed_in(tx, account_id, since, until):
            corrected = await corrected_invoices(tx, account_id, owed.currency, (since, until), zone)
            if await _issue(tx, (account_id, month), owed, billing, recipient, corrected, now):
                issued.append(owed.currency)
                minor = recipient.taxed(billing).amount(owed.net_minor)
                taxes += [(account_id, _tax(owed.currency, minor, month))] if minor else []
        rows = await tx.all(
            "merchant_invoices_listed", merchant_id=merchant_id, month=month, invoice_no=None, limit=LISTED_AT_MOST
        )
        found = [_document(row) for row in reversed(rows)]
        numbers = [(each["number"],) for each in found if each["currency"] in issued]
        await post(tx, taxes, now)
        await note_rows(tx, now, {"merchant_invoices": numbers})
        await _tell_of(tx, now, [each for each in found if each["currency"] in issued])
        return found


async def _tell_of(tx: Tx, now: int, issued: Iterable[InvoiceDocument]) -> None:
    """Note invoices that were issued in the trail, and tell their merchants."""
    for each in issued:
        await note_act(tx, now, "invoice.issued", str(each["number"]), after=each)
        words = f"Invoice {each['invoiceNumber']} for {each['month']} is ready."
        await tell(tx, now, "invoice-issued", each["merchantId"], words, "/merchant/statements?mode=live")


async def list_invoices(store: Store, merchant: str | None = None) -> list[InvoiceDocument]:
    """Return invoices to merchants, newest first; raise `OperatorFault` for an unknown merchant."""
    async with store.read() as tx:
        merchant_id = None if merchant is None else await merchant_id_of(tx, merchant)
        rows = await tx.all(
            "merchant_invoices_listed", merchant_id=merchant_id, month=None, invoice_no=None, limit=LISTED_AT_MOST
        )
    return [_document(row) for row in rows]


async def show_invoice(store: Store, number: int, merchant: str | None = None) -> InvoiceDocument:
    """Return an invoice by its number, of one merchant if it is named; raise `OperatorFault` if there is none."""
    async with store.read() as tx:
        merchant_id = None if merchant is None else await merchant_id_of(tx, merchant)
        rows = await tx.all("merchant_invoices_listed", merchant_id=merchant_id, month=None, invoice_no=number, limit=1)
    if not rows:
        raise unknown("invoice", str(number), command="`hub statement invoices` shows them all.")
    return _document(rows[0])


def invoice_text(invoice: InvoiceDocument, issuer: str) -> str:
    """Return an invoice as plain text."""
    return "\n".join([_title(invoice), *_lines(invoice, issuer), ""])


def invoice_csv(invoice: InvoiceDocument) -> bytes:
    """Return an invoice as CSV: a heading and a row."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(invoice)
    cells = ["; ".join(map(str, each)) if isinstance(each, list) else str(each) for each in invoice.values()]
    writer.writerow([defused(cell) for cell in cells])
    return text.getvalue().encode()


def invoice_pdf(invoice: InvoiceDocument, issuer: str, logo: bytes | None = None) -> bytes:
    """Return an invoice as PDF, with the network's logo if it has one; the same of both makes the same bytes."""
    from hub.operations.money.invoices.pdf_pages import lines_pdf

    return lines_pdf(_title(invoice), issuer, list(_lines(invoice, issuer)), logo)


def number_of(invoice: InvoiceDocument) -> str:
    """Return the number that an invoice says; what was kept of one before there were several issuers has the hub's."""
    return invoice.get("invoiceNumber") or str(invoice["number"])


def corrected_of(invoice: InvoiceDocument) -> list[str]:
    """Return the invoices that an invoice corrects, as they say their numbers."""
    return invoice.get("corrected") or [str(each) for each in invoice["corrects"]]


def _title(invoice: InvoiceDocument) -> str:
    return f"{'Credit note' if invoice['total'].startswith('-') else 'Invoice'} no. {number_of(invoice)}"


def _lines(invoice: InvoiceDocument, issuer: str) -> Iterator[str]:
    currency = invoice["currency"]
    yield f"From: {', '.join(invoice['issuer']) or issuer}"
    yield f"To: {', '.join(invoice['billedTo'])}"
    yield f"Issued {invoice['issuedAt']} for {invoice['month']} ({invoice['timeZone']})"
    yield ""
    commissions = BILLED_COMMISSIONS[invoice["billed"]]
    yield f"{commissions} ({invoice['payments']}): {invoice['commissions']} {currency}"
    yield f"Corrections: {invoice['corrections']} {currency}"
    yield f"Network fee: {invoice['fee']} {currency}"
    yield f"Net: {invoice['net']} {currency}"
    if invoice["vatKind"] != "none":
        yield f"VAT {invoice['vatRate']} %: {invoice['vat']} {currency}"
    if invoice["vatNote"]:
        yield invoice["vatNote"]
    yield f"Paid by the deposit: {invoice['deposit']} {currency}"
    yield f"Total: {invoice['total']} {currency}"
    yield ""
    if invoice["corrects"]:
        yield f"Corrections in it are of invoice no. {', '.join(corrected_of(invoice))}"
    if not invoice["total"].startswith("-"):
        yield f"Due by {invoice['dueAt'][:10]}{', to ' + invoice['payTo'] if invoice['payTo'] else ''}"
        yield f"Payment reference: {invoice['paymentReference']}"


def _tax(currency: str, minor: int, month: str) -> Movement:
    """Return the entry of an invoice's VAT, which the merchant owes beside all else; of a credit note it goes back."""
    way: tuple[Place, Place] = ("merchant", "tax") if minor > 0 else ("tax", "merchant")
    return Movement("taxed", *way, abs(minor), currency, "", None, None, None, f"invoice of {month}")


async def _issue(
    tx: Tx, month: tuple[str, str], owed: Owed, billing: Billing, recipient: Recipient, corrected: Mapping[int, str],
    now: int,
) -> int:  # fmt: skip
    """Issue the invoice of an account's month unless it is there; return how many were issued."""
    vat = recipient.taxed(billing)
    return await tx.run(
        "issue_merchant_invoice", account_id=month[0], month=month[1], **owed._asdict(),
        billed_to=stored_party(recipient.lines, recipient.document()), issued_by=current_actor().id, now=now,
        vat_kind=vat.kind, vat_rate=vat.rate, vat_minor=vat.amount(owed.net_minor),
        corrects=",".join(map(str, corrected)) or None, corrected=",".join(corrected.values()) or None,
        issuer_id=billing.issuer_id, issuer=stored_party(billing.issuer, billing.document()),
        pay_to=billing.pay_to, due_at=now + billing.due_ms,
    )  # fmt: skip


def _party(kept: dict[str, str]) -> PartyDocument:
    """Return a side of an invoice as it was kept, which before proofs were has none."""
    return PartyDocument(
        name=kept["name"], address=kept["address"], country=kept["country"], vatNumber=kept["vatNumber"],
        vatProof=kept.get("vatProof", ""),
    )  # fmt: skip


def _document(row: Row) -> InvoiceDocument:
    currency, issuer, billed_to = row["currency"], json.loads(row["issuer"]), json.loads(row["billed_to"])
    owed = Owed(
        currency, row["commissions_minor"], row["payments"], row["corrections_minor"], row["fee_minor"],
        row["deposit_minor"],
    )  # fmt: skip
    return {
        "number": row["invoice_no"],
        "merchantId": row["merchant_id"],
        "billedTo": billed_to.pop("lines"),
        "month": row["month"],
        "currency": currency,
        "commissions": format_money(owed.commissions_minor, currency),
        "payments": owed.payments,
        "corrections": format_money(owed.corrections_minor, currency),
        "fee": format_money(owed.fee_minor, currency),
        "deposit": format_money(owed.deposit_minor, currency),
        "total": format_money(owed.total_minor + row["vat_minor"], currency),
        "issuedAt": format_instant(row["issued_at"]),
        "issuedBy": row["issued_by"],
        "timeZone": row["time_zone"],
        "issuer": issuer.pop("lines"),
        "net": format_money(owed.net_minor, currency),
        "vatKind": row["vat_kind"],
        "vatRate": row["vat_rate"],
        "vat": format_money(row["vat_minor"], currency),
        "vatNote": note_of(row["vat_kind"]),
        "corrects": [int(each) for each in (row["corrects"] or "").split(",") if each],
        "payTo": row["pay_to"],
        "dueAt": format_instant(row["due_at"]),
        "paymentReference": creditor_reference(row["invoice_no"]),
        "issuerDetails": _party(issuer),
        "billedToDetails": _party(billed_to),
        "invoiceNumber": invoice_number(row["issuer_id"], row["series_no"]),
        "issuerCode": row["issuer_id"],
        "corrected": [each for each in (row["corrected"] or "").split(",") if each],
        "billed": row["billed"],
    }
