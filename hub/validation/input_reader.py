"""What an input class asks of a body, read once from its annotations: its fields, their constraints, and the reader."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from hub.validation.constraints import Constraint, Fault, Text
from hub.validation.inputs import wire_name

PRESENT = "present"
Problem = tuple[str, str]
"""What is wrong with a field: its name on the wire (and the path below it), and the text that completes a sentence."""


class _Unreadable:
    """The type of `UNREADABLE`."""


UNREADABLE: Final = _Unreadable()
"""Stands for the value of a field that is missing or bad."""


@frozen
class InputField:
    """One field of an input class: its attribute, its name on the wire, its constraint, and what may be left out.

    `nullable` says that null is taken: it counts as absent, or clears the field if the class `clears`.
    """

    name: str
    wire: str
    constraint: Constraint
    required: bool
    nullable: bool
    default: Any = None


@frozen(eq=False)
class InputReader:
    """Reads bodies as an input class.

    `clears`: a null clears, and its inputs say in `present` which fields were given; else a null is absent.
    """

    cls: type
    fields: tuple[InputField, ...]
    by_wire: Mapping[str, InputField]
    required: frozenset[str]
    clears: bool

    def read(self, body: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem], list[str]]:
        """Return the values by their attributes, every problem of the fields, and the names that are unknown.

        Without problems the values make an instance of the class. The value of a field with a problem is UNREADABLE.
        """
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        unknown: list[str] = []
        known = self.by_wire.get
        for wire, given in body.items():
            field = known(wire)
            if field is None:
                unknown.append(wire)
            elif given is not None:
                try:
                    values[field.name] = field.constraint.read(given)
                except Fault as fault:
                    problems += [(wire + below, text) for below, text in fault.problems]
                    values[field.name] = UNREADABLE
            elif not field.nullable:
                problems.append((wire, "must not be null"))
                values[field.name] = UNREADABLE
        missing = self.required.difference(body)
        if missing:
            problems += [(wire, "must be given") for wire in missing]
            values.update({self.by_wire[wire].name: UNREADABLE for wire in missing})
        if self.clears:
            values[PRESENT] = _attributes(self, tuple(body))
        return values, self._in_order(problems) if problems else problems, unknown

    def with_defaults(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with those of the fields that were not given."""
        return {PRESENT: (), **{field.name: field.default for field in self.fields}, **values}

    def _in_order(self, problems: list[Problem]) -> list[Problem]:
        """Sort problems by the order of the fields; those of one field keep theirs."""
        places = {field.wire: place for place, field in enumerate(self.fields)}
        return sorted(problems, key=lambda problem: places[_FIELD(problem[0])[0]])  # type: ignore[index]  # it matches


_FIELD = re.compile(r"\w+").match
"""The field in the path of a problem."""

_READERS: dict[type, InputReader] = {}


def reader_of(cls: type) -> InputReader:
    """Return the reader of an input class, made at its first use."""
    reader = _READERS.get(cls)
    return reader if reader is not None else _READERS.setdefault(cls, _make_reader(cls))


def _make_reader(cls: type) -> InputReader:
    hints = get_type_hints(cls, include_extras=True)
    attributes = attrs.fields(cls)
    if any(a.validator or a.converter for a in attributes):
        raise TypeError(f"{cls.__name__} must have all its rules in its annotations")
    fields = tuple(_input_field(a, hints[a.name]) for a in attributes if a.name != PRESENT)
    return InputReader(
        cls=cls,
        fields=fields,
        by_wire={f.wire: f for f in fields},
        required=frozenset(f.wire for f in fields if f.required),
        clears=len(fields) < len(attributes),
    )


def fields_of(cls: type) -> tuple[InputField, ...]:
    """Return the fields of an input class in the order of its attributes, for the OpenAPI document."""
    return reader_of(cls).fields


def texts_of(cls: type) -> tuple[InputField, ...]:
    """Return the fields of an input class that are plain text, which forms and commands take as it is typed."""
    return tuple(field for field in fields_of(cls) if isinstance(field.constraint, Text))


def _input_field(attribute: attrs.Attribute[Any], hint: Any) -> InputField:
    optional = get_origin(hint) in (Union, types.UnionType)
    inner = next(part for part in get_args(hint) if part is not type(None)) if optional else hint
    if get_origin(inner) is not Annotated:
        raise TypeError(f"{attribute.name} has no constraint in its annotation")
    required = attribute.default is attrs.NOTHING
    return InputField(
        name=attribute.name,
        wire=wire_name(attribute.name),
        constraint=inner.__metadata__[0],
        required=required,
        nullable=optional and "never_null" not in attribute.metadata,
        default=None if required else attribute.default,
    )


@lru_cache(maxsize=1_024)
def _attributes(reader: InputReader, wires: tuple[str, ...]) -> frozenset[str]:
    # A shop sends the same fields in every item, so this is nearly always remembered.
    return frozenset(reader.by_wire[wire].name for wire in wires if wire in reader.by_wire)
