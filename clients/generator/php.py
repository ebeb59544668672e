"""PHP: a trait with a method for each operation, typed by array shapes that PHPStan and Psalm read."""

from __future__ import annotations

from collections.abc import Sequence

from clients.generator.model import Component, Operation, Shape

PLAIN = {"text": "string", "integer": "int", "number": "float", "boolean": "bool", "object": "array<string, mixed>"}
HEAD = """<?php

// Generated from the hub's OpenAPI document: python -m clients.generator

declare(strict_types=1);

namespace AffiliateHub;

"""


def operations_file(components: Sequence[Component], operations: Sequence[Operation], holders: str = "") -> str:
    """Return the trait, of the merchants' API or of that of its `holders`."""
    types = [f" * @phpstan-type {each.name} {_type(each)}" for each in components]
    methods = [line for each in operations for line in ("", *_method(each))]
    comment = ["/**", " * A method for each operation of the API.", " *", *types, " */"]
    send = [
        "    /** @return mixed */",
        "    abstract protected function send(Call $call);",
        "",
        "    /** @return \\Generator<int, array<string, mixed>> */",
        "    abstract protected function pages(callable $page, string $place): \\Generator;",
    ]
    return HEAD + "\n".join([*comment, f"trait {holders.title()}Operations", "{", *send, *methods, "}"]) + "\n"


def _type(component: Component) -> str:
    if component.shape is not None:
        return _shape(component.shape)
    members = (f"{each.name}{'' if each.required else '?'}: {_shape(each.shape)}" for each in component.members)
    return "array{" + ", ".join([*members, *(["..."] if component.is_open else [])]) + "}"


def _shape(shape: Shape) -> str:
    if shape.kind == "ref":
        name = shape.name
    elif shape.kind == "enum":
        name = "|".join(f"'{value}'" for value in shape.values)
    elif shape.kind == "array":
        name = f"list<{_shape(shape.parts[0])}>"
    elif shape.kind == "union":
        name = "|".join(_shape(part) for part in shape.parts)
    else:
        name = PLAIN[shape.kind]
    return f"{name}|null" if shape.nullable else name


def _method(operation: Operation) -> list[str]:
    returns = "string" if operation.answer == Shape("text") else "array"
    typed, arguments = _arguments(operation, leave_out="")
    answer = _shape(operation.answer or Shape("object"))
    lines = [
        "    /**",
        f"     * {' '.join(operation.summary.split())}.",
        "     *",
        *(f"     * @param {each}" for each in typed),
        f"     * @return {answer}",
        "     */",
        f"    public function {operation.name}({', '.join(arguments)}): {returns}",
        "    {",
        f"        return $this->send({_call(operation)});",
        "    }",
    ]
    return lines + (_iterator(operation) if operation.paging and operation.item is not None else [])


def _arguments(operation: Operation, *, leave_out: str) -> tuple[list[str], list[str]]:
    typed = [f"string ${name}" for name in operation.path_names]
    arguments = list(typed)
    if operation.body is not None:
        typed.append(f"{_shape(operation.body)} $body")
        arguments.append("string $body" if operation.body == Shape("text") else "array $body")
    if operation.event_id:
        typed.append("string $eventId")
        arguments.append("string $eventId")
    asked = [each for each in operation.query if each.name != leave_out]
    if asked:
        fields = ", ".join(f"{each.name}{'' if each.required else '?'}: {_shape(each.shape)}" for each in asked)
        typed.append(f"array{{{fields}}} $query")
        arguments.append("array $query = []")
    if operation.idempotent and not operation.event_id:
        typed.append("string|null $idempotencyKey from your own ids, the same for every attempt to say the same thing")
        arguments.append("?string $idempotencyKey = null")
    return typed, arguments


def _call(operation: Operation) -> str:
    path = f"'{operation.path}'"
    for name in operation.path_names:
        path = path.replace(f"{{{name}}}", f"' . rawurlencode(${name}) . '")
    path = path.removesuffix(" . ''")
    given = {
        "query": "$query" if operation.query else "[]",
        "body": "$body" if operation.body is not None else "null",
        "eventId": "$eventId" if operation.event_id else "null",
        "idempotencyKey": "$idempotencyKey" if operation.idempotent and not operation.event_id else "null",
        "isIdempotent": "true" if operation.idempotent and not operation.event_id else "false",
        "mayRepeat": "true" if operation.may_repeat else "false",
    }
    return f"new Call('{operation.method}', {path}, {', '.join(given.values())})"


def _iterator(operation: Operation) -> list[str]:
    typed, arguments = _arguments(operation, leave_out=operation.paging)
    name = operation.name.replace("list", "iterate", 1)
    item = _shape(operation.item or Shape("object"))
    passed = ", ".join(f"${each}" for each in operation.path_names)
    kept = ", ".join(part for part in (passed, "$query") if part)
    most = "" if operation.most is None else f" + ['{operation.most[0]}' => {operation.most[1]}]"
    asked = f"$query + ['{operation.paging}' => $place]{most}"
    return [
        "",
        "    /**",
        f"     * {' '.join(operation.summary.split())}: all of them, page after page as they are needed.",
        "     *",
        *(f"     * @param {each}" for each in typed),
        f"     * @return \\Generator<int, {item}>",
        "     */",
        f"    public function {name}({', '.join(arguments)}): \\Generator",
        "    {",
        f"        return $this->pages(function ($place) use ({kept}) {{",
        f"            return $this->{operation.name}({', '.join(part for part in (passed, asked) if part)});",
        f"        }}, '{operation.paging}');",
        "    }",
    ]
