"""The schemas of the messages that subscribers get, the catalogue of their kinds, and the document's twin in 3.1.

OpenAPI 3.0 has no place for messages that the hub sends, so there they are components, which the answer of
`GET /v1/event-types` refers to. The twin says the same in OpenAPI 3.1, whose schemas are JSON Schema, and has them as
`webhooks` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from hub.domain.messages.payload_versions import newest_version
from hub.merchant_api.openapi.named import reference, scalar_components, with_notes, words_schema
from hub.merchant_api.openapi.schemas import answer_schema
from hub.records.messages import MESSAGE_KINDS, EventTypeRecord, example_message
from hub.records.record import about_of
from hub.validation.constraints import Schema

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ANY: Final = "WebhookMessage"
PLACE: Final = "#/components/schemas/"
JSON: Final = "application/json"
HEADERS: Final = (
    ("webhook-id", "The message's id, the same at each attempt.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90"),
    ("webhook-timestamp", "When it was sent, Unix seconds.", "1795176000"),
    ("webhook-payload-version", "The version of the body; members may be added to it.", newest_version()),
    ("webhook-signature", "`v1,` and the signature; two with a blank between while a secret rotates.", "v1,K5oZfz..."),
)
"""The headers of a message: those of Standard Webhooks, and the version of the body."""


def message_components() -> dict[str, Schema]:
    """Return the components of messages by name: what each says, the message around it, and any of them."""
    classes = {kind.data for kind in MESSAGE_KINDS.values()}
    said = {cls.__name__: answer_schema(cls) for cls in classes}
    around = {_name_of(cls): _message(cls) for cls in classes}
    choice = {
        "description": "A message to a subscriber.",
        "oneOf": [reference("schemas", each) for each in sorted(around)],
    }
    return {**said, **around, ANY: choice}


def _name_of(cls: type) -> str:
    return f"{cls.__name__}Message"


def _message(cls: type) -> Schema:
    types = [event_type for event_type, kind in MESSAGE_KINDS.items() if kind.data is cls]
    return {
        "type": "object",
        "description": about_of(cls),
        "properties": {
            "type": with_notes(words_schema(types), {"description": "What happened."}),
            "timestamp": {"type": "string", "format": "date-time", "description": "When it happened."},
            "data": reference("schemas", cls.__name__),
        },
        "required": ["type", "timestamp", "data"],
    }


@cache
def catalogue() -> tuple[EventTypeRecord, ...]:
    """Return every kind of message with a JSON Schema that stands alone, and an example."""
    return tuple(
        EventTypeRecord(
            type=event_type,
            about=_sentence(kind.about),
            for_affiliates=kind.for_affiliates,
            version=newest_version(),
            schema=_alone(event_type),
            example=example_message(event_type),
        )
        for event_type, kind in MESSAGE_KINDS.items()
    )


def catalogue_of(*, affiliate: bool) -> list[EventTypeRecord]:
    """Return the catalogue as it is answered; an affiliate's has what an affiliate gets."""
    return [each for each in catalogue() if each.for_affiliates or not affiliate]


def _sentence(about: str) -> str:
    return f"{about[0].upper()}{about[1:]}."


def _alone(event_type: str) -> Schema:
    """Return the JSON Schema of a message of one type, with what it refers to put in its place."""
    components = message_components()
    message = components[_name_of(MESSAGE_KINDS[event_type].data)]
    whole: Schema = _inlined(in_31(message), components)
    whole["properties"]["type"] = {"const": event_type, "description": "What happened."}
    return {"$schema": DIALECT, "title": event_type, **whole}


def _inlined(node: Any, components: Mapping[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_inlined(each, components) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].removeprefix(PLACE)
        found = components[name] if name in components else dict(scalar_components([name]))[name]
        return _inlined(in_31(found), components)
    return {key: _inlined(each, components) for key, each in node.items()}


# The twin ----------------------------------------------------------------------------------------------------


def twin(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of OpenAPI 3.0 as one of 3.1, with the messages as its webhooks."""
    whole: dict[str, Any] = in_31(dict(described))
    return {**whole, "openapi": "3.1.0", "webhooks": {each.type: {"post": _webhook(each)} for each in catalogue()}}


def _webhook(kind: EventTypeRecord) -> Schema:
    name = _name_of(MESSAGE_KINDS[kind.type].data)
    words = kind.type.replace("_", ".").split(".")
    return {
        "operationId": "receive" + "".join(word.title() for word in words),
        "summary": kind.about,
        "tags": ["subscriptions"],
        "security": [],
        "parameters": [
            {"name": header, "in": "header", "required": True, "description": text,
             "schema": {"type": "string", "examples": [example]}}
            for header, text, example in HEADERS
        ],
        "requestBody": {"required": True, "content": {JSON: {"schema": reference("schemas", name),
                                                             "example": kind.example}}},
        "responses": {"2XX": {"description": "Taken. Anything else is a failure, and the message comes again."}},
    }  # fmt: skip


def in_31(node: Any) -> Any:
    """Return a part of a document of 3.0 as 3.1 has it: null is a type, and a schema has examples."""
    if isinstance(node, list):
        return [in_31(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("enum") == [None]:
        return {"type": "null"}
    kept = {key: _member_in_31(key, value) for key, value in node.items() if key != "nullable"}
    if node.get("nullable") is True:
        if "type" in kept:
            kept["type"] = [kept["type"], "null"]
        elif "anyOf" in kept:
            kept["anyOf"] = [*kept["anyOf"], {"type": "null"}]
    if "example" in kept and _is_schema(kept):
        kept["examples"] = [kept.pop("example")]
    return kept


def _member_in_31(key: str, value: Any) -> Any:
    """Return a member of a part: some hold values of the API, and those of `properties` have names of their own."""
    if key in ("example", "default", "enum", "value"):
        return value
    if key == "properties":
        return {name: in_31(each) for name, each in value.items()}
    return in_31(value)


def _is_schema(node: Mapping[str, Any]) -> bool:
    return any(key in node for key in ("type", "anyOf", "allOf", "oneOf", "$ref")) and "schema" not in node
