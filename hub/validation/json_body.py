"""From the bytes of a request to a JSON object that the store can keep, or to every reason why not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import orjson

DEEPEST = 32
MOST_VALUES = 50_000
"""The most values a body may hold, objects and arrays among them, unless its endpoint takes thousands of records."""
MOST_FAULTS = 100
_LONGEST_NAME = 64
_DEPTH_FAULT = f"The body must not nest objects and arrays more than {DEEPEST} deep"
_BACKSLASH, _BRACKET, _BRACE = b"\\[{"
_NUL_ESCAPE = b"\\u0000"
_escapes_nul = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000").search
_SURROGATE = re.compile("[\ud800-\udfff]").search


class Invalid(Exception):
    """The body or query breaks rules; `faults` names every one as "`path` must ..."."""

    def __init__(self, faults: list[str]) -> None:
        shown = faults[:MOST_FAULTS]
        if len(faults) > MOST_FAULTS:
            shown.append(f"The body has more faults than these {MOST_FAULTS}")
        super().__init__("; ".join(shown))
        self.faults = shown


class Malformed(Invalid):
    """The body is not JSON at all."""


def read_object(raw: bytes, most_values: int = MOST_VALUES) -> dict[str, Any]:
    """Parse a body, of equal keys the last; raise `Malformed` if it is not JSON, `Invalid` if it cannot be kept.

    Raises MemoryError where there is none for it: the parser calls that a fault of the body, which it is not.
    How many values it holds is counted before it is parsed: a stranger's body must not occupy the event loop.
    """
    if len(raw) > most_values and _holds_more(raw, most_values):  # a value takes a byte
        raise Invalid([f"The body must not hold more than {most_values:,} values"])
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if str(error).startswith("depth limit"):
            raise Invalid([_DEPTH_FAULT]) from None
        if str(error).startswith("Not enough memory"):
            raise MemoryError(str(error)) from None
        raise Malformed([_complaint(raw, error)]) from None
    if type(body) is not dict:
        raise Invalid(["The body must be a JSON object"])
    # U+0000 gets into a string only by its escape, and each level takes a bracket: most bodies need no long walk.
    if _BACKSLASH in raw and _NUL_ESCAPE in raw and _escapes_nul(raw):
        check_content(body)
    elif (_BRACKET in raw or raw.count(_BRACE) > DEEPEST) and _too_deep(body, _opened(raw)):
        raise Invalid([_DEPTH_FAULT])
    return body


def check_content(body: dict[str, Any]) -> None:
    """Raise `Invalid` if a key or string anywhere in it has U+0000 or a lone surrogate, or it nests too deep."""
    faults: list[str] = []
    if _too_deep(body):
        faults.append(_DEPTH_FAULT)
    _inspect(body, [], faults)
    if faults:
        raise Invalid(faults)


def path_of(steps: Sequence[str | int]) -> str:
    """Return the path that a message names: ["products", 3, "price"] is products[3].price."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{shown_name(step)}" if path else shown_name(step)
    return path or "body"


def shown_name(name: str) -> str:
    """Return a field name from a stranger, fit for a message: printable and not too long."""
    plain = name if name.isprintable() and "`" not in name else ascii(name)[1:-1].replace("`", "\\x60")
    return plain if len(plain) <= _LONGEST_NAME else plain[:_LONGEST_NAME] + "..."


def _opened(raw: bytes) -> int:
    """Return how many arrays and objects the text of JSON opens, at most."""
    return raw.count(_BRACKET) + raw.count(_BRACE)


def _holds_more(raw: bytes, most: int) -> bool:
    """Return whether the text of JSON holds more values than `most`.

    Each value but the first follows a comma or opens an array or object. Counting bytes takes a thousandth of the time
    that parsing does; strings, which may hold commas too, are cut out only of a text that has too many.
    """
    if raw.count(b",") + _opened(raw) <= most:
        return False
    if b"\\" in raw:
        raw = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    if raw.count(b'"') > 4 * (most + 1):  # a value has at most a key and a string: more than two strings are too many
        return True
    bare = b"".join(raw.split(b'"')[::2])
    return bare.count(b",") + _opened(bare) > most


def _complaint(raw: bytes, error: orjson.JSONDecodeError) -> str:
    if not raw.strip():
        return "The body must be a JSON object, but it is empty"
    if raw.startswith(b"\xef\xbb\xbf"):
        return "The body must be JSON in UTF-8 without a byte order mark"
    try:
        raw.decode()
    except UnicodeDecodeError as fault:  # of this the parser says neither what it is nor where
        return f"The body must be JSON in UTF-8: byte {fault.start + 1} is not valid UTF-8"
    return f"The body must be JSON in UTF-8: {error.msg} at line {error.lineno}, column {error.colno}"


def _too_deep(body: Any, brackets: int | None = None) -> bool:
    """Whether it nests too deep; `brackets` is how many its text opens: more objects and arrays there cannot be."""
    level, seen = [body], 1
    for _ in range(DEEPEST):
        if seen == brackets:
            return False
        level = [
            inner
            for holder in level
            for inner in (holder.values() if type(holder) is dict else holder)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return False
        seen += len(level)
    return True


def _inspect(holder: Any, steps: list[str | int], faults: list[str]) -> None:
    """Walk what is within the allowed depth, and stop once a message cannot hold more faults."""
    for step, value in holder.items() if type(holder) is dict else enumerate(holder):
        if len(faults) > MOST_FAULTS:
            return
        steps.append(step)
        if type(step) is str and not _storable(step):
            faults.append(f"`{path_of(steps)}` must not hold U+0000 or half a surrogate pair in its name")
        if type(value) is str:
            if not _storable(value):
                faults.append(f"`{path_of(steps)}` must not hold U+0000 or half a surrogate pair")
        elif (type(value) is dict or type(value) is list) and len(steps) < DEEPEST:
            _inspect(value, steps, faults)
        steps.pop()


def _storable(text: str) -> bool:
    """Whether both databases can keep the text."""
    return "\0" not in text and (text.isascii() or not _SURROGATE(text))
