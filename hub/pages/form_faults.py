"""What is wrong with a form, in the words of its page and at the field that it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

NO_FAULTS: Final[Mapping[str, str]] = MappingProxyType({})
"""The faults of a form that is shown for the first time."""
NAMED: Final = re.compile(r"^`([a-z]+(?:[A-Z][a-z]*)*)` ")
"""The name of a field of the API, with which the sentences of the API begin."""

WORDS: Final = {
    "defaultCommissionValue": "The rate",
    "defaultCommissionType": "The kind of rate",
    "cookieDurationDays": "The attribution window",
    "allowedTrafficSources": "The allowed traffic",
}
"""What the pages call fields that the API names otherwise."""

ANOTHER: Final = re.compile(r"(?<= after )[a-z]+(?:[A-Z][a-z]+)+$")
"""The name of another field of the API, at the end of a sentence that compares two."""

NOTHING: Final = (
    (re.compile(r"^'' is not (an? [^;]+); write it (?:bare, )?(like .+)$"), r"Type \1, \2"),
    (re.compile(r"^(An? [^;]+) has 1 to [\d,]+ (?:printable )?characters; (?:'' (?:has 0|does not)|this one has 0)\.$"),
     r"\1 is needed here."),
)  # fmt: skip
"""Sentences about a field in which nothing was typed, and how a page says it."""

COMMAND: Final = re.compile(r"`hub [^`]+`[^.]*\.")
"""A sentence that leads to a command, of which a page has no need."""


def worded(faults: Mapping[str, str], form: Mapping[str, str]) -> dict[str, str]:
    """Return faults as a page says them: a fault of no field belongs to the one whose value it quotes.

    The sentences are those of the API and of the commands, which name fields as JSON does: here they begin with the
    name as words, and nobody is asked for a string.
    """
    return {name or _quoted(sentence, form): _plain(sentence) for name, sentence in faults.items()}


def left_empty(form: Mapping[str, str], *names: str) -> str:
    """Return the first of these fields that a form has and that was left empty, "" if none was."""
    return next((name for name in names if not form.get(name, "-").strip()), "")


def _quoted(sentence: str, form: Mapping[str, str]) -> str:
    """Return the field of the form whose value stands in single quotes in the sentence, "" if none or several do."""
    found = [name for name, value in form.items() if value and f"'{value}'" in sentence]
    return found[0] if len(found) == 1 else ""


def _plain(sentence: str) -> str:
    def words(found: re.Match[str]) -> str:
        if found[1] in WORDS:
            return f"{WORDS[found[1]]} "
        return f"The {_spaced(found[1])} ".replace(" url ", " URL ")

    plain = ANOTHER.sub(lambda found: f"the {_spaced(found[0])}", NAMED.sub(words, sentence)).replace(
        " as a string such as ", " such as "
    )
    for of_nothing, said in NOTHING:
        plain = of_nothing.sub(said, plain)
    return COMMAND.sub("", plain).strip() or plain


def _spaced(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", name)
