"""Go: the types, and a method for each operation."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from clients.generator.model import (
    Component,
    Member,
    Operation,
    Shape,
    messages_of,
    words_of,
)

HEAD: Final = (
    "// Code generated from the hub's OpenAPI document: python -m clients.generator. DO NOT EDIT.\n\n"
    "package affiliatehub\n"
)
PLAIN: Final = {
    "text": "string", "integer": "int64", "number": "float64", "boolean": "bool", "object": "map[string]any"
}  # fmt: skip
SHORT: Final = {"id": "ID", "url": "URL", "ids": "IDs", "api": "API", "ip": "IP"}
LISTS: Final = ("array", "object", "union")


def types_file(components: Sequence[Component]) -> str:
    """Return the types of bodies and answers."""
    parts = [_declared(each) for each in components if each.name != "WebhookMessage"]
    return HEAD + "\n" + "\n\n".join([*parts, _data_of(components)]) + "\n"


def exported(name: str) -> str:
    """Return a name as Go exports it: ExternalOrderID."""
    return "".join(SHORT.get(word, word[:1].upper() + word[1:]) for word in words_of(name))


def type_of(shape: Shape) -> str:
    """Return a type; what may be null is a pointer, unless its own type has a nothing."""
    if shape.kind == "ref":
        name = shape.name
    elif shape.kind == "array":
        name = f"[]{type_of(shape.parts[0])}"
    else:
        name = {**PLAIN, "enum": "string", "union": "any"}[shape.kind]
    return f"*{name}" if shape.nullable and shape.kind not in LISTS else name


def _plain(shape: Shape) -> Shape:
    return Shape(shape.kind, shape.name, shape.parts, shape.values)


def _declared(component: Component) -> str:
    name, note = component.name, _comment(f"{component.name}: {component.text}" if component.text else component.name)
    if component.shape is None:
        fields = [line for each in component.members for line in _field(each)]
        return "\n".join([note, f"type {name} struct {{", *fields, "}"])
    if component.shape.kind == "enum":
        named = [(f"{name}{constant_of(value)}", f"{name} = {json.dumps(value)}") for value in component.shape.values]
        longest = max(len(each) for each, _ in named)
        constants = [f"\t{each.ljust(longest)} {rest}" for each, rest in named]  # as gofmt aligns them
        return "\n".join([note, f"type {name} string", "", "const (", *constants, ")"])
    return f"{note}\ntype {name} = {type_of(component.shape)}"


def constant_of(value: str) -> str:
    """Return a value as the end of a constant's name: NotRequired, CreatedAtDescending."""
    parts = re.split(r"[._-]", value.removeprefix("-"))
    named = "".join(part[:1].upper() + (part[1:].lower() if part.isupper() else part[1:]) for part in parts)
    return f"{named}Descending" if value.startswith("-") else named


def _field(member: Member) -> list[str]:
    kind, tag = type_of(member.shape), member.name
    if not member.required:
        tag += ",omitempty"
        if member.shape.nullable:
            kind = f"Nullable[{type_of(_plain(member.shape))}]"
        elif member.shape.kind not in LISTS:
            kind = f"*{kind}"
    note = _comment(member.text or f"What `{member.name}` says.", "\t")  # without one gofmt would align two fields
    return [note, f'\t{exported(member.name)} {kind} `json:"{tag}"`']


def _comment(text: str, indent: str = "") -> str:
    return f"{indent}// " + " ".join(text.split())


def _data_of(components: Sequence[Component]) -> str:
    cases = [
        f"\tcase {', '.join(json.dumps(each) for each in kinds)}:\n\t\treturn new({data})"
        for kinds, data in messages_of(components)
    ]
    return "\n".join(
        ["// dataOf returns a place for what a message of this type says; nil for one that came later.",
         "func dataOf(kind string) any {", "\tswitch kind {", *cases, "\t}", "\treturn nil", "}"]
    )  # fmt: skip


def methods_file(operations: Sequence[Operation]) -> str:
    """Return the methods of the client."""
    lines = [HEAD, "import (", '\t"context"', '\t"net/url"', ")"]
    for operation in operations:
        lines += ["", *_query(operation), *_method(operation)]
        if operation.paging and operation.item is not None:
            lines += ["", *_iterator(operation)]
    return "\n".join(lines) + "\n"


def _name(operation: Operation) -> str:
    return operation.name[:1].upper() + operation.name[1:]


