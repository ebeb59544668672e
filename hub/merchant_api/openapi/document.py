"""Make the OpenAPI 3.0.3 document of the merchant API from the table of endpoints and the classes that it names.

`python -m hub.merchant_api.openapi.document` writes it to the standard output, indented for people to read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

import orjson

from hub.merchant_api.endpoint import CsvFile, Endpoint, JsonObject
from hub.merchant_api.list_responses import EVENT_TYPES
from hub.merchant_api.openapi.errors import HEADERS, refusal_components
from hub.merchant_api.openapi.message_bodies import message_components, twin
from hub.merchant_api.openapi.named import scalar_components
from hub.merchant_api.openapi.operations import PARAMETERS, operation
from hub.merchant_api.openapi.schemas import answer_parts, answer_schema, input_schema, sorted_by_name
from hub.merchant_api.openapi.shared_parts import with_shared_parts
from hub.merchant_api.openapi.texts import INTRODUCTION, TAGS, TITLE
from hub.merchant_api.openapi.webhook_bodies import webhook_components
from hub.merchant_api.responses import ErrorBody
from hub.merchant_api.v1 import ENDPOINTS
from hub.validation.constraints import Constraint, Schema
from hub.validation.container_constraints import Records
from hub.validation.input_reader import fields_of

SERVER: Final = "/api"
"""Behind the hub's public address; relative to the document's own if none is configured, right behind any proxy."""

SCHEMAS: Final = "#/components/schemas/"
LICENSE: Final = {"name": "Apache 2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0.html"}
WITHOUT_SCHEMA: Final[frozenset[type]] = frozenset({JsonObject, CsvFile})
"""The types of bodies and answers that no schema describes."""

SECURITY: Final[dict[str, tuple[str, str]]] = {
    "ApiKey": ("X-API-Key", "The key's public id: ak_test_... or ak_live_..."),
    "Signature": (
        "X-Signature",
        "64 lowercase hex digits: HMAC-SHA256 of `<X-Timestamp>.<raw body>` with the key's signing secret.",
    ),
    "Timestamp": ("X-Timestamp", "Unix time in seconds, 10 digits, at most 300 seconds off."),
}
"""The three headers that authenticate a request, by the names of their security schemes; all are needed."""
BEARER: Final = {
    "Token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A merchant's token, in place of the signature; its scopes say what it may do.",
    }
}
"""The other way: one header with a token."""


def describe(endpoints: Iterable[Endpoint] = ENDPOINTS, server: str = SERVER) -> dict[str, Any]:
    """Return the document, its paths, methods, statuses and components sorted, fields in the order of their classes."""
    rows = tuple(endpoints)
    described = {
        "openapi": "3.0.3",
        "info": {
            "title": TITLE,
            "version": "v1",
            "description": INTRODUCTION,
            "license": LICENSE,
            "contact": contact_of(server),
        },
        "servers": [{"url": server, "description": "The hub that this document was read from."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "security": [{name: [] for name in SECURITY}, {name: [] for name in BEARER}],
        "paths": _paths(rows),
        "components": {
            "schemas": _schemas(rows),
            "responses": refusal_components(),
            "parameters": dict(PARAMETERS),
            "headers": dict(HEADERS),
            "securitySchemes": {
                name: {"type": "apiKey", "in": "header", "name": header, "description": text}
                for name, (header, text) in SECURITY.items()
            }
            | BEARER,
        },
    }
    return with_shared_parts(with_scalars(described))


def contact_of(server: str) -> dict[str, str]:
    """Return whom to ask: the hub that answers under this address, whose page of help is beside its API.

    Without a public address there is no `url`: a relative one is none by the specification, and generators refuse it.
    """
    contact = {"name": "The operator of this hub"}
    root = server.removesuffix(SERVER)
    return {**contact, "url": root + "/docs"} if root else contact


@cache
def document(public_url: str = "") -> bytes:
    """Return the document as it is served, as JSON bytes; it names the hub's public address if that is configured."""
    return orjson.dumps(describe(server=public_url.rstrip("/") + SERVER))


@cache
def document_in_31(public_url: str = "") -> bytes:
    """Return the same document in OpenAPI 3.1, which has the messages to subscribers as its webhooks."""
    return orjson.dumps(twin(orjson.loads(document(public_url))))


def readable_document() -> bytes:
    """Return the document as docs/openapi.json has it, where a change of the API shows as a change of lines."""
    return orjson.dumps(describe(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _paths(endpoints: tuple[Endpoint, ...]) -> dict[str, Schema]:
    paths: dict[str, Schema] = {}
    for endpoint in sorted(endpoints, key=lambda row: (row.path, row.method)):
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint)
    return paths


def _schemas(endpoints: tuple[Endpoint, ...]) -> dict[str, Schema]:
    bodies = {row.body for row in endpoints if row.body is not None} - WITHOUT_SCHEMA
    inputs = [part for body in bodies for part in _input_parts(body)]
    responses = {ErrorBody, *(row.response for row in endpoints)} - WITHOUT_SCHEMA
    answers = [part for response in responses for part in answer_parts(response)]
    schemas = sorted_by_name(input_schema, inputs) | sorted_by_name(answer_schema, answers)
    if any(row.response is EVENT_TYPES for row in endpoints):
        schemas |= message_components()
    schemas |= webhook_components(row.path.rpartition("/")[2] for row in endpoints if row.body is JsonObject)
    return schemas


def with_scalars(described: dict[str, Any]) -> dict[str, Any]:
    """Add the components of the scalars that a document refers to, and those that they refer to.

    Raise LookupError that names what the document refers to and nothing describes.
    """
    schemas = described["components"]["schemas"]
    missing = referred_schemas(described) - schemas.keys()
    while missing:
        found = dict(scalar_components(missing))
        if not found:
            raise LookupError(f"No component describes {', '.join(sorted(missing))}.")
        schemas.update(found)
        missing = (missing | referred_schemas(found)) - schemas.keys()
    described["components"]["schemas"] = dict(sorted(schemas.items()))
    return described


def referred_schemas(part: Any) -> set[str]:
    """Return the names of the schemas that a part of a document refers to."""
    found: set[str] = set()
    parts = [part]
    while parts:
        each = parts.pop()
        if isinstance(each, dict):
            place = each.get("$ref")
            if isinstance(place, str) and place.startswith(SCHEMAS):
                found.add(place.removeprefix(SCHEMAS))
            parts += each.values()
        elif isinstance(each, list):
            parts += each
    return found


def _input_parts(cls: type) -> Iterable[type]:
    """Yield an input class and the classes of the records that it holds."""
    yield cls
    for field in fields_of(cls):
        constraint: Constraint = field.constraint
        if isinstance(constraint, Records):
            yield from _input_parts(constraint.record)


if __name__ == "__main__":
    sys.stdout.buffer.write(readable_document())
