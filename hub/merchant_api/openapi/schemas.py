"""Make the JSON schemas of OpenAPI 3.0 from the classes of the inputs and of the answers."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable
from inspect import getdoc
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from hub.merchant_api.openapi.answers import COMMISSION_PARTS, FieldNote, note_of
from hub.merchant_api.openapi.named import named_constraint, or_null, reference, with_notes, words_schema
from hub.validation.constraints import Constraint, Schema, Text, labels
from hub.validation.container_constraints import ListOf, Records
from hub.validation.input_reader import InputField, fields_of
from hub.validation.inputs import wire_name

NOT_BLANK: Final = r"\S"
"""A text that must not be empty must not be white space alone either (hub.validation.constraints.Text)."""
PLAIN: Final[dict[type, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


def summary_of(cls: type) -> str:
    """Return the first sentence of a class's docstring, with attribute names as they are on the wire."""
    first = re.split(r"(?<=\.)\s", getdoc(cls) or "", maxsplit=1)[0]
    return re.sub(r"`([a-z_]+)`", lambda name: f"`{wire_name(name[1])}`", first)


# Inputs ------------------------------------------------------------------------------------------------------


def input_schema(cls: type) -> Schema:
    """Return the schema of an input class, from the constraints that validate its bodies."""
    fields = fields_of(cls)
    required = [field.wire for field in fields if field.required]
    return {
        "type": "object",
        "description": summary_of(cls),
        "properties": {field.wire: field_schema(field) for field in fields},
        **({"required": required} if required else {}),
    }


def input_example(cls: type, *, only_required: bool = False) -> dict[str, Any]:
    """Return a body made of the examples of its fields."""
    fields = (field for field in fields_of(cls) if field.required or not only_required)
    examples = ((field.wire, _field_example(field, only_required=only_required)) for field in fields)
    return {wire: example for wire, example in examples if example not in ("", [], {})}


def field_schema(field: InputField) -> Schema:
    """Return the schema of one field of an input class."""
    schema = constraint_schema(field.constraint)
    return or_null(schema) if field.nullable else schema


def constraint_schema(constraint: Constraint) -> Schema:
    """Return the schema of a constraint, with what its `read` requires beyond its `schema`."""
    named = named_constraint(constraint)
    if named is not None:
        return with_notes(named, labels(constraint))
    schema = constraint.schema()
    if isinstance(constraint, Text) and constraint.min:
        schema["pattern"] = NOT_BLANK
    if isinstance(constraint, ListOf):
        schema["items"] = constraint_schema(constraint.item)
    if isinstance(constraint, Records):
        schema.setdefault("description", f"At most {constraint.max:,} items, each judged alone.")
    return schema


def _field_example(field: InputField, *, only_required: bool) -> Any:
    constraint: Any = field.constraint
    if isinstance(constraint, Records):
        return [input_example(constraint.record, only_required=only_required)]
    example = constraint.example
    return list(example) if isinstance(example, tuple) else example


# Answers ------------------------------------------------------------------------------------------------------


def answer_schema(cls: type) -> Schema:
    """Return the schema of a response class; only members that may be left out are not required."""
    hints = get_type_hints(cls, include_extras=True)
    fields: Iterable[attrs.Attribute[Any]] = attrs.fields(cls)
    required = [wire_name(field.name) for field in fields if "absent_when_none" not in field.metadata]
    return {
        "type": "object",
        "description": summary_of(cls),
        "properties": {wire_name(f.name): _member_schema(cls, f, hints[f.name]) for f in fields},
        "required": required,
    }


def answer_parts(cls: type) -> tuple[type, ...]:
    """Return the classes whose schemas a response class refers to, directly or not, itself first."""
    referred = [cls]
    for holder in referred:
        referred += [inner for inner in _members_of(holder) if inner not in referred]
    return tuple(referred)


def _members_of(cls: type) -> Iterable[type]:
    """Yield the classes of a class's members."""
    yield from (part for (holder, _), part in COMMISSION_PARTS.items() if holder is cls)
    for hint in get_type_hints(cls).values():
        yield from (inner for inner in (hint, *get_args(hint)) if attrs.has(inner))


def _member_schema(cls: type, field: attrs.Attribute[Any], hint: Any) -> Schema:
    wire = wire_name(field.name)
    part = COMMISSION_PARTS.get((cls, wire))
    note = note_of(cls, wire)
    if part is not None:
        return {"type": "array", "items": reference("schemas", part.__name__), "description": note.text}
    if "absent_when_none" in field.metadata:
        hint = _without_none(hint)
    return with_notes(type_schema(hint), _noted(note))


def type_schema(hint: Any) -> Schema:
    """Return the schema of an annotation; an annotated one names its component."""
    if hint in PLAIN:
        return dict(PLAIN[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return reference("schemas", arguments[1])
    if origin is Literal:
        return words_schema(arguments)
    if origin is list:
        return {"type": "array", "items": type_schema(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": True}
    if origin in {Union, types.UnionType}:
        return _union_schema(hint, arguments)
    return reference("schemas", hint.__name__)


def _union_schema(hint: Any, arguments: tuple[Any, ...]) -> Schema:
    if type(None) not in arguments:
        return {"oneOf": [type_schema(argument) for argument in arguments]}
    return or_null(type_schema(_without_none(hint)))


def _without_none(hint: Any) -> Any:
    (inner,) = (argument for argument in get_args(hint) if argument is not type(None))
    return inner


def _noted(note: FieldNote) -> Schema:
    members: Schema = {"description": note.text} if note.text else {}
    if note.format:
        members["format"] = note.format
    return members


def sorted_by_name(make: Callable[[type], Schema], classes: Iterable[type]) -> dict[str, Schema]:
    """Return a schema for each class under its name, in the order of the names."""
    return {cls.__name__: make(cls) for cls in sorted(set(classes), key=lambda cls: cls.__name__)}
