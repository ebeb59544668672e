"""Records of fixed columns, as files for banks have them: each field at its place, filled up with blanks or zeros."""

from __future__ import annotations


def words(text: str, width: int) -> str:
    """Return a text at the left of a field; raise ValueError if it has no room."""
    if len(text) > width:
        raise ValueError(f"{text!r} has no room in {width} characters")
    return text.ljust(width)


def number(value: int, width: int) -> str:
    """Return a number at the right of a field, with zeros before it; raise ValueError if it has no room."""
    digits = str(value)
    if value < 0 or len(digits) > width:
        raise ValueError(f"{value} has no room in {width} digits")
    return digits.zfill(width)


def record(width: int, *fields: str) -> str:
    """Return the fields as one record; raise ValueError if they are not exactly as many characters."""
    line = "".join(fields)
    if len(line) != width:
        raise ValueError(f"the record {line!r} has {len(line)} characters for {width}")
    return line
