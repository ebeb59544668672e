"""A self-billed invoice as a document of its own: what the network writes for a business that supplies it.

The network is the buyer and writes the invoice of its supplier, so the sides are the other way round than on invoices
to merchants; text, PDF and XML are made by the same functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import TypedDict

from hub.domain.books.e_invoice import EInvoice, Line
from hub.domain.books.vat import adds_its_own, note_of, received_from
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts.payees import Payee, payee_from_json, payee_identity
from hub.domain.words import VatKind
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.electronic_invoices import party_of, with_xml, written_xml
from hub.operations.money.payouts.payout_documents import end_to_end_id, require_run
from hub.operations.money.tax.billing import PartyDocument
from hub.operations.money.tax.self_billing import said_number
from hub.sealing import Sealer
from hub.storage import Row, Store


class SelfBilledInvoice(TypedDict):
    """A self-billed invoice; `amount` is decimal text in `currency`, negative if it takes back more than it bills.

    `invoiceNumber` is what it says, in the series of the company that it is to; `corrected` are invoices that it takes
    back from. `supplier` is the payee as it was then, `company` the network. `paymentReference` is that of the payment.
    `vatKind` is that of the supply, as far as the hub knows it: `addsVat` says that the supplier adds its own.
    """

    number: int
    invoiceNumber: str
    payoutId: str
    affiliateId: str
    currency: str
    amount: str
    issuedAt: str
    supplier: PartyDocument
    company: PartyDocument
    companyLines: list[str]
    vatKind: VatKind
    vatNote: str
    addsVat: bool
    corrected: list[str]
    paymentReference: str


async def self_billed_invoice(
    store: Store, sealer: Sealer, payout_id: str, affiliate: str, currency: str | None = None
) -> SelfBilledInvoice:
    """Return the self-billed invoice of what a run pays an affiliate, of one currency.

    Raise `OperatorFault` if run or affiliate is unknown, if there is no such invoice, and if there are several.
    """
    async with store.read() as tx:
        await require_run(tx, payout_id)
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        rows = await tx.all("invoices_of", payout_id=payout_id, affiliate_id=affiliate_id)
    found = [row for row in rows if currency in (None, row["currency"])]
    if not found:
        raise OperatorFault(
            f"Payout {payout_id} has no self-billed invoice of {affiliate_id}{f' in {currency}' if currency else ''}.",
            command="Businesses that agreed have one: hub payee set --business --self-billing.",
        )
    if len(found) > 1:
        currencies = ", ".join(sorted(row["currency"] for row in found))
        raise OperatorFault(f"Payout {payout_id} has one in each of {currencies}; name the currency.")
    opened = sealer.open(found[0]["sealed_payee"], payee_identity(affiliate_id))
    return _document(payout_id, affiliate_id, found[0], payee_from_json(json.loads(opened)))


def self_billed_file(invoice: SelfBilledInvoice, form: str, logo: bytes | None = None) -> bytes:
    """Return an invoice as "pdf", "xml" or text; raise `OperatorFault` if it cannot be written as XML."""
    match form:
        case "pdf":
            return self_billed_pdf(invoice, logo)
        case "xml":
            return self_billed_xml(invoice)
        case _:
            return self_billed_text(invoice).encode()


def self_billed_text(invoice: SelfBilledInvoice) -> str:
    """Return an invoice as plain text."""
    return "\n".join([_title(invoice), *_lines(invoice), ""])


def self_billed_pdf(invoice: SelfBilledInvoice, logo: bytes | None = None) -> bytes:
    """Return an invoice as PDF/A-3 with its XML inside; as a PDF alone if it lacks what EN 16931 asks for."""
    from hub.operations.money.invoices.pdf_pages import lines_pdf

    pdf = lines_pdf(_title(invoice), invoice["company"]["name"], list(_lines(invoice)), logo)
    return with_xml(pdf, _electronic(invoice), invoice["issuedAt"], _unknown(invoice))


def self_billed_xml(invoice: SelfBilledInvoice) -> bytes:
    """Return an invoice as XML of EN 16931; raise `OperatorFault` that names all that it lacks for that."""
    return written_xml(_electronic(invoice), _unknown(invoice))


def _document(payout_id: str, affiliate_id: str, row: Row, payee: Payee) -> SelfBilledInvoice:
    company = json.loads(row["billed_to"])
    sides = (payee.country, company["country"])
    kind = received_from(*sides, has_number=bool(payee.tax_id))
    street = f"{payee.street}, {payee.postal_code} {payee.city}"
    return {
        "number": row["invoice_no"],
        "invoiceNumber": said_number(row),
        "payoutId": payout_id,
        "affiliateId": affiliate_id,
        "currency": row["currency"],
        "amount": format_money(row["amount_minor"], row["currency"]),
        "issuedAt": format_instant(row["issued_at"]),
        "supplier": PartyDocument(
            name=payee.legal_name, address=street, country=payee.country, vatNumber=payee.tax_id or "", vatProof=""
        ),
        "companyLines": company.pop("lines"),
        "company": PartyDocument(
            name=company["name"], address=company["address"], country=company["country"],
            vatNumber=company["vatNumber"], vatProof="",
        ),
        "vatKind": kind,
        "vatNote": note_of(kind),
        "addsVat": adds_its_own(*sides, has_number=bool(payee.tax_id)),
        "corrected": [each for each in (row["corrected"] or "").split(",") if each],
        "paymentReference": end_to_end_id(payout_id, affiliate_id),
    }  # fmt: skip


def _unknown(invoice: SelfBilledInvoice) -> list[str]:
    return ["The supplier adds its VAT itself, at a rate that the hub does not know."] if invoice["addsVat"] else []


def _title(invoice: SelfBilledInvoice) -> str:
    kind = "credit note" if invoice["amount"].startswith("-") else "invoice"
    return f"Self-billed {kind} no. {invoice['invoiceNumber']}"


def _lines(invoice: SelfBilledInvoice) -> Iterator[str]:
    supplier, currency = invoice["supplier"], invoice["currency"]
    yield f"From: {supplier['name']}, {supplier['address']}, {supplier['country']}"
    if supplier["vatNumber"]:
        yield f"Tax number: {supplier['vatNumber']}"
    yield f"To: {', '.join(invoice['companyLines'])}"
    yield f"Issued {invoice['issuedAt']}"
    yield "Self-billing: the recipient wrote it for its supplier, who agreed to that."
    yield ""
    yield f"{_what(invoice)}: {invoice['amount']} {currency}"
    yield invoice["vatNote"] or "No VAT is on it."
    yield from _unknown(invoice)
    yield f"Total: {invoice['amount']} {currency}"
    yield ""
    if invoice["corrected"]:
        yield f"It corrects invoice no. {', '.join(invoice['corrected'])}"
    yield f"Paid with payout {invoice['payoutId']}, reference {invoice['paymentReference']}"


def _what(invoice: SelfBilledInvoice) -> str:
    return f"Commissions and corrections of payout {invoice['payoutId']}"


def _electronic(invoice: SelfBilledInvoice) -> EInvoice:
    """Return it in the terms of the standard: it is of the day on which the run was released, which settles it."""
    day, amount = invoice["issuedAt"][:10], Decimal(invoice["amount"])
    nothing = 0 * amount  # with the decimals of its currency
    return EInvoice(
        number=invoice["invoiceNumber"],
        issued_on=day,
        since=day,
        until=day,
        currency=invoice["currency"],
        seller=party_of(invoice["supplier"]),
        buyer=party_of(invoice["company"]),
        lines=[Line(_what(invoice), amount)],
        vat_kind=invoice["vatKind"],
        vat_rate="0",
        vat=nothing,
        prepaid=nothing,
        due_on=day,
        reference=invoice["paymentReference"],
        terms=f"Paid with payout {invoice['payoutId']}",
        note=invoice["vatNote"],
        corrects=invoice["corrected"],
        is_self_billed=True,
    )
