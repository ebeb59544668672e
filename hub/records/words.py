"""What a surface shows of a record without words of its own: the texts that somebody wrote and that it did not name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hub.records.record import members_of, metadata_of
from hub.validation.constraints import Text
from hub.validation.container_constraints import ListOf


def texts_said(record: Any, *shown: str) -> Iterator[tuple[str, str]]:
    """Yield the name in words and the value of each text of a record that is not empty and not among those `shown`.

    A page or a command that ends with these shows a text that is added to the record without a line of its own.
    """
    for member in members_of(type(record)):
        value = getattr(record, member.name)
        typed = any(isinstance(each, (Text, ListOf)) for each in metadata_of(member.hint))
        if typed and value and member.name not in shown:
            yield words_of(member.name), value if isinstance(value, str) else ", ".join(value)


def words_of(name: str) -> str:
    """Return an attribute's name in words: "terms and conditions"."""
    return name.replace("_", " ")