def _query(operation: Operation) -> list[str]:
    if not operation.query:
        return []
    name = f"{_name(operation)}Query"
    fields, puts = [], []
    for each in operation.query:
        kind, pointer = type_of(_plain(each.shape)), "" if each.required else "*"
        fields += [_comment(each.text, "\t"), f"\t{exported(each.name)} {pointer}{kind}"]
        puts.append(f"\tput(given, {json.dumps(each.name)}, {'&' if each.required else ''}q.{exported(each.name)})")
    return [
        f"// {name} is what {_name(operation)} may be asked for; what is nil is not said.",
        f"type {name} struct {{", *fields, "}", "",
        f"func (q {name}) values() url.Values {{", "\tgiven := url.Values{}", *puts, "\treturn given", "}", "",
    ]  # fmt: skip


def _arguments(operation: Operation) -> list[str]:
    arguments = [f"{each} string" for each in operation.path_names]
    if operation.body is not None:
        arguments.append(f"body {type_of(operation.body)}")
    if operation.event_id:
        arguments.append("eventID string")
    if operation.query:
        arguments.append(f"query {_name(operation)}Query")
    return arguments


def _call(operation: Operation) -> str:
    path = json.dumps(operation.path)
    for name in operation.path_names:
        path = path.replace(f"{{{name}}}", f'" + url.PathEscape({name}) + "')
    empty = ' + ""'
    parts = [f'method: "{operation.method}"', f"path: {path.removesuffix(empty)}"]
    parts += ["query: query.values()"] if operation.query else []
    parts += ["body: body"] if operation.body is not None else []
    parts += ["eventID: eventID"] if operation.event_id else []
    parts += ["isIdempotent: true"] if operation.idempotent and not operation.event_id else []
    parts += ["mayRepeat: true"] if operation.may_repeat else []
    return "call{" + ", ".join(parts) + "}"


def _method(operation: Operation) -> list[str]:
    name, given = _name(operation), ", ".join(["ctx context.Context", *_arguments(operation), "options ...Option"])
    note = f"// {name}: {' '.join(operation.summary.split())}."
    if operation.answer is None:
        return [note, f"func (h *Hub) {name}({given}) error {{",
                f"\treturn h.send(ctx, {_call(operation)}, nil, options)", "}"]  # fmt: skip
    answer = type_of(operation.answer)
    pointer = "" if operation.answer.kind == "text" else "*"
    returned = "answer" if operation.answer.kind == "text" else "&answer"
    nothing = '""' if operation.answer.kind == "text" else "nil"
    return [
        note, f"func (h *Hub) {name}({given}) ({pointer}{answer}, error) {{", f"\tvar answer {answer}",
        f"\tif err := h.send(ctx, {_call(operation)}, &answer, options); err != nil {{", f"\t\treturn {nothing}, err",
        "\t}", f"\treturn {returned}, nil", "}",
    ]  # fmt: skip


def _iterator(operation: Operation) -> list[str]:
    name, item = operation.name.replace("list", "Iterate", 1), type_of(operation.item or Shape("object"))
    given = [*(f"{each} string" for each in operation.path_names), f"query {_name(operation)}Query"]
    passed = ", ".join(["ctx", *operation.path_names, "query", "options..."])
    most = [] if operation.most is None else [
        f"\tif query.{exported(operation.most[0])} == nil {{",
        f"\t\tquery.{exported(operation.most[0])} = Given[int64]({operation.most[1]})", "\t}",
    ]  # fmt: skip
    place, following = ("query.Page = &at.number", "nextPage(page.Page, page.PageSize, page.Total)")
    if operation.paging == "cursor":
        place, following = ("query.Cursor = at.cursor", "nextCursor(page.NextCursor)")
    return [
        f"// {name}: {' '.join(operation.summary.split())}; all of them, page after page as they are needed.",
        f"func (h *Hub) {name}({', '.join([*given, 'options ...Option'])}) *Iterator[{item}] {{", *most,
        f"\treturn &Iterator[{item}]{{fetch: func(ctx context.Context, at place) ([]{item}, *place, error) {{",
        f"\t\t{place}", f"\t\tpage, err := h.{_name(operation)}({passed})", "\t\tif err != nil {",
        "\t\t\treturn nil, nil, err", "\t\t}", f"\t\treturn page.Data, {following}, nil", "\t}}", "}",
    ]  # fmt: skip
