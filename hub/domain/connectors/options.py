"""A connector's own settings, read strictly from the texts that an operator types (`--option delivered_after_days=7`).

The options class is an attrs class whose every field has a default and one of the types of `KINDS`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import attrs

KINDS: Final = "str, int, bool, tuple[str, ...], a Literal of texts or an Enum of texts (each may also be None)"
_TRUTHS: Final = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}
_LONGEST: Final = 1_000
_DIGITS: Final = 9

Reader = Callable[[str], Any]


class OptionsFault(Exception):
    """Options that cannot be meant; `faults` has a sentence for each that says the mend."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


def read_options(options: type, given: Mapping[str, str]) -> Any:
    """Return an instance of an options class from texts by name; raise `OptionsFault` with everything that is wrong."""
    readers = {name: reader for name, reader in _readers(options) if reader is not None}
    values: dict[str, Any] = {}
    faults = []
    for name, text in given.items():
        if name not in readers:
            faults.append(_unknown(name, readers))
            continue
        try:
            values[name] = readers[name](text)
        except ValueError as fault:
            faults.append(f"The option {name} must be {fault}; {text[:80]!r} is not.")
    if faults:
        raise OptionsFault(faults)
    try:
        return options(**values)
    except (ValueError, TypeError) as fault:
        raise OptionsFault([f"The options do not go together: {fault}."]) from None


def split_options(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return options by name from `name=value` texts; raise `OptionsFault`. A dash in a name is an underscore."""
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise OptionsFault([f"{pair!r} is not an option; write it like name=value."])
        if name in given:
            raise OptionsFault([f"The option {name} is given twice."])
        given[name] = value.strip()
    return given


def options_flaws(options: object) -> Iterator[str]:
    """Yield what keeps a class from being an options class, each as "... a field without a default"."""
    if not isinstance(options, type) or not attrs.has(options):
        yield "options that are no attrs class"
        return
    for field in attrs.fields(options):
        if field.default is attrs.NOTHING:
            yield f"an option {field.name} without a default"
    try:
        kinds = list(_readers(options))
    except (NameError, TypeError) as fault:
        yield f"options whose types cannot be read ({fault})"
        return
    for name, reader in kinds:
        if reader is None:
            yield f"an option {name} of a type that no text can be read as: it may be {KINDS}"


def _readers(options: type) -> Iterator[tuple[str, Reader | None]]:
    hints = get_type_hints(options)
    for field in attrs.fields(options):
        if field.init:
            yield field.alias or field.name, _reader(hints.get(field.name, str))


def _reader(kind: Any) -> Reader | None:
    if get_origin(kind) in (Union, UnionType):
        inner = [part for part in get_args(kind) if part is not NoneType]
        return _reader(inner[0]) if len(inner) == 1 else None
    if get_origin(kind) is Literal:
        return _one_of({str(value): value for value in get_args(kind)})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _one_of({str(member.value): member for member in kind})
    if get_origin(kind) is tuple and get_args(kind) == (str, ...):
        return _texts
    simple: dict[Any, Reader] = {str: _text, int: _number, bool: _truth}
    return simple.get(kind)


def _text(text: str) -> str:
    if len(text) > _LONGEST or not text.isprintable():
        raise ValueError(f"at most {_LONGEST:,} printable characters")
    return text


def _texts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _text(text).split(",") if part.strip())


def _number(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise ValueError(f"a whole number of at most {_DIGITS} digits")
    return int(text)


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTHS:
        raise ValueError("true or false")
    return _TRUTHS[text.lower()]


def _one_of(words: Mapping[str, Any]) -> Reader:
    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return words[text]

    return read


def _unknown(name: str, readers: Mapping[str, Reader]) -> str:
    near = difflib.get_close_matches(name, readers, n=1)
    if near:
        return f"There is no option {name!r}. Did you mean {near[0]}?"
    known = f"It has: {', '.join(readers)}." if readers else "It has no options."
    return f"The connector has no option {name!r}. {known}"
