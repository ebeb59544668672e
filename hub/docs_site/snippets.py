"""Requests as code in six languages: a function that signs, which is the same everywhere, and one call of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from hub.docs_site.fields import Field
from hub.docs_site.reference import Operation

SHORT: Final = 90
FOLDER: Final = Path(__file__).parent / "signers"


@frozen
class Language:
    """A language: its name for people, the suffix of its files, and what colours its code."""

    name: str
    title: str
    suffix: str
    lexer: str


LANGUAGES: Final = (
    Language("curl", "curl", "sh", "bash"),
    Language("python", "Python", "py", "python"),
    Language("javascript", "JavaScript", "mjs", "javascript"),
    Language("php", "PHP", "php", "php"),
    Language("go", "Go", "go", "go"),
    Language("ruby", "Ruby", "rb", "ruby"),
)


@frozen
class Style:
    """How a language writes literals and calls; `variable` starts one within a text in double quotes."""

    key: str
    words: Mapping[bool | None, str]
    name: str
    set: str
    end: str
    call: str
    open: str = "{"
    close: str = "}"
    variable: str = ""


_JSON_WORDS: Final = {None: "null", True: "true", False: "false"}
PYTHON: Final = Style("%s:", {None: "None", True: "True", False: "False"}, "body", "body", "", "print(call(%s))")
JAVASCRIPT: Final = Style("%s:", _JSON_WORDS, "body", "const body", ";", "console.log(await call(%s));")
PHP: Final = Style("%s =>", _JSON_WORDS, "$body", "$body", ";", "echo call(%s), PHP_EOL;", "[", "]", "$")
RUBY: Final = Style("%s =>", {**_JSON_WORDS, None: "nil"}, "body", "body", "", "puts call(%s)", variable="#")


@cache
def signer(language: str) -> str:
    """Return the function that signs and sends, as code."""
    (each,) = (each for each in LANGUAGES if each.name == language)
    return (FOLDER / f"call.{each.suffix}.txt").read_text("utf-8").rstrip()


def call(operation: Operation, language: str) -> str:
    """Return the call of an operation with its example request."""
    body, headers = operation.body, dict(operation.header_examples)
    key = idempotency_key(operation)
    if key and "X-Idempotency-Key" in {field.name for field in operation.header_fields}:
        headers["X-Idempotency-Key"] = key
    return _CALLS[language](operation.method, operation.target, body, headers)


def program(operation: Operation, language: str) -> str:
    """Return a whole program that makes one call: what a reader copies."""
    return f"{signer(language)}\n\n{'' if language != 'python' else chr(10)}{call(operation, language)}"


def token_call(operation: Operation) -> str:
    """Return a call of an API with tokens, for curl; HUB_API is the API's address, HUB_TOKEN the token."""
    lines = [f'curl --fail-with-body -X {operation.method} "$HUB_API{operation.target}"']
    lines.append('-H "Authorization: Bearer $HUB_TOKEN"')
    if operation.method != "GET":
        lines.append(f'-H "Idempotency-Key: {operation.name}-$(date +%s)"')
    if operation.body_fields:
        needed = {each.name: _placeholder(each) for each in operation.body_fields if each.required}
        lines += ['-H "Content-Type: application/json"', f"--data {_quoted(_text(operation.body or needed))}"]
    return " \\\n  ".join(lines)


def _placeholder(field: Field) -> Any:
    """Return a value of a field's type, to be overwritten."""
    if field.choices:
        return field.choices[0]
    plain = {"integer": 1, "number": 1, "boolean": True, "object": {}}
    return [] if field.type.startswith("array") else plain.get(field.type.partition(" ")[0], "...")


def idempotency_key(operation: Operation) -> str:
    """Return an idempotency key as a store derives it from its own ids; empty if the body is not about an order."""
    body = operation.body if isinstance(operation.body, dict) else {}
    order = body.get("externalOrderId")
    return f"{body.get('status', 'order')}-{order}" if order else ""


def literal(value: Any, style: Style) -> str:
    """Return a JSON value as a literal of a language: on one line if it is short, else a line for each member."""
    line = _inline(value, style)
    return line if len(line) <= SHORT else _spread(value, style, 0)


def _inline(value: Any, style: Style) -> str:
    if isinstance(value, dict):
        pairs = (f"{style.key % _string(name, style)} {_inline(each, style)}" for name, each in value.items())
        return style.open + ", ".join(pairs) + style.close
    if isinstance(value, list):
        return "[" + ", ".join(_inline(each, style) for each in value) + "]"
    if isinstance(value, str):
        return _string(value, style)
    return style.words[value] if value is None or isinstance(value, bool) else json.dumps(value)


def _spread(value: Any, style: Style, depth: int) -> str:
    inner, outer = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict) and value:
        pairs = (
            f"{inner}{style.key % _string(name, style)} {_spread(each, style, depth + 1)},\n"
            for name, each in value.items()
        )
        return f"{style.open}\n{''.join(pairs)}{outer}{style.close}"
    if isinstance(value, list) and value:
        items = (f"{inner}{_spread(each, style, depth + 1)},\n" for each in value)
        return f"[\n{''.join(items)}{outer}]"
    return _inline(value, style)


def _string(text: str, style: Style) -> str:
    """Return a text in double quotes; the sign that starts a variable within them is escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.replace(style.variable, f"\\{style.variable}") if style.variable else quoted


def _called(style: Style, method: str, path: str, body: Any, headers: Mapping[str, str]) -> str:
    arguments = [json.dumps(method), json.dumps(path)]
    if body is not None:
        arguments.append(style.name)
    elif headers:
        arguments.append(style.words[None])
    if headers:
        arguments.append(_inline(dict(headers), style))
    set_body = "" if body is None else f"{style.set} = {literal(body, style)}{style.end}\n"
    return f"{set_body}{style.call % ', '.join(arguments)}"


def _curl(method: str, path: str, body: Any, headers: Mapping[str, str]) -> str:
    named = "".join(f" \\\n  -H {_quoted(f'{name}: {value}')}" for name, value in headers.items())
    sent = "" if body is None and not headers else f" \\\n  {_quoted(_text(body))}"
    return f"call {method} {_quoted(path)}{sent}{named}"


def _go(method: str, path: str, body: Any, headers: Mapping[str, str]) -> str:
    raw = _text(body)
    text = f"`{raw}`" if isinstance(body, dict) and "`" not in raw else json.dumps(raw, ensure_ascii=False)
    named = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in headers.items())
    return f"func main() {{\n\tcall({json.dumps(method)}, {json.dumps(path)}, {text}, map[string]string{{{named}}})\n}}"


def _text(body: Any) -> str:
    """Return a body as text: on one line if it is short, in the very bytes that the other languages send."""
    if body is None or isinstance(body, str):
        return body or ""
    short = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
    return short if len(short) <= SHORT else json.dumps(body, indent=2, ensure_ascii=False)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_CALLS: Final[Mapping[str, Callable[[str, str, Any, Mapping[str, str]], str]]] = {
    "curl": _curl,
    "python": partial(_called, PYTHON),
    "javascript": partial(_called, JAVASCRIPT),
    "php": partial(_called, PHP),
    "go": _go,
    "ruby": partial(_called, RUBY),
}
