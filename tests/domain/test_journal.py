"""Entries of the ledger as a bookkeeper reads them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from hub.domain.books.journal import (
    CHART,
    COLUMNS,
    Balances,
    JournalLine,
    beancount_closing,
    beancount_name,
    beancount_opening,
    beancount_text,
    chart_of,
    hledger_text,
    journal_line,
)
from hub.domain.books.ledger import PLACES, Entry

ENTRY = Entry(
    "acc_1", 7, 1_795_176_000_000, "earned", "merchant", "held", 499, "EUR", "aff_1", "com_1", None, "O-1", "evt_1", "h"
)
NETWORKS = ENTRY._replace(
    debit="merchant", credit="fees", affiliate_id="", commission_id=None, external_order_id=None, cause="fee;1|2\n3"
)


def test_every_place_has_a_number_and_a_name_of_its_own() -> None:
    """The chart is written into books outside: it stays as it is."""
    assert dict(CHART) == {
        "merchant": ("1400", "assets:receivables:merchants"),
        "received": ("1200", "assets:bank:received"),
        "bank": ("1210", "assets:bank:paid"),
        "pending": ("3700", "liabilities:affiliates:pending"),
        "held": ("3710", "liabilities:affiliates:held"),
        "payable": ("3720", "liabilities:affiliates:payable"),
        "adjustments": ("3730", "liabilities:affiliates:corrections"),
        "payout": ("3740", "liabilities:affiliates:under-way"),
        "deposit": ("3750", "liabilities:merchants:deposit"),
        "tax": ("3806", "liabilities:tax:vat"),
        "exchange": ("1590", "equity:exchange"),
        "fees": ("8400", "revenue:fees"),
        "losses": ("2400", "expenses:losses"),
    }
    assert set(CHART) == PLACES
    assert COLUMNS == (
        "date", "account", "entry", "debitNumber", "creditNumber", "amount", "currency", "text", "order", "reference",
    )  # fmt: skip


def test_a_chart_takes_other_numbers() -> None:
    numbers = chart_of(" bank = 1800 ,fees=4400")
    assert numbers == {**{place: number for place, (number, _) in CHART.items()}, "bank": "1800", "fees": "4400"}
    assert chart_of(" ") == chart_of("") == {place: number for place, (number, _) in CHART.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [("till=1", "'till=1' is not a place"), ("bank", "'bank' is not a place"), ("bank=", "is not a place"),
     ("bank=18.00", "is not a place"), (" bank=1400 ", "two places have the same number"),
     ("bank=1,", "'' is not a place")],
)  # fmt: skip
def test_a_chart_of_another_form_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        chart_of(text)


def test_an_entry_is_a_line() -> None:
    assert journal_line(ENTRY, "2026-11-20", chart_of("")) == JournalLine(
        "2026-11-20", "acc_1", 7, "1400", "3710", "4.99", "EUR", "earned", "O-1", "com_1"
    )
    adjusted = ENTRY._replace(commission_id=None, adjustment_id="adj_1")
    assert journal_line(adjusted, "2026-11-20", chart_of("")).reference == "adj_1"
    line = journal_line(NETWORKS, "2026-11-20", chart_of(""))
    assert (line.order, line.reference) == ("", "fee;1|2\n3")


def test_an_entry_is_a_transaction_of_hledger() -> None:
    assert hledger_text(ENTRY, "2026-11-20") == (
        "2026-11-20 (acc_1:7) earned O-1\n"
        "    assets:receivables:merchants:aff_1  4.99 EUR\n"
        "    liabilities:affiliates:held:aff_1  -4.99 EUR\n\n"
    )


def test_what_would_end_a_description_is_written_otherwise() -> None:
    assert hledger_text(NETWORKS, "2026-11-20").startswith(
        "2026-11-20 (acc_1:7) earned fee,1/2 3\n    assets:receivables:merchants:network  4.99 EUR\n"
    )


BEANCOUNTS = [
    "Assets:Receivables:Merchants", "Assets:Bank:Received", "Assets:Bank:Paid", "Liabilities:Affiliates:Pending",
    "Liabilities:Affiliates:Held", "Liabilities:Affiliates:Payable", "Liabilities:Affiliates:Corrections",
    "Liabilities:Affiliates:Under-way", "Liabilities:Merchants:Deposit", "Liabilities:Tax:Vat", "Equity:Exchange",
    "Income:Fees", "Expenses:Losses",
]  # fmt: skip
FIRST = date(2026, 11, 1)


def test_every_account_has_a_name_that_beancount_takes() -> None:
    assert [beancount_name(place) for place in CHART] == BEANCOUNTS


def test_a_month_of_beancount_opens_with_what_was_there_the_day_before() -> None:
    opened = "".join(f"2026-10-31 open {name}\n" for name in BEANCOUNTS)
    assert beancount_opening(FIRST, {}) == beancount_opening(FIRST, {("bank", "EUR"): Decimal(0)}) == f"{opened}\n"
    balances: Balances = {
        ("merchant", "EUR"): Decimal("-4.99"),
        ("held", "EUR"): Decimal("4.99"),
        ("fees", "USD"): Decimal(0),
    }
    assert beancount_opening(FIRST, balances) == (
        f'{opened}\n2026-10-31 * "Opening balances"\n'
        "  Assets:Receivables:Merchants  4.99 EUR\n  Liabilities:Affiliates:Held  -4.99 EUR\n\n"
    )


def test_an_entry_is_a_transaction_of_beancount() -> None:
    assert beancount_text(ENTRY, FIRST) == (
        '2026-11-01 * "aff_1" "earned O-1" ^acc_1-7 #earned\n'
        "  Assets:Receivables:Merchants  4.99 EUR\n  Liabilities:Affiliates:Held  -4.99 EUR\n\n"
    )
    quoted = NETWORKS._replace(cause='a "b" \\ c\nd')
    assert beancount_text(quoted, FIRST).startswith('2026-11-01 * "network" "earned a \'b\' / c d" ^acc_1-7 #earned\n')


def test_a_month_of_beancount_ends_with_what_each_account_must_hold() -> None:
    balances: Balances = {("bank", "USD"): Decimal("3.00"), ("bank", "EUR"): Decimal("-2.50")}
    lines = beancount_closing(FIRST, balances).splitlines()
    assert len(lines) == 2 * len(CHART)
    assert lines[4:6] == [
        "2026-11-01 balance Assets:Bank:Paid  2.50 EUR", "2026-11-01 balance Assets:Bank:Paid  -3.00 USD"
    ]  # fmt: skip
    assert lines[0] == "2026-11-01 balance Assets:Receivables:Merchants  0 EUR"
    assert beancount_closing(FIRST, {}) == ""
