"""The OpenAPI documents of the operators' and the affiliates' APIs, made from the tables of acts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from inspect import getdoc
from typing import Any, Final, get_args, get_type_hints, is_typeddict

import orjson

from hub.acts.act import Act, ListOfEntries
from hub.acts.fields import Field, Fields
from hub.acts.scopes import HOLDERS, needed_for
from hub.domain.scopes import Holder
from hub.http.errors import error_body
from hub.merchant_api.endpoint import CsvFile
from hub.merchant_api.error_references import reference_body
from hub.merchant_api.openapi.document import LICENSE, referred_schemas, with_scalars
from hub.merchant_api.openapi.errors import ALWAYS, DOCS, HEADERS, METERED, header_references
from hub.merchant_api.openapi.message_bodies import ANY, message_components
from hub.merchant_api.openapi.named import named_constraint, reference, with_notes
from hub.merchant_api.openapi.operations import deprecation_members, scopes_text
from hub.merchant_api.openapi.schemas import NOT_BLANK, answer_parts, answer_schema, type_schema
from hub.merchant_api.openapi.shared_parts import with_shared_parts
from hub.merchant_api.responses import ErrorBody
from hub.records.record import about_of, name_of
from hub.token_api.reading import shown_name
from hub.validation.constraints import Schema, Text, labels

JSON: Final = "application/json"
CSV: Final = "text/csv"
TITLES: Final = {"admin": "Affiliate Hub: operators' API", "affiliate": "Affiliate Hub: affiliates' API"}
INTRODUCTION: Final = """\
Every request carries a token: `Authorization: Bearer tok_...`. It is made by `hub token create` or on the page Account,
Tokens, and shown once. Each operation names the scope that it needs; `{kind}:read` reads everything and `{kind}:write`
writes it, too, but for what needs `people:write`. Who may write may read.

A write takes an `Idempotency-Key`: for 24 hours the same key gives the first answer again, and is never done twice.
Lists are read page by page: follow `nextCursor` until it is null. Answers of GET have an ETag.
"""
KEYS: Final = {"IdempotencyKey": {
    "name": "Idempotency-Key", "in": "header",
    "description": "Makes repeating the request safe: for 24 hours the same key gives the first answer again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$", "example": "payout-2026-11"},
}}  # fmt: skip
REFUSALS: Final = {
    400: ("Refused", "The input is not valid, or the act is not possible.", "act_refused"),
    401: ("Unauthorized", "There is no token, or it does not count here.", "invalid_token"),
    403: ("Forbidden", "The token's scope does not reach this.", "insufficient_scope"),
    404: ("NotFound", "There is no such thing.", "not_found"),
    408: ("BodyTimeout", "The body did not arrive in time.", "body_timeout"),
    409: ("InFlight", "The same idempotency key was used, and its answer is not known.", "idempotency_in_flight"),
    413: ("BodyTooLarge", "The body is too large.", "body_too_large"),
    415: ("UnsupportedMediaType", "The body is not JSON in UTF-8.", "unsupported_media_type"),
    422: ("KeyMismatch", "The idempotency key was used before with another request.", "idempotency_mismatch"),
    429: ("TooManyRequests", "The limit per minute or per hour is used up.", "rate_limited"),
    500: ("InternalError", "The fault is the hub's own.", "internal_error"),
    503: ("Unavailable", "The store cannot take the request just now.", "store_unavailable"),
}
TOKEN_HEADERS: Final = {"WWW-Authenticate": {
    "description": "How requests are authenticated here.",
    "required": True,
    "schema": {"type": "string", "enum": ["Bearer"]},
}}  # fmt: skip
OWN_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    408: (),
    409: (*METERED, "Retry-After"),
    413: (),
    415: (),
    429: (*METERED, "Retry-After"),
    503: (*METERED, "Retry-After"),
}
"""The headers of refusals beside the request's id, where they are not the limits' alone; a body is judged first."""
EXAMPLE_ID: Final = "req_01936f3e8c7a7b3e9d5a4c2b1f0e8d81"


def describe(kind: str, server: str, acts: Iterable[Act]) -> dict[str, Any]:
    """Return the document of an API, its paths and components sorted."""
    rows = sorted(acts, key=lambda act: (act.path, act.method))
    paths: dict[str, Schema] = {}
    for act in rows:
        paths.setdefault(act.path, {})[act.method.lower()] = _operation(act, HOLDERS[kind])
    described: dict[str, Any] = {
        "openapi": "3.0.3",
        "info": {
            "title": TITLES[kind],
            "version": "v1",
            "description": INTRODUCTION.replace("{kind}", kind),
            "license": LICENSE,
        },
        "servers": [{"url": server, "description": "The hub that this document was read from."}],
        "tags": [{"name": tag} for tag in sorted({act.tag for act in rows})],
        "security": [{"Token": []}],
        "paths": paths,
        "components": {
            "schemas": {"ErrorBody": answer_schema(ErrorBody), **_schemas(rows)},
            "responses": {name: _refusal(status) for status, (name, _, _) in sorted(REFUSALS.items())},
            "parameters": dict(KEYS),
            "headers": {name: HEADERS[name] for name in HEADERS if name != "WWW-Authenticate"} | TOKEN_HEADERS,
            "securitySchemes": {"Token": {"type": "http", "scheme": "bearer"}},
        },
    }
    if ANY in referred_schemas(described):
        described["components"]["schemas"].update(message_components())
    return with_shared_parts(with_scalars(described))


def _operation(act: Act, holder: Holder) -> Schema:
    described: Schema = {
        "tags": [act.tag],
        "operationId": act.operation,
        "summary": act.summary,
        "description": f"{act.summary}. {scopes_text(needed_for(act, holder))}",
        **deprecation_members(act.deprecated),
        "parameters": [*_path_parameters(act), *_query_parameters(act.query)],
        "responses": {str(act.success): _success(act), **_unchanged(act), **_refusals(act)},
    }
    if act.writes:
        described["parameters"].append(reference("parameters", "IdempotencyKey"))
    if act.body:
        required = any(member.required for member in act.body.values())
        schema = reference("schemas", body_name(act))
        described["requestBody"] = {"required": required, "content": {JSON: {"schema": schema}}}
    return described


def body_name(act: Act) -> str:
    """Return the name of the component of an act's body: "CreateMerchantBody"."""
    return f"{act.operation[0].upper()}{act.operation[1:]}Body"


