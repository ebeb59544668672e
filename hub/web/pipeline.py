"""The way of an API request, a function a step: received, authenticated, limited, validated, handled, logged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from time import perf_counter_ns
from typing import Any, Final

import orjson
import structlog
from aiohttp import web
from yarl import URL

from hub.intake.submission import Admission, Replayed
from hub.intake.validation import Invalid, Malformed, Valid, read_object, validate, validate_query
from hub.storage import StoreUnavailable
from hub.web.addresses import client_address
from hub.web.authentication import HEADERS, authenticate, credentials, refuse_replayed_read
from hub.web.callers import NOBODY
from hub.web.endpoint import Call, Endpoint, JsonObject
from hub.web.errors import NOTHING, ApiError, Reply, broken, invalid, unavailable
from hub.web.idempotency import idempotency_use, names_key
from hub.web.ready import field, respond
from hub.web.receive import FORWARDED_FOR, body_at_hand, check_encoding, check_type, read_body, request_id_of
from hub.web.services import Services
from hub.web.writes import burn

REPLAYED: Final = {"Idempotency-Replayed": "true"}
LONGEST_PATH: Final = 1_000
OUTAGE_TOLD_MS: Final = 1_000

logger = structlog.get_logger(__name__)


class Pipeline:
    """Serves one endpoint."""

    def __init__(self, endpoint: Endpoint, services: Services) -> None:
        self._endpoint = endpoint
        self._services = services
        self._outage_told_at = 0

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answers a request; every error becomes the API's error body here."""
        started = perf_counter_ns()
        call = open_call(self._endpoint, self._services, request)
        try:
            await self._enter(call, request)
            reply = await self._work(call, request)
        except ApiError as refusal:
            reply = refusal.reply
        except StoreUnavailable as fault:
            self._tell_outage(call, fault)
            reply = unavailable().reply
        except Exception:
            logger.exception("a request failed", request_id=call.request_id, route=self._endpoint.route)
            reply = broken().reply
        if call.caller is NOBODY:
            await tell_caller(call)
        return conclude(call, request, reply, started)

    async def _enter(self, call: Call, request: web.Request) -> None:
        """Takes in the body, proves the caller and counts the request."""
        services, headers = self._services, call.headers
        check_encoding(headers)
        if self._endpoint.body is not None:
            check_type(headers)
        if request.content.is_eof():  # most bodies arrive with their headers: no task, no timer
            call.raw = body_at_hand(request, services.max_body)
        else:
            call.raw = await read_body(request, services.max_body, services.body_timeout)
            call.received_at = services.clock()  # a slow body must not make its own timestamp look fresh
        given, keys = credentials(headers), services.keys
        key = keys.at_hand(given[0], call.received_at) or await keys.find(given[0], call.received_at)
        authenticate(call, given, key)
        if not self._endpoint.writes:
            refuse_replayed_read(call, request.rel_url)
        if not self._count(call):
            await self._count_elsewhere(call)

    def _count(self, call: Call) -> bool:
        """Counts the request; whether it is granted here."""
        allowance = call.allowance = self._services.limits.take(
            call.caller.account_id, self._endpoint.limit, call.received_at
        )
        return allowance is None or allowance.granted

    async def _count_elsewhere(self, call: Call) -> None:
        """Counts a request that is not granted here; raises the 429 where it is granted nowhere."""
        limits, account_id, refusal = self._services.limits, call.caller.account_id, call.allowance
        if refusal is not None:
            call.allowance = await limits.take_elsewhere(account_id, self._endpoint.limit, call.received_at, refusal)
            if not call.allowance.granted:
                wait, text = str(call.allowance.reset), "Too many requests; wait as long as Retry-After says."
                raise ApiError(429, text, "rate_limited", headers={"Retry-After": wait})

    async def _work(self, call: Call, request: web.Request) -> Reply:
        try:
            if self._endpoint.writes:
                self._admit(call, request)
            self._validate(call, request)
            answer = await self._endpoint.handler(call)
            if isinstance(answer, Reply):
                return answer
            return Reply(answer.status, answer.body, REPLAYED if isinstance(answer, Replayed) else NOTHING)
        except Invalid as faults:
            code = "malformed_json" if isinstance(faults, Malformed) else "validation_failed"
            refusal = invalid(faults.faults, code)
        except ApiError as fault:
            refusal = fault
        if refusal.status == 400 and self._endpoint.writes and not call.spent:
            await burn(call)
        raise refusal

    def _tell_outage(self, call: Call, fault: StoreUnavailable) -> None:
        """Once a second: a full disk must not be filled further by thousands of lines that say so."""
        if abs(call.received_at - self._outage_told_at) >= OUTAGE_TOLD_MS:
            self._outage_told_at = call.received_at
            logger.warning("the store was not available", request_id=call.request_id, fault=str(fault))

    def _admit(self, call: Call, request: web.Request) -> None:
        account_id = call.caller.account_id
        call.admission = Admission(account_id, call.signature)  # what is burnt if the key is malformed
        if self._endpoint.idempotent and names_key(call.headers):
            use = idempotency_use(call.headers, self._endpoint.route, request.query_string, call.raw)
            call.admission = Admission(account_id, call.signature, use)

    def _validate(self, call: Call, request: web.Request) -> None:
        endpoint = self._endpoint
        if endpoint.query is not None:
            query = _read_query(endpoint.query, request.rel_url.raw_query_string)
            call.query, call.ignored = query.value, query.unknown_fields
        if endpoint.body is JsonObject:
            call.body = read_object(call.raw)
        elif endpoint.body is not None and not endpoint.reads_body:
            body: Valid[Any] = validate(endpoint.body, call.raw, call.caller.merchant)
            call.body, call.ignored = body.value, body.unknown_fields


