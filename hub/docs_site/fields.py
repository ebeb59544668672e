"""Rows that explain a schema of the OpenAPI document: each field with its type, its limits and its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

Schema = Mapping[str, Any]

DEEPEST: Final = 3
"""How many levels of objects are spelt out; what is deeper is named only."""
LIMITS: Final = {
    "minLength": "at least {} characters",
    "maxLength": "at most {:,} characters",
    "minimum": "from {:,}",
    "maximum": "to {:,}",
    "maxItems": "at most {:,} items",
    "pattern": "pattern {}",
}


@frozen
class Field:
    """A field of a body, a parameter or a member of an answer; `fields` are those of the objects that it holds."""

    name: str
    type: str
    required: bool
    text: str
    notes: tuple[str, ...]
    choices: tuple[str, ...]
    fields: tuple[Field, ...]


class Schemas:
    """Looks up the components of a document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document

    def resolve(self, part: Any) -> Any:
        """Return what a part refers to, followed to its end; the part itself if it refers to nothing."""
        while "$ref" in part:
            place: Any = self._document
            for step in part["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            beside = {name: value for name, value in part.items() if name != "$ref"}
            part = {**place, **beside}
        return part

    def whole(self, schema: Schema) -> Schema:
        """Return a schema without references on its first level; `allOf`, and `anyOf` with a null, are merged."""
        schema = self.resolve(schema)
        parts: Sequence[Schema] = schema.get("allOf", ())
        options = [option for option in schema.get("anyOf", schema.get("oneOf", ())) if not _is_null(option)]
        if len(options) == 1:
            parts = [*parts, options[0]]
        if not parts:
            return schema
        merged: dict[str, Any] = {}
        for part in parts:
            merged |= self.whole(part)
        return {**merged, **{name: value for name, value in schema.items() if name not in ("allOf", "anyOf", "oneOf")}}

    def fields(self, schema: Schema, depth: int = 0) -> tuple[Field, ...]:
        """Return the fields of an object, or of the objects of an array; none for anything else."""
        schema = self.whole(schema)
        if schema.get("type") == "array":
            return self.fields(schema["items"], depth)
        required = schema.get("required", ())
        properties: Mapping[str, Schema] = schema.get("properties", {})
        return tuple(self.field(name, each, depth, required=name in required) for name, each in properties.items())

    def field(self, name: str, schema: Schema, depth: int = 0, *, required: bool, text: str = "") -> Field:
        """Return the row of one field."""
        schema = self.whole(schema)
        holder = self.whole(schema["items"]) if schema.get("type") == "array" else schema
        choices = tuple(str(each) for each in holder.get("enum", ()) if each is not None)
        return Field(
            name=name,
            type=self._type(schema),
            required=required,
            text=text or schema.get("description", ""),
            notes=_notes(schema),
            choices=choices,
            fields=self.fields(schema, depth + 1) if depth < DEEPEST else (),
        )

    def _type(self, schema: Schema) -> str:
        if schema.get("type") == "array":
            return f"array of {self._type(self.whole(schema['items']))}s"
        name = str(schema.get("format") or schema.get("type", "object"))
        return f"{name} or null" if schema.get("nullable") else name


def _is_null(schema: Schema) -> bool:
    return schema.get("type") == "null" or schema.get("enum") == [None]


def _notes(schema: Schema) -> tuple[str, ...]:
    limits = [words.format(schema[name]) for name, words in LIMITS.items() if name in schema and schema[name] != r"\S"]
    default = [f"default {schema['default']}"] if "default" in schema else []
    return (*(limit for limit in limits if limit != "at least 1 characters"), *default)
