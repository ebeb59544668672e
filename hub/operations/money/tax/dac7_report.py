"""The report of a calendar year that DAC7 asks for: each reportable seller with its quarters, as CSV.

It is a help for the accountant, and no advice. Sums are payments that a bank settled in the quarter and that did not
come back. The network's fee is the merchants', and it withholds no tax, so fees and taxes of sellers are nought.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypedDict

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.book_time import day_of
from hub.domain.money import format_money
from hub.domain.payouts.dac7 import ACTIVITY, NOTHING, TaxDetails, is_reportable, missing_for_report
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.tax_years import quarter_starts
from hub.domain.spreadsheets import defused
from hub.domain.words import MissingForReport
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_zone
from hub.operations.money.payees.payees import load_payees
from hub.operations.money.tax.tax_details import load_tax_details, require_reports
from hub.operations.money.tax.year_payments import FIRST_YEAR
from hub.operations.trail import note_act
from hub.sealing import Sealer
from hub.storage import Row, Store

HELP: Final = "A help for the accountant, and no advice."
QUARTERS: Final = (1, 2, 3, 4)


class SellerIdentity(TypedDict):
    """Who a seller is, as a report says it; `registrationNumber` is the IN of the schema.

    `sellerType` is "INDIVIDUAL" or "ENTITY", empty without a payee; then all else is null.
    """

    sellerType: str
    resCountryCode: str | None
    tin: str | None
    tinIssuedBy: str | None
    registrationNumber: str | None
    registrationNumberIssuedBy: str | None
    vat: str | None
    name: str | None
    birthDate: str | None
    street: str | None
    postCode: str | None
    city: str | None
    financialIdentifier: str | None
    accountHolderName: str | None


class SellerDocument(SellerIdentity):
    """A seller in one currency; amounts are decimal text by quarter, `missing` is what the report lacks of it."""

    year: int
    affiliateId: str
    relevantActivity: str
    currency: str
    consideration: list[str]
    numberOfActivities: list[int]
    fees: list[str]
    taxes: list[str]
    missing: list[MissingForReport]


async def dac7_report(
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, year: int
) -> list[SellerDocument]:  # fmt: skip
    """Return the reportable sellers of a year of the books; that somebody read them is a line of the trail.

    Raise `OperatorFault` for a year that has not begun, and unless the network collects what DAC7 asks for.
    """
    require_reports(settings)
    zone, now = await books_zone(store), clock()
    if not FIRST_YEAR <= year <= day_of(now, zone).year:
        raise OperatorFault(f"{year} is not a year of which there are payments; name one up to this one.")
    starts = dict(zip(("first", "second", "third", "fourth", "until"), quarter_starts(year, zone), strict=True))
    async with store.read() as tx:
        rows = await tx.all("seller_quarters", **starts)
        affiliates = {row["affiliate_id"] for row in rows}
        payees, details = await load_payees(tx, sealer, affiliates), await load_tax_details(tx, sealer, affiliates)
    found = [
        _document(year, list(quarters), payees.get(affiliate_id), details.get(affiliate_id, NOTHING))
        for (affiliate_id, _), quarters in groupby(rows, key=lambda row: (row["affiliate_id"], row["currency"]))
        if is_reportable(payees.get(affiliate_id), details.get(affiliate_id, NOTHING))
    ]
    async with store.write() as tx:
        after = {"report": "DAC7", "sellers": len({each["affiliateId"] for each in found}), "rows": len(found)}
        await note_act(tx, now, "year.exported", str(year), after=after)
    return found


def _document(year: int, quarters: Sequence[Row], payee: Payee | None, details: TaxDetails) -> SellerDocument:
    currency = quarters[0]["currency"]
    sums = {row["quarter"]: row for row in quarters}
    nought = [format_money(0, currency)] * len(QUARTERS)
    return {
        "year": year,
        "affiliateId": quarters[0]["affiliate_id"],
        **_identity(payee, details),
        "relevantActivity": ACTIVITY,
        "currency": currency,
        "consideration": [format_money(sums[q]["minor"] if q in sums else 0, currency) for q in QUARTERS],
        "numberOfActivities": [sums[q]["activities"] if q in sums else 0 for q in QUARTERS],
        "fees": nought,
        "taxes": nought,
        "missing": list(missing_for_report(payee, details)),
    }


UNKNOWN: Final = SellerIdentity(
    sellerType="", resCountryCode=None, tin=None, tinIssuedBy=None, registrationNumber=None,
    registrationNumberIssuedBy=None, vat=None, name=None, birthDate=None, street=None, postCode=None, city=None,
    financialIdentifier=None, accountHolderName=None,
)  # fmt: skip


def _identity(payee: Payee | None, details: TaxDetails) -> SellerIdentity:
    if payee is None:
        return UNKNOWN
    number = details.registration_number if payee.is_business else None
    return {
        "sellerType": "ENTITY" if payee.is_business else "INDIVIDUAL",
        "resCountryCode": payee.country,
        "tin": details.tin or payee.tax_id,
        "tinIssuedBy": details.tin_country,
        "registrationNumber": number,
        "registrationNumberIssuedBy": payee.country if number else None,
        "vat": payee.tax_id if payee.tax_id and payee.tax_id[:2].isalpha() else None,
        "name": payee.legal_name,
        "birthDate": None if payee.is_business else details.birth_date,
        "street": payee.street,
        "postCode": payee.postal_code,
        "city": payee.city,
        "financialIdentifier": payee.account,
        "accountHolderName": details.account_holder or payee.legal_name,
    }


_COLUMNS: Final[Mapping[str, str]] = {
    "ReportingPeriod": "year", "Seller": "sellerType", "ResCountryCode": "resCountryCode", "TIN": "tin",
    "TIN issuedBy": "tinIssuedBy", "IN": "registrationNumber", "IN issuedBy": "registrationNumberIssuedBy",
    "VAT": "vat", "Name": "name", "BirthDate": "birthDate", "Street": "street", "PostCode": "postCode", "City": "city",
    "CountryCode": "resCountryCode", "FinancialIdentifier Identifier": "financialIdentifier",
    "AccountHolderName": "accountHolderName", "RelevantActivities": "relevantActivity", "currCode": "currency",
}  # fmt: skip
"""The elements of the DPI schema, each with the member that has it."""
_BY_QUARTER: Final[Mapping[str, str]] = {
    "ConsQ": "consideration", "NumbQ": "numberOfActivities", "FeesQ": "fees", "TaxQ": "taxes",
}  # fmt: skip


def dac7_csv(found: Iterable[SellerDocument]) -> bytes:
    """Return the report as CSV, a row for each seller and currency; no cell is a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*_COLUMNS, *(f"{name}{q}" for name in _BY_QUARTER for q in QUARTERS), "missing", "affiliateId",
                     "note"])  # fmt: skip
    for each in found:
        members: Mapping[str, Any] = each
        cells = [members[member] for member in _COLUMNS.values()]
        cells += [value for member in _BY_QUARTER.values() for value in members[member]]
        row = [*cells, " ".join(each["missing"]), each["affiliateId"], HELP]
        writer.writerow(["" if cell is None else defused(str(cell)) for cell in row])
    return text.getvalue().encode()
