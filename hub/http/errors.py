"""API errors: each has a status, a message for the caller and an errorCode for the merchant's request log."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from aiohttp import web

from hub.http.response import JSON, NO_FIELDS, Reply
from hub.storage import OutcomeUnknown

ErrorDetail = Mapping[str, Any]


class ApiError(Exception):
    """A refused request; the caller gets `message`, the request log `code` and `detail`."""

    def __init__(
        self,
        status: int,
        message: str | list[str],
        code: str,
        *,
        headers: Mapping[str, str] = NO_FIELDS,
        detail: ErrorDetail | None = None,
        close: bool = False,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.body = error_body(status, message)
        self.reply = Reply(status, self.body, headers, code, detail, close)


def error_body(status: int, message: str | list[str]) -> bytes:
    """Return the error body of the API specification, with the reason phrase of the status as `error`."""
    return orjson.dumps({"statusCode": status, "message": message, "error": HTTPStatus(status).phrase})


UNAUTHORIZED_BODY: Final = error_body(401, "Authentication failed.")
CHALLENGE: Final = {"WWW-Authenticate": "HMAC-SHA256"}


def unauthorized(code: str, detail: ErrorDetail | None = None) -> ApiError:
    """Return a 401; its body never says which check failed (API specification, Authentication rule 5)."""
    return ApiError(401, "Authentication failed.", code, headers=CHALLENGE, detail=detail)


def not_found(what: str) -> ApiError:
    """Return a 404 for a resource that does not exist for the caller."""
    return ApiError(404, f"There is no such {what}.", "not_found")


def invalid(faults: list[str], code: str = "validation_failed") -> ApiError:
    """Return a 400 that lists every fault of the input."""
    return ApiError(400, faults, code, detail={"faults": faults[:20]})


def unavailable(fault: Exception, *, close: bool = False) -> ApiError:
    """Return a 503 that asks to try again: in a second if nothing was stored, later if the store gives no answer."""
    if isinstance(fault, OutcomeUnknown):
        message = "The store did not answer in time, so the request may have been kept. Try again: it counts once."
        return ApiError(503, message, "store_silent", headers={"Retry-After": "5"}, close=close)
    message = "The store cannot take the request just now; nothing was kept. Try again."
    return ApiError(503, message, "store_unavailable", headers={"Retry-After": "1"}, close=close)


def broken() -> ApiError:
    """Return a 500; the log has the fault under the request id."""
    return ApiError(500, "Something went wrong on our side; the request id tells us what.", "internal_error")


def overloaded() -> ApiError:
    """Return a 503: the clients together, or those behind one address, send more than the hub keeps in memory."""
    message = "The hub is receiving too much at once; nothing was kept. Try again."
    return ApiError(503, message, "overloaded", headers={"Retry-After": "1"}, close=True)


def exhausted(*, close: bool = False) -> ApiError:
    """Return a 503: the process may have no more memory; what of the request was done by then is not known."""
    message = "The hub has no memory for the request just now; it may have been kept. Try again: it counts once."
    return ApiError(503, message, "overloaded", headers={"Retry-After": "1"}, close=close)


def error_response(status: int, message: str, request_id: str) -> web.StreamResponse:
    """Return an error outside the pipeline with the error body of the API; the connection closes after it."""
    headers = {"Content-Type": JSON, "X-Request-ID": request_id, "Cache-Control": "no-store", "Server": "hub"}
    response = web.Response(status=status, headers=headers, body=error_body(status, message))
    response.force_close()
    return response
