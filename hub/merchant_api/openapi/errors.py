"""Describe refusals in the OpenAPI document, each with its headers and a body made as the pipeline makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from attrs import frozen

from hub.domain.orders.campaigns import refuse_activation, refuse_pause
from hub.http.errors import broken, error_body, not_found, unauthorized, unavailable
from hub.merchant_api.endpoint import CsvFile, Endpoint, JsonObject
from hub.merchant_api.error_references import reference_body
from hub.merchant_api.openapi.named import reference
from hub.storage import StoreUnavailable
from hub.validation.constraints import Choice, Money, Schema, Whole
from hub.validation.input_reader import fields_of
from hub.validation.inputs import MerchantTerms
from hub.validation.validate import Invalid, validate, validate_query

ALWAYS: Final = ("X-Request-ID",)
METERED: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
"""The headers of every answer to an authenticated request, if a limit is set."""

HEADERS: Final[Mapping[str, Schema]] = {
    "ETag": {
        "description": "Names this state of the answer; send it as If-None-Match to learn whether it changed.",
        "required": True,
        "schema": {"type": "string", "example": '"6b86b273ff34fce19d6b804eff5a3f57"'},
    },
    "Idempotency-Replayed": {
        "description": "`true` where this is the stored answer to an earlier request with the same idempotency key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "RateLimit-Limit": {
        "description": "Requests allowed in the tightest window; absent where no limit is set.",
        "schema": {"type": "integer", "minimum": 0, "example": 6000},
    },
    "RateLimit-Remaining": {
        "description": "Requests left in that window.",
        "schema": {"type": "integer", "minimum": 0, "example": 5999},
    },
    "RateLimit-Reset": {
        "description": "Seconds until that window begins anew.",
        "schema": {"type": "integer", "minimum": 0, "example": 42},
    },
    "Retry-After": {
        "description": "Seconds to wait before the request is repeated.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0, "example": 1},
    },
    "WWW-Authenticate": {
        "description": "How requests are authenticated here.",
        "required": True,
        "schema": {"type": "string", "enum": ["HMAC-SHA256"]},
    },
    "X-Request-ID": {
        "description": "The request's id in the merchant's request log: the caller's own, or a new one.",
        "required": True,
        "schema": {"type": "string", "example": "req_01936f3e8c7a7b3e9d5a4c2b1f0e8d81"},
    },
}
"""Every response header that the document names."""

CODES: Final[Mapping[int, str]] = {
    400: "validation_failed",
    403: "insufficient_scope",
    404: "not_found",
    408: "body_timeout",
    409: "idempotency_in_flight",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "idempotency_mismatch",
    429: "rate_limited",
    500: "internal_error",
    503: "store_unavailable",
}
"""The code in the example of each refusal; a 401 has none."""
EXAMPLE_ID: Final = "req_01936f3e8c7a7b3e9d5a4c2b1f0e8d81"
DOCS: Final = "https://hub.example/docs/errors"
INCOMPLETE: Final = "The body broke off or its framing is wrong."
WRONG_QUERY: Final = (
    ("page", "0"),
    ("pageSize", "1000"),
    ("limit", "0"),
    ("from", "last November"),
    ("dryRun", "perhaps"),
)
"""Parameters that every query refuses; its faults name those that it has."""
REFUSED_MOVES: Final[Mapping[str, str | None]] = {
    "pauseCampaign": refuse_pause("DRAFT", None, 0),
    "activateCampaign": refuse_activation("DRAFT", "PENDING", None, 0),
}
"""The refusals of a campaign's state machine, by operation."""


@frozen
class Refusal:
    """A refusal that several operations share: its component's name, its cause, its headers and an example body."""

    name: str
    text: str
    headers: tuple[str, ...]
    body: bytes


