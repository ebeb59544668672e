"""The API reference: the operations of the OpenAPI document, by their groups, as their pages show them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from hub.docs_site.fields import Field, Schemas

PLACE: Final = "/docs/reference"
FIRST: Final = ("conversions", "order-status", "events", "webhooks", "commissions", "review")
"""The groups that a store needs first; the others follow in the document's order."""
MAIN: Final = frozenset({"reportConversion", "sendOrderCreated", "importProducts", "createCampaign"})
"""The operations with which their groups begin."""
SIGNING: Final = frozenset({"X-Nonce", "X-Signature-Version", "X-Request-ID", "Idempotency-Key"})
"""Header parameters that every operation takes: they are explained once, in the guide."""


@frozen
class DocumentedAnswer:
    """A status that an operation answers with, with the fields of its body and an example."""

    status: str
    text: str
    fields: tuple[Field, ...]
    example: str
    is_json: bool = True


@frozen(eq=False)
class Operation:
    """One operation; `example` is its example request as the snippets send it."""

    name: str
    place: str
    group: str
    method: str
    path: str
    summary: str
    text: str
    path_fields: tuple[Field, ...]
    query_fields: tuple[Field, ...]
    header_fields: tuple[Field, ...]
    body_fields: tuple[Field, ...]
    body_type: str | None
    examples: Mapping[str, Any]
    path_examples: Mapping[str, str]
    header_examples: Mapping[str, str]
    answers: tuple[DocumentedAnswer, ...]
    errors: tuple[DocumentedAnswer, ...]

    @property
    def address(self) -> str:
        """Where the reference explains it."""
        return f"{self.place}/{self.group}#{self.name}"

    @property
    def target(self) -> str:
        """The path with the examples of its parameters."""
        return self.path.format(**self.path_examples)

    @property
    def sent_type(self) -> str | None:
        """The media type that the snippets send the body as; None without a body."""
        return "text/csv" if isinstance(self.body, str) else self.body_type

    @property
    def body(self) -> Any:
        """The body that the snippets send: the smallest example; None without a body."""
        return min(self.examples.values(), key=lambda value: len(json.dumps(value)), default=None)


@frozen(eq=False)
class Group:
    """A group of operations, such as `conversions`."""

    name: str
    place: str
    text: str
    operations: tuple[Operation, ...]

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"{self.place}/{self.name}"

    @property
    def title(self) -> str:
        """The group's name in words."""
        return self.name.replace("-", " ").capitalize()


def groups_of(document: Mapping[str, Any], place: str = PLACE) -> tuple[Group, ...]:
    """Return the groups of an OpenAPI document with their operations, the main job first; `place` is their address."""
    operations = list(_operations(document, place))
    tags = {tag["name"]: tag.get("description", "") for tag in document["tags"]}
    order = [*(name for name in FIRST if name in tags), *(name for name in tags if name not in FIRST)]
    found = (Group(name, place, tags[name], tuple(each for each in operations if each.group == name)) for name in order)
    return tuple(group for group in found if group.operations)


def _operations(document: Mapping[str, Any], place: str) -> Iterator[Operation]:
    schemas = Schemas(document)
    every = [
        _operation(schemas, place, path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    yield from sorted(every, key=lambda each: (each.name not in MAIN, each.method == "GET", len(each.path_fields)))


def _operation(schemas: Schemas, place: str, path: str, method: str, operation: Mapping[str, Any]) -> Operation:
    parameters = [schemas.resolve(each) for each in operation.get("parameters", ())]
    body_type, content = _first_content(operation.get("requestBody", {}))
    answers = [_answer(schemas, status, each) for status, each in operation["responses"].items()]
    return Operation(
        name=operation["operationId"],
        place=place,
        group=operation["tags"][0],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        text=operation.get("description", ""),
        path_fields=_parameters(schemas, parameters, "path"),
        query_fields=_parameters(schemas, parameters, "query"),
        header_fields=_parameters(schemas, parameters, "header"),
        body_fields=schemas.fields(content.get("schema", {})),
        body_type=body_type,
        examples=_examples(content),
        path_examples=_parameter_examples(parameters, "path"),
        header_examples=_parameter_examples(parameters, "header"),
        answers=tuple(each for each in answers if each.status < "400"),
        errors=tuple(each for each in answers if each.status >= "400"),
    )


def _parameters(schemas: Schemas, parameters: list[Any], place: str) -> tuple[Field, ...]:
    return tuple(
        schemas.field(each["name"], each["schema"], required=each.get("required", False), text=each["description"])
        for each in parameters
        if each["in"] == place and each["name"] not in SIGNING
    )


def _parameter_examples(parameters: list[Any], place: str) -> dict[str, str]:
    """Return the examples of the parameters that a request cannot do without."""
    needed = (each for each in parameters if each["in"] == place and each.get("required"))
    return {each["name"]: str(each["schema"].get("example", each.get("example", ""))) for each in needed}


def _examples(content: Mapping[str, Any]) -> dict[str, Any]:
    named = {name: each["value"] for name, each in content.get("examples", {}).items()}
    return named or ({"example": content["example"]} if "example" in content else {})


def _first_content(holder: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """Return the media type and the content of a body or of an answer; None and nothing without one."""
    content: Mapping[str, Mapping[str, Any]] = holder.get("content", {})
    return next(iter(content.items()), (None, {}))


def _answer(schemas: Schemas, status: str, answer: Any) -> DocumentedAnswer:
    answer = schemas.resolve(answer)
    kind, content = _first_content(answer)
    example = next(iter(_examples(content).values()), None)
    shown = example if isinstance(example, str) else json.dumps(example, indent=2, ensure_ascii=False)
    return DocumentedAnswer(
        status=status,
        text=answer.get("description", ""),
        fields=schemas.fields(content["schema"]) if content else (),
        example="" if example is None else shown,
        is_json=kind == "application/json",
    )
