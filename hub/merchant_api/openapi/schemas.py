"""Make the JSON schemas of OpenAPI 3.0 from the classes of the inputs and of the answers."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from hub.merchant_api.openapi.named import named_constraint, or_null, reference, with_notes, words_schema
from hub.records.record import Member, Note, Sent, Shown, about_of, members_of, name_of, records_in
from hub.validation.constraints import Constraint, Instant, Schema, Text, labels
from hub.validation.container_constraints import ListOf, Records
from hub.validation.input_reader import InputField, fields_of

NOT_BLANK: Final = r"\S"
"""A text that must not be empty must not be white space alone either (hub.validation.constraints.Text)."""
PLAIN: Final[dict[type, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
}


# Inputs ------------------------------------------------------------------------------------------------------


def input_schema(cls: type) -> Schema:
    """Return the schema of an input class, from the constraints that validate its bodies."""
    fields = fields_of(cls)
    required = [field.wire for field in fields if field.required]
    return {
        "type": "object",
        "description": about_of(cls),
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


def answer_schema(shown: Shown) -> Schema:
    """Return the schema of what is shown of a record; only members that may be left out are not required."""
    members = members_of(shown)
    return {
        "type": "object",
        "description": about_of(shown),
        "properties": {member.wire: _member_schema(member) for member in members},
        "required": [member.wire for member in members if not member.optional],
    }


def answer_parts(shown: Shown) -> tuple[Shown, ...]:
    """Return the classes whose schemas an answer refers to, directly or not, itself first."""
    referred: list[Shown] = [shown]
    for holder in referred:
        referred += [inner for inner in _classes_in(holder) if inner not in referred]
    return tuple(referred)


def _classes_in(shown: Shown) -> Iterable[type]:
    """Yield the classes of a record's members."""
    for member in members_of(shown):
        yield from records_in(member.hint)


def _member_schema(member: Member) -> Schema:
    hint = _without_none(member.hint) if member.optional else member.hint
    return with_notes(type_schema(hint), _noted(member.note))


def type_schema(hint: Any) -> Schema:
    """Return the schema of an annotation; an annotated one names its component."""
    if hint in PLAIN:
        return dict(PLAIN[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated_schema(arguments[0], arguments[1:])
    if origin is Literal:
        return words_schema(arguments)
    if origin in (list, tuple):
        return {"type": "array", "items": type_schema(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": True}
    if origin in {Union, types.UnionType}:
        return _union_schema(hint, arguments)
    return reference("schemas", hint.__name__)


def _annotated_schema(hint: Any, beside: tuple[Any, ...]) -> Schema:
    """Return the schema of a type with what is annotated beside it: a component's name, a constraint or a note."""
    found = next((schema for each in beside if (schema := _beside_schema(each)) is not None), None)
    if found is None:
        return type_schema(hint)
    return or_null(found) if type(None) in get_args(hint) else found


def _beside_schema(each: Any) -> Schema | None:
    if isinstance(each, str):
        return reference("schemas", each)
    if isinstance(each, Sent):
        return type_schema(each.shape)
    if isinstance(each, Instant):
        return {"type": "string"}
    return None if isinstance(each, Note) else named_constraint(each)


def _union_schema(hint: Any, arguments: tuple[Any, ...]) -> Schema:
    if type(None) not in arguments:
        return {"oneOf": [type_schema(argument) for argument in arguments]}
    return or_null(type_schema(_without_none(hint)))


def _without_none(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        inner, *beside = get_args(hint)
        return Annotated[(_without_none(inner), *beside)]
    (inner,) = (argument for argument in get_args(hint) if argument is not type(None))
    return inner


def _noted(note: Note) -> Schema:
    members: Schema = {"description": note.text} if note.text else {}
    if note.format:
        members["format"] = note.format
    return members


def sorted_by_name(make: Callable[[Any], Schema], classes: Iterable[Shown]) -> dict[str, Schema]:
    """Return a schema for each class or pick under its name, in the order of the names."""
    return {name_of(each): make(each) for each in sorted(set(classes), key=name_of)}
