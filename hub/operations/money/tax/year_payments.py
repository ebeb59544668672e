"""What each affiliate was paid in a calendar year, beside who it is for a tax office.

It is a help for the accountant, and no advice: whoever files a form looks at its instructions.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.book_time import day_of
from hub.domain.money import format_money
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.tax_years import form_1099_nec, quarter_starts
from hub.domain.spreadsheets import defused
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_zone
from hub.operations.money.payees.payees import load_payees
from hub.operations.trail import note_act
from hub.sealing import Sealer
from hub.storage import Row, Store

FIRST_YEAR: Final = 2000


class YearDocument(TypedDict):
    """What an affiliate was paid in a year and a currency, in all and by quarter, as decimal text.

    The payee is as it is now; its members are None if the affiliate has none. `form1099Nec` is "file", "below",
    "convert", "network", or empty where that form does not concern it.
    """

    year: int
    affiliateId: str
    affiliateName: str | None
    legalName: str | None
    street: str | None
    postalCode: str | None
    city: str | None
    country: str | None
    taxId: str | None
    business: bool | None
    method: str | None
    currency: str
    payments: int
    total: str
    quarter1: str
    quarter2: str
    quarter3: str
    quarter4: str
    form1099Nec: str


async def year_payments(store: Store, sealer: Sealer, clock: Clock, year: int) -> list[YearDocument]:
    """Return what affiliates were paid in a year of the books; that somebody read it is a line of the trail.

    Raise `OperatorFault` for a year that has not begun.
    """
    zone, now = await books_zone(store), clock()
    if not FIRST_YEAR <= year <= day_of(now, zone).year:
        raise OperatorFault(
            f"{year} is not a year of which there are payments; name one from {FIRST_YEAR} to this one."
        )
    starts = dict(zip(("first", "second", "third", "fourth", "until"), quarter_starts(year, zone), strict=True))
    async with store.read() as tx:
        rows = await tx.all("year_payments", **starts)
        payees = await load_payees(tx, sealer, [row["affiliate_id"] for row in rows])
    found = [_document(row, payees.get(row["affiliate_id"]), year) for row in rows]
    async with store.write() as tx:
        await note_act(tx, now, "year.exported", str(year), after={"affiliates": len(payees), "rows": len(found)})
    return found


def year_csv(found: Sequence[YearDocument]) -> bytes:
    """Return the year as CSV, a row for each affiliate and currency; no cell is a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(YearDocument.__annotations__)
    for each in found:
        writer.writerow(["" if cell is None else defused(str(cell)) for cell in each.values()])
    return text.getvalue().encode()


def _document(row: Row, payee: Payee | None, year: int) -> YearDocument:
    currency = row["currency"]

    def shown(name: str) -> str:
        return format_money(row[f"{name}_minor"], currency)

    return {
        "year": year,
        "affiliateId": row["affiliate_id"],
        "affiliateName": row["affiliate_name"],
        "legalName": None if payee is None else payee.legal_name,
        "street": None if payee is None else payee.street,
        "postalCode": None if payee is None else payee.postal_code,
        "city": None if payee is None else payee.city,
        "country": None if payee is None else payee.country,
        "taxId": None if payee is None else payee.tax_id,
        "business": None if payee is None else payee.is_business,
        "method": None if payee is None else payee.method,
        "currency": currency,
        "payments": row["payments"],
        "total": shown("total"),
        "quarter1": shown("first"),
        "quarter2": shown("second"),
        "quarter3": shown("third"),
        "quarter4": shown("fourth"),
        "form1099Nec": form_1099_nec(payee, currency, row["total_minor"], year),
    }
