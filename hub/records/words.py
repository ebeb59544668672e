"""What a surface shows, or asks for, without words of its own: the texts that it did not name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from hub.records.record import members_of, metadata_of
from hub.validation.constraints import Text
from hub.validation.container_constraints import ListOf
from hub.validation.input_reader import texts_of

OF_JSON: Final = "; empty for nothing."
"""The end of a note that tells a program how to leave a text out; a form says that it is optional."""


def texts_said(record: Any, *shown: str) -> Iterator[tuple[str, str]]:
    """Yield the name in words and the value of each text of a record that is not empty and not among those `shown`.

    A page or a command that ends with these shows a text that is added to the record without a line of its own.
    """
    for member in members_of(type(record)):
        value = getattr(record, member.name)
        typed = any(isinstance(each, (Text, ListOf)) for each in metadata_of(member.hint))
        if typed and value and member.name not in shown:
            yield words_of(member.name), value if isinstance(value, str) else ", ".join(value)


def texts_asked(cls: type, *by_hand: str) -> list[tuple[str, str, str]]:
    """Return the name, the label and the hint of each text of an input class for which a form has no words of its own.

    A form that ends with these asks for a text that is added to the class without a line of its own.
    """
    return [
        (each.wire, words_of(each.name).capitalize(), each.constraint.schema()["description"].replace(OF_JSON, "."))
        for each in texts_of(cls)
        if each.wire not in by_hand
    ]


def texts_written(cls: type, record: object) -> dict[str, str]:
    """Return what a form of these texts is filled with, from a record that has them."""
    return {each.wire: getattr(record, each.name) or "" for each in texts_of(cls)}


def texts_typed(cls: type, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the texts of an input class as they were typed into a form; None for one that it did not ask for."""
    return {each.name: form.get(each.wire) for each in texts_of(cls)}


def text_at_fault(texts: Iterable[tuple[str, str, str]], sentence: str) -> str | None:
    """Return which of the texts that `texts_asked` returned a fault is about, as operations word it; None: of none."""
    return next((name for name, label, _ in texts if sentence.startswith(f"The {label.lower()} ")), None)


def words_of(name: str) -> str:
    """Return an attribute's name in words: "terms and conditions"."""
    return name.replace("_", " ")
