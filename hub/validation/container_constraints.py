"""The constraint records of fields that hold other values: arrays of strings and free-form objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from attrs import field, frozen

from hub.validation.constraints import LARGEST_NUMBER, Fault, Schema, Text, labels


@frozen
class ListOf:
    """An array of up to `max` values of one constraint."""

    item: Text
    max: int
    description: str = ""
    example: tuple[str, ...] = ()

    def read(self, value: Any) -> tuple[Any, ...]:
        """Return the items as a tuple; every bad one is named by its position."""
        if type(value) is not list:
            raise Fault("must be an array")
        if len(value) > self.max:
            raise Fault(f"must hold at most {self.max:,} items")
        try:
            return tuple(map(self.item.read, value))
        except Fault:
            raise Fault("holds bad items", *_item_faults(self.item, value)) from None

    def schema(self) -> Schema:
        """Return an array with its largest length."""
        return {"type": "array", "items": self.item.schema(), "maxItems": self.max, **labels(self)}


@frozen
class Records:
    """An array of up to `max` records of an input class, each of which is judged alone."""

    record: type
    max: int
    description: str = ""
    example: tuple[str, ...] = ()

    def read(self, value: Any) -> list[Any]:
        """Return the raw array."""
        if type(value) is not list:
            raise Fault("must be an array")
        if len(value) > self.max:
            raise Fault(f"must hold at most {self.max:,} items")
        return value

    def schema(self) -> Schema:
        """Return an array of references to the record's schema among the document's components."""
        items = {"$ref": f"#/components/schemas/{self.record.__name__}"}
        return {"type": "array", "items": items, "maxItems": self.max, **labels(self)}


@frozen
class FreeObject:
    """A JSON object of any content whose compact form is at most `max_bytes` long."""

    max_bytes: int
    description: str = ""
    example: Mapping[str, Any] = field(factory=dict, eq=False)

    def read(self, value: Any) -> dict[str, Any]:
        """Return the object itself; refuse numbers that are too large to be kept exactly."""
        if value == []:
            raise Fault("must be a JSON object, {} if it is empty: in PHP (object) []")
        if type(value) is not dict:
            raise Fault("must be a JSON object")
        try:
            size = len(orjson.dumps(value))
        except TypeError:
            raise Fault("must hold plain JSON values only") from None
        if size > self.max_bytes:
            raise Fault(f"must be at most {self.max_bytes:,} bytes of JSON")
        if _hold_too_large(value.values()):
            raise Fault("must not hold a number of 2^63 or beyond: send it as a string")
        return value

    def schema(self) -> Schema:
        """Return an object without known properties."""
        return {"type": "object", "additionalProperties": True, **labels(self)}


def _item_faults(item: Text, values: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for place, value in enumerate(values):
        try:
            item.read(value)
        except Fault as fault:
            yield f"[{place}]", str(fault)


def _hold_too_large(values: Iterable[Any]) -> bool:
    for value in values:
        kind = type(value)
        if kind is int or kind is float:
            if not -LARGEST_NUMBER < value < LARGEST_NUMBER:  # NaN fails this comparison, too
                return True
        elif (kind is dict and _hold_too_large(value.values())) or (kind is list and _hold_too_large(value)):
            return True
    return False
