"""Parts that several operations of a document have alike, named once: answers and parameters.

A document that is read whole, by a generator or a language model, should say a thing once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import orjson

from hub.merchant_api.openapi.named import reference
from hub.validation.constraints import Schema

ONE_OF_A_KIND: Final[dict[str, str]] = {"304": "NotModified", "400": "BadRequest", "404": "NotFound"}
"""Answers that differ between operations in the words of their example alone, so that one stands for all."""


def with_shared_parts(described: dict[str, Any]) -> dict[str, Any]:
    """Return a document whose operations refer to what they have alike; its components are sorted."""
    components = described["components"]
    operations = [operation for methods in described["paths"].values() for operation in methods.values()]
    for operation in operations:
        for status, name in ONE_OF_A_KIND.items():
            if "$ref" not in operation["responses"].get(status, {"$ref": ""}):
                components["responses"].setdefault(name, operation["responses"][status])
                operation["responses"][status] = reference("responses", name)
    answers = [(operation["responses"], status) for operation in operations for status in operation["responses"]]
    _name(answers, "responses", components, _answer_name)
    parameters = [(each["parameters"], place) for each in operations for place in range(len(each["parameters"]))]
    _name(parameters, "parameters", components, _parameter_name)
    for kind in ("responses", "parameters"):
        components[kind] = dict(sorted(components[kind].items()))
    return described


def _name(
    places: list[tuple[Any, Any]], kind: str, components: dict[str, Any], name_of: Callable[[Schema], str]
) -> None:
    """Put references in the places of parts that occur more than once, and the parts among the components."""
    texts = [orjson.dumps(holder[key]) for holder, key in places]
    often = Counter(texts)
    named: dict[bytes, str] = {}
    for (holder, key), text in zip(places, texts, strict=True):
        part = holder[key]
        if "$ref" in part or often[text] == 1 or _is_bare_id(part):
            continue
        if text not in named:
            named[text] = next(name for name in _names(name_of(part)) if name not in components[kind])
            components[kind][named[text]] = part
        holder[key] = reference(kind, named[text])


def _names(first: str) -> Iterator[str]:
    yield first
    for number in range(2, 100):
        yield f"{first}{number}"


def _is_bare_id(part: Schema) -> bool:
    """Return whether a part is a path's `{id}`, which is another thing's in each group."""
    return part.get("in") == "path" and part["name"] == "id"


def _parameter_name(parameter: Schema) -> str:
    """Return the name of a parameter; a path's says so, as a filter may be called the same."""
    name = parameter["name"][0].upper() + parameter["name"][1:]
    return f"{name}InPath" if parameter["in"] == "path" else name


def _answer_name(answer: Schema) -> str:
    """Return the name of an answer: that of its schema, behind what it is."""
    (content, *_) = answer.get("content", {"": {}}).values()
    schema = content.get("schema", {}).get("$ref", "")
    return f"{schema.rpartition('/')[2] or 'Other'}Answer"
