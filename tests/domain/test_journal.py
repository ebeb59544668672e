"""Entries of the ledger as a bookkeeper reads them."""

from __future__ import annotations

import pytest

from hub.domain.journal import CHART, COLUMNS, JournalLine, chart_of, hledger_text, journal_line
from hub.domain.ledger import PLACES, Entry

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
