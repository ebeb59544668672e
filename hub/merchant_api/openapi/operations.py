"""Describe each endpoint as an operation of the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import attrs

from hub.csv_import.kinds import KINDS
from hub.domain.deprecations import Deprecation
from hub.merchant_api.endpoint import CsvFile, Endpoint, HeaderField, JsonObject
from hub.merchant_api.openapi.errors import ALWAYS, METERED, header_references, refusal_responses
from hub.merchant_api.openapi.examples import ANSWERS, CHANGES, VERDICTS, csv_example
from hub.merchant_api.openapi.named import reference, words_schema
from hub.merchant_api.openapi.schemas import NOT_BLANK, constraint_schema, input_example
from hub.merchant_api.openapi.texts import OPERATIONS, PATH_PARAMETERS
from hub.merchant_api.openapi.webhook_bodies import WEBHOOKS, body_name
from hub.records.record import Shown, about_of, name_of
from hub.validation.constraints import Schema
from hub.validation.input_reader import fields_of

JSON: Final = "application/json"
CSV: Final = "text/csv"
BYTES: Final = "application/octet-stream"
"""What an upload is described as, because generated clients send it; text/csv is taken as well."""
VISIBLE: Final = "^[!-~]+$"
KEY_SCHEMA: Final[Schema] = {
    "type": "string", "minLength": 1, "maxLength": 255, "pattern": VISIBLE, "example": "order-ORDER-1042",
}  # fmt: skip

PARAMETERS: Final[Mapping[str, Schema]] = {
    "IdempotencyKey": {
        "name": "X-Idempotency-Key",
        "in": "header",
        "description": (
            "Makes repeating the request safe: for 24 hours the same key gives the first answer again. Derive it from "
            "your own ids, never at random for each attempt."
        ),
        "schema": KEY_SCHEMA,
    },
    "IdempotencyKeyAlias": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "The same under its standard name. Where both are sent they must be equal.",
        "schema": KEY_SCHEMA,
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag of an earlier answer: if nothing changed since, the answer is a 304 without a body.",
        "schema": {"type": "string", "example": '"6b86b273ff34fce19d6b804eff5a3f57"'},
    },
    "Nonce": {
        "name": "X-Nonce",
        "in": "header",
        "description": (
            "New for each request, so that two equal ones in the same second have two signatures. With it "
            "`<X-Timestamp>.<X-Nonce>.<raw body>` is signed."
        ),
        "schema": {"type": "string", "pattern": "^[!-~]{1,64}$", "example": "5f0c1a52-27b1-4c0e-9c55-3a1d7f8f2f60"},
    },
    "RequestId": {
        "name": "X-Request-ID",
        "in": "header",
        "description": (
            "Your id of the request, kept in the request log and sent back where it is 1 to 128 visible ASCII "
            "characters; anything else gets a new one."
        ),
        "schema": {"type": "string", "example": "checkout-7f3a"},
    },
    "SignatureVersion": {
        "name": "X-Signature-Version",
        "in": "header",
        "description": (
            "2 signs what is asked for, too: `v2.<X-Timestamp>.<X-Nonce>.<METHOD>.<path and query as sent>.<SHA-256 of "
            "the raw body in hex>`, with nothing in the nonce's place if there is none."
        ),
        "schema": {"allOf": [words_schema(("1", "2"))], "default": "1"},
    },
}
"""The header parameters that several operations share."""
SIGNED: Final = ("Nonce", "SignatureVersion")
"""The optional parameters of a signature, which every operation takes."""

LINKS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "importProducts": (("getProduct", "id", "$request.body#/products/0/externalProductId"),),
    "upsertProducts": (("getProduct", "id", "$request.body#/products/0/externalProductId"),),
    "createCampaign": tuple(
        (operation, "id", "$response.body#/id")
        for operation in ("getCampaign", "updateCampaign", "activateCampaign", "pauseCampaign")
    ),
    **{
        f"upload{kind.title()}": tuple(
            (operation, "id", "$response.body#/uploadId") for operation in ("getUpload", "getUploadVerdicts")
        )
        for kind in KINDS
    },
    "reportConversion": (("getEvent", "eventId", "$response.body#/eventId"),),
    "reportOrderStatus": (("getEvent", "eventId", "$response.body#/eventId"),),
}
"""The links of an operation's answer: the other operation, its path parameter, and the place of its value."""
WEBHOOK_LINK: Final = (("getEvent", "eventId", "$response.body#/webhookEventId"),)


def scopes_text(scopes: Sequence[str]) -> str:
    """Return the sentence about the scopes of which a token needs one: "Scope: `orders:read`."."""
    return f"Scope: {' or '.join(f'`{scope}`' for scope in scopes)}."


def deprecation_members(said: Deprecation | None) -> Schema:
    """Return what an operation has that will go: the flag, and when and what instead as an extension."""
    return {} if said is None else {"deprecated": True, "x-deprecation": said.sentence()}


