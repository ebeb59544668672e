"""What an input class asks of a body, read once from its annotations: its fields, their constraints, and the reader."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import frozen

from hub.validation.constraints import Constraint, Fault
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

    def without(self, *, given: bool) -> Any:
        """Return the value of a field that is null, or not given at all; raise `Fault` if it must have one."""
        if not given and self.required:
            raise Fault("must be given")
        if given and not self.nullable:
            raise Fault("must not be null")
        return self.default


@frozen(eq=False)
class InputReader:
    """Reads bodies as an input class.

    `clears`: a null clears, and its inputs say in `present` which fields were given; else a null is absent.
    """

    cls: type
    fields: tuple[InputField, ...]
    names: Mapping[str, str]
    wires: frozenset[str]
    clears: bool

    def read(self, body: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
        """Return the values of a body by their attributes, and every problem of its fields.

        The value of a field with a problem is UNREADABLE. Without problems the values make an instance of the class.
        """
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        get = body.get
        for field in self.fields:
            value = get(field.wire)
            try:
                if value is None:
                    values[field.name] = field.without(given=field.wire in body)
                else:
                    values[field.name] = field.constraint.read(value)
            except Fault as fault:
                problems.extend((field.wire + below, text) for below, text in fault.problems)
                values[field.name] = UNREADABLE
        if self.clears:
            values[PRESENT] = _attributes(self, tuple(body))
        return values, problems


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
        names={f.wire: f.name for f in fields},
        wires=frozenset(f.wire for f in fields),
        clears=len(fields) < len(attributes),
    )


def fields_of(cls: type) -> tuple[InputField, ...]:
    """Return the fields of an input class in the order of its attributes, for the OpenAPI document."""
    return reader_of(cls).fields


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
    return frozenset(reader.names[wire] for wire in wires if wire in reader.names)
