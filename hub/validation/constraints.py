"""The constraint records of the v1 field types: each reads one JSON value and describes itself for OpenAPI."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Protocol

from attrs import frozen

from hub.domain.instants import parse_instant
from hub.domain.money import CURRENCIES

Schema = dict[str, Any]

#: The widest money text of any currency; the digits after the point are checked once the currency is known.
MONEY_PATTERN = r"^[0-9]{1,12}(\.[0-9]{1,4})?$"
CURRENCY_PATTERN = r"^[A-Z]{3}$"
#: Integers beyond this lose digits in some parser or database.
LARGEST_NUMBER = 2**63

_MONEY = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,4})?").fullmatch
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
).fullmatch
_NOT_AN_INSTANT = "must be an RFC 3339 date-time with an offset, such as 2026-11-20T10:00:00Z"


class Fault(Exception):
    """What is wrong with a value: (path below the field, text that completes "`path` ...") for each fault in it."""

    def __init__(self, text: str, *more: tuple[str, str]) -> None:
        super().__init__(text)
        self.problems: tuple[tuple[str, str], ...] = more or (("", text),)


class Constraint(Protocol):
    """What a field type promises: `read` gives the typed value or raises `Fault`, `schema` describes it to OpenAPI."""

    def read(self, value: Any) -> Any:
        """Return the value, checked and converted; raise `Fault`."""
        ...

    def schema(self) -> Schema:
        """Return the OpenAPI schema object: the same rules that `read` enforces."""
        ...


@frozen
class Text:
    """A string of `min` to `max` characters; if `min` is not 0, white space alone counts as empty.

    `blank_is_absent` reads an empty string as None, for fields that shops send empty if they have no value.
    """

    max: int
    min: int = 0
    blank_is_absent: bool = False
    description: str = ""
    example: str = ""

    def read(self, value: Any) -> str | None:
        """Return the string itself."""
        if type(value) is not str:
            raise Fault("must be a string")
        if len(value) > self.max:
            raise Fault(f"must be at most {self.max:,} characters long")
        if self.min and (len(value) < self.min or value.isspace()):
            raise Fault("must not be empty")
        return value if value or not self.blank_is_absent else None

    def schema(self) -> Schema:
        """Type and lengths."""
        lengths: Schema = {"minLength": self.min} if self.min else {}
        return {"type": "string", **lengths, "maxLength": self.max, **labels(self)}


@frozen
class Url:
    """An http or https address as text; what hosts it may name is a matter of the merchant and is checked with it."""

    max: int = 2_048
    description: str = ""
    example: str = ""

    def read(self, value: Any) -> str:
        """Return the text itself."""
        if type(value) is not str:
            raise Fault("must be a string")
        if len(value) > self.max:
            raise Fault(f"must be at most {self.max:,} characters long")
        if not value:
            raise Fault("must not be empty")
        return value

    def schema(self) -> Schema:
        """Return a URI with its largest length."""
        return {"type": "string", "format": "uri", "minLength": 1, "maxLength": self.max, **labels(self)}


@frozen
class Choice:
    """One of a list of words, spelt exactly so."""

    words: tuple[str, ...]
    description: str = ""
    example: str = ""

    def read(self, value: Any) -> str:
        """Return the word itself."""
        if type(value) is str and value in self.words:
            return value
        raise Fault(f"must be one of {', '.join(self.words)}")

    def schema(self) -> Schema:
        """Return an enumeration."""
        return {"type": "string", "enum": list(self.words), **labels(self)}


@frozen
class Money:
    """An amount in major units as a decimal string; the digits after the point are held against the currency later."""

    description: str = ""
    example: str = ""

    def read(self, value: Any) -> str:
        """Return the text itself."""
        if type(value) is str and _MONEY(value):
            return value
        if type(value) in (int, float):
            raise Fault('must be money as a string such as "49.90", not a number')
        raise Fault('must be money as a string such as "49.90": 1 to 12 digits, then a point and decimals where needed')

    def schema(self) -> Schema:
        """Return the widest pattern; the currency may allow fewer decimals."""
        return {"type": "string", "pattern": MONEY_PATTERN, **labels(self)}


@frozen
class DecimalText:
    """A commission value: a percentage or money, which only the commission type beside it can tell."""

    description: str = ""
    example: str = ""

    def read(self, value: Any) -> str:
        """Return the text itself."""
        if type(value) is str and _MONEY(value):
            return value
        raise Fault('must be a decimal number as a string such as "8" or "2.50"')

    def schema(self) -> Schema:
        """Return the wider pattern of the two readings."""
        return {"type": "string", "pattern": MONEY_PATTERN, **labels(self)}


@frozen
class Currency:
    """An ISO 4217 currency code in upper case."""

    description: str = ""
    example: str = "USD"

    def read(self, value: Any) -> str:
        """Return the code itself."""
        if type(value) is str and value in CURRENCIES:
            return value
        raise Fault("must be an ISO 4217 currency code in upper case, such as USD")

    def schema(self) -> Schema:
        """Three capital letters; not every combination is a currency."""
        return {"type": "string", "pattern": CURRENCY_PATTERN, **labels(self)}


@lru_cache(maxsize=4_096)
def _milliseconds(text: str) -> int:
    """Read an instant; cached, because the orders of one second state the same one."""
    if not _INSTANT(text):
        raise Fault(_NOT_AN_INSTANT)
    try:
        milliseconds = parse_instant(text)
    except ValueError:
        raise Fault("must be a date and time that exists") from None
    if milliseconds < 0:
        raise Fault("must not lie before 1970")
    return milliseconds


@frozen
class Instant:
    """An RFC 3339 date-time with an offset, from 1970 on, read as integer milliseconds UTC."""

    description: str = ""
    example: str = "2026-11-20T10:00:00Z"

    def read(self, value: Any) -> int:
        """Milliseconds since 1970 in UTC."""
        if type(value) is str:
            return _milliseconds(value)
        raise Fault(_NOT_AN_INSTANT)

    def schema(self) -> Schema:
        """Return a date-time string."""
        return {"type": "string", "format": "date-time", **labels(self)}


@frozen
class Whole:
    """A whole number from `min` to `max`, written without a fraction."""

    min: int
    max: int
    description: str = ""
    example: int = 1

    def read(self, value: Any) -> int:
        """Return the number itself; true and false are not numbers."""
        if type(value) is int and self.min <= value <= self.max:
            return value
        raise Fault(f"must be a whole number from {self.min} to {self.max}")

    def schema(self) -> Schema:
        """Return an integer with its bounds."""
        return {"type": "integer", "minimum": self.min, "maximum": self.max, **labels(self)}


@frozen
class Flag:
    """True or false."""

    description: str = ""
    example: bool = False

    def read(self, value: Any) -> bool:
        """Return the boolean itself; 0, 1 and "true" are not booleans."""
        if value is True or value is False:
            return value
        raise Fault("must be true or false")

    def schema(self) -> Schema:
        """Return a boolean."""
        return {"type": "boolean", **labels(self)}


def labels(constraint: Any) -> Schema:
    """Return the description and example of a constraint record, if it has them."""
    said: Schema = {"description": constraint.description} if constraint.description else {}
    example = constraint.example
    if example not in ("", (), {}):
        said["example"] = list(example) if isinstance(example, tuple) else example
    return said