def operation(endpoint: Endpoint) -> Schema:
    """Return the operation object of an endpoint."""
    description: Schema = {
        "tags": [endpoint.tag],
        "operationId": endpoint.operation,
        "summary": endpoint.summary,
        "description": f"{OPERATIONS.get(endpoint.operation, '')} {scopes_text(endpoint.scopes)}".strip(),
        **deprecation_members(endpoint.deprecated),
        "parameters": _parameters(endpoint),
        "responses": {str(endpoint.success): _success(endpoint), **_unchanged(endpoint), **refusal_responses(endpoint)},
    }
    if endpoint.body is not None:
        description["requestBody"] = _request_body(endpoint)
    return description


def _parameters(endpoint: Endpoint) -> list[Schema]:
    shared = [*(("IdempotencyKey", "IdempotencyKeyAlias") if endpoint.idempotent else ()), "RequestId", *SIGNED]
    if endpoint.conditional:
        shared.insert(0, "IfNoneMatch")
    return [
        *_path_parameters(endpoint),
        *_query_parameters(endpoint),
        *(_header_parameter(field) for field in endpoint.headers),
        *(reference("parameters", name) for name in shared),
    ]


def _path_parameters(endpoint: Endpoint) -> list[Schema]:
    parameters = []
    for name in re.findall(r"\{(\w+)\}", endpoint.path):
        text, example = PATH_PARAMETERS[endpoint.tag, name]
        schema = {"type": "string", "minLength": 1, "example": example}
        parameters.append({"name": name, "in": "path", "required": True, "description": text, "schema": schema})
    return parameters


def _query_parameters(endpoint: Endpoint) -> list[Schema]:
    if endpoint.query is None:
        return []
    defaults = {attribute.name: attribute.default for attribute in attrs.fields(endpoint.query)}
    parameters = []
    for field in fields_of(endpoint.query):
        schema = constraint_schema(field.constraint)
        parameter = {"name": field.wire, "in": "query", "description": schema.pop("description"), "schema": schema}
        if defaults[field.name] is not None:
            schema["default"] = defaults[field.name]
        parameters.append(parameter)
    return parameters


def _header_parameter(field: HeaderField) -> Schema:
    return {
        "name": field.name,
        "in": "header",
        "required": field.required,
        "description": field.summary,
        "schema": {
            "type": "string",
            "minLength": 1,
            "maxLength": field.max_length,
            "pattern": NOT_BLANK,
            "example": "delivery-7f3a",
        },
    }


def _request_body(endpoint: Endpoint) -> Schema:
    body = endpoint.body
    if body is CsvFile:
        example = csv_example(KINDS[endpoint.path.rpartition("/")[2]].cls)
        return {
            "required": True,
            "content": {BYTES: {"schema": {"type": "string", "format": "binary"}, "example": example}},
        }
    if body is None or body is JsonObject:
        kind = endpoint.path.rpartition("/")[2]
        schema = reference("schemas", body_name(kind))
        examples: Mapping[str, Any] = {"the hub's own form": WEBHOOKS[kind]}
    else:
        schema = reference("schemas", body.__name__)
        examples = _body_examples(body)
    needed = not endpoint.bodiless
    return {"required": needed, "content": {JSON: {"schema": schema, "examples": _named(examples)}}}


def _body_examples(body: type) -> Mapping[str, Any]:
    short = input_example(body, only_required=True)
    return {"every field": input_example(body), **({"the least": short} if short else {}), **CHANGES.get(body, {})}


def _success(endpoint: Endpoint) -> Schema:
    replayed = ("Idempotency-Replayed",) if endpoint.idempotent else ()
    links = WEBHOOK_LINK if endpoint.body is JsonObject else LINKS.get(endpoint.operation, ())
    answer: Schema = {
        "description": f"{HTTPStatus(endpoint.success).phrase}. {_answer_summary(endpoint.response)}",
        "headers": header_references((*ALWAYS, *METERED, *replayed, *(("ETag",) if endpoint.conditional else ()))),
        "content": _success_content(endpoint.response),
    }
    if links:
        answer["links"] = {
            target: {"operationId": target, "parameters": {name: place}} for target, name, place in sorted(links)
        }
    return answer


def _unchanged(endpoint: Endpoint) -> dict[str, Schema]:
    if not endpoint.conditional:
        return {}
    text = "Not Modified. What the `ETag` in If-None-Match stands for has not changed."
    return {"304": {"description": text, "headers": header_references((*ALWAYS, *METERED, "ETag"))}}


def _answer_summary(response: Shown) -> str:
    return "A CSV file, as an attachment." if response is CsvFile else about_of(response)


def _success_content(response: Shown) -> Schema:
    if response is CsvFile:
        return {CSV: {"schema": {"type": "string"}, "example": VERDICTS}}
    return {JSON: {"schema": reference("schemas", name_of(response)), "examples": _named(ANSWERS[response])}}


def _named(examples: Mapping[str, Any]) -> dict[str, Schema]:
    """Return example objects under names that OpenAPI allows; the summary is the name in words."""
    return {
        name.replace(" ", "-").replace("'", ""): {"summary": name, "value": value} for name, value in examples.items()
    }
