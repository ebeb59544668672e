"""A statement of a period: the opening balance and its lines add up to the closing balance, across runs."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from datetime import UTC
from decimal import Decimal

import pytest

from hub.operations.errors import OperatorFault
from hub.operations.money.books.balances import affiliate_balances
from hub.operations.money.invoices.period_statement_files import period_csv, period_pdf, period_text
from hub.operations.money.invoices.period_statements import Period, PeriodStatement, period_of, period_statement
from hub.operations.money.payouts.payout_returns import return_payment
from hub.storage.named_queries.compiler import QUERY_FOLDER
from tests.ledger.test_payouts import create, pay, payable, refund, release
from tests.processing.harness import DAY, Harness

QUERIES = QUERY_FOLDER / "period_statements.sql"
DAY_START = 1_795_392_000_000
"""2026-11-23 in UTC."""


async def statement(harness: Harness, since: int = 0, until: int | None = None) -> PeriodStatement:
    period = Period(since, harness.clock() + 1 if until is None else until)
    return await period_statement(harness.store, harness.affiliate_id, period, "The Network")


def lines_of(found: PeriodStatement) -> list[tuple[str, str, str]]:
    (part,) = found["parts"]
    return [(line["what"], line["amount"], line["balance"]) for line in part["lines"]]


async def test_a_period_goes_from_its_opening_to_its_closing_balance(harness: Harness) -> None:
    """Two runs, a payment that came back and a refund after the payout; two halves are the whole."""
    await payable(harness, "100.00", "50.00")
    run = await pay(harness)
    between = harness.clock() + 1
    harness.clock.advance(DAY)
    await refund(harness, "O-0", "r-1", "40.00")
    await payable(harness, "200.00", start=2)
    again = await create(harness)
    await release(harness, again["id"])
    await return_payment(harness.store, harness.clock, again["id"], harness.affiliate_id, "closed")
    assert lines_of(await statement(harness)) == [
        ("released", "5.00", "5.00"), ("released", "2.50", "7.50"), ("paid", "-7.50", "0.00"),
        ("adjusted", "-2.00", "-2.00"), ("released", "10.00", "8.00"), ("paid", "-8.00", "0.00"),
        ("returned", "8.00", "8.00"),
    ]  # fmt: skip
    (first,), (second,) = (
        (await statement(harness, until=between))["parts"],
        (await statement(harness, between))["parts"],
    )
    assert (first["closingBalance"], second["openingBalance"], second["closingBalance"]) == ("0.00", "0.00", "8.00")
    assert [line["reference"] for line in first["lines"] if line["what"] == "paid"] == [run["id"]]
    moved = sum(Decimal(line["amount"]) for line in second["lines"])
    (now,) = await affiliate_balances(harness.store, harness.affiliate_id)
    assert Decimal(second["openingBalance"]) + moved == Decimal(now["payable"]) + Decimal(now["negative"])


async def test_a_statement_of_a_period_is_a_file_of_the_same_bytes(sqlite_live: Harness) -> None:
    await payable(sqlite_live, "100.00")
    found = await statement(sqlite_live)
    text = period_text(found)
    assert "Opening balance: 0.00 USD" in text
    assert "Closing balance: 5.00 USD" in text
    opening, line, closing = csv.DictReader(io.StringIO(period_csv(found).decode()))
    assert [row["what"] for row in (opening, line, closing)] == ["opening", "released", "closing"]
    assert (opening["balance"], line["amount"], line["externalOrderId"], closing["balance"]) == (
        "0.00", "5.00", "O-0", "5.00"
    )  # fmt: skip
    assert period_pdf(found) == period_pdf(found)
    assert period_pdf(found).startswith(b"%PDF")
    part = found["parts"][0]
    part["lines"] = part["lines"] * 5_001
    with pytest.raises(OperatorFault, match="at most 5,000 lines"):
        period_pdf(found)


async def test_test_accounts_have_a_statement_of_their_own(sqlite_url: str) -> None:
    harness = await Harness.open(sqlite_url)
    try:
        await payable(harness, "100.00")
        assert (await statement(harness))["parts"] == []
        period = Period(0, harness.clock() + 1)
        of_test = await period_statement(harness.store, harness.affiliate_id, period, "The Network", "test")
        assert (of_test["mark"], lines_of(of_test)) == ("TEST", [("released", "5.00", "5.00")])
        assert period_text(of_test).startswith("TEST")
    finally:
        await harness.close()


async def test_the_balance_is_read_by_its_index(sqlite_live: Harness, sqlite_url: str) -> None:
    """Whatever else the ledger has; the control is the same question without the condition of the index."""
    asked = "EXPLAIN QUERY PLAN SELECT posted_at FROM ledger_entries WHERE affiliate_id = 'aff' AND posted_at < 5"
    condition = "AND (debit IN ('payable', 'adjustments') OR credit IN ('payable', 'adjustments'))"
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        plans = [str(connection.execute(question).fetchall()) for question in (f"{asked} {condition}", asked)]
    assert ["ledger_entries_of_balances" in each for each in plans] == [True, False]
    assert condition.removeprefix("AND ") in QUERIES.read_text("utf-8").replace("e.debit", "debit").replace(
        "e.credit", "credit"
    )


@pytest.mark.parametrize(
    ("since", "until", "period"),
    [
        ("2026-11-23", "2026-11-23", Period(DAY_START, DAY_START + DAY)),
        ("2026-11-23T00:00:00Z", "2026-11-23T00:00:01Z", Period(DAY_START, DAY_START + 1_000)),
        (None, None, Period(DAY_START - 22 * DAY, DAY_START + 5_001)),
    ],
)
def test_a_period_is_asked_for_by_days_or_moments(since: str | None, until: str | None, period: Period) -> None:
    """Days are those of UTC, and the last one counts; without both it is this month so far."""
    assert period_of(since, until, DAY_START + 5_000, UTC) == period


@pytest.mark.parametrize(("since", "until"), [("2026-11-31", None), ("2026-12-01", "2026-11-01"), (None, "9999-12-31")])
def test_what_is_no_period_is_refused(since: str | None, until: str | None) -> None:
    with pytest.raises(OperatorFault):
        period_of(since, until, DAY_START, UTC)
