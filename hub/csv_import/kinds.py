"""The three kinds of CSV file, each with the input class of its endpoint; its columns are that class's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from hub.validation.input_reader import fields_of
from hub.validation.inputs import ConversionInput, OrderStatusInput, ProductRow


@frozen
class Kind:
    """A kind of file: its input class, and the column that identifies a row in the verdict file."""

    name: str
    cls: type
    id_column: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Every known column, by its name in the API."""
        return tuple(field.wire for field in fields_of(self.cls))

    @property
    def required(self) -> frozenset[str]:
        """The columns that every row must fill."""
        return frozenset(field.wire for field in fields_of(self.cls) if field.required)


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("products", ProductRow, "externalProductId"),
        Kind("orders", ConversionInput, "externalOrderId"),
        Kind("statuses", OrderStatusInput, "externalOrderId"),
    )
}