REFUSALS: Final[Mapping[int, Refusal]] = {
    401: Refusal(
        "Unauthorized",
        "Not authenticated: key, signature, timestamp, replay or address; the request log tells which.",
        ("WWW-Authenticate",),
        unauthorized("bad_signature").body,
    ),
    403: Refusal(
        "Forbidden",
        "The token's scopes do not reach this.",
        METERED,
        error_body(403, "This needs a token with the scope orders:write."),
    ),
    404: Refusal("NotFound", "There is no such resource in this account.", METERED, not_found("product").body),
    408: Refusal(
        "BodyTimeout", "The body did not arrive in time.", (), error_body(408, "The body did not arrive in time.")
    ),
    409: Refusal(
        "InFlight",
        "A request with this idempotency key is being processed; repeat it, body and key unchanged, signed anew.",
        (*METERED, "Retry-After"),
        error_body(409, "A request with this idempotency key is still being processed; repeat it in a moment."),
    ),
    413: Refusal(
        "BodyTooLarge", "The body is too large.", (), error_body(413, "The body is larger than 1,048,576 bytes.")
    ),
    415: Refusal(
        "UnsupportedMediaType",
        "The body is not JSON in UTF-8, or it is compressed.",
        (),
        error_body(415, "Send the body as application/json in UTF-8."),
    ),
    422: Refusal(
        "KeyMismatch",
        "The idempotency key was used before with another body or query; nothing was done.",
        METERED,
        error_body(422, "This idempotency key was used before with another body or query; nothing was done."),
    ),
    429: Refusal(
        "TooManyRequests",
        "The limit per minute or per hour is used up.",
        (*METERED, "Retry-After"),
        error_body(429, "Too many requests; wait as long as Retry-After says."),
    ),
    500: Refusal("InternalError", "The fault is the hub's own; repeat the request.", METERED, broken().body),
    503: Refusal(
        "Unavailable",
        "The store cannot take the request just now, or gave no answer in time. Repeat it: it counts once.",
        (*METERED, "Retry-After"),
        unavailable(StoreUnavailable()).body,
    ),
}
"""Every refusal but 400, whose example depends on the operation's input."""

OF_FILES: Final[Mapping[int, Refusal]] = {
    413: Refusal(
        "FileTooLarge", "The file is too large.", (), error_body(413, "The body is larger than 1,073,741,824 bytes.")
    ),
    415: Refusal(
        "NoCsv", "The body is not CSV in UTF-8, or it is compressed.", (),
        error_body(415, "Send the body as text/csv in UTF-8."),
    ),
}  # fmt: skip
"""The refusals that differ if the body is a file."""


def refusal_components() -> dict[str, Schema]:
    """Return the response components, by name."""
    refusals = sorted((*REFUSALS.values(), *OF_FILES.values()), key=lambda refusal: refusal.name)
    return {each.name: _response(each.text, each.headers, each.body) for each in refusals}


def refusal_responses(endpoint: Endpoint) -> dict[str, Schema]:
    """Return every refusal of an endpoint by its status; `Endpoint.errors` names the statuses."""
    return {str(status): _refusal(endpoint, status) for status in endpoint.errors}


def header_references(names: tuple[str, ...]) -> dict[str, Schema]:
    """Return references to response headers, in the order of their names."""
    return {name: reference("headers", name) for name in sorted(names)}


def _refusal(endpoint: Endpoint, status: int) -> Schema:
    if status == 404:
        refusal = REFUSALS[404]
        return _response(refusal.text, refusal.headers, not_found(endpoint.tag.removesuffix("s")).body)
    if status != 400:
        refusals = {**REFUSALS, **OF_FILES} if endpoint.body is CsvFile else REFUSALS
        return reference("responses", refusals[status].name)
    text = "The input is not valid; `message` lists every fault of it."
    return _response(text, METERED, fault_example(endpoint))


def _response(text: str, headers: tuple[str, ...], body: bytes) -> Schema:
    code = CODES.get(orjson.loads(body)["statusCode"])
    shown = body if code is None else reference_body(body, code, EXAMPLE_ID, DOCS)
    content = {"schema": reference("schemas", "ErrorBody"), "example": orjson.loads(shown)}
    return {
        "description": text,
        "headers": header_references((*ALWAYS, *headers)),
        "content": {"application/json": content},
    }


def fault_example(endpoint: Endpoint) -> bytes:
    """Return the body of a 400 of an endpoint, made by its own validation if it has one."""
    if endpoint.query is not None:
        return _refusal_body(lambda: validate_query(endpoint.query or object, WRONG_QUERY))
    if endpoint.headers:
        return error_body(400, [f"`{field.name}` must be given, exactly once" for field in endpoint.headers])
    if endpoint.body is None or endpoint.body is JsonObject:
        return error_body(400, REFUSED_MOVES.get(endpoint.operation) or INCOMPLETE)
    body = endpoint.body
    return _refusal_body(lambda: validate(body, _faulty(body), MerchantTerms("USD", ("shop.example",))))


def _faulty(cls: type) -> dict[str, Any]:
    """Return a body without its required fields, or with numbers where none belong."""
    fields = fields_of(cls)
    wrong = (Choice,) if any(field.required for field in fields) else (Money, Whole)
    faulty = {field.wire: -1 for field in fields if isinstance(field.constraint, wrong)}
    return faulty if faulty or any(field.required for field in fields) else {field.wire: -1 for field in fields}


def _refusal_body(validation: Callable[[], object]) -> bytes:
    try:
        validation()
    except Invalid as fault:
        return error_body(400, fault.faults)
    raise AssertionError("the example of an invalid input is valid")
