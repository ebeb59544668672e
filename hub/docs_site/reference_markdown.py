"""The reference as Markdown, from the same operations as its pages: for language models, and to copy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from hub.docs_site.fields import Field
from hub.docs_site.reference import DocumentedAnswer, Group, Operation


def group_markdown(group: Group, root: str) -> str:
    """Return the operations of a group; `root` is the hub's public address with the API's own path, as in requests."""
    lines = [f"# {group.title}", "", *([group.text, ""] if group.text else []), f"Paths are below `{root}`.", ""]
    for operation in group.operations:
        lines += _operation(operation)
    return "\n".join(lines).rstrip() + "\n"


def _operation(operation: Operation) -> Iterator[str]:
    yield from (f"## {operation.summary}", "", f"`{operation.method} {operation.path}` (`{operation.name}`)", "")
    if operation.text:
        yield from (operation.text, "")
    named = (
        ("Path", operation.path_fields), ("Query", operation.query_fields), ("Headers", operation.header_fields),
        ("Body", operation.body_fields),
    )  # fmt: skip
    for title, fields in named:
        if fields:
            yield from (f"{title}:", "", *_fields(fields), "")
    for name, example in operation.examples.items():
        yield from (f"Body, {name}:", "", *_code(example), "")
    for answer in operation.answers:
        yield from _answer(answer)
    refusals = ", ".join(f"{each.status} ({each.text.rstrip('.')})" for each in operation.errors)
    if refusals:
        yield from (f"Refusals: {refusals}.", "")


def _answer(answer: DocumentedAnswer) -> Iterator[str]:
    yield from (f"Answer {answer.status}: {answer.text}", "")
    if answer.fields:
        yield from (*_fields(answer.fields), "")
    if answer.example:
        yield from (f"```{'json' if answer.is_json else 'text'}", answer.example.rstrip(), "```", "")


def _fields(fields: Iterable[Field], depth: int = 0) -> Iterator[str]:
    for each in fields:
        notes = [each.type, *(["required"] if each.required else []), *each.notes]
        choices = f" One of {', '.join(f'`{word}`' for word in each.choices)}." if each.choices else ""
        yield f"{'  ' * depth}- `{each.name}` ({', '.join(notes)}): {' '.join(each.text.split())}{choices}".rstrip(": ")
        yield from _fields(each.fields, depth + 1)


def _code(example: Any) -> list[str]:
    if isinstance(example, str):
        return ["```text", example.rstrip(), "```"]
    return ["```json", json.dumps(example, indent=2, ensure_ascii=False), "```"]
