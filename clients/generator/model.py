"""What the generated files are made of: shapes of values, and operations, read from the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

Schema = Mapping[str, Any]

HARMLESS: Final = ("/archive", "/pause", "/activate", "/disable", "/resume")
"""Acts that change nothing when they are done again, so that a lost answer may be repeated."""


@frozen
class Shape:
    """A type: `kind` is "ref", "text", "integer", "number", "boolean", "object", "array", "enum" or "union"."""

    kind: str
    name: str = ""
    parts: tuple[Shape, ...] = ()
    values: tuple[str, ...] = ()
    nullable: bool = False


@frozen
class Member:
    """A member of an object, or a parameter."""

    name: str
    shape: Shape
    required: bool
    text: str


@frozen
class Component:
    """A named schema: an object with members, or another name for a shape."""

    name: str
    text: str
    members: tuple[Member, ...]
    shape: Shape | None
    is_open: bool


@frozen
class Operation:
    """An operation; `paging` is "cursor", "page" or empty."""

    name: str
    method: str
    path: str
    summary: str
    path_names: tuple[str, ...]
    query: tuple[Member, ...]
    event_id: bool
    idempotent: bool
    body: Shape | None
    answer: Shape | None
    item: Shape | None
    paging: str
    may_repeat: bool
    most: tuple[str, int] | None = None
    """The parameter that says how many entries a page has, and how many it may have: iterators ask for that many."""


def components(document: Schema) -> list[Component]:
    """Return the named schemas."""
    return [_component(name, schema) for name, schema in document["components"]["schemas"].items()]


def operations(document: Schema, below: str = "") -> list[Operation]:
    """Return the operations, in the order of the document; `below` stands before their paths: "/admin/v1"."""
    return [
        _operation(document, below + path, method, each)
        for path, methods in document["paths"].items()
        for method, each in methods.items()
    ]


def words_of(name: str) -> list[str]:
    """Return the words of a camelCase name, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def messages_of(components: Sequence[Component]) -> list[tuple[tuple[str, ...], str]]:
    """Return the types of messages to subscribers with the name of what their `data` is."""
    known = {each.name: each for each in components}
    shape = known["WebhookMessage"].shape
    found = []
    for part in () if shape is None else shape.parts:
        members = {each.name: each.shape for each in known[part.name].members}
        kind = members["type"]
        named = known[kind.name].shape if kind.kind == "ref" else kind
        found.append((kind.values if named is None else named.values, members["data"].name))
    return found


def _component(name: str, schema: Schema) -> Component:
    text = schema.get("description", "")
    if schema.get("type") == "object" and "properties" in schema:
        return Component(name, text, tuple(_members(schema)), None, bool(schema.get("additionalProperties")))
    return Component(name, text, (), shape_of(schema), is_open=False)


def _members(schema: Schema) -> Iterator[Member]:
    required = schema.get("required", ())
    for name, each in schema["properties"].items():
        yield Member(name, shape_of(each), name in required, each.get("description", ""))


def shape_of(schema: Schema) -> Shape:
    """Return the type that a schema describes."""
    if "$ref" in schema:
        return Shape("ref", schema["$ref"].rpartition("/")[2])
    options = [each for key in ("allOf", "anyOf", "oneOf") for each in schema.get(key, ())]
    if options:
        return _union(options, nullable=bool(schema.get("nullable")))
    nullable = bool(schema.get("nullable"))
    values = tuple(str(each) for each in schema.get("enum", ()) if each is not None)
    if values:
        return Shape("enum", values=values, nullable=nullable)
    kind: str = schema.get("type", "object")
    if kind == "array":
        return Shape("array", parts=(shape_of(schema["items"]),), nullable=nullable)
    return Shape({"string": "text"}.get(kind, kind), nullable=nullable)


def _union(options: list[Schema], *, nullable: bool) -> Shape:
    shapes = [shape_of(each) for each in options if each.get("enum") != [None]]
    nullable = nullable or len(shapes) < len(options)
    if len(shapes) == 1:
        (only,) = shapes
        return Shape(only.kind, only.name, only.parts, only.values, nullable or only.nullable)
    return Shape("union", parts=tuple(shapes), nullable=nullable)


def _operation(document: Schema, path: str, method: str, operation: Schema) -> Operation:
    parameters = [_resolved(document, each) for each in operation.get("parameters", ())]
    query = tuple(
        Member(each["name"], shape_of(each["schema"]), each.get("required", False), each["description"])
        for each in parameters
        if each["in"] == "query"
    )
    names = {each["name"] for each in parameters}
    idempotent = "Idempotency-Key" in names
    event_id = "X-External-Event-Id" in names
    asked = {member.name for member in query}
    success = next(each for status, each in operation["responses"].items() if status < "300")
    answer = _content(_resolved(document, success))
    repeats = method in ("get", "patch", "put") or idempotent or event_id or path.endswith(HARMLESS)
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        path_names=tuple(re.findall(r"\{(\w+)\}", path)),
        query=query,
        event_id=event_id,
        idempotent=idempotent,
        body=_content(operation.get("requestBody", {})),
        answer=answer,
        item=_item(document, answer),
        paging="page" if "page" in asked else "cursor" if "cursor" in asked else "",
        may_repeat=repeats,
        most=_most(parameters),
    )


def _most(parameters: list[Schema]) -> tuple[str, int] | None:
    sized = {each["name"]: each["schema"].get("maximum") for each in parameters if each["in"] == "query"}
    return next(((name, int(sized[name])) for name in ("limit", "pageSize") if sized.get(name)), None)


def _content(holder: Schema) -> Shape | None:
    """Return the shape of a body or an answer; plain text for files, None if there is none."""
    for media_type, content in holder.get("content", {}).items():
        return shape_of(content["schema"]) if media_type == "application/json" else Shape("text")
    return None


def _item(document: Schema, answer: Shape | None) -> Shape | None:
    """Return the shape of the entries of a list; None for what is not one."""
    if answer is None or answer.kind != "ref":
        return None
    members = document["components"]["schemas"][answer.name].get("properties", {})
    return shape_of(members["data"]["items"]) if "items" in members.get("data", {}) else None


def _resolved(document: Schema, part: Schema) -> Schema:
    if "$ref" not in part:
        return part
    _, kind, name = part["$ref"].removeprefix("#/").split("/")
    found: Schema = document["components"][kind][name]
    return found
