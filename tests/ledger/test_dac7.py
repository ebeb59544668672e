"""DAC7: what affiliates are asked for, what is missing, and the report of a year by quarter."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from typing import Any

import pytest
from attrs import evolve

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.dac7 import TaxDetails, is_reportable, missing_for_report, why_no_birth_date
from hub.domain.payouts.payees import Payee
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.payees.payees import set_payee
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.tax.dac7_report import HELP, SellerDocument, dac7_csv, dac7_report
from hub.operations.money.tax.tax_details import set_tax_details, show_tax_details
from hub.operations.trail_lists import list_acts
from tests.ledger.test_payouts import PAYEE, SEALER, pay, payable
from tests.processing.harness import DAY, Harness

ON = PayoutSettings(dac7=True)
IBAN = "DE89370400440532013000"
GERMAN = Payee("Ada Byte", "Main St 1", "10115", "Berlin", "DE", "iban", IBAN)
SHOP = evolve(GERMAN, legal_name="Ada GmbH", is_business=True, tax_id="DE136695976")
ALL = TaxDetails("1985-03-28", None, "12345678911", "DE", None)
BORN = date(2026, 11, 27)


@pytest.mark.parametrize(
    ("payee", "details", "missing"),
    [
        (None, ALL, ["payee"]),
        (GERMAN, TaxDetails(), ["birth_date", "tin"]),
        (GERMAN, ALL, []),
        (GERMAN, evolve(ALL, tin_country=None), ["tin_country"]),
        (SHOP, ALL, ["registration_number"]),
        (SHOP, TaxDetails(registration_number="HRB 1", tin_country="DE"), []),
    ],
)
def test_what_a_report_lacks(payee: Payee | None, details: TaxDetails, missing: list[str]) -> None:
    assert missing_for_report(payee, details) == missing


def test_sellers_of_member_states_are_reportable() -> None:
    """By their address or their tax number; of one whose payee is not known nobody can tell."""
    swiss = evolve(GERMAN, country="CH")
    assert [is_reportable(payee, TaxDetails(tin_country=tin)) for payee, tin in (
        (GERMAN, None), (swiss, None), (swiss, "AT"), (None, None), (evolve(GERMAN, country="GB"), "GB"),
    )] == [True, False, True, True, False]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"), [("1985-03-28", None), ("2026-11-27", "living"), ("1890-01-01", "living"), ("28.3.85", "a day")]
)
def test_a_date_of_birth_is_a_living_persons(text: str, said: str | None) -> None:
    why = why_no_birth_date(text, BORN)
    assert (why is None) if said is None else (said in str(why))


async def details(harness: Harness, given: TaxDetails, settings: PayoutSettings = ON) -> Any:
    return await set_tax_details(harness.store, SEALER, harness.clock, settings, harness.affiliate_id, given)


async def reported(harness: Harness, year: int) -> list[SellerDocument]:
    return await dac7_report(harness.store, SEALER, harness.clock, ON, year)


async def test_details_are_sealed_and_replaced_as_a_whole(harness: Harness) -> None:
    """The trail has the names of what changed; a change of them makes no payment wait."""
    await set_payee(harness.store, SEALER, harness.clock, None, harness.affiliate_id, GERMAN)
    assert (await show_tax_details(harness.store, SEALER, ON, harness.affiliate_id))["missing"] == ["birth_date", "tin"]
    done = await details(harness, evolve(ALL, tin_country=" de "))
    assert (done["birthDate"], done["tinCountry"], done["missing"]) == ("1985-03-28", "DE", [])
    assert await details(harness, ALL) == done
    async with harness.store.read() as tx:
        (row,) = await tx.all("tax_details_of", affiliates=[harness.affiliate_id])
    assert "1985" not in row["sealed"]
    assert (await details(harness, TaxDetails(birth_date="1985-03-28")))["tin"] is None
    lines = (await list_acts(harness.store, Wanted({"act": "affiliate.tax-details-set"}))).entries
    assert [line["after"] for line in lines] == [
        {"changed": ["tin", "tin_country"]}, {"changed": ["birth_date", "tin", "tin_country"]},
    ]  # fmt: skip


async def test_nothing_is_collected_unless_the_operator_switched_it_on(sqlite_live: Harness) -> None:
    off = PayoutSettings()
    with pytest.raises(OperatorFault, match="does not collect"):
        await details(sqlite_live, ALL, off)
    await details(sqlite_live, ALL)
    shown = await show_tax_details(sqlite_live.store, SEALER, off, sqlite_live.affiliate_id)
    assert (shown["collected"], shown["birthDate"], shown["missing"]) == (False, None, [])
    with pytest.raises(OperatorFault, match="does not collect"):
        await dac7_report(sqlite_live.store, SEALER, sqlite_live.clock, off, 2026)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (TaxDetails(birth_date="tomorrow"), "birth_date"),
        (TaxDetails(tin="1" * 41), "tin"),
        (TaxDetails(tin="=1+1"), "tin"),
        (TaxDetails(tin_country="XX"), "tin_country"),
        (TaxDetails(registration_number="a\u0000b"), "registration_number"),
        (TaxDetails(account_holder="@Ada"), "account_holder"),
    ],
)
async def test_what_cannot_be_right_is_refused(sqlite_live: Harness, given: TaxDetails, field: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        await details(sqlite_live, given)
    assert set(refused.value.faults) == {field}


async def test_a_year_is_reported_by_quarter(harness: Harness) -> None:
    """What was settled and did not come back, with the number of commissions; who is elsewhere is not reported."""
    await payable(harness, "100.00", "50.00", payee=GERMAN)
    run = await pay(harness)
    await details(harness, ALL)
    at = datetime.fromtimestamp(harness.clock() / 1000, UTC)
    quarter = (at.month - 1) // 3
    (seller,) = await reported(harness, at.year)
    assert (seller["sellerType"], seller["name"], seller["birthDate"], seller["tinIssuedBy"]) == (
        "INDIVIDUAL", "Ada Byte", "1985-03-28", "DE",
    )  # fmt: skip
    assert (seller["financialIdentifier"], seller["accountHolderName"]) == (IBAN, "Ada Byte")
    assert [each == ("7.50" if at_ == quarter else "0.00") for at_, each in enumerate(seller["consideration"])] == [
        True
    ] * 4
    assert (sum(seller["numberOfActivities"]), seller["fees"], seller["missing"]) == (2, ["0.00"] * 4, [])
    (cells,) = csv.DictReader(io.StringIO(dac7_csv([seller]).decode()))
    assert (cells["ResCountryCode"], cells["TIN"], cells["TIN issuedBy"], cells[f"ConsQ{quarter + 1}"]) == (
        "DE", "12345678911", "DE", "7.50",
    )  # fmt: skip
    assert (cells[f"NumbQ{quarter + 1}"], cells["RelevantActivities"], cells["note"]) == ("2", "PersonalServices", HELP)
    with pytest.raises(OperatorFault, match="not a year"):
        await reported(harness, at.year + 1)
    await return_payment(harness.store, harness.clock, run["id"], harness.affiliate_id, "Unknown account")
    assert await reported(harness, at.year) == []


async def test_sellers_of_other_countries_and_without_details(sqlite_live: Harness) -> None:
    await payable(sqlite_live, "100.00", payee=evolve(PAYEE, country="US"))
    await pay(sqlite_live)
    year = datetime.fromtimestamp(sqlite_live.clock() / 1000, UTC).year
    assert await reported(sqlite_live, year) == []
    await details(sqlite_live, TaxDetails(tin="FR1", tin_country="FR"))
    (seller,) = await reported(sqlite_live, year)
    assert (seller["resCountryCode"], seller["missing"]) == ("US", ["birth_date"])
    sqlite_live.clock.advance(DAY)
