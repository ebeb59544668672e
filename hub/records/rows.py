"""How a record is made: of a row that has a column for each member, or of a stored object that has an attribute."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

import attrs
import orjson

from hub.records.record import members_of
from hub.storage import Row

T = TypeVar("T")


def read_row(cls: type[T], row: Row, **given: Any) -> T:
    """Return the record of a row that has a column for each member, but for those that are `given`.

    Flags are read from 0 and 1, tuples from JSON. Raise LookupError if the query returns no column for a member.
    """
    kind: type = cls
    try:
        read = {name: reader(row[name]) for name, reader in _readers(kind) if name not in given}
    except (KeyError, IndexError):
        missing = sorted({name for name, _ in _readers(kind)} - given.keys() - set(row.keys()))
        raise LookupError(f"The query returns no column for {', '.join(missing)} of {cls.__name__}.") from None
    return cls(**read, **given)


def shared_values(cls: type, source: object) -> dict[str, Any]:
    """Return the values of an object's attributes that a class has too, by name."""
    return {each.name: getattr(source, each.name) for each in attrs.fields(cls) if hasattr(source, each.name)}


@cache
def _readers(cls: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple((member.name, _reader(member.hint)) for member in members_of(cls))


def _reader(hint: Any) -> Callable[[Any], Any]:
    plain = _plain_types(hint)
    if bool in plain:
        return lambda value: None if value is None else bool(value)
    if tuple in plain:
        return lambda value: None if value is None else tuple(orjson.loads(value))
    if dict in plain:
        return lambda value: None if value is None else orjson.loads(value)
    return lambda value: value


def _plain_types(hint: Any) -> set[Any]:
    """Return the types of an annotation without what is annotated beside them: bool and None of `Flagged | None`."""
    origin = get_origin(hint)
    if hasattr(hint, "__metadata__"):
        return _plain_types(hint.__origin__)
    if origin in (tuple, dict, list):
        return {origin}
    parts = get_args(hint)
    return {plain for part in parts for plain in _plain_types(part)} if parts else {hint}
