"""What the APIs' documents promised at the last release, as lines, and what of it a document of today breaks.

`python -m tests.merchant_api.kept_members` adds what is new to `kept_members.txt`; it takes nothing away. A line that
goes for a reason (after the notice that docs/api.md promises) is deleted by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.openapi_documents import KINDS, document_of

KEPT = Path(__file__).with_name("kept_members.txt")


def lines_of(kind: str, document: Mapping[str, Any]) -> set[str]:
    """Return lines: what operations are served, answer, take and need, what components show, texts, and words.

    A type ends in `?` where the member may be missing, and in `|null` where it may be null.
    """
    said = {f"{kind} {line}" for line in _operations(document)}
    inputs = _reached(document, [o["requestBody"] for _, o in _rows(document) if "requestBody" in o])
    for name, schema in document["components"]["schemas"].items():
        said |= {f"{kind} words {name} {word}" for word in schema.get("enum", ())}
        said |= {f"{kind} text {name}"} if schema.get("type") == "string" else set()
        required = schema.get("required", ())
        for member, shown in schema.get("properties", {}).items():
            said.add(f"{kind} shows {name}.{member} {_type(shown)}{'' if member in required else '?'}")
        said |= {f"{kind} needs {name} {member}" for member in required if name in inputs}
    return said


def broken(kept: Iterable[str], now: set[str]) -> list[str]:
    """What was promised and is no more: a line that is gone or weaker, and what is asked for that was not."""
    promised, told = set(kept), now | set(_as_any_text(now))
    gone = [line for line in promised if " needs " not in line and not told & set(_kept_by(line))]
    known = {" ".join(line.split()[2].split(".")[:1]) for line in promised}
    asked = {line for line in now - promised if " needs " in line and line.split()[2] in known}
    return sorted([*gone, *asked])


def _kept_by(line: str) -> Iterator[str]:
    """The lines that keep a promise: itself, and those that promise more."""
    yield line
    if " shows " in line:
        yield line.removesuffix("?")
        yield line.removesuffix("?").removesuffix("|null")
        yield line.replace("|null?", "?")


def _as_any_text(now: set[str]) -> Iterator[str]:
    """The lines of members that are texts of some form, as if they were any text: who reads any text reads a word."""
    texts = {line.split()[2] for line in now if " text " in line}
    for line in now:
        name = line.split()[-1].removesuffix("?").removesuffix("|null")
        if " shows " in line and name in texts:
            yield line.replace(f" {name}", " string")


def _rows(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def _operations(document: Mapping[str, Any]) -> Iterator[str]:
    for place, operation in _rows(document):
        name = operation["operationId"]
        yield f"serves {name} {place}"
        for status, answer in operation["responses"].items():
            if status.startswith("2"):
                (content,) = _resolved(document, answer)["content"].values()
                yield f"answers {name} {status} {_type(content['schema'])}"
        for each in operation["parameters"]:
            parameter = _resolved(document, each)
            if parameter["in"] != "path":
                yield f"takes {name} {parameter['name']}"
            if parameter.get("required") and parameter["in"] != "path":
                yield f"needs {name} {parameter['name']}"
        if "requestBody" in operation:
            (content,) = operation["requestBody"]["content"].values()
            yield f"takes {name} {_type(content['schema'])}"


def _resolved(document: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in node:
        return node
    found: Any = document
    for step in node["$ref"].split("/")[1:]:
        found = found[step]
    return _resolved(document, found)


def _type(schema: Mapping[str, Any]) -> str:
    parts = [*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    null = "|null" if schema.get("nullable") or any(each.get("enum") == [None] for each in parts) else ""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if parts:
        return "|".join(sorted(_type(each) for each in parts if each.get("enum") != [None])) + null
    if schema.get("type") == "array":
        return f"[{_type(schema['items'])}]{null}"
    return f"{schema.get('type', 'any')}{null}"


def _reached(document: Mapping[str, Any], nodes: list[Any]) -> set[str]:
    """The components that parts of a document lead to."""
    found: set[str] = set()
    while nodes:
        node = nodes.pop()
        if isinstance(node, list):
            nodes += node
        elif isinstance(node, dict):
            place = node.get("$ref")
            if isinstance(place, str) and place not in found:
                found.add(place)
                nodes.append(_resolved(document, node))
            nodes += node.values()
    return {each.rpartition("/")[2] for each in found}


def now() -> set[str]:
    return {line for kind in KINDS for line in lines_of(kind, document_of(kind))}


if __name__ == "__main__":
    known = set(KEPT.read_text("utf-8").splitlines()) if KEPT.exists() else set()
    KEPT.write_text("".join(f"{line}\n" for line in sorted(known | now())), "utf-8")