def _path_parameters(act: Act) -> list[Schema]:
    names = re.findall(r"\{(\w+)\}", act.path)
    return [
        {"name": name, "in": "path", "required": True, "description": f"The {name}'s id.",
         "schema": {"type": "string", "minLength": 1}} for name in names
    ]  # fmt: skip


def _query_parameters(fields: Fields) -> list[Schema]:
    parameters = []
    for name, member in fields.items():
        schema = _member(member)
        text = schema.pop("description", "")
        parameters.append({"name": shown_name(fields, name), "in": "query", "description": text, "schema": schema})
    return parameters


def _member(member: Field) -> Schema:
    named = named_constraint(member.constraint)
    if named is not None:
        return with_notes(named, labels(member.constraint))
    schema = member.constraint.schema()
    if isinstance(member.constraint, Text) and member.constraint.min:
        schema["pattern"] = NOT_BLANK
    return schema


def _success(act: Act) -> Schema:
    if act.answer is CsvFile:
        return {
            "description": "A CSV file, as an attachment.",
            "headers": header_references((*ALWAYS, *METERED)),
            "content": {CSV: {"schema": {"type": "string"}}},
        }
    headers = (*ALWAYS, *METERED, *(("Idempotency-Replayed",) if act.writes else ("ETag",)))
    schema = reference("schemas", answer_name(act.answer))
    return {
        "description": f"{HTTPStatus(act.success).phrase}.",
        "headers": header_references(headers),
        "content": {JSON: {"schema": schema}},
    }


def _unchanged(act: Act) -> dict[str, Schema]:
    if act.writes or act.answer is CsvFile:
        return {}
    headers = header_references((*ALWAYS, *METERED, "ETag"))
    return {"304": {"description": "What the ETag in If-None-Match names has not changed.", "headers": headers}}


def statuses(act: Act) -> list[int]:
    """Return the statuses of the refusals of an act, sorted."""
    judged = (400,) if act.writes or act.query else ()
    named = (404,) if "{" in act.path or act.absent else ()
    keyed = (409, 422) if act.writes else ()
    typed = (408, 413, 415) if act.body else ()
    return sorted((401, 403, 429, 500, 503, *judged, *named, *keyed, *typed))


def _refusals(act: Act) -> dict[str, Schema]:
    return {str(status): reference("responses", REFUSALS[status][0]) for status in statuses(act)}


def _refusal(status: int) -> Schema:
    _, text, code = REFUSALS[status]
    example = orjson.loads(reference_body(error_body(status, text), code, EXAMPLE_ID, DOCS))
    return {
        "description": text,
        "headers": header_references((*ALWAYS, *OWN_HEADERS.get(status, METERED))),
        "content": {JSON: {"schema": reference("schemas", "ErrorBody"), "example": example}},
    }


# Schemas -----------------------------------------------------------------------------------------------------


def answer_name(answer: Any) -> str:
    """Return the name of the component of an answer: "ListedMerchantPage" for a list."""
    return f"{name_of(answer.entry)}Page" if isinstance(answer, ListOfEntries) else name_of(answer)


def _schemas(acts: Iterable[Act]) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {}
    for act in acts:
        if act.body:
            schemas[body_name(act)] = _body_schema(act)
        if act.answer is CsvFile:
            continue
        entry = act.answer.entry if isinstance(act.answer, ListOfEntries) else act.answer
        for cls in _parts(entry):
            schemas[name_of(cls)] = _record_schema(cls)
        if isinstance(act.answer, ListOfEntries):
            schemas[answer_name(act.answer)] = _page_schema(entry)
    return schemas


def _body_schema(act: Act) -> Schema:
    required = [name for name, member in act.body.items() if member.required]
    return {
        "type": "object",
        "description": f"The body of {act.operation}.",
        "properties": {name: _member(member) for name, member in act.body.items()},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _record_schema(cls: Any) -> Schema:
    if not is_typeddict(cls):
        return answer_schema(cls)
    hints = get_type_hints(cls, include_extras=True)
    return {
        "type": "object",
        "description": about_of(cls) if getdoc(cls) else cls.__name__,
        "properties": {name: type_schema(hint) for name, hint in hints.items()},
        "required": sorted(cls.__required_keys__, key=list(hints).index),
    }


def _page_schema(entry: Any) -> Schema:
    return {
        "type": "object",
        "description": "A page of a list.",
        "properties": {
            "data": {"type": "array", "items": reference("schemas", name_of(entry))},
            "nextCursor": {"type": "string", "nullable": True, "description": "The `cursor` of the next page."},
        },
        "required": ["data", "nextCursor"],
    }


def _parts(cls: Any) -> Iterator[Any]:
    """Yield a class of documents and those of its members."""
    if not is_typeddict(cls):
        yield from answer_parts(cls)
        return
    yield cls
    for hint in get_type_hints(cls, include_extras=True).values():
        for inner in _inside(hint):
            yield from _parts(inner)


def _inside(hint: Any) -> Iterator[Any]:
    if is_typeddict(hint):
        yield hint
    for argument in get_args(hint):
        yield from _inside(argument)
