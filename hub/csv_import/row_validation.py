"""Rows of cells as the objects that the API takes, judged by the API's own validation."""

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
class JudgedRow:
    """A row that was read: its number, its line in the file, and what enters the store or every fault."""

    number: int
    line: int
    id: str
    entry: Any
    faults: tuple[str, ...] = ()


class RowJudge:
    """Judges the rows of one file; `enter` makes of a valid input and its JSON text what enters the store."""

    def __init__(self, kind: Kind, layout: Layout, merchant: MerchantTerms, enter: Callable[[Any, str], Any]) -> None:
        self._enter = enter
        self._cls = kind.cls
        self._columns = layout.columns
        self._merchant = merchant
        self._rule: CrossFieldRule | None = check_product_change if kind.cls is ProductRow else RULES.get(kind.cls)
        self._id_place = layout.columns.index(kind.id_column)
        self._has_metadata = METADATA in layout.columns
        clearing = kind.cls is ProductRow
        self._cleared = {f.wire for f in fields_of(kind.cls) if f.nullable and clearing} & set(layout.columns)

    def judge(self, chunk: Chunk, first: int) -> Iterator[JudgedRow]:
        """The rows of a chunk in the order of the file; the first has the number `first`.

        Rows whose cells are all empty, which spreadsheets leave at the end of a table, are no rows.
        """
        read: list[tuple[int, list[str] | str]] = [
            (line, row) for line, row in zip(chunk.lines, chunk.rows, strict=True) if any(row)
        ]
        if chunk.faults:
            read = sorted([*read, *chunk.faults], key=lambda row: row[0])
        for number, (line, row) in enumerate(read, first):
            yield JudgedRow(number, line, "", None, (row,)) if isinstance(row, str) else self._row(number, line, row)

    def _row(self, number: int, line: int, cells: Sequence[str]) -> JudgedRow:
        identity = cells[self._id_place]
        try:
            raw = orjson.dumps(self._object(cells))
            value: Any = read_input(self._cls, read_object(raw), self._merchant, self._rule).value
        except Invalid as invalid:
            return JudgedRow(number, line, identity[:LONGEST_ECHO], None, tuple(invalid.faults))
        return JudgedRow(number, line, identity, self._enter(value, raw.decode()))

    def _object(self, cells: Sequence[str]) -> dict[str, Any]:
        """An empty cell is a field that is not there; in a product's row it clears the field, where it may."""
        given: dict[str, Any] = {
            column: cell for column, cell in zip(self._columns, cells, strict=True) if cell and column is not None
        }
        if self._has_metadata and METADATA in given:
            try:
                given[METADATA] = orjson.loads(given[METADATA])
            except orjson.JSONDecodeError:
                raise Invalid([_NOT_JSON]) from None
        if self._cleared:
            given |= dict.fromkeys(self._cleared - given.keys())
        return given
