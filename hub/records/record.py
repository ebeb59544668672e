"""How a record is declared: an attrs class whose members carry their notes, and what a surface shows of it or of many.

A member's annotation says what it means: `Annotated[str, Note("The hub's id.")]`, or a field type of `hub.validation`,
whose constraint has a description and an example already. A record holds values as the hub computes with them
(moments in ms UTC); how they are written for others is `hub.records.wire`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getdoc
from types import GenericAlias
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import attrs
from attrs import field, frozen

from hub.validation.constraints import Instant, Url
from hub.validation.inputs import wire_name

ABSENT: Final = {"absent_when_none": True}
"""Metadata of a member that is left out rather than null."""
UNSAID: Final = object()
"""Stands for an example that nobody wrote."""


@frozen(eq=False)
class Note:
    """What a member means, with an example and the format of its text: "uri", "date"."""

    text: str
    example: Any = UNSAID
    format: str = ""


@frozen(eq=False)
class Sent:
    """The shape of a member that is stored and sent as it was decided: a record's class, or a list of one."""

    shape: Any


NO_NOTE: Final = Note("")


@frozen(eq=False)
class Member:
    """A member as a surface shows it; `optional` ones are left out if they are None."""

    name: str
    wire: str
    hint: Any
    note: Note
    optional: bool


@frozen(eq=False)
class Pick:
    """What a surface shows of a record, under the name and with the sentence of its OpenAPI component.

    `only` names what is shown, in this order, and `without` what is not; if both are given, each member of the record
    must stand in one of them, so that whoever adds a member decides. `renamed` has other names for the wire. Raise
    TypeError for a member that the record does not have, and for one of which nothing is said.
    """

    record: type
    name: str
    about: str
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Refuse a choice that does not fit the record."""
        known = [each.name for each in attrs.fields(self.record)]
        strange = {*self.only, *self.without, *self.renamed} - set(known)
        if strange:
            raise TypeError(f"{self.name} names what {self.record.__name__} does not have: {sorted(strange)}")
        if self.only and self.without:
            unsaid = [name for name in known if name not in self.only and name not in self.without]
            if unsaid:
                raise TypeError(
                    f"{self.name} shows a part of {self.record.__name__} and says nothing of {', '.join(unsaid)}: "
                    "put each among what it shows (only=) or what it does not (without=)."
                )

    @property
    def shown(self) -> tuple[str, ...]:
        """The attributes that are shown, in order."""
        return self.only or tuple(each.name for each in attrs.fields(self.record) if each.name not in self.without)


Warnings = Annotated[
    list[str] | None,
    Note("What was ignored because its name is unknown, and what it looks like; only if something was."),
]
NEXT: Final = "What to give as `updatedSince` the next time; that of the first page counts."


@frozen(eq=False)
class PageOf:
    """What a list answers: a page of records, under the name and with the sentence of its OpenAPI component.

    `entries` and `cursor` say what the members mean. `resumes` is for a list that takes `updatedSince`.
    """

    record: type
    name: str
    about: str
    entries: str = "The entries of this page."
    cursor: str = "The `cursor` of the next page; null on the last one."
    resumes: bool = False

    @property
    def members(self) -> tuple[Member, ...]:
        """The members of the answer, in order."""
        following = (
            Member("next_updated_since", "nextUpdatedSince", str | None, Note(NEXT, format="date-time"), True),
        )
        return (
            Member("data", "data", GenericAlias(list, (self.record,)), Note(self.entries), optional=False),
            Member("next_cursor", "nextCursor", str | None, Note(self.cursor), optional=False),
            *(following if self.resumes else ()),
            Member("warnings", "warnings", Warnings, note_of(Warnings), optional=True),
        )


Shown = type | Pick | PageOf
"""A record's class, which shows all of it, a pick of one, or a page of a list of them."""


def attributes_of(shown: Shown) -> tuple[str, ...]:
    """Return the names of the attributes that are shown, in order; none of a class that is no record."""
    if isinstance(shown, Pick):
        return shown.shown
    if isinstance(shown, PageOf):
        return tuple(each.name for each in shown.members)
    return tuple(each.name for each in attrs.fields(shown)) if attrs.has(shown) else ()


def members_of(shown: Shown) -> tuple[Member, ...]:
    """Return what is shown of a record, in order."""
    return _members_of(shown)


@cache
def _members_of(shown: Shown) -> tuple[Member, ...]:
    if isinstance(shown, Pick):
        whole = {each.name: each for each in members_of(shown.record)}
        return tuple(attrs.evolve(whole[n], wire=shown.renamed.get(n, whole[n].wire)) for n in shown.shown)
    if isinstance(shown, PageOf):
        return shown.members
    hints = get_type_hints(shown, include_extras=True)
    return tuple(
        Member(
            each.name,
            wire_name(each.name),
            hints[each.name],
            note_of(hints[each.name]),
            "absent_when_none" in each.metadata,
        )
        for each in attrs.fields(shown)
    )


def name_of(shown: Shown) -> str:
    """Return the name of the component that describes what is shown."""
    return shown.__name__ if isinstance(shown, type) else shown.name


def about_of(shown: Shown) -> str:
    """Return the first sentence of what is said of a record, with its attributes' names as they are on the wire."""
    text = getdoc(shown) or "" if isinstance(shown, type) else shown.about
    first = re.split(r"(?<=\.)\s", text, maxsplit=1)[0]
    return re.sub(r"`([a-z_]+)`", lambda name: f"`{wire_name(name[1])}`", first)


def value_of(entry: Any, name: str) -> Any:
    """Return a member of a record, or of a document that is none yet."""
    return entry[name] if isinstance(entry, Mapping) else getattr(entry, name)


def records_in(hint: Any) -> Iterator[type]:
    """Yield the classes of records that an annotation names, those in lists and beside null included."""
    if isinstance(hint, type) and attrs.has(hint):
        yield hint
    for part in get_args(hint):
        yield from records_in(part)
    for each in getattr(hint, "__metadata__", ()):
        if isinstance(each, Sent):
            yield from records_in(each.shape)


def metadata_of(hint: Any) -> tuple[Any, ...]:
    """Return what is annotated beside a type, its parts' included: those of `Annotated[str, x] | None` are (x,)."""
    own = tuple(getattr(hint, "__metadata__", ()))
    return own + tuple(each for part in get_args(hint) if get_origin(hint) is not Literal for each in metadata_of(part))


def note_of(hint: Any) -> Note:
    """Return the note of an annotation; that of a constraint is its description. `NO_NOTE` if there is none."""
    return next(_notes(hint), NO_NOTE)


def _notes(hint: Any) -> Iterator[Note]:
    for each in metadata_of(hint):
        if isinstance(each, Note):
            yield each
        elif getattr(each, "description", ""):
            form = {Instant: "date-time", Url: "uri"}.get(type(each), "")
            yield Note(each.description, each.example, form)
