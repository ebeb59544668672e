"""Rows of cells as the objects that the API takes, validated by the API's own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson
from attrs import frozen

from hub.csv_import.header import Layout
from hub.csv_import.kinds import Kind
from hub.csv_import.reader import Chunk
from hub.validation.cross_field_rules import RULES, CrossFieldRule, check_product_change
from hub.validation.input_reader import fields_of
from hub.validation.inputs import MerchantTerms, ProductRow
from hub.validation.validate import Invalid, read_input, read_object

METADATA = "metadata"
LONGEST_ECHO = 255
_NOT_JSON = "`metadata` must be a JSON object, in double quotes where it holds the delimiter"


@frozen
class ValidatedRow:
    """A row that was read: its number, its line in the file, and what is to be stored, or every fault of the row."""

    number: int
    line: int
    id: str
    entry: Any
    faults: tuple[str, ...] = ()


class RowValidator:
    """Validates the rows of one file; `entry_of` turns a valid input and its JSON text into what is to be stored."""

    def __init__(
        self, kind: Kind, layout: Layout, merchant: MerchantTerms, entry_of: Callable[[Any, str], Any]
    ) -> None:
        self._entry_of = entry_of
        self._cls = kind.cls
        self._columns = layout.columns
        self._merchant = merchant
        self._rule: CrossFieldRule | None = check_product_change if kind.cls is ProductRow else RULES.get(kind.cls)
        self._id_place = layout.columns.index(kind.id_column)
        self._has_metadata = METADATA in layout.columns
        clearing = kind.cls is ProductRow
        self._cleared = {f.wire for f in fields_of(kind.cls) if f.nullable and clearing} & set(layout.columns)

    def validate(self, chunk: Chunk, first: int) -> Iterator[ValidatedRow]:
        """Yield the rows of a chunk in the order of the file; the first has the number `first`.

        Rows whose cells are all empty, which spreadsheets leave at the end of a table, are skipped and not counted.
        """
        read: list[tuple[int, list[str] | str]] = [
            (line, row) for line, row in zip(chunk.lines, chunk.rows, strict=True) if any(row)
        ]
        if chunk.faults:
            read = sorted([*read, *chunk.faults], key=lambda row: row[0])
        for number, (line, row) in enumerate(read, first):
            yield ValidatedRow(number, line, "", None, (row,)) if isinstance(row, str) else self._row(number, line, row)

    def _row(self, number: int, line: int, cells: Sequence[str]) -> ValidatedRow:
        identity = cells[self._id_place]
        try:
            raw = orjson.dumps(self._object(cells))
            value: Any = read_input(self._cls, read_object(raw), self._merchant, self._rule).value
        except Invalid as invalid:
            return ValidatedRow(number, line, identity[:LONGEST_ECHO], None, tuple(invalid.faults))
        return ValidatedRow(number, line, identity, self._entry_of(value, raw.decode()))

    def _object(self, cells: Sequence[str]) -> dict[str, Any]:
        """Return a row as a JSON object: an empty cell is a missing field, or clears an optional field of a product."""
        fields: dict[str, Any] = {
            column: cell for column, cell in zip(self._columns, cells, strict=True) if cell and column is not None
        }
        if self._has_metadata and METADATA in fields:
            try:
                fields[METADATA] = orjson.loads(fields[METADATA])
            except orjson.JSONDecodeError:
                raise Invalid([_NOT_JSON]) from None
        if self._cleared:
            fields |= dict.fromkeys(self._cleared - fields.keys())
        return fields
