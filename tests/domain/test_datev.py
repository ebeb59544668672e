"""A month's entries as DATEV's batch of bookings: its own example of a first line, and every column's place."""

from __future__ import annotations

import csv
import re
from datetime import UTC, date, datetime

import pytest

from hub.domain.books.datev import (
    COLUMNS,
    ENCODING,
    Batch,
    DatevClient,
    batch_lines,
    booking_line,
    datev_client,
    number_length,
)
from hub.domain.books.journal import chart_of
from hub.domain.books.ledger import Entry
from hub.domain.money import MoneyError

WHOSE = DatevClient(29_098, 55_003)
BATCH = Batch(WHOSE, date(2026, 11, 1), date(2026, 11, 30), "EUR", 4, datetime(2026, 12, 1, 9, 5, 7, 440_000, UTC))
ENTRY = Entry(
    "acc_1", 7, 1_795_176_000_000, "earned", "merchant", "held", 499, "EUR", "aff_1", "com_1", None, "O-1", "evt_1", "h"
)
DAY = date(2026, 11, 20)
FIRST_LINE = (
    r'"EXTF";700;21;"Buchungsstapel";13;\d{17};;"\w{0,2}";"\w{0,25}";"\w{0,25}";\d{4,7};\d{1,5};\d{8};[4-8];\d{8};\d{8};'
    r'"[\w.\-/ ]{0,30}";"([A-Z]{2}){0,2}";[12];(0|30|40|50|64);[01];"[A-Z]{3}";;"";;;"(\d{2}){0,2}";\d{0,4};;"";'
    r'".{0,16}"'
)
"""The expressions that DATEV's portal gives for the 31 fields of the first line."""
EXAMPLE = (
    '"EXTF";700;21;"Buchungsstapel";13;20240130140440439;;"RE";"";"";29098;55003;20240101;4;20240101;20240831;'
    '"Buchungsstapel";"WD";1;0;0;"EUR";;"";;;"03";;;"";""'
)


def fields_of(line: str) -> dict[int, str]:
    """Return a line's fields by their number from 1, quotes included."""
    return dict(enumerate(line.removesuffix("\r\n").split(";"), start=1))


def test_the_first_line_is_one_as_datev_describes_it() -> None:
    assert re.fullmatch(FIRST_LINE, EXAMPLE), "the control: DATEV's own example"
    first, columns, rest = batch_lines(BATCH).split("\r\n")
    assert re.fullmatch(FIRST_LINE, first)
    assert first == (
        '"EXTF";700;21;"Buchungsstapel";13;20261201090507440;;"HB";"AffiliateHub";"";29098;55003;20260101;4;20261101;'
        '20261130;"Affiliates 11/2026";"";1;0;0;"EUR";;"";;;"";;;"";""'
    )
    assert (columns.split(";"), rest) == ([*COLUMNS], "")


def test_the_columns_stand_where_datev_has_them() -> None:
    places = {"Konto": 7, "Belegdatum": 10, "Buchungstext": 14, "Beleginfo - Inhalt 8": 36, "KOST1 - Kostenstelle": 37,
              "Zusatzinformation - Art 1": 48, "Zusatzinformation- Inhalt 20": 87, "Festschreibung": 114,
              "Abw. Skontokonto": 125}  # fmt: skip
    assert {name: COLUMNS.index(name) + 1 for name in places} == places
    assert len(set(COLUMNS)) == len(COLUMNS) == 125


def test_an_entry_is_a_booking_of_125_fields() -> None:
    fields = fields_of(booking_line(ENTRY, DAY, chart_of("")))
    assert len(fields) == 125
    said = {number: value for number, value in fields.items() if value not in ("", '""')}
    assert said == {
        1: "4,99", 2: '"S"', 3: '"EUR"', 7: "1400", 8: "3710", 10: "2011", 11: '"O-1"', 14: '"earned O-1"', 21: '"Hub"',
        22: '"acc_1:7"', 114: "0",
    }  # fmt: skip


def test_what_a_field_cannot_hold_is_written_otherwise() -> None:
    """A document has few characters; a text may say anything in 60, but its quotes are doubled and it has one line."""
    odd = ENTRY._replace(external_order_id='Käufer #1;"2"\r\n' + "x" * 80)
    line = booking_line(odd, DAY, chart_of(""))
    assert re.search(r';"K-ufer-1-2-x{25}";"";;"earned Käufer #1;""2"" x{39}";', line)
    assert len(next(csv.reader([line], delimiter=";"))) == 125
    assert line.encode(ENCODING).count(b"\n") == 1


def test_amounts_have_two_decimals_and_ten_digits_before_them() -> None:
    yen = ENTRY._replace(currency="JPY", amount_minor=500)
    assert booking_line(yen, DAY, chart_of("")).startswith('500,00;"S";"JPY";')
    with pytest.raises(MoneyError, match="KWD has more than two decimals"):
        booking_line(ENTRY._replace(currency="KWD"), DAY, chart_of(""))
    most = ENTRY._replace(amount_minor=999_999_999_999)
    assert booking_line(most, DAY, chart_of("")).startswith("9999999999,99;")
    with pytest.raises(MoneyError, match="more than DATEV's format has digits for"):
        booking_line(most._replace(amount_minor=1_000_000_000_000), DAY, chart_of(""))


def test_whose_books_they_are() -> None:
    assert datev_client(" 29098 / 55003 ") == WHOSE
    assert datev_client(" ") is None


@pytest.mark.parametrize(
    "text", ["29098", "29098/", "a/1", "29098/55003/1", "1000/1", "10000000/1", "1001/0", "1001/100000"]
)
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        datev_client(text)


def test_a_charts_numbers_are_of_one_length() -> None:
    assert number_length(chart_of("")) == 4
    for chart in ("bank=18000", "bank=18A0"):
        with pytest.raises(ValueError, match="the same four to eight digits"):
            number_length(chart_of(chart))
    with pytest.raises(ValueError, match="the same four to eight digits"):
        number_length(dict.fromkeys(chart_of(""), "140"))