@lru_cache(maxsize=1_024)
def _read_query(cls: type, text: str) -> Valid[Any]:
    """The parameters as aiohttp would parse them. Whoever reads page by page asks in few words, again and again."""
    return validate_query(cls, URL.build(query_string=text, encoded=True).query.items())


def open_call(endpoint: Endpoint, services: Services, request: web.Request) -> Call:
    """The record of a request that has just come in."""
    headers = request.headers
    forwarded = headers.getall(FORWARDED_FOR, ()) if services.trusted_proxies else ()
    client = client_address(request.remote or "", forwarded, services.trusted_proxies)
    path: Mapping[str, str] = request.match_info if "{" in endpoint.path else NOTHING
    return Call(endpoint, services, headers, path, request_id_of(headers), client, services.clock())


async def tell_caller(call: Call) -> None:
    """Finds out in whose log a request belongs that was refused before its caller was proved; it proves nothing."""
    given = call.headers.getall(HEADERS[0], ())
    try:
        key = await call.services.keys.find(given[0], call.received_at) if len(given) == 1 else None
    except Exception:  # noqa: BLE001 - the refusal stands, only its place in the log is not known
        return
    if key is not None:
        call.caller = key.caller


def conclude(
    call: Call, request: web.Request, reply: Reply, started: int, *, logged: bool = True
) -> web.StreamResponse:
    """Makes the response, counts it and appends it to the request log."""
    fields = (  # of constants, numbers and an id of visible characters: no line of these can become two
        f"Content-Type: {reply.content_type}\r\nX-Request-ID: {call.request_id}\r\n"
        "Cache-Control: no-store\r\nServer: hub\r\n"
    )
    allowance = call.allowance
    if allowance is not None and reply.status != 401:  # one 401 looks like another, down to its headers
        fields += (
            f"RateLimit-Limit: {allowance.limit}\r\n"
            f"RateLimit-Remaining: {allowance.remaining}\r\n"
            f"RateLimit-Reset: {allowance.reset}\r\n"
        )
    if reply.headers:
        fields += "".join(field(name, value) for name, value in reply.headers.items())
    response = respond(request, reply.status, fields, reply.body, close=reply.close)
    elapsed = perf_counter_ns() - started
    call.services.metrics.note_request(call.endpoint.route, reply.status, elapsed / 1e9)
    if logged:
        _log(call, request, reply, elapsed)
    return response


def _log(call: Call, request: web.Request, reply: Reply, elapsed_ns: int) -> None:
    services, caller = call.services, call.caller
    services.request_log.append((
        caller.account_id, call.received_at, call.request_id, request.method, request.rel_url.raw_path[:LONGEST_PATH],
        reply.status, reply.code, caller.key_id, call.client, elapsed_ns // 1000, _detail(call, reply),
    ))  # fmt: skip


def _detail(call: Call, reply: Reply) -> str | None:
    if reply.detail is not None:
        return orjson.dumps(reply.detail).decode()
    if call.ignored and reply.code is None:
        return orjson.dumps({"warnings": {"ignoredFields": call.ignored}}).decode()
    return None
