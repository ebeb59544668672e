"""One request and its answer, as the metrics and the request log see them, whichever endpoint it came to."""

from __future__ import annotations

from collections.abc import Awaitable
from time import perf_counter_ns
from typing import Final

import orjson
import structlog
from aiohttp import web
from attrs import define, field
from multidict import CIMultiDictProxy, istr

from hub.domain.redaction import redact, redact_path
from hub.http.client_address import client_of
from hub.http.compression import LEAST_BYTES, packed
from hub.http.errors import ApiError, broken, exhausted, unavailable
from hub.http.request import current_request, request_id_of
from hub.http.response import DEFENCES, FileBeginning, Reply, respond, send_file, send_lines
from hub.ids import new_id
from hub.merchant_api.api_keys import NOBODY, Caller
from hub.merchant_api.bearer import bearer_of
from hub.merchant_api.kept_requests import kept_request
from hub.merchant_api.services import Services
from hub.observability.request_log import LogRow
from hub.observability.traces import Traces
from hub.operations.users.api_tokens import split_token
from hub.rate_limits.local import Allowance
from hub.sealing import SealingFault
from hub.storage import StoreUnavailable

KEY_HEADER: Final = istr("X-API-Key")
LONGEST_PATH: Final = 1_000
REFUSED: Final = 400
API_PATH: Final = " /v1/"
"""In the routes of the API; what platforms deliver has pages of its own."""
STRANGERS_PATH: Final = 200
STRANGERS_DETAIL: Final = 300
"""Bytes of JSON in a row of the request log whose account is unknown."""
SHORTER_TEXTS: Final = (120, 60, 20)
"""To how many characters each text of a detail is cut until the whole is short enough."""
OUTAGE_LOGGED_MS: Final = 1_000
"""The least time between two log lines of an outage."""

OUTAGES: Final = (StoreUnavailable, SealingFault, MemoryError)
"""What keeps the hub from serving a request that may be as it should be: it is asked to come again."""

log = structlog.get_logger(__name__)


@define(eq=False)
class Exchange:
    """A request that has been received; each step fills in its result.

    `route` is the template that metrics count ("POST /v1/conversions"), `received_at` is in milliseconds UTC, `caller`
    is `NOBODY` until it is known, `ignored` holds the names of unknown fields, `began` is in nanoseconds of
    `perf_counter_ns`, `event_id` that of the submission that it is.
    """

    route: str
    services: Services
    headers: CIMultiDictProxy[str]
    request_id: str
    client: str
    received_at: int
    raw: bytes = field(kw_only=True, default=b"")
    caller: Caller = field(kw_only=True, default=NOBODY)
    allowance: Allowance | None = field(kw_only=True, default=None)
    ignored: tuple[str, ...] = field(kw_only=True, default=())
    event_id: str = field(kw_only=True, default="")
    began: int = field(init=False, factory=perf_counter_ns)


def open_exchange(route: str, services: Services, request: web.BaseRequest) -> Exchange:
    """Return the record of a request that has just been received."""
    headers = request.headers
    request_id = request_id_of(headers)
    current_request.set(request_id)
    client = client_of(request, services.trusted_proxies)
    return Exchange(route, services, headers, request_id, client, services.clock())


async def name_caller(exchange: Exchange) -> None:
    """Set the caller by the key that a refused request states, so that its merchant finds it in the request log.

    Nothing is proved by it.
    """
    keys, key_ids = exchange.services.keys, exchange.headers.getall(KEY_HEADER, ())
    try:
        if key_ids:
            key = await keys.find(key_ids[0], exchange.received_at) if len(key_ids) == 1 else None
        else:
            key = await keys.find(split_token(bearer_of(exchange.headers))[0], exchange.received_at, is_token=True)
    except Exception:  # noqa: BLE001 - the refusal is answered all the same, only its merchant stays unknown
        return
    if key is not None:
        exchange.caller = key.caller


async def conclude(
    exchange: Exchange, request: web.BaseRequest, reply: Reply, *, logged: bool = True
) -> web.StreamResponse:
    """Return the response, after it is counted and appended to the request log."""
    elapsed = perf_counter_ns() - exchange.began
    exchange.services.metrics.note_request(exchange.route, reply.status, elapsed / 1e9)
    if exchange.event_id and (traces := exchange.services.metrics.traces) is not None:
        note_request(traces, exchange, reply.status, elapsed)
    log_of_requests, caller = exchange.services.request_log, exchange.caller
    if logged and log_of_requests.admits(caller.account_id, caller.key_id, reply.status, exchange.client):
        log_of_requests.append(_log_row(exchange, request, reply, elapsed))
    headers, body = _headers(exchange, reply), reply.body
    exchange.raw = b""  # a client that does not read its answer does not hold its body in memory as well
    if isinstance(body, bytes):
        if len(body) >= LEAST_BYTES:  # few are: the others go their way without a call
            body = await packed(exchange.headers, headers, body)
        return await respond(request, reply.status, headers, body, close=reply.close)
    if isinstance(body, FileBeginning):
        return await send_file(request, reply.status, headers, body)
    return await send_lines(request, reply.status, headers, body)


