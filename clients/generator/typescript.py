"""TypeScript: the declarations of types and methods, and the table of operations that the client reads."""

from __future__ import annotations

import json
from collections.abc import Sequence

from clients.generator.model import Component, Operation, Shape

HEAD = "// {title} Generated from the hub's OpenAPI document: python -m clients.generator\n\n"
PLAIN = {"text": "string", "integer": "number", "number": "number", "boolean": "boolean"}
PLAIN_OBJECT = "{ [name: string]: unknown }"


def types_file(components: Sequence[Component], operations: Sequence[Operation], *, of_tokens: bool = False) -> str:
    """Return the declarations; those of an API for tokens import what all APIs have in common."""
    declared = [_declaration(each) for each in components]
    methods = [line for each in operations for line in _method(each)]
    interface = ["export interface Operations {", *(f"  {line}" for line in methods), "}"]
    options = (
        "/** How a single call is sent. */\n"
        "export interface CallOptions {\n"
        "  /** Derived from your own ids: the same for every attempt to say the same thing. */\n"
        "  idempotencyKey?: string;\n"
        "  signal?: AbortSignal;\n"
        "  /** The longest time for all attempts and pauses, in milliseconds; it holds beside a signal, too. */\n"
        "  deadline?: number;\n"
        "}"
    )
    shared = 'import type { CallOptions } from "../types.js";' if of_tokens else options
    return HEAD.format(title="Types and methods.") + "\n\n".join([*declared, shared, "\n".join(interface)]) + "\n"


def table_file(operations: Sequence[Operation]) -> str:
    """Return the table of operations, as a module."""
    rows = {
        each.name: {
            "method": each.method,
            "path": each.path,
            "query": [member.name for member in each.query],
            "body": each.body is not None,
            "eventId": each.event_id,
            "idempotent": each.idempotent,
            "mayRepeat": each.may_repeat,
            "paging": each.paging,
            **({"most": dict([each.most])} if each.paging and each.most else {}),
        }
        for each in operations
    }
    lines = [f"  {name}: {json.dumps(row)}," for name, row in rows.items()]
    return HEAD.format(title="The operations.") + "export const OPERATIONS = {\n" + "\n".join(lines) + "\n};\n"


def type_of(shape: Shape) -> str:
    """Return a type."""
    if shape.kind == "ref":
        name = shape.name
    elif shape.kind == "enum":
        name = " | ".join(json.dumps(value) for value in shape.values)
    elif shape.kind == "array":
        inner = type_of(shape.parts[0])
        name = f"Array<{inner}>"
    elif shape.kind == "union":
        name = " | ".join(type_of(part) for part in shape.parts)
    else:
        name = PLAIN.get(shape.kind, PLAIN_OBJECT)
    return f"{name} | null" if shape.nullable else name


def _declaration(component: Component) -> str:
    comment = f"/** {_plain(component.text)} */\n" if component.text else ""
    if component.shape is not None:
        return f"{comment}export type {component.name} = {type_of(component.shape)};"
    lines = [f"{comment}export interface {component.name} {{"]
    for member in component.members:
        if member.text:
            lines.append(f"  /** {_plain(member.text)} */")
        lines.append(f"  {member.name}{'' if member.required else '?'}: {type_of(member.shape)};")
    if component.is_open:
        lines.append("  [name: string]: unknown;")
    return "\n".join([*lines, "}"])


def _method(operation: Operation) -> list[str]:
    answer = "void" if operation.answer is None else type_of(operation.answer)
    lines = [
        f"/** {_plain(operation.summary)} */",
        f"{operation.name}({_arguments(operation, leave_out='')}): Promise<{answer}>;",
    ]
    if operation.paging and operation.item is not None:
        name = operation.name.replace("list", "iterate", 1)
        lines += [
            f"/** {_plain(operation.summary)}: all of them, page after page as they are needed. */",
            f"{name}({_arguments(operation, leave_out=operation.paging)}): AsyncGenerator<{type_of(operation.item)}>;",
        ]
    return lines


def _arguments(operation: Operation, *, leave_out: str) -> str:
    arguments = [f"{name}: string" for name in operation.path_names]
    if operation.body is not None:
        arguments.append(f"body: {type_of(operation.body)}")
    if operation.event_id:
        arguments.append("eventId: string")
    asked = [each for each in operation.query if each.name != leave_out]
    if asked:
        fields = "; ".join(f"{each.name}{'' if each.required else '?'}: {type_of(each.shape)}" for each in asked)
        optional = "" if any(each.required for each in asked) else "?"
        arguments.append(f"query{optional}: {{ {fields} }}")
    return ", ".join([*arguments, "options?: CallOptions"])


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")
