"""The values that acts take: what each means, what it may be and an example."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from hub.acts.call import MOST_ENTRIES
from hub.domain.words import MODES
from hub.validation.constraints import Choice, Constraint, Flag, Instant, Text, Whole
from hub.validation.container_constraints import FreeObject, ListOf
from hub.validation.input_reader import texts_of


@frozen
class Field:
    """A member of a body or a parameter of a query."""

    constraint: Constraint
    required: bool = False


Fields = Mapping[str, Field]
"""Members by their names on the wire; the operation gets them in snake_case, those that were given."""


def text(about: str, example: str, longest: int = 255) -> Field:
    """Return a member that may be given as text."""
    return Field(Text(longest, min=1, description=about, example=example))


def choice(about: str, *words: str) -> Field:
    """Return a member that is one of some words, if it is given."""
    return Field(Choice(words, description=about, example=words[0]))


def flag(about: str) -> Field:
    """Return a member that is true or false, if it is given."""
    return Field(Flag(description=about, example=True))


def number(about: str, least: int, most: int) -> Field:
    """Return a member that is a whole number, if it is given."""
    return Field(Whole(least, most, description=about, example=least))


def instant(about: str) -> Field:
    """Return a member that is a moment, if it is given."""
    return Field(Instant(description=about))


def texts(about: str, *examples: str) -> Field:
    """Return a member that is a list of texts, if it is given."""
    return Field(ListOf(Text(255, min=1), 200, description=about, example=examples))


def free(about: str, example: Mapping[str, Any]) -> Field:
    """Return a member that is an object of any content, if it is given."""
    return Field(FreeObject(65_536, description=about, example=example))


def texts_as_fields(cls: type) -> Fields:
    """Return a member for each text of an input class; none of them must be given."""
    return {each.wire: Field(each.constraint) for each in texts_of(cls)}


def needed(member: Field) -> Field:
    """Return the same member as one that must be given."""
    return Field(member.constraint, required=True)


def snake(name: str) -> str:
    """Return the name of a member as operations have it: expiresIn is expires_in."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


MODE: Final = choice("The mode of the account.", *MODES)
CURRENCY: Final = text("ISO 4217.", "EUR", 3)
PAGED: Final[Fields] = {
    "limit": number("Entries per page.", 1, MOST_ENTRIES),
    "cursor": text("The `nextCursor` of the page before.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
}
OF_MERCHANT: Final = text("Of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84")
OF_AFFILIATE: Final = text("Of this affiliate.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")
OF_CAMPAIGN: Final = text("Of this campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f")
RULE: Final = text("A rule like PERCENTAGE:8 or FIXED:5.00.", "PERCENTAGE:8")
HOLD: Final = text("How long commissions wait, like 14d.", "14d")
REASON: Final = text("Why, for the other side to read.", "The domain is not theirs.", 1_000)
REFERENCE: Final = text("The reference of the payment.", "SEPA-2026-11")
OVERLAP: Final = text("How long the old secret still works, like 24h.", "24h")
