"""How the network bills merchants: who it is, its VAT, when and where it is paid; and what a credit note corrects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import tzinfo
from typing import Final, TypedDict

from attrs import field, frozen
from stdnum import vatin

from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import month_of
from hub.domain.books.receivables import FIRST_ISSUER, invoice_number
from hub.domain.books.vat import NO_VAT, Vat, vat_for
from hub.domain.durations import DAY
from hub.operations.money.tax.vat_answers import NOT_ASKED, vat_known
from hub.storage import Row, Tx


class PartyDocument(TypedDict):
    """One side of an invoice in parts, each empty if it is not known; `country` is two letters (ISO 3166).

    `vatProof` is when VIES had said that the number is valid, with its consultation number if it gave one.
    """

    name: str
    address: str
    country: str
    vatNumber: str
    vatProof: str


def stored_party(lines: Sequence[str], parts: PartyDocument) -> str:
    """Return a side of an invoice as it is stored with it: the lines that it prints, and its parts."""
    return json.dumps({"lines": list(lines), **parts}, ensure_ascii=False)


@frozen
class Billing:
    """What an invoice says of its issuer; `vat_rate` is the domestic one in percent, `due_ms` how long one may take.

    `issuer` is what people read, `address` and `vat_number` are the parts of it that programs do. `issuer_id` is the
    code whose series of numbers it has.
    """

    issuer: tuple[str, ...] = field(default=())
    country: str = ""
    vat_rate: str = NO_VAT
    due_ms: int = 14 * DAY
    pay_to: str = ""
    address: str = ""
    vat_number: str = ""
    issuer_id: str = FIRST_ISSUER

    def document(self) -> PartyDocument:
        """Return the issuer in parts; one whose name is not set is not called by its address."""
        name = next(iter(self.issuer), "")
        name = "" if name in (self.address, self.country, self.vat_number) else name
        return PartyDocument(
            name=name, address=self.address, country=self.country, vatNumber=plain_number(self.vat_number), vatProof=""
        )


WITHOUT_VAT: Final = Billing()
"""A network that charges no VAT, as one whose settings say nothing of it."""


def billing_of(name: str, settings: PayoutSettings) -> Billing:
    """Return how a network of this name bills, by its settings."""
    lines = (name, settings.issuer_address, settings.issuer_country, settings.issuer_vat_number)
    return Billing(
        issuer=tuple(line for line in lines if line),
        country=settings.issuer_country,
        vat_rate=settings.vat_rate,
        due_ms=settings.invoice_due,
        pay_to=settings.invoice_pay_to,
        address=settings.issuer_address,
        vat_number=settings.issuer_vat_number,
    )


@frozen
class Recipient:
    """Whom an invoice is to: the lines that name a merchant, its country, and its VAT number there if it has one."""

    lines: tuple[str, ...]
    address: str
    country: str
    vat_number: str
    vat_proof: str = ""

    def document(self) -> PartyDocument:
        """Return it in parts."""
        return PartyDocument(
            name=self.lines[0], address=self.address, country=self.country, vatNumber=self.vat_number,
            vatProof=self.vat_proof,
        )  # fmt: skip

    def taxed(self, billing: Billing) -> Vat:
        """Return how the network bills it."""
        return vat_for(billing.country, billing.vat_rate, self.country, bool(self.vat_number))


async def recipient_of(tx: Tx, merchant_id: str) -> Recipient:
    """Return whom a merchant's invoices are to: as its profile says it, if it has one."""
    row = await tx.one("merchant_standing", merchant_id=merchant_id)
    fields = {} if row is None or row["profile"] is None else json.loads(row["profile"])
    name = fields.get("legalName") or ("" if row is None else row["name"])
    more = [fields.get(each, "").replace("\n", ", ") for each in ("address", "country", "taxId")]
    country, number = fields.get("country", ""), plain_number(fields.get("taxId", ""))
    prefix = "EL" if country == "GR" else country
    has_number = bool(country) and number.startswith(prefix) and vatin.is_valid(number)
    lines = (name, *(each for each in more if each), merchant_id)
    known = await vat_known(tx, merchant_id, number) if has_number else NOT_ASKED
    return Recipient(lines, more[0], country, number if has_number else "", known.proof)


def plain_number(text: str) -> str:
    """Return a VAT number as registers write it: capitals, without blanks."""
    return "".join(text.split()).upper()


async def corrected_invoices(
    tx: Tx, account_id: str, currency: str, span: tuple[int, int], zone: tzinfo
) -> dict[int, str]:  # fmt: skip
    """Return the invoices that had the commissions which corrections of a time (ms UTC) take back.

    They are by the hub's number, each as it says it itself.
    """
    rows = await tx.all("corrected_payments", account_id=account_id, currency=currency, since=span[0], until=span[1])
    months = {month_of(row["billed_at"], zone) for row in rows}
    invoices: list[Row] = await tx.all("merchant_invoices_of", account_id=account_id)
    return {
        row["invoice_no"]: invoice_number(row["issuer_id"], row["series_no"])
        for row in sorted(invoices, key=lambda row: int(row["invoice_no"]))
        if row["currency"] == currency and row["month"] in months
    }
