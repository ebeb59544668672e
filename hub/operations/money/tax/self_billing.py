"""Self-billed invoices: what the network writes for an affiliate that is a business, for each supply once.

They are to the company of the settings, or to another one that an affiliate's are to, each with numbers of its own.
"""

from __future__ import annotations

import json
from typing import Final, TypedDict

from hub.domain.books.receivables import invoice_number
from hub.domain.books.vat import note_of, received_from
from hub.domain.money import format_money
from hub.domain.payouts.payees import Payee
from hub.operations.money.tax.billing import Billing, stored_party
from hub.operations.money.tax.issuers import self_billed_to
from hub.storage import Row, Tx


def said_number(invoice: Row) -> str:
    """Return the number that a self-billed invoice says."""
    return invoice_number(invoice["issuer_id"], invoice["series_no"])


async def bill_item(tx: Tx, item: Row, first: Billing, now: int) -> None:
    """Invoice what an item of a run supplies that no earlier invoice has, in the transaction that releases it.

    `first` is the company of the settings.

    Nothing is invoiced for a payee that is no business or did not agree, and no number is spent if a returned payment
    is all that is paid again. Call it under the lock of runs: numbers have no gap.
    """
    key = {name: item[name] for name in ("payout_id", "affiliate_id", "currency")}
    row = await tx.one("supplies_to_invoice", **key)
    if row is None:
        return
    if row["supplies_minor"]:
        company = await self_billed_to(tx, item["affiliate_id"], first)
        corrects = await tx.all("invoices_taken_back", **key)
        await tx.run(
            "issue_invoice", **key, issuer_id=company.issuer_id, amount_minor=row["supplies_minor"],
            corrects=",".join(str(each["invoice_no"]) for each in corrects) or None,
            corrected=",".join(map(said_number, corrects)) or None,
            billed_to=stored_party(company.issuer, company.document()),
            sealed_payee=row["sealed"], now=now,
        )  # fmt: skip
    await tx.run("mark_item_invoiced", **key)


class SelfBilled(TypedDict):
    """What a statement says of its self-billed invoice; null and empty without one."""

    invoice: int | None
    invoiceAmount: str | None
    corrects: list[int]
    invoiceNumber: str | None
    corrected: list[str]
    invoiceTo: list[str]
    vatNote: str


NOT_BILLED: Final[SelfBilled] = {
    "invoice": None, "invoiceAmount": None, "corrects": [], "invoiceNumber": None, "corrected": [], "invoiceTo": [],
    "vatNote": "",
}  # fmt: skip


def self_billed(invoice: Row | None, payee: Payee | None) -> SelfBilled:
    """Return what a statement says of an invoice to `payee` as it was; VAT that the payee owes itself is not on it."""
    if invoice is None:
        return NOT_BILLED
    company = json.loads(invoice["billed_to"])
    kind = "none" if payee is None else received_from(payee.country, company["country"], has_number=bool(payee.tax_id))
    return {
        "invoice": invoice["invoice_no"],
        "invoiceAmount": format_money(invoice["amount_minor"], invoice["currency"]),
        "corrects": [int(each) for each in (invoice["corrects"] or "").split(",") if each],
        "invoiceNumber": said_number(invoice),
        "corrected": [each for each in (invoice["corrected"] or "").split(",") if each],
        "invoiceTo": company["lines"],
        "vatNote": note_of(kind),
    }