def note_request(traces: Traces, exchange: Exchange, status: int, elapsed_ns: int) -> None:
    """Note the request in the trace of its event."""
    attributes: dict[str, str | int] = {
        "http.route": exchange.route,
        "http.response.status_code": status,
        "hub.account_id": exchange.caller.account_id,
        "hub.request_id": exchange.request_id,
    }
    link = exchange.headers.get("traceparent", "")
    traces.note_request(exchange.event_id, exchange.route, elapsed_ns, attributes, link)


def _headers(exchange: Exchange, reply: Reply) -> dict[str, str]:
    headers = {
        "Content-Type": reply.content_type,
        "X-Request-ID": exchange.request_id,
        "Cache-Control": "no-store",
        "Server": "hub",
    }
    if reply.status == 401:  # one 401 looks like another, down to its headers, which have always been these
        return {**headers, **reply.headers}
    headers |= DEFENCES
    allowance = exchange.allowance
    if allowance is not None:
        headers["RateLimit-Limit"] = str(allowance.limit)
        headers["RateLimit-Remaining"] = str(allowance.remaining)
        headers["RateLimit-Reset"] = str(allowance.reset)
    headers.update(reply.headers)
    return headers


def _log_row(exchange: Exchange, request: web.BaseRequest, reply: Reply, elapsed_ns: int) -> LogRow:
    caller, detail = exchange.caller, None
    if exchange.ignored and reply.code is None:
        warnings = {"warnings": {"ignoredFields": exchange.ignored}}
        detail = orjson.dumps({**(reply.detail or {}), **warnings}).decode()
    elif reply.detail is not None:
        detail = redact(orjson.dumps(reply.detail).decode())
    refused = reply.status >= REFUSED and caller.account_id and API_PATH in exchange.route
    longest_path = LONGEST_PATH
    if not caller.account_id:
        longest_path, detail = STRANGERS_PATH, detail and shortened(detail, STRANGERS_DETAIL)
    request_id = exchange.request_id  # whole, because it is searched for, unless it is a signing secret
    shown_id = redact(request_id) if "sec_" in request_id else request_id
    return LogRow(
        caller.account_id, exchange.received_at, new_id("log"), shown_id, request.method[:20],
        redact_path(request.rel_url.raw_path[:longest_path]), reply.status, reply.code, caller.key_id,
        exchange.client, elapsed_ns // 1000, detail,
        kept_request(exchange.headers, exchange.raw, reply) if refused else None,
    )  # fmt: skip


def shortened(detail: str, most: int) -> str | None:
    """Return a JSON object within `most` bytes, its texts cut as far as that takes; None if nothing of it fits."""
    for longest in SHORTER_TEXTS:
        if len(detail.encode()) <= most:
            return detail
        fields = orjson.loads(detail)
        detail = orjson.dumps({n: v[:longest] if isinstance(v, str) else v for n, v in fields.items()}).decode()
    return detail if len(detail.encode()) <= most else None


def outage_reply(fault: Exception, request: web.BaseRequest) -> Reply:
    """Return the 503 for one of OUTAGES; the connection closes after it if the body has not been read."""
    close = not request.content.is_eof()
    if isinstance(fault, MemoryError):
        return exhausted(close=close).reply
    if not isinstance(fault, SealingFault):
        return unavailable(fault, close=close).reply
    message = "The secret that proves the request cannot be read just now. Try again."
    return ApiError(503, message, "secret_unreadable", headers={"Retry-After": "60"}, close=close).reply


class OutageLog:
    """Logs an unavailable store at most once a second: thousands of such lines must not fill a full disk further."""

    def __init__(self) -> None:
        self._logged_at = 0

    def note(self, exchange: Exchange, fault: Exception) -> None:
        """Log the fault, unless one was logged within the last second."""
        if abs(exchange.received_at - self._logged_at) >= OUTAGE_LOGGED_MS:
            self._logged_at = exchange.received_at
            log.warning(
                "the hub could not serve a request",
                request_id=exchange.request_id,
                fault=str(fault) or type(fault).__name__,
            )


async def reply_of(exchange: Exchange, request: web.BaseRequest, doing: Awaitable[Reply], outages: OutageLog) -> Reply:
    """Return the reply to a request; every error that serving it raises becomes an error body here."""
    try:
        return await doing
    except ApiError as refusal:
        return refusal.reply
    except OUTAGES as fault:
        outages.note(exchange, fault)
        return outage_reply(fault, request)
    except Exception:
        log.exception("a request failed", request_id=exchange.request_id, route=exchange.route)
        return broken().reply
