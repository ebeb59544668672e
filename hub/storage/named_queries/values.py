"""Values on their way into the database: what both databases can hold, and the JSON form of a whole batch."""

from __future__ import annotations

import json
from collections.abc import Sequence

import orjson

from hub.storage.errors import BadValue, QueryFault

Scalar = str | int | float | None
Columns = tuple[tuple[str, str], ...]
"""Name and type ("text" or "bigint") of each column of a batch."""

# Dates and dataclasses would be written as text on one database and refused by the other.
_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
_ESCAPED_NUL = b"\\u0000"
_HIGHEST = 2**63 - 1
_LOWEST = -(2**63)
_WIDEST_PLAIN_ROW = 5
_WHOLE_NUMBERS = frozenset({int, type(None)})


def check_scalar(name: str, value: object) -> None:
    """Raise BadValue unless `value` is a text, a 64-bit integer, a float or None."""
    if isinstance(value, str):
        if "\x00" in value or not value.isascii():  # most are neither, and each call counts
            _check_text(name, value)
    elif isinstance(value, int):
        if not _LOWEST <= value <= _HIGHEST:
            raise BadValue(f"`{name}` is {value}, which does not fit into 64 bits.")
    elif value is not None and not isinstance(value, float):
        raise BadValue(f"`{name}` is a {type(value).__name__}; the store takes texts, integers, floats and None.")


def encode_batch(name: str, batch: Sequence[object]) -> bytes:
    """Return the batch as one JSON array; raise BadValue for what the database cannot hold."""
    try:
        encoded = orjson.dumps(batch, option=_OPTIONS)
    except TypeError as error:  # orjson's JSONEncodeError is a TypeError
        raise BadValue(f"`{name}` holds a value that the store cannot take: {error}.") from error
    if _ESCAPED_NUL in encoded and "\x00" in _texts(encoded):
        raise BadValue(f"`{name}` holds a text with a NUL character.")
    return encoded


def check_columns(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless each column holds what its type says, or None: a "text" texts, a "bigint" whole numbers.

    The texts of a column are looked at as one, which takes a fraction of what each of them for itself would.
    """
    for (column, kind), values in zip(columns, zip(*rows, strict=True), strict=False):
        if kind != "text":
            if not _WHOLE_NUMBERS.issuperset(map(type, values)):
                raise BadValue(f"`{name}` holds something else than a whole number as {column}.")
            continue
        try:
            texts = "".join(filter(None, values))
        except TypeError as error:
            raise BadValue(f"`{name}` holds something else than a text as {column}: {error}.") from error
        _check_text(name, texts, "holds")


def check_rows(name: str, rows: Sequence[Sequence[object]], columns: Columns) -> None:
    """Raise BadValue unless every row has the query's columns, QueryFault if the rows do not name them as it does.

    A row is a tuple in the order of the columns. One of more than a few columns must be a named tuple, so that no two
    of them can change places unnoticed.
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
    """Return all texts of the batch joined: an escape found in the JSON may be a backslash that somebody wrote."""
    found: list[str] = []
    waiting = [json.loads(encoded)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            waiting.extend(value)
    return "".join(found)
