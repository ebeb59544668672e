"""The templates pass as they are, in any spreadsheet's hands."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import orjson
import pytest

from hub.csv_import.header import survey
from hub.csv_import.kinds import KINDS, Kind
from hub.csv_import.reader import RowReader
from hub.csv_import.templates import template
from hub.validation.inputs import MerchantTerms
from hub.validation.validate import validate

EVERY_KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@EVERY_KIND
@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD"])
def test_the_example_rows_pass(tmp_path: Path, kind: Kind, currency: str) -> None:
    """Two rows that the reader reads and the API's validation takes, whatever the merchant's own currency."""
    file = tmp_path / "template.csv"
    file.write_bytes(template(kind).encode())
    layout = survey(file, kind).layout
    assert (layout.columns, layout.ignored) == (kind.columns, ())
    with file.open("rb") as opened:
        chunk = RowReader(opened, layout).read(9)
    assert (len(chunk.rows), chunk.faults) == (2, [])
    for row in chunk.rows:
        body = {name: cell for name, cell in zip(kind.columns, row, strict=True) if cell}
        if "metadata" in body:
            body["metadata"] = orjson.loads(body["metadata"])
        assert validate(kind.cls, body, MerchantTerms(currency, ("shop.example",))).unknown_fields == ()


@EVERY_KIND
def test_a_spreadsheet_leaves_the_cells_unchanged(kind: Kind) -> None:
    """No cell is a formula, loses zeros, becomes a date or needs more than ASCII; each row is one line."""
    text = template(kind)
    assert text.isascii()
    assert text.count("\r\n") == text.count("\n") == 3
    for cell in (cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "'", " "))
        assert not re.fullmatch(r"0\d+|\d{12,}|(0?[1-9]|[12]\d|3[01])[./-](0?[1-9]|1[0-2])", cell)


@EVERY_KIND
def test_the_first_row_shows_much_and_the_second_little(kind: Kind) -> None:
    """What is required stands in both; a campaign is the merchant's own and stands in none."""
    full, short = csv.DictReader(io.StringIO(template(kind), newline=""))
    assert {name for name, cell in full.items() if not cell} <= {"campaignId"}
    assert kind.required <= {name for name, cell in short.items() if cell}
    assert sum(map(bool, short.values())) < len(kind.columns)
