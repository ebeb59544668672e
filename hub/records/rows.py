"""How a record is made: of a row that has a column for each member, or of a stored object that has an attribute."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import repeat
from typing import Any, Final, TypeVar, get_args, get_origin

import attrs
import orjson

from hub.records.record import members_of
from hub.storage import Row

T = TypeVar("T")

_SHARED: Final[dict[tuple[type, type], tuple[str, ...]]] = {}
"""The names of the attributes that a class shares with another, as they are found."""


def read_row(cls: type[T], row: Row, **given: Any) -> T:
    """Return the record of a row that has a column for each member, but for those that are `given`.

    Flags are read from 0 and 1, tuples from JSON. Raise LookupError if the query returns no column for a member.
    """
    kind: type = cls
    names, readers = _columns(kind, tuple(given))
    try:
        read = dict(zip(names, map(row.__getitem__, names), strict=True))
    except (KeyError, IndexError):
        missing = sorted(set(names) - set(row.keys()))
        raise LookupError(f"The query returns no column for {', '.join(missing)} of {cls.__name__}.") from None
    for name, reader in readers:
        if read[name] is not None:
            read[name] = reader(read[name])
    return cls(**read, **given)


def shared_values(cls: type, source: object) -> dict[str, Any]:
    """Return the values of an object's attributes that a class has too, by name."""
    kinds = cls, type(source)  # every object of a class has the same attributes
    names = _SHARED.get(kinds)
    if names is None:
        names = _SHARED[kinds] = tuple(each.name for each in attrs.fields(cls) if hasattr(source, each.name))
    return dict(zip(names, map(getattr, repeat(source), names), strict=True))


@cache
def _columns(cls: type, given: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[tuple[str, Callable[[Any], Any]], ...]]:
    """Return the members that a row has, and those of them that are not as the column has them, with their readers."""
    members = [member for member in members_of(cls) if member.name not in given]
    readers = [(member.name, _reader(member.hint)) for member in members]
    return tuple(each.name for each in members), tuple((name, reader) for name, reader in readers if reader is not None)


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    plain = _plain_types(hint)
    if bool in plain:
        return bool
    if tuple in plain:
        return lambda text: tuple(orjson.loads(text))
    return orjson.loads if dict in plain else None


def _plain_types(hint: Any) -> set[Any]:
    """Return the types of an annotation without what is annotated beside them: bool and None of `Flagged | None`."""
    origin = get_origin(hint)
    if hasattr(hint, "__metadata__"):
        return _plain_types(hint.__origin__)
    if origin in (tuple, dict, list):
        return {origin}
    parts = get_args(hint)
    return {plain for part in parts for plain in _plain_types(part)} if parts else {hint}
