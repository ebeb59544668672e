"""What an affiliate was paid in a year: what a bank settled, by quarter, beside who it is for a tax office."""

from __future__ import annotations

import csv
import io
from datetime import UTC
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from hub.domain.instants import parse_instant
from hub.domain.payouts.payees import Payee
from hub.domain.payouts.tax_years import form_1099_nec, quarter_starts
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted, read
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.tax.year_payments import YearDocument, year_csv, year_payments
from hub.operations.trail_lists import ACTS
from tests.ledger.test_payouts import SEALER, create, pay, payable, release
from tests.processing.harness import DAY, Harness

AMERICAN: Final = Payee("Ada Byte", "1 Main St", "94103", "San Francisco", "US", "wise", "ada@blog.example",
                        tax_id="12-3456789")  # fmt: skip


async def of_year(harness: Harness, year: int) -> list[YearDocument]:
    return await year_payments(harness.store, SEALER, harness.clock, year)


async def test_a_year_has_what_was_settled_in_it_and_did_not_come_back(harness: Harness) -> None:
    """Two payments months apart are in their quarters, a run that no bank settled is not, nor what came back."""
    harness.clock.now = parse_instant("2027-02-01T00:00:00Z")
    await payable(harness, "20000.00", payee=AMERICAN)
    await pay(harness)
    harness.clock.advance(120 * DAY)
    await payable(harness, "24000.00", start=1)
    last = await pay(harness)
    await payable(harness, "1.00", start=2)
    await release(harness, (await create(harness))["id"])
    (found,) = await of_year(harness, 2027)
    assert (found["total"], found["payments"]) == ("2200.00", 2)
    assert [found[f"quarter{number}"] for number in (1, 2, 3, 4)] == ["1000.00", "0.00", "1200.00", "0.00"]  # type: ignore[literal-required]  # its four quarters
    assert (found["legalName"], found["taxId"], found["form1099Nec"]) == ("Ada Byte", "12-3456789", "file")
    assert await of_year(harness, 2026) == []
    await return_payment(harness.store, harness.clock, last["id"], harness.affiliate_id, "closed")
    (found,) = await of_year(harness, 2027)
    assert (found["total"], found["form1099Nec"]) == ("1000.00", "below")


async def test_the_file_runs_no_formula_and_its_reading_is_in_the_trail(sqlite_live: Harness) -> None:
    harness = sqlite_live
    await payable(harness, "100.00", payee=AMERICAN)
    await pay(harness)
    year = 2026
    (found,) = await of_year(harness, year)
    found["affiliateName"] = "=HYPERLINK(1)"
    (row,) = csv.DictReader(io.StringIO(year_csv([found]).decode()))
    assert (row["affiliateName"], row["total"], row["currency"]) == ("'=HYPERLINK(1)", "5.00", "USD")
    async with harness.store.read() as tx:
        acts = (await read(tx, ACTS, Wanted({"subject": str(year)}))).entries
    assert [each["act"] for each in acts] == ["year.exported"]


async def test_a_year_that_has_not_begun_has_no_payments(sqlite_live: Harness) -> None:
    for year in (1999, 2031):
        with pytest.raises(OperatorFault, match=f"{year} is not a year of which there are payments"):
            await of_year(sqlite_live, year)


def test_quarters_are_those_of_the_books() -> None:
    assert quarter_starts(2026, UTC)[0] == parse_instant("2026-01-01T00:00:00Z")
    assert quarter_starts(2026, ZoneInfo("Asia/Tokyo"))[1:] == tuple(
        parse_instant(f"{day}T15:00:00Z") for day in ("2026-03-31", "2026-06-30", "2026-09-30", "2026-12-31")
    )


@pytest.mark.parametrize(
    ("country", "method", "currency", "cents", "year", "asked"),
    [
        ("US", "ach", "USD", 59_999, 2025, "below"),
        ("US", "ach", "USD", 60_000, 2025, "file"),
        ("US", "ach", "USD", 199_999, 2026, "below"),
        ("US", "wise", "USD", 200_000, 2026, "file"),
        ("US", "paypal", "USD", 900_000, 2026, "network"),
        ("US", "stripe", "EUR", 900_000, 2026, "network"),
        ("US", "iban", "EUR", 100, 2026, "convert"),
        ("DE", "iban", "USD", 900_000, 2026, ""),
    ],
)
def test_the_form_is_asked_of_americans_by_the_limit_of_its_year(
    country: str, method: str, currency: str, cents: int, year: int, asked: str
) -> None:
    payee = Payee("Ada", "1 Main St", "1", "Town", country, method, "x")  # type: ignore[arg-type]  # one of the methods
    assert form_1099_nec(payee, currency, cents, year) == asked
    assert form_1099_nec(None, currency, cents, year) == ""
