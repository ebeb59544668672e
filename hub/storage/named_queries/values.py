"""Checks of the values that both databases can hold, and the JSON text of a batch."""

from __future__ import annotations

import json
from collections.abc import Sequence

import orjson

from hub.storage.errors import BadValue, QueryFault

Columns = tuple[tuple[str, str], ...]
"""Name and type ("text" or "bigint") of each column of a batch."""

# One database would take dates and dataclasses as text, the other would refuse them.
_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
_ESCAPED_NUL = b"\\u0000"
_HIGHEST = 2**63 - 1
_LOWEST = -(2**63)
_WIDEST_PLAIN_ROW = 5  # a row of more columns has to be a named tuple
_WHOLE_NUMBERS = frozenset({int, type(None)})


def check_scalar(name: str, value: object) -> None:
    """Raise BadValue unless `value` is a text without NUL, a 64-bit integer, a float or None."""
    if isinstance(value, str):
        if "\x00" in value or not value.isascii():  # most texts are plain ASCII and spare the call
            _check_text(name, value)
    elif isinstance(value, int):
        if not _LOWEST <= value <= _HIGHEST:
            raise BadValue(f"`{name}` is {value}, which does not fit into 64 bits.")
    elif value is not None and not isinstance(value, float):
        raise BadValue(f"`{name}` is a {type(value).__name__}; the store takes texts, integers, floats and None.")


def encode_batch(name: str, batch: Sequence[object]) -> bytes:
    """Return the batch as one JSON array; raise BadValue for a value that the database cannot hold."""
    try:
        encoded = orjson.dumps(batch, option=_OPTIONS)
    except TypeError as error:  # orjson's JSONEncodeError is a TypeError
        raise BadValue(f"`{name}` holds a value that the store cannot take: {error}.") from error
    if _ESCAPED_NUL in encoded and "\x00" in _texts(encoded):
        raise BadValue(f"`{name}` holds a text with a NUL character.")
    return encoded


def check_columns(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless a "text" column has texts and a "bigint" column whole numbers, or None.

    All texts are checked joined, which takes a fraction of the time of checking each.
    """
    texts: list[str] = []
    for (column, kind), values in zip(columns, zip(*rows, strict=True), strict=False):
        if kind != "text":
            if not _WHOLE_NUMBERS.issuperset(map(type, values)):
                raise BadValue(f"`{name}` has a value in {column} that is not a whole number.")
            continue
        try:
            texts.append("".join(filter(None, values)))
        except TypeError as error:
            raise BadValue(f"`{name}` has a value in {column} that is not a text: {error}.") from error
    _check_text(name, "".join(texts), "holds")


def check_rows(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless every row has as many values as the query has columns, QueryFault if their names differ.

    A row is a tuple in the order of the columns. One with more than five columns must be a named tuple with the same
    names, so that no two of them can be swapped unnoticed.
    """
    if not rows:
        return
    if set(map(len, rows)) != {len(columns)}:
        raise BadValue(f"`{name}` holds a row with another number of columns than the {len(columns)} of its query.")
    names = tuple(column for column, _ in columns)
    fields = getattr(rows[0], "_fields", None if len(columns) > _WIDEST_PLAIN_ROW else names)
    if fields != names:
        raise QueryFault(f"The rows of `{name}` must be named tuples of the columns {list(names)}.")


def _check_text(name: str, text: str, verb: str = "is") -> None:
    if "\x00" in text:
        raise BadValue(f"`{name}` {verb} a text with a NUL character.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise BadValue(f"`{name}` {verb} a text with half a surrogate pair.") from error


def _texts(encoded: bytes) -> str:
    """Return all texts of the batch joined: what looks like an escaped NUL may be a backslash that was typed."""
    texts: list[str] = []
    unread = [json.loads(encoded)]
    while unread:
        value = unread.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            unread.extend(value)
    return "".join(texts)
